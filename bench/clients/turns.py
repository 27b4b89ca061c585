# SPDX-License-Identifier: BSD-3-Clause
"""Runs a client with FFTW and with sixstep in turn, and compares what it computes."""

import os
import re
import shutil
import statistics
import subprocess
import time

from client import INPUTS, Client

TIMEOUT_S = 600
MPIEXEC = ["mpiexec.openmpi", "--oversubscribe", "-n"]
# One thread per rank; nobody waits for a lost node, and root may run it.
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm_rsh_agent": "/bin/false",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "PMIX_MCA_gds": "hash",
    "UCX_LOG_LEVEL": "error",
}
HEADING = re.compile(r"^sixstep: .*: \d+ executions took (\S+) s, \d+ plans (\S+) s, ", re.MULTILINE)


class Failure(Exception):
    """A client that cannot run, or whose results differ."""


def run_once(client: Client, folder, settings):
    """Seconds of the whole program, and the text that has its results. Errors: Failure."""
    line = [*MPIEXEC, str(client.ranks), *client.command] if client.ranks else client.command
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LD_")}
    begin = time.monotonic()
    try:
        done = subprocess.run(line, cwd=folder, env=environment | ENVIRONMENT | settings, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S,
                              check=False)
    except FileNotFoundError:
        raise Failure(f"{line[0]} is not there: apt-get install {' '.join(client.packages)}") from None
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        raise Failure(f"exit status {done.returncode} with {settings}\n" + done.stdout[-2000:])
    return seconds, (folder / client.results).read_text() if client.results else done.stdout


def difference(one, other):
    """The largest between numbers, relative to the number or to 1. Errors: Failure."""
    if not one or len(one) != len(other):
        raise Failure(f"{len(one)} results with FFTW, {len(other)} with sixstep")
    return max(abs(a - b) / max(1, abs(a)) for a, b in zip(one, other, strict=True))


def seconds_in_ffts(client, library, folder):
    """Of the rank that spent most, and of the whole run. Errors: Failure if the library was not loaded."""
    report = folder / "report.txt"
    whole, _ = run_once(client, folder, {"LD_LIBRARY_PATH": str(library), "SIXSTEP_FFTW_REPORT": str(report)})
    found = HEADING.findall(report.read_text()) if report.exists() else []
    if not found:
        raise Failure("the program did not load sixstep's library")
    return max(float(executing) + float(planning) for executing, planning in found), whole


def compare(client, library, folder, rounds):
    """What is kept of a client: times and differences. Errors: Failure."""
    for name in client.inputs:
        shutil.copy(INPUTS / name, folder)
    try:
        client.prepare(folder)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(f"cannot be prepared; it needs {' '.join(client.packages)}: {error}") from error
    seconds = {"fftw": [], "sixstep": []}
    numbers = {"fftw": [], "sixstep": []}
    settings = {"fftw": {}, "sixstep": {"LD_LIBRARY_PATH": str(library)}}
    for turn in range(rounds):
        for name in ("fftw", "sixstep") if turn % 2 == 0 else ("sixstep", "fftw"):
            taken, text = run_once(client, folder, settings[name])
            seconds[name].append(taken)
            numbers[name].append(client.numbers(text))
    worst = max(difference(numbers["fftw"][0], found) for found in numbers["sixstep"])
    if worst > client.tolerance:
        raise Failure(f"results differ by {worst:.1e}, more than {client.tolerance:.0e}")
    in_ffts, whole = seconds_in_ffts(client, library, folder)
    return {
        "name": client.name,
        "what": client.what,
        "ranks": client.ranks,
        "fftw_s": statistics.median(seconds["fftw"]),
        "sixstep_s": statistics.median(seconds["sixstep"]),
        "ratio": statistics.median(a / b for a, b in zip(seconds["fftw"], seconds["sixstep"], strict=True)),
        "in_ffts": in_ffts / whole,
        "difference": worst,
        "results": len(numbers["fftw"][0]),
        "seconds": seconds,
    }

# SPDX-License-Identifier: BSD-3-Clause
"""Programs of this folder that write their figures with --json, on emulated hosts."""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent

# Two threads a rank outnumber the cores: who waits should not keep others from working.
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "UCX_LOG_LEVEL": "error", "PMIX_MCA_gds": "hash"}


def program_of(name, mpi, build):
    """Words that start a program. Errors: SystemExit if it has not been built."""
    folder = build / mpi
    program, preload = folder / "bench" / name, folder / "tests/yield_when_idle.so"
    if not shutil.which(program):
        sys.exit(f"{name}: {program} is needed, it is not there; --help says how to build it")
    variables = dict(ENVIRONMENT)
    if mpi == "mpich":
        if not preload.exists():
            sys.exit(f"{name}: {preload} is needed, it is not there; --help says how to build it")
        variables["LD_PRELOAD"] = str(preload.resolve())
    return ["env", *(f"{key}={value}" for key, value in variables.items()), str(program)]


def is_complete(file):
    """Whether a record is there and ends with its last case; the program may be writing just now."""
    try:
        return json.loads(file.read_text())["complete"]
    except (OSError, ValueError):
        return False


def status_of(process, file):
    """The exit status. MPICH 4.0 now and then never returns from MPI_Finalize: who has all figures need not wait."""
    complete = False
    while True:
        try:
            return process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            if complete:
                print("   MPI_Finalize does not return: ended", flush=True)
                process.terminate()
                process.wait()
                return 0
            complete = is_complete(file)


def measure(name, mpi, setup, arguments, options):
    """Runs a program on hosts and gives its record; arguments: rate, build. Errors: SystemExit if it fails."""
    hosts, per_host = setup.split("x")
    begin = time.monotonic()
    print(f"\n== {mpi}, {hosts} hosts, ranks on each: {per_host}, {arguments.rate}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "record.json")
        command = [FOLDER / "hosts", "--name", name, "--mpi", mpi, "--hosts", hosts, "--per-host", per_host,
                   "--rate", arguments.rate, *program_of(name, mpi, arguments.build), *options, "--json", file]
        with subprocess.Popen(command) as process:
            status = status_of(process, file)
        if status != 0:
            sys.exit(f"{name}: the program ended with {status}")
        print(f"   it took {time.monotonic() - begin:.0f} s", flush=True)
        return {"library": mpi, "hosts": int(hosts), "per_host": int(per_host), "rate": arguments.rate,
                **json.loads(file.read_text())}


def listed(choice, words):
    """The words of a list with commas, each of which must match. Errors: ArgumentTypeError."""
    def read(text):
        for word in text.split(","):
            if not re.fullmatch(choice, word):
                raise argparse.ArgumentTypeError(f"{words} is needed, '{word}' was given")
        return text.split(",")
    return read

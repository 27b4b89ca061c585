# SPDX-License-Identifier: BSD-3-Clause
"""Transforms between emulated hosts, where MPI takes other ways than on one; left out where there can be none."""

import os
import pathlib
import shutil
import subprocess

import pytest

import sixstep_command

HOSTS = pathlib.Path(__file__).parents[2] / "bench" / "hosts"
MPI = "openmpi" if "openmpi" in " ".join(sixstep_command.MPIEXEC) else "mpich"
PRELOAD = pathlib.Path(sixstep_command.COMMAND).parent / "tests" / "yield_when_idle.so"


def on_hosts(*words, last=None):
    """What the ranks say, all of it or to the line with `last`, and the exit status."""
    preload = [f"LD_PRELOAD={PRELOAD}"] if MPI == "mpich" and PRELOAD.exists() else []
    said = ""
    command = [HOSTS, "--name", "between", "--mpi", MPI, "--hosts", "4", "--rate", "200mbit", "env", *preload, *words]
    with subprocess.Popen(["timeout", "60", *command], env=sixstep_command.ENVIRONMENT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            said += line
            if last is not None and last in line:
                process.terminate()  # MPICH 4.0 over TCP now and then never returns from MPI_Finalize
    return said, process.returncode


@pytest.fixture(scope="module")
def hosts():
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc", "unshare"))) or on_hosts("true")[1] != 0:
        pytest.skip("network namespaces cannot be made")


# Messages of 64 KiB and more that are received in rows: MPICH over UCX refuses those sent as one run.
@pytest.mark.parametrize("exchange", ["pairwise", "persistent", "one_sided"])
def test_large_messages_arrive_in_rows(hosts, exchange):
    last = "summed from all outputs"
    said, _ = on_hosts(sixstep_command.COMMAND, "bench", "64", "64", "64", "--layout", "1x2x2", "--windows", "2",
                       "--exchange", exchange, "--plan-arrays", "--verify", "--repeats", "2", last=last)
    assert "received where they lie in the array" in said, said
    assert last in said and "Abort" not in said, said  # what is said last was found right

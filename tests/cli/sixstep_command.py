# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command under mpiexec: what SIXSTEP_COMMAND and SIXSTEP_MPIEXEC name, or the MPICH build."""

import dataclasses
import os
import pathlib
import shlex
import signal
import subprocess

ROOT = pathlib.Path(__file__).parents[2]
COMMAND = os.environ.get("SIXSTEP_COMMAND", str(ROOT / "build" / "mpich" / "sixstep"))
MPIEXEC = shlex.split(os.environ.get("SIXSTEP_MPIEXEC", "mpiexec.mpich"))
TIMEOUT_S = 100

# More ranks than cores, in a container or as root, and quiet about it. Each MPI ignores the other's. Within a host Open
# MPI chooses ob1 anyway, after 0.2 s of trying others.
ENVIRONMENT = os.environ | {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_btl_base_warn_component_unused": "0",
    "OMPI_MCA_plm_rsh_agent": "/bin/false",
    "PMIX_MCA_gds": "hash",
    "UCX_LOG_LEVEL": "error",
    "SIXSTEP_WISDOM": "",
    "SIXSTEP_MACHINE": "/nonexistent/machine.json",
}


@dataclasses.dataclass
class Outcome:
    code: int
    stdout: str
    stderr: str

    @property
    def messages(self):
        """What the command itself complained of; launchers have their own to say."""
        return [line for line in self.stderr.splitlines() if line.startswith("sixstep:")]


def run_line(line, prepare=None):
    outcome = run_once(line, prepare)
    # MPICH's launcher dies now and then if ranks end before it has started all of them.
    return run_once(line, prepare) if outcome == Outcome(-signal.SIGPIPE, "", "") else outcome


def run_once(line, prepare):
    done = subprocess.run(
        [str(word) for word in line],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        preexec_fn=prepare,
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_alone(*arguments, prepare=None):
    """Without mpiexec; `prepare` is called in the new process first."""
    return run_line([COMMAND, *arguments], prepare)


def run(ranks, *arguments):
    return run_line([*MPIEXEC, "-n", ranks, COMMAND, *arguments])


def succeed(ranks, *arguments):
    outcome = run(ranks, *arguments)
    assert outcome.code == 0, outcome.stderr
    assert outcome.messages == []
    return outcome


def refuse(ranks, *arguments):
    """The one thing that the command complains of."""
    outcome = run(ranks, *arguments)
    assert outcome.code != 0
    assert len(outcome.messages) == 1, outcome.stderr
    assert outcome.stdout == ""
    return outcome.messages[0]

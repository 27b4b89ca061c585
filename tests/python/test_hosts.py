# SPDX-License-Identifier: BSD-3-Clause
"""bench/hosts: ranks on emulated hosts, with either MPI; skipped where network namespaces cannot be made."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

HOSTS = pathlib.Path(__file__).parents[2] / "bench" / "hosts"
NAME = f"t{os.getpid() % 100000}"  # so that others may use emulated hosts meanwhile
PATIENCE_S = 60
PROBE = ("ip link add probe type bridge && ip link add probe-a type veth peer name probe-b && "
         "tc qdisc add dev probe-a root tbf rate 1mbit burst 48kb limit 1mb")
WHERE = ("echo $(hostname) $(ip -4 -o addr show eth0 | grep -o '10[.0-9]*/24') "
         "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}; sleep 0.5")
# MPICH's launcher dies now and then if ranks end before it has started all of them.
TELL_HOST = ("bash", "-c", "hostname; sleep 0.5")


def can_be_emulated():
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc", "unshare"))):
        return False
    name = f"{NAME}-probe{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
        return False
    done = subprocess.run(["ip", "netns", "exec", name, "bash", "-c", PROBE], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], check=True)
    return done.returncode == 0


emulated = pytest.mark.skipif(not can_be_emulated(), reason="network namespaces cannot be made")
mpis = pytest.mark.parametrize("mpi", [
    pytest.param(mpi, marks=pytest.mark.skipif(not shutil.which(f"mpiexec.{mpi}"), reason=f"no {mpi}"))
    for mpi in ("mpich", "openmpi")])


@pytest.fixture(scope="module", autouse=True)
def locks():
    yield
    for lock in pathlib.Path("/run/lock").glob(f"{NAME}*-hosts"):
        lock.unlink()


def hosts(*words):
    return subprocess.run([HOSTS, "--name", NAME, *words], capture_output=True, text=True, timeout=PATIENCE_S,
                          check=False)


def wait_until(holds):
    end = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def what_is_there():
    links = subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True).stdout
    names = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    return [line for line in (links + names).splitlines() if f"{NAME}-" in line]


@emulated
@mpis
def test_each_host_has_its_ranks_its_name_and_its_address(mpi):
    done = hosts("--mpi", mpi, "--hosts", "3", "--per-host", "2", "bash", "-c", WHERE)
    assert done.returncode == 0, done.stderr
    expected = [f"{NAME}-host{rank // 2} 10.77.0.{rank // 2 + 1}/24 {rank}" for rank in range(6)]
    assert sorted(done.stdout.splitlines()) == expected
    assert not what_is_there()


@emulated
@mpis
def test_a_program_that_fails_is_told_of_and_nothing_stays(mpi):
    status = hosts("--mpi", mpi, "--hosts", "2", "bash", "-c", "exit 3").returncode
    # MPICH's mpiexec (4.0) now and then writes to a host whose ranks have just ended, and dies of SIGPIPE itself.
    assert status == 3 or (mpi == "mpich" and status == 128 + signal.SIGPIPE)
    assert not what_is_there()


@emulated
@mpis
def test_what_a_killed_call_left_is_removed(mpi):
    seconds = f"100.{os.getpid()}"  # a sleep that is known by its length
    running = ["pgrep", "-fx", f"sleep {seconds}"]
    with subprocess.Popen([HOSTS, "--name", NAME, "--mpi", mpi, "--hosts", "2", "sleep", seconds],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as call:
        wait_until(lambda: len(subprocess.run(running, capture_output=True, check=False).stdout.split()) == 2)
        call.send_signal(signal.SIGKILL)
    assert what_is_there()
    # MPICH's mpiexec dies of SIGPIPE if programs end while it still starts others.
    done = hosts("--mpi", mpi, "--hosts", "3", *TELL_HOST)
    assert done.returncode == 0 and len(done.stdout.split()) == 3, done.stderr
    assert subprocess.run(running, capture_output=True, check=False).returncode == 1
    assert not what_is_there()


@contextlib.contextmanager
def a_call_under_way(folder, *words):
    """Hosts that run until the end of the block."""
    begun, over = folder / "begun", folder / "over"
    script = f"touch {begun}; until [ -e {over} ]; do sleep 0.1; done"
    with subprocess.Popen([HOSTS, "--name", NAME, "--hosts", "2", *words, "bash", "-c", script]) as call:
        try:
            wait_until(begun.exists)
            yield call
        finally:
            over.touch()
        assert call.wait(timeout=PATIENCE_S) == 0


@emulated
@mpis
def test_a_second_call_waits_for_the_first(mpi, tmp_path):
    with a_call_under_way(tmp_path, "--mpi", mpi):
        second = subprocess.Popen([HOSTS, "--name", NAME, "--mpi", mpi, "--hosts", "2", *TELL_HOST],
                                  stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert "waiting" in second.stderr.readline()
    said, _ = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 0 and sorted(said.split()) == [f"{NAME}-host0", f"{NAME}-host1"]
    assert not what_is_there()


@emulated
def test_two_names_may_be_used_at_once(tmp_path):
    with a_call_under_way(tmp_path) as first:
        second = subprocess.run([HOSTS, "--name", f"{NAME}2", "--hosts", "2", *TELL_HOST], capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        assert sorted(second.stdout.split()) == [f"{NAME}2-host0", f"{NAME}2-host1"]
        assert first.poll() is None
    assert not what_is_there()


@pytest.mark.parametrize("words, complaint", [
    (["--mpi", "lam", "true"], "mpich or openmpi is needed, 'lam' was given"),
    (["--hosts", "0", "true"], "a number from 1 to 99 is needed, '0' was given"),
    (["--per-host"], "--per-host: a value is needed"),
    (["--rate", "fast", "true"], "as in 100mbit is needed, 'fast' was given"),
    (["--name", "Two-Words", "true"], "1 to 8 lower-case letters or digits are needed, 'Two-Words' was given"),
    (["--nodes", "2", "true"], "--nodes: there is no such option"),
    ([], "a program to run is needed"),
])
def test_wrong_options_are_refused_in_words(words, complaint):
    done = hosts(*words)
    assert done.returncode == 2 and complaint in done.stderr

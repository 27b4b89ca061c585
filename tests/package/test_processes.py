# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.fft in many threads, in forked processes and without MPI; what children of ranks may do."""

import pathlib
import shutil
import subprocess
import sys

import pytest
from test_ranks import run

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "cli"))
from sixstep_command import MPIEXEC

TRANSFORMS = """
import multiprocessing, os, sys, threading
import numpy, sixstep.fft

def right(n, workers=1):
    x = numpy.arange(3 * n).reshape(3, n) % 7 + 1j
    return bool(numpy.allclose(sixstep.fft.fft(x, workers=workers), numpy.fft.fft(x), atol=1e-8))

def status_of(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""


def program(words):
    """Runs a program that begins with the functions above; a child that hangs ends it, too."""
    return run([sys.executable, "-c", TRANSFORMS + "import signal; signal.alarm(250)\n" + words])


def test_transforms_leave_mpi_alone():
    assert program("""
assert right(100) and right(1000, 2) and sixstep.good_size(17) == 18 and sixstep.__version__
with open("/proc/self/maps") as maps:
    assert "/libmpi" not in maps.read()
assert sixstep.rank() == 0
with open("/proc/self/maps") as maps:
    assert "/libmpi" in maps.read()
""") == (0, "")


def test_without_mpi_only_what_needs_it_is_refused(tmp_path):
    for name in ("libmpi.so.12", "libmpich.so.12", "libmpi.so.40"):
        (tmp_path / name).write_text("no library")
    words = """
assert right(100)
refused = set()
for name in sixstep.__all__:
    try:
        getattr(sixstep, name)
    except ImportError as error:
        refused.add(name)
        assert str(error).startswith(f"sixstep.{name}: MPI is needed"), error
        assert "apt-get install" in str(error) and "sixstep.fft needs no MPI" in str(error), error
assert refused == set(sixstep.__all__) - {"Error", "__version__", "fft", "good_size"}, refused
raise RuntimeError("the end")
"""
    command = [sys.executable, "-m", "sixstep", "-c", TRANSFORMS + words]
    status, said = run(command, LD_LIBRARY_PATH=str(tmp_path))
    assert status == 1 and said.endswith("RuntimeError: the end\n"), said


@pytest.mark.skipif(shutil.which("ldd") is None, reason="ldd tells what a module is linked to")
def test_their_module_is_not_linked_to_mpi():
    _, path = run([sys.executable, "-c", "from sixstep import _serial; print(_serial.__file__)"])
    linked = subprocess.run(["ldd", path.strip()], capture_output=True, text=True, check=True).stdout
    assert "libc.so" in linked and "libmpi" not in linked, linked


def test_many_lengths_in_many_threads():
    assert program("""
wrong = []
def work(thread):
    wrong.extend(n for n in range(16, 80) if not right(n + thread))
threads = [threading.Thread(target=work, args=(i,)) for i in range(32)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert not wrong, wrong
""") == (0, "")


def test_plans_that_are_kept_are_bounded_in_bytes():
    assert program("""
def work():
    for n in range(9000, 9064):
        assert right(n)
        assert sixstep.fft.cache_bytes() <= 64 << 20
threads = [threading.Thread(target=work) for i in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert 1 << 20 < sixstep.fft.cache_bytes() <= 64 << 20
sixstep.fft.set_cache_bytes(8 << 20)
assert 1 << 20 < sixstep.fft.cache_bytes() <= 8 << 20
assert right(9000)
sixstep.fft.set_cache_bytes(0)
assert sixstep.fft.cache_bytes() == 0
assert right(9000) and sixstep.fft.cache_bytes() == 0
try:
    sixstep.fft.set_cache_bytes(-1)
except ValueError as error:
    assert str(error) == "n: 0 bytes or more are needed, -1 was given", error
else:
    assert False
""") == (0, "")


def test_the_environment_bounds_them_too():
    words = TRANSFORMS + "from sixstep import _serial; assert right(9); print(_serial.most_cache_bytes())"
    assert run([sys.executable, "-c", words], SIXSTEP_FFT_CACHE_BYTES="12345") == (0, "12345\n")
    status, words = run([sys.executable, "-c", words], SIXSTEP_FFT_CACHE_BYTES="much")
    assert status != 0 and "sixstep.Error: SIXSTEP_FFT_CACHE_BYTES: a whole number" in words and "'much'" in words


def test_forked_processes_transform_with_several_threads():
    assert program("""
assert right(1 << 16, 2)
for round in range(5):
    child = os.fork()
    if child == 0:
        os._exit(0 if all(right(n, 2) for n in (1 << 16, 1 << 15, 3000)) else 1)
    assert status_of(child) == 0
    assert right(1 << 16, 2)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert all(pool.starmap(right, [(n, 2) for n in (1 << 16, 1 << 15, 3000, 1 << 16)]))
child = os.fork()
if child == 0:
    sys.exit(0 if right(1 << 16, 2) else 1)  # with all handlers
assert status_of(child) == 0
""") == (0, "")


def test_children_of_ranks_leave_mpi_to_them():
    words = """
import sixstep
layout = sixstep.Layout.slab((8, 6, 4), sixstep.ranks())
plan = sixstep.Plan(layout, layout)
array = sixstep.Array(layout)
x = plan.empty_input()
x[...] = 1
for round in range(3):
    if sixstep.rank() == 0:
        child = os.fork()
        if child == 0:
            refused = 0
            for action in (lambda: plan.forward(x), plan.empty_input, lambda: sixstep.Plan(layout), array.sum):
                try:
                    action()
                except sixstep.Error as error:
                    refused += "was forked from one in which MPI was running" in str(error)
            sys.exit(0 if refused == 4 and right(1000, 2) else 1)
        assert status_of(child) == 0
    spectrum = plan.forward(x)
    assert plan.backward(spectrum, scale="by_n").sum() == x.size
"""
    command = [*MPIEXEC, "-n", "2", sys.executable, "-c", TRANSFORMS + words]
    assert run(command, SIXSTEP_TIMEOUT="60") == (0, "")

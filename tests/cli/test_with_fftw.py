# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep with-fftw`: a program gets sixstep's libraries under FFTW's names."""

import pathlib
import re
import sys

import pytest
from sixstep_command import ENVIRONMENT, run_alone

SHOW = "import ctypes, os, sys; print(sys.argv[1:]); print(os.environ['LD_LIBRARY_PATH'])"
MAPPED = "import ctypes; ctypes.CDLL('libfftw3.so.3'); print(open('/proc/self/maps').read())"

# Makes a plan of 8 points, forward, executes it three times, and destroys it.
TRANSFORM = """
import ctypes
fftw = ctypes.CDLL("libfftw3.so.3")
fftw.fftw_plan_dft_1d.restype = ctypes.c_void_p
array = (ctypes.c_double * 16)()
plan = ctypes.c_void_p(fftw.fftw_plan_dft_1d(8, array, array, -1, 64))
for _ in range(3):
    fftw.fftw_execute(plan)
fftw.fftw_destroy_plan(plan)
"""


@pytest.fixture(scope="module")
def folder():
    outcome = run_alone("with-fftw", "--print")
    if outcome.code != 0:
        assert "SIXSTEP_BUILD_FFTW" in outcome.stderr
        pytest.skip("built without FFTW's interface")
    return pathlib.Path(outcome.stdout.strip())


def test_the_folder_has_the_libraries_with_the_names_of_fftw(folder):
    for name in ["fftw3", "fftw3f"]:
        assert (folder / f"lib{name}.so.3").exists()


def test_a_program_gets_its_arguments_and_the_folder(folder):
    outcome = run_alone("with-fftw", "--", sys.executable, "-c", SHOW, "--help", "-x", "y z")
    assert outcome.code == 0, outcome.stderr
    arguments, path = outcome.stdout.splitlines()
    assert arguments == "['--help', '-x', 'y z']"
    assert path.split(":")[0] == str(folder)


def test_a_program_that_loads_fftw_gets_sixstep(folder):
    outcome = run_alone("with-fftw", "--", sys.executable, "-c", MAPPED)
    assert outcome.code == 0, outcome.stderr
    assert str((folder / "libfftw3.so.3").resolve()) in outcome.stdout


def test_the_exit_code_is_that_of_the_program(folder):
    assert run_alone("with-fftw", "--", sys.executable, "-c", "raise SystemExit(7)").code == 7


def test_a_program_that_does_not_exist_is_named(folder):
    outcome = run_alone("with-fftw", "--", "no-such-program")
    assert outcome.code == 127
    assert "no-such-program: cannot be started: No such file" in outcome.stderr


def test_a_program_is_needed(folder):
    outcome = run_alone("with-fftw")
    assert outcome.code == 1
    assert "a program is needed" in outcome.stderr


def check_report(text, beside=True):
    heading, titles, line = text.splitlines()
    assert re.match(r"sixstep: python\S* \(process \d+\): 3 executions took \d+\.\d{6} s, 1 plans ", heading)
    assert heading.endswith("double precision")
    assert titles.split() == ["executions", "seconds", "plans", "seconds", *["FFTW's"] * beside, "plan"]
    ratio = r" +(?!0\.00)\d+\.\d\d" if beside else ""
    assert re.match(rf" *3 +\d+\.\d+ +1 +\d+\.\d+{ratio}  \(sixstep-codelet c2c- 8:2:2 in-place\)", line), line


def test_a_report_says_which_plans_were_executed_how_often(folder):
    outcome = run_alone("with-fftw", "--report", "--", sys.executable, "-c", TRANSFORM)
    assert outcome.code == 0, outcome.stderr
    check_report(outcome.stderr)


def test_a_report_without_fftw_has_only_our_seconds(folder, monkeypatch):
    monkeypatch.setitem(ENVIRONMENT, "SIXSTEP_FFTW_BESIDE", "/no/libfftw3.so.3")
    outcome = run_alone("with-fftw", "--report", "--", sys.executable, "-c", TRANSFORM)
    assert outcome.code == 0, outcome.stderr
    check_report(outcome.stderr, beside=False)


# Plans of each kind, in both precisions, on strided arrays and in place.
PLANS = """
import ctypes
for letter, real in ("", ctypes.c_double), ("f", ctypes.c_float):
    fftw = ctypes.CDLL(f"libfftw3{letter}.so.3")
    a, b = (real * 70000)(), (real * 70000)()
    def run(name, *arguments):
        function = getattr(fftw, f"fftw{letter}_{name}")
        function.restype = ctypes.c_void_p
        plan = ctypes.c_void_p(function(*arguments))
        assert plan.value, name
        getattr(fftw, f"fftw{letter}_execute")(plan)
        getattr(fftw, f"fftw{letter}_destroy_plan")(plan)
    n = (ctypes.c_int * 2)(15, 12)
    run("plan_dft_3d", 20, 18, 16, a, b, 1, 64)
    run("plan_dft_r2c_2d", 30, 31, a, b, 0)
    run("plan_dft_c2r_2d", 30, 31, a, b, 64)
    run("plan_dft_c2r_1d", 40, a, b, 64 | 1 << 4)
    run("plan_r2r_1d", 33, a, a, 5, 64)
    run("plan_many_dft", 2, n, 7, a, None, 9, 1, b, None, 1, 180, -1, 64)
    run("plan_many_dft", 2, n, 1, a, None, 1, 0, a, None, 1, 0, -1, 0)
"""


def test_a_report_times_all_kinds_of_plans_beside_those_of_fftw(folder):
    outcome = run_alone("with-fftw", "--report", "--", sys.executable, "-c", PLANS)
    assert outcome.code == 0, outcome.stderr
    lines = [line for line in outcome.stderr.splitlines() if "(sixstep-" in line]
    assert len(lines) == 14, outcome.stderr
    for line in lines:
        assert float(line.split()[4]) > 0, line


def test_a_report_goes_to_a_file_of_the_rank(folder, tmp_path):
    (tmp_path / "fft.txt.0").write_text("of another run")
    outcome = run_alone("with-fftw", "--report-to", tmp_path / "fft.txt", "--", sys.executable, "-c", TRANSFORM)
    assert outcome.code == 0, outcome.stderr
    assert "sixstep" not in outcome.stderr
    check_report((tmp_path / "fft.txt.0").read_text())


def test_without_a_wish_there_is_no_report(folder):
    outcome = run_alone("with-fftw", "--", sys.executable, "-c", TRANSFORM)
    assert (outcome.code, outcome.stderr) == (0, "")

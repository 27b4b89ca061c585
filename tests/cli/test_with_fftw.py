# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep with-fftw`: a program gets sixstep's libraries under FFTW's names."""

import pathlib
import sys

import pytest
from sixstep_command import run_alone

SHOW = "import ctypes, os, sys; print(sys.argv[1:]); print(os.environ['LD_LIBRARY_PATH'])"
MAPPED = "import ctypes; ctypes.CDLL('libfftw3.so.3'); print(open('/proc/self/maps').read())"


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

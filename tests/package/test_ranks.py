# SPDX-License-Identifier: BSD-3-Clause
"""The tests of *on_ranks.py on so many ranks, and what an installed package has to be."""

import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "cli"))
from sixstep_command import ENVIRONMENT, MPIEXEC


def run(command, **more):
    done = subprocess.run(command, env={**ENVIRONMENT, **more}, cwd=HERE, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("tests", ["on_ranks.py", "arrays_on_ranks.py", "types_on_ranks.py"])
def test_on_ranks(ranks, tests):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words and "skipped" not in words


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_beside_mpi4py_fft(ranks):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "beside_mpi4py_fft.py"]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words and "skipped" not in words


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_random_programs_of_arrays(ranks):
    command = [*MPIEXEC, "-n", str(ranks), sys.executable, "random_arrays.py"]
    status, words = run(command, SIXSTEP_TIMEOUT="60")
    assert status == 0 and f"20 programs on {ranks} ranks" in words, words


EXAMPLES = {
    "gfft.py 30000 1": "30000 points on {} ranks",
    "poisson.py": "32 points an axis",
    "navier_stokes.py 16 20": "16 modes an axis, 20 steps on {} ranks",
    "power_spectrum.py": "mean square",
    "snippets/arrays.py": "on {} ranks",
    "snippets/spectra.py": "on {} ranks",
}


@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_check_themselves(ranks, example):
    program, *arguments = example.split()
    path = HERE.parent.parent / "examples" / program
    status, words = run([*MPIEXEC, "-n", str(ranks), sys.executable, path, *arguments])
    assert status == 0 and EXAMPLES[example].format(ranks) in words, words


def test_one_process_needs_neither_mpiexec_nor_mpi4py():
    program = "import sys; sys.modules['mpi4py'] = None; import sixstep\n"
    program += "plan = sixstep.Plan(sixstep.Layout.slab((4, 4), 1)); x = plan.empty_input(); x[...] = 1\n"
    program += "assert plan.forward(x)[0, 0] == 16"
    assert run([sys.executable, "-c", program]) == (0, "")


def test_what_the_documents_call_is_there_without_another_import():
    program = "import sixstep; assert sixstep.fft.fft([1, 1])[0] == 2 and 'fft' in sixstep.__all__"
    assert run([sys.executable, "-c", program]) == (0, "")


def test_import_takes_less_than_a_third_of_a_second_more_than_numpys():
    program = "import time, numpy; begin = time.perf_counter(); import sixstep; print(time.perf_counter() - begin)"
    assert min(float(run([sys.executable, "-c", program])[1]) for _ in range(5)) < 0.3


def test_ranks_of_another_launcher_are_told():
    status, words = run([sys.executable, "-c", "import sixstep; sixstep.ranks()"], OMPI_COMM_WORLD_SIZE="2")
    assert status != 0 and "use its own mpiexec" in words


def test_types_are_there():
    import sixstep

    folder = pathlib.Path(sixstep.__file__).parent
    assert (folder / "py.typed").exists() and "class Layout" in (folder / "_core.pyi").read_text()


def test_the_documents_know_the_extension_module():
    """docs/_core.pyi, of which the site's reference is made, is the stub: copy it there if it has changed."""
    import sixstep

    def names(text):
        return re.findall(r"(?m)^ *(?:class|def) (\w+)", text)

    stub = (pathlib.Path(sixstep.__file__).parent / "_core.pyi").read_text()
    kept = (HERE.parent.parent / "docs" / "_core.pyi").read_text()
    assert names(kept) == names(stub)

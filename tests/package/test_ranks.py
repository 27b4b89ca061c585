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

# For predictions: what `sixstep tune --machine` has measured here may be missing.
MACHINE = str(HERE.parent.parent / "machines" / "t2k-tsukuba.json")


def run(command, folder=HERE, **more):
    # Ranks that wait for ever are found by SIXSTEP_TIMEOUT. Where 14 processes shared two cores, 3 ranks took 225 s.
    seconds = 900
    done = subprocess.run(
        command, env={**ENVIRONMENT, **more}, cwd=folder, capture_output=True, text=True, timeout=seconds
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_on_ranks(ranks):
    # The tests of arrays come first: those of plans import mpi4py.
    of_arrays = ["arrays", "array_files", "array_mistakes", "types"]
    others = ["operators", "symbols", "maps", "fields", "poisson", "redistributions"]
    others += ["mistakes", "plan_uses", "endings"]
    tests = [*(f"{subject}_on_ranks.py" for subject in of_arrays + others), "on_ranks.py"]
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words and "skipped" not in words


@pytest.mark.parametrize("ranks", [1, 3, 4])
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
    "snippets/notebook.py": "drawn on {} ranks",
    "snippets/spectra.py": "on {} ranks",
}


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_check_themselves(ranks, example):
    program, *arguments = example.split()
    path = HERE.parent.parent / "examples" / program
    status, words = run([*MPIEXEC, "-n", str(ranks), sys.executable, path, *arguments], SIXSTEP_MACHINE=MACHINE)
    assert status == 0 and EXAMPLES[example].format(ranks) in words, words


NUMBA = """import numba, numpy, sixstep
rows = numba.types.CPointer(numba.types.CPointer(numba.complex128))
parts = numba.types.CPointer(numba.types.CPointer(numba.float64))
@numba.cfunc(numba.void(numba.int64, rows, rows, parts))
def derivative(n, c, result, k):
    for i in range(n):
        result[0][i] = 1j * k[0][i] * c[0][i]
layout = sixstep.Layout.slab((8, 6), 1)
maps = [sixstep.Map(layout, (lambda v: v, 1), after=(each, 1)) for each in (derivative, lambda c, k: 1j * k[:1] * c)]
c = numpy.random.default_rng(1).normal(size=(8, 6)) + 0j
assert abs(maps[0](c) - maps[1](c)).max() < 1e-14
"""


def test_maps_call_functions_of_numba():
    assert run([sys.executable, "-c", NUMBA]) == (0, "")


def test_one_process_needs_neither_mpiexec_nor_mpi4py():
    program = "import sys; sys.modules['mpi4py'] = None; import sixstep\n"
    program += "plan = sixstep.Plan(sixstep.Layout.slab((4, 4), 1)); x = plan.empty_input(); x[...] = 1\n"
    program += "assert plan.forward(x)[0, 0] == 16"
    assert run([sys.executable, "-c", program]) == (0, "")


def test_what_the_documents_call_is_there_without_another_import():
    program = "import sixstep; assert sixstep.fft.fft([1, 1])[0] == 2 and 'fft' in sixstep.__all__"
    assert run([sys.executable, "-c", program]) == (0, "")


def test_import_loads_no_packages_but_numpy():
    program = "import sys, sixstep; print(sorted({'h5py', 'matplotlib', 'mpi4py', 'scipy'} & set(sys.modules)))"
    assert run([sys.executable, "-c", program]) == (0, "[]\n")


def test_ranks_of_another_launcher_are_told():
    status, words = run([sys.executable, "-c", "import sixstep; sixstep.ranks()"], OMPI_COMM_WORLD_SIZE="2")
    assert status != 0 and "use the mpiexec of that MPI" in words


FAILS_ON_ONE_RANK = """import sys, sixstep
kind, *names = sys.argv[1:]
def broken():
    if kind == "exit":
        sys.exit("it was enough")
    raise RuntimeError(f"broken with {names}")
if sixstep.rank() == sixstep.ranks() - 1:
    broken()
sixstep.Array((8, 8)).sum()  # which waits for all ranks
"""


@pytest.mark.parametrize("how, ranks", [("file", 1), ("file", 3), ("module", 2), ("commands", 2), ("mpi4py", 2)])
def test_an_exception_on_one_rank_ends_all(how, ranks, tmp_path):
    (tmp_path / "broken_here.py").write_text(("import mpi4py.MPI\n" if how == "mpi4py" else "") + FAILS_ON_ONE_RANK)
    program = {"module": ["-m", "broken_here"], "commands": ["-c", FAILS_ON_ONE_RANK]}.get(how, ["broken_here.py"])
    command = [*MPIEXEC, "-n", str(ranks), sys.executable, "-m", "sixstep", *program]
    # A rank that is not aborted waits for longer than this test.
    status, words = run([*command, "raise", "a", "-x"], tmp_path)
    assert status != 0 and "RuntimeError: broken with ['a', '-x']" in words and "in broken" in words, words
    assert "runpy" not in words and "__main__.py" not in words, words
    status, words = run([*command, "exit"], tmp_path)
    assert status != 0 and "it was enough" in words and "Traceback" not in words, words


def test_programs_that_end_well_do_so(tmp_path):
    (tmp_path / "beside.py").write_text("value = 3\n")
    program = tmp_path / "program.py"
    # One write() a rank: lines of two ranks must not mix.
    program.write_text("import os, sys, beside, sixstep\nassert __name__ == '__main__' and beside.value == 3\n"
                       "os.write(1, f'{sys.argv[1:]} {sixstep.ranks()}\\n'.encode())\n"
                       "if 'exit' in sys.argv: sys.exit()\n")  # fmt: skip
    command = [*MPIEXEC, "-n", "2", sys.executable, "-m", "sixstep"]
    for words in (["a"], ["exit"]):
        status, printed = run([*command, str(program), *words])
        assert status == 0 and printed.count(f"{words} 2") == 2, printed
    one = [sys.executable, "-m", "sixstep"]
    assert run([*one, "-c", "import sys; sys.exit(3)"]) == (3, "")
    assert run([*one, "--help"])[0] == 0 and run(one) == (2, run(one)[1]) and "usage:" in run(one)[1]
    status, words = run([*one, "nothing.py"])
    assert status == 1 and "FileNotFoundError" in words
    status, words = run([*one, "-c", "1 +"])
    assert status == 1 and "SyntaxError" in words


def test_a_rank_that_sums_alone_says_so():
    program = "import sixstep, time; a = sixstep.Array((4, 4)); time.sleep(60) if sixstep.rank() == 1 else a.sum()"
    status, words = run([*MPIEXEC, "-n", "2", sys.executable, "-c", program], SIXSTEP_TIMEOUT="2")
    assert status != 0 and "rank 0 of 2 has waited 2 s (SIXSTEP_TIMEOUT)" in words


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

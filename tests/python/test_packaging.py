# SPDX-License-Identifier: BSD-3-Clause
"""The recipes for conda and Spack agree with CMake: versions, options and what they depend on."""

import pathlib
import re
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).parents[2]
VERSION = re.search(r"project\(sixstep VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
CMAKE = "\n".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *sorted((ROOT / "cmake").glob("*.cmake"))])
CONDA = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text()
SPACK = ROOT / "packaging" / "spack" / "spack_repo" / "sixstep" / "packages" / "sixstep" / "package.py"


def check_options(words):
    """CMake or the project knows all these variables."""
    for name in re.findall(r"SIXSTEP_\w+", words):
        assert re.search(rf"(option|set|cmake_dependent_option)\({name}\b", CMAKE), f"{name}: no such option"
    assert re.search(r"SIXSTEP_\w+", words)


def test_conda_has_the_version_and_options_that_exist():
    assert f'version: "{VERSION}"' in CONDA
    check_options(CONDA)
    assert "\t" not in CONDA and "{%" not in CONDA


class Package:
    """A stand-in for Spack's CMakePackage and for the functions that recipes call, which notes them."""

    noted: list = []
    values = {"shared": True, "cli": False, "fortran": True, "hdf5": False, "cuda": False}
    spec = {"mpi": types.SimpleNamespace(mpicxx="/opt/mpi/bin/mpicxx")}

    @staticmethod
    def define(name, value):
        return f"-D{name}={'ON' if value is True else 'OFF' if value is False else value}"

    def define_from_variant(self, name, variant):
        assert ("variant", variant) in {call[:2] for call in self.noted}, f"{variant}: no such variant"
        return self.define(name, self.values[variant])


@pytest.fixture
def spack(monkeypatch):
    """The recipe's class, and the calls that it makes."""
    Package.noted = noted = []

    def note(name):
        return lambda *arguments, **keywords: noted.append((name, *arguments, keywords))

    package = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on"):
        setattr(package, name, note(name))
    systems = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    systems.CMakePackage = Package
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "spack.package", package)
    monkeypatch.setitem(sys.modules, "spack_repo.builtin.build_systems.cmake", systems)
    names = {}
    exec(compile(SPACK.read_text(), SPACK, "exec"), names)
    return names["Sixstep"], noted


def test_spack_has_the_version_and_options_that_exist(spack):
    recipe, noted = spack
    assert VERSION in {call[1] for call in noted if call[0] == "version"}
    arguments = recipe().cmake_args()
    check_options(" ".join(arguments))
    assert "-DMPI_CXX_COMPILER=/opt/mpi/bin/mpicxx" in arguments and "-DBUILD_SHARED_LIBS=ON" in arguments
    needed = re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", CMAKE).group(1)
    assert f"cmake@{needed}:" in {call[1] for call in noted if call[0] == "depends_on"}


def test_conditions_of_spack_name_variants_or_processors(spack):
    _, noted = spack
    known = {call[1] for call in noted if call[0] == "variant"} | {"target=aarch64:"}
    for call in noted:
        condition = call[-1].get("when")
        assert condition is None or condition.lstrip("+~") in known, call


def test_spack_takes_the_highway_that_cmake_takes(spack):
    _, noted = spack
    least = re.search(r"set\(least_highway ([0-9.]+)\)", CMAKE).group(1)
    assert ("depends_on", f"highway@{least}:", {"when": "target=aarch64:"}) in noted


def test_spack_finds_the_repository():
    repository = SPACK.parents[2] / "repo.yaml"
    assert "namespace: sixstep" in repository.read_text() and SPACK.parents[3].name == "spack_repo"

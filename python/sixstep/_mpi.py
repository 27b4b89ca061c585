# SPDX-License-Identifier: BSD-3-Clause
"""Communicators: mpi4py's where it is in use, or those of the MPI that the extension was built with."""

from __future__ import annotations

import atexit
import os
import sys

import numpy

from . import _core

_LAUNCHERS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE")


def _flavour(library: str) -> str:
    """What must be the same in two descriptions of MPI libraries, as MPI_Get_library_version() gives them."""
    if "Open MPI" in library:
        return "Open MPI"
    if any(name in library for name in ("MPICH", "Intel(R) MPI", "MVAPICH")):
        return "MPICH"
    return library.split("\n")[0]


def _mpi4py(needed: bool):
    """mpi4py.MPI, if it uses the same MPI as we do; else None, or an error if it is needed."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError):
        return None
    theirs, ours = _flavour(MPI.Get_library_version()), _flavour(_core.mpi_library())
    if theirs == ours:
        return MPI
    if needed or MPI.COMM_WORLD.Get_size() > 1:
        raise _core.Error(
            f"comm: mpi4py uses {theirs}, sixstep was built with {ours}: install both for the same MPI, "
            f"for example with MPICC=mpicc pip install --no-binary mpi4py mpi4py"
        )
    return None


def _own_world() -> int:
    """All ranks, without mpi4py."""
    world = _core.world()
    atexit.register(_core.finalize)
    launched = max((int(os.environ.get(name, "1")) for name in _LAUNCHERS), default=1)
    if launched > 1 and _core.comm_size(world) == 1:
        raise _core.Error(
            f"comm: a launcher has started {launched} ranks, but the MPI that sixstep was built with "
            f"({_flavour(_core.mpi_library())}) sees one: use its own mpiexec"
        )
    return world


def handle(comm=None) -> int:
    """The Fortran handle of a communicator; of all ranks if there is none."""
    if comm is not None:
        MPI = _mpi4py(needed=True)
        if MPI is None or not isinstance(comm, MPI.Comm):
            raise TypeError(f"comm: a communicator of mpi4py is needed, {type(comm).__name__} was given")
        return comm.py2f()
    MPI = _mpi4py(needed=False)
    return MPI.COMM_WORLD.py2f() if MPI is not None else _own_world()


def size(comm=None) -> int:
    return _core.comm_size(handle(comm))


def rank(comm=None) -> int:
    return _core.comm_rank(handle(comm))


def is_single(dtype) -> bool:
    """The precision of a NumPy dtype."""
    kinds = {"float32": True, "complex64": True, "float64": False, "complex128": False}
    name = numpy.dtype(dtype).name
    if name not in kinds:
        raise _core.Error(f"dtype: {', '.join(kinds)} are possible, {name} was given")
    return kinds[name]

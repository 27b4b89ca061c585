# SPDX-License-Identifier: BSD-3-Clause
"""Communicators: mpi4py's if the program uses mpi4py, else that of all ranks."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Callable
from typing import Any

import numpy

from . import _core
from ._error import Error

_LAUNCHERS = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "PMIX_SIZE")


def _mpi4py():
    """mpi4py.MPI if the program has imported it, else None. Errors: mpi4py uses another MPI than sixstep."""
    MPI = sys.modules.get("mpi4py.MPI")
    if MPI is None:
        return None
    if not _is_library_of(MPI):
        raise Error(
            f"comm: mpi4py and sixstep need one MPI library, but mpi4py uses {_name(MPI.Get_library_version())}, and "
            f"sixstep {_name(_core.mpi_library())}, maybe from another place: import mpi4py.MPI first, or install both "
            "for the same MPI; SIXSTEP_MPI chooses the kind for sixstep's wheel, MPI4PY_LIBMPI the library for mpi4py's"
        )
    return MPI


@functools.lru_cache
def _is_library_of(MPI) -> bool:
    """Whether mpi4py.MPI and sixstep use the same MPI library, from the same place."""
    return _core.address_of_init == ctypes.cast(ctypes.CDLL(MPI.__file__).MPI_Init, ctypes.c_void_p).value


def _name(version):
    return version.splitlines()[0].split(",")[0]


def _check_launcher(ranks: int) -> None:
    """Errors: this process believes to be alone, but a launcher has started several."""
    if ranks > 1:
        return
    if "TORCHELASTIC_RUN_ID" in os.environ and int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise Error(
            f"comm: torchrun has started {os.environ['WORLD_SIZE']} processes, which MPI does not know: start the "
            f"program by mpiexec -n {os.environ['WORLD_SIZE']} python, and torch.distributed by "
            "sixstep.torch.init_process_group()"
        )
    launched = max(int(os.environ.get(name, "1")) for name in _LAUNCHERS)
    if launched > 1:
        raise Error(
            f"comm: a launcher has started {launched} ranks, but {_name(_core.mpi_library())}, which sixstep uses, "
            "sees one: use the mpiexec of that MPI"
        )


def _own_world() -> int:
    world = _core.world()
    atexit.register(_core.finalize)
    _check_launcher(_core.comm_size(world))
    return world


def handle(comm=None) -> int:
    """The Fortran handle of a communicator; without one, of all ranks."""
    MPI = _mpi4py()
    if comm is None:
        if MPI is None:
            return _own_world()
        _check_launcher(MPI.COMM_WORLD.size)
        return MPI.COMM_WORLD.py2f()
    if MPI is None or not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm: a communicator of mpi4py is needed, {type(comm).__name__} was given")
    return comm.py2f()


def myself() -> int:
    """The handle of a communicator of this process alone."""
    handle()  # initialises MPI if needed
    return _core.myself()


def ranks(comm: Any = None) -> int:
    """The number of ranks of a communicator; without one, of the program."""
    return _core.comm_size(handle(comm))


def rank(comm: Any = None) -> int:
    """The number of this rank."""
    return _core.comm_rank(handle(comm))


@contextlib.contextmanager
def together(comm: int):
    """A context for code that checks arguments before a collective call: an exception on one rank is raised on all.

    `comm` is the handle of the communicator over which the call is collective.
    """
    try:
        yield
    except Exception as error:
        raise_on_all(functools.partial(_core.fail, comm), error)
        raise


def raise_on_all(fail: Callable[[str], None], error: Exception) -> None:
    """Tells the other ranks of an exception by fail(). If all ranks raise another one, raises that."""
    mine = str(error) or type(error).__name__
    try:
        fail(mine)
    except Error as agreed:
        if str(agreed) != mine:
            raise agreed from None
    error.on_all_ranks = True  # type: ignore[attr-defined]


def is_single(dtype) -> bool:
    """Whether a NumPy dtype has single precision. Errors: it has neither single nor double precision."""
    kinds = {"float32": True, "complex64": True, "float64": False, "complex128": False}
    name = numpy.dtype(dtype).name
    if name not in kinds:
        raise Error(f"dtype: {', '.join(kinds)} are possible, {name} was given")
    return kinds[name]

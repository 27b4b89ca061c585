# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in files: each rank writes and reads its part, any number of ranks and any layout what others have written."""

from __future__ import annotations

import os

import numpy

from . import _core
from ._core import Layout
from ._error import Error
from ._ranks import ranks_of
from .array import Array


def save(file, array: Array, dataset: str | None = None) -> None:
    """Writes an Array, for numpy.load(), or as a dataset of an HDF5 file, for h5py. Collective.

    The file appears, or takes the place of another, when it is complete; if anything fails, what was there stays. Into
    an HDF5 file that is there the dataset is added, or put in the place of a dataset of its name.

    Parameters
    ----------
    file : path
    array : Array
        Of bool, integers, float32, float64, complex64 or complex128.
    dataset : str, optional
        Its name, groups and all: "fields/u". None: the file is NumPy's.

    Raises
    ------
    Error
        The same on every rank: what the system says of the file; ranks that give different arguments; a group, or
        anything else than a dataset, of that name; an HDF5 file where the library was built without HDF5; another
        dtype.
    """
    with array.ranks.together("save", file, dataset):
        _core.save(array.ranks, _path(file, dataset), dataset, array.layout, array.local(ghosts=True))


def load(file, layout: Layout | None = None, dataset: str | None = None, comm=None) -> Array:
    """Reads an Array that save() has written, or numpy.save(), or h5py. Collective.

    Parameters
    ----------
    file : path
    layout : Layout, optional
        None: blocks along the first axis.
    dataset : str, optional
        Its name in an HDF5 file. None: the file is NumPy's.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program.

    Raises
    ------
    Error
        The same on every rank: no such file or dataset, a damaged one, elements of another type than save() writes,
        no axes or more than 8, another shape than the layout's, a file that differs from rank to rank.
    """
    ranks = ranks_of(comm)
    with ranks.together("load", file, dataset):
        path = _path(file, dataset)
        shape, dtype = _core.file_header(ranks, path, dataset)
        if not shape:
            raise Error(f"{path}: an array with axes is needed, it holds a single number")
        array = Array._over(numpy.dtype(dtype), shape if layout is None else layout, ranks)
        array.local(ghosts=True)[...] = 0
        _core.load(ranks, path, dataset, array.layout, array.local(ghosts=True))
        return array


def _path(file, dataset) -> str:
    path = os.fsdecode(file)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise Error(f"file: a path in UTF-8 is needed, {path!r} was given") from None
    if dataset is None and path.endswith((".h5", ".hdf5")):
        raise Error(f"dataset: a name is needed for what goes to {path}")
    return path

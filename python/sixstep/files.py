# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in files: each rank writes and reads its part. Any ranks, in any layout, can read what others have written."""

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

    The file appears, or replaces an old one, when it is complete; if anything fails, the old file remains. In an
    existing HDF5 file the dataset is added, or replaces a dataset of the same name.

    Parameters
    ----------
    file : path
    array : Array
        Its dtype is bool, an integer, float32, float64, complex64 or complex128.
    dataset : str, optional
        The name of the dataset with its groups, "fields/u". None: a .npy file.

    Raises
    ------
    Error
        The same on every rank: the system reports an error; ranks give different arguments; the array has another
        dtype; the name belongs to something other than a dataset; the library was built without HDF5.
    """
    with array.ranks.together("save", file, dataset):
        _core.save(array.ranks, _path(file, dataset), dataset, array.layout, array.local(ghosts=True))


def load(file, layout: Layout | None = None, dataset: str | None = None, comm=None) -> Array:
    """Reads an Array from a file that save(), numpy.save() or h5py has written. Collective.

    Parameters
    ----------
    file : path
    layout : Layout, optional
        None: blocks along the first axis.
    dataset : str, optional
        The name of the dataset in an HDF5 file. None: a .npy file.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program.

    Raises
    ------
    Error
        The same on every rank: the file or dataset does not exist or is damaged; its elements have a type that save()
        does not write; it has no axes, more than 8, or another shape than the layout; ranks find different files.
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
        raise Error(f"dataset: a name is needed, as {path} is an HDF5 file")
    return path

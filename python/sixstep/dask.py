# SPDX-License-Identifier: BSD-3-Clause
"""Dask's arrays and global arrays.

    import sixstep.dask
    a = sixstep.dask.to_array(x)                  # each rank computes the chunks in its own part, with dask's threads
    part = sixstep.dask.from_array(a.rfftn())     # this rank's part as a dask array
    part.to_zarr(store, region=a.box)

All ranks of a program make the same dask array, for example of a file, and take the place of dask's workers. In one
process, without mpiexec, dask's threads compute all chunks.
"""

from __future__ import annotations

from typing import Any

import dask.array
import numpy

from ._core import Layout
from ._error import Error
from ._ranks import ranks_of
from .array import Array

__all__ = ["to_array", "from_array"]


def to_array(x: dask.array.Array, layout: Layout | None = None, comm: Any = None) -> Array:
    """A global array of a dask array's elements. Chunks are computed straight into it. Collective.

    Parameters
    ----------
    x : dask.array.Array
        The same on every rank.
    layout : Layout, optional
        None: near-equal blocks along the axis that has most chunks, which end where chunks end if there are at least as
        many chunks as ranks, so that no chunk is computed twice.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program.

    Raises
    ------
    Error
        The same on every rank: x is no dask array, or does not know its shape; the layout has another shape.
    """
    ranks = ranks_of(comm)
    with ranks.together("to_array", layout):
        if not isinstance(x, dask.array.Array):
            raise Error(f"x: a dask array is needed, {type(x).__name__} was given")
        if any(numpy.isnan(n) for n in x.shape):
            raise Error("x: a dask array that knows its shape is needed: compute_chunk_sizes() finds it")
        array = Array(_by_chunks(x, ranks.size) if layout is None else layout, x.dtype, ranks)
        if array.shape != x.shape:
            raise Error(f"layout: one of the shape {x.shape} is needed, it has {array.shape}")
        if array.local().size:
            dask.array.store(x[array.box], array.local(), lock=False)
        ranks.all(numpy.zeros(1))  # a chunk that one rank cannot compute is an error on all
        return array


def from_array(a: Array, chunks: Any = "auto") -> dask.array.Array:
    """This rank's part of a global array as a dask array of these chunks, without a copy. Not collective."""
    return dask.array.from_array(a.local(), chunks=chunks, name=False)


def _by_chunks(x, ranks) -> Layout:
    axis = max(range(x.ndim), key=lambda a: len(x.chunks[a]))
    ends = numpy.cumsum((0, *x.chunks[axis]))
    if len(ends) <= ranks:
        return Layout.slab(x.shape, ranks, axis)
    cuts = [int(ends[abs(ends - x.shape[axis] * rank / ranks).argmin()]) for rank in range(ranks + 1)]
    boxes = [
        tuple(slice(lo, hi) if a == axis else slice(0, n if lo < hi else 0) for a, n in enumerate(x.shape))
        for lo, hi in zip(cuts, cuts[1:])
    ]
    return Layout.boxes(x.shape, boxes)

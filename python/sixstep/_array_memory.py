# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on ranks: how they are made, their memory and their properties."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ._core import Layout
from ._error import Error
from ._layouts import as_layout, counted, on_one_rank
from ._ranks import ranks_of
from ._side import Side, plain

if TYPE_CHECKING:
    from typing_extensions import Self


def check_root(root, ranks):
    if not 0 <= root < ranks.size:
        raise Error(f"root: 0 to {ranks.size - 1} is needed, {root} was given")


class ArrayMemory(numpy.lib.mixins.NDArrayOperatorsMixin):
    """The memory and the properties of an Array."""

    __array_priority__ = 10

    def __init__(self, layout: Layout | tuple[int, ...], dtype="float64", comm=None):
        ranks = ranks_of(comm)
        with ranks.together("Array", layout, dtype):
            self._begin(layout, dtype, ranks)
            self._whole = self._memory(zeros=True)

    def _begin(self, layout, dtype, ranks):
        layout = as_layout(layout, ranks)
        if layout.ranks != ranks.size:
            raise Error(f"layout: a layout for the {ranks.size} ranks is needed, it is for {layout.ranks}")
        if 0 in layout.shape:
            raise Error(f"layout: at least one point is needed, the shape is {layout.shape}")
        self._layout, self._ranks, self._dtype = layout, ranks, plain(dtype)

    def _memory(self, zeros):
        side = Side(self._layout, self._ranks.rank, self._dtype)
        return side.over(self._ranks.allocate(self._layout, self._dtype.itemsize, zeros))

    @classmethod
    def _over(cls, whole, layout, ranks) -> Self:
        """An array in this layout over the memory `whole`; or, if `whole` is a dtype, in new, uninitialised memory."""
        array = cls.__new__(cls)
        is_new = isinstance(whole, numpy.dtype)
        array._begin(layout, whole if is_new else whole.dtype, ranks)
        array._whole = array._memory(zeros=False) if is_new else whole
        return array

    @classmethod
    def from_local(cls, local: numpy.ndarray, layout: Layout, comm=None) -> Self:
        """An array in the program's own memory: `local` is this rank's part with its ghosts. It is not copied, and may
        be read-only. Not collective if `comm` is a Ranks or None.

        Errors, on this rank only: `local` has another shape than the layout, or another order of elements in memory.
        """
        if not isinstance(local, numpy.ndarray):
            raise Error(f"local: a NumPy array is needed, {type(local).__name__} was given")
        array = cls.__new__(cls)
        array._begin(layout, local.dtype, ranks_of(comm))
        Side(array._layout, array._ranks.rank, array._dtype).check("local", local)
        array._whole = local
        return array

    @classmethod
    def from_function(cls, function, layout, dtype=None, comm=None) -> Self:
        """An array of the values function(i, j, ...). The arguments are the global indices of this rank's part, as open
        meshes, and the result must broadcast with them. Without `dtype`, the type is that of the result."""
        ranks = ranks_of(comm)
        with ranks.together("from_function", layout, dtype):
            layout = as_layout(layout, ranks)
            box = layout.box(ranks.rank)
            values = numpy.asarray(function(*numpy.ogrid[box]))
            array = cls._over(numpy.dtype(dtype or values.dtype), layout, ranks)
            array._whole[...] = 0
            array.local()[...] = values
            return array

    @classmethod
    def from_numpy(cls, whole, layout=None, root=0, comm=None) -> Self:
        """An array with the elements of `whole` on rank `root`; other ranks may give None. Without a layout it is split
        in blocks along the first axis.

        Errors: on `root`, `whole` is no NumPy array, or has another shape than the layout.
        """
        ranks = ranks_of(comm)
        with ranks.together("from_numpy", root):
            return cls._dealt_out(whole, layout, root, ranks)

    @classmethod
    def _dealt_out(cls, whole, layout, root, ranks):
        check_root(root, ranks)
        mine = ranks.rank == root
        header = None
        if mine and isinstance(whole, numpy.ndarray):
            header = whole.shape, whole.dtype
        header = ranks.told(header, root)
        if header is None:
            raise Error(f"whole: a NumPy array is needed on rank {root}")
        shape, dtype = header
        array = cls(shape if layout is None else layout, dtype, ranks)
        if array.shape != shape:
            raise Error(f"whole: an array of the shape {array.shape} is needed, one of the shape {shape} was given")
        together = cls._over(array.dtype, on_one_rank(shape, root, ranks), ranks)
        if mine:
            together._whole[...] = whole
        array[...] = together
        return array

    # Properties.

    layout = property(lambda self: self._layout, doc="The layout of the array.")
    ranks = property(lambda self: self._ranks, doc="The ranks that hold the array.")
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._layout.shape, doc="The shape of the whole array.")
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    box = property(
        lambda self: self._layout.box(self._ranks.rank), doc="The box of this rank: slices of an array of the shape."
    )

    def local(self, ghosts: bool = False) -> numpy.ndarray:
        """This rank's part, without a copy, with the ghosts around it or without. Not collective. It is a NumPy array,
        which other libraries accept by DLPack."""
        if ghosts:
            return self._whole
        before, _ = self._layout.ghosts(self._ranks.rank)
        shape = self._layout.local_shape(self._ranks.rank)
        return self._whole[tuple(slice(b, b + n) for b, n in zip(before, shape))]

    def indices(self) -> tuple[numpy.ndarray, ...]:
        """The global indices of this rank's part, as open meshes. Not collective."""
        return tuple(numpy.ogrid[self.box]) if self.ndim > 1 else (numpy.ogrid[self.box[0]],)

    def wavenumbers(self, points=None, real=None) -> tuple[numpy.ndarray, ...]:
        """The wave numbers of this rank's part of a transform, as open meshes. Not collective.

        `points` is the shape before the transform; None: the shape of this array. Along an axis with n/2 + 1
        coefficients for n points, wave numbers are 0 to n/2. `real` names that axis; it is only needed if n is 2, where
        complex transforms have two coefficients as well."""
        points = self.shape if points is None else counted(points)
        if len(points) != self.ndim:
            raise Error(f"points: {self.ndim} extents are needed, {len(points)} were given")
        halved = () if real is None else self._axes(real)
        meshes = zip(range(self.ndim), self.indices(), points, self.shape)
        return tuple(numpy.where((n == m) & (2 * k >= n) & (a not in halved), k - n, k) for a, k, n, m in meshes)

    def __repr__(self):
        return f"<Array of {self.dtype}, {self._layout}>"

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        raise TypeError("an Array has no iterator: rows are a[i], all elements a.gather()")

    def __array__(self, *_, **__):
        raise TypeError("an Array is on many ranks: a.local() is this rank's part, a.gather() the whole array")

    def __reduce__(self):
        raise TypeError("an Array is on many ranks, and cannot be pickled: a.gather() can")

    def _axes(self, axes) -> tuple[int, ...]:
        axes = tuple(range(self.ndim)) if axes is None else counted(axes)
        for axis in axes:
            if not -self.ndim <= axis < self.ndim:
                raise Error(f"axes: {-self.ndim} to {self.ndim - 1} are possible, {axis} was given")
        return tuple(axis % self.ndim for axis in axes)

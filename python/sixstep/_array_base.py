# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on ranks: moves from one layout to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ._array_memory import ArrayMemory, check_root
from ._core import Layout
from ._error import Error
from ._layouts import on_one_rank
from ._ranks import collective

if TYPE_CHECKING:
    from typing_extensions import Self


class ArrayBase(ArrayMemory):
    """An Array without its elements' arithmetic and transforms."""

    def _like(self, dtype) -> Self:
        return self._over(numpy.dtype(dtype), self._layout, self._ranks)

    def _read(self, preserve: bool) -> numpy.ndarray:
        """All of this rank's memory; a copy if the reader destroys it and it is read-only."""
        return self._whole if preserve or self._whole.flags.writeable else self._whole.copy(order="K")

    def _written(self) -> numpy.ndarray:
        """All of this rank's memory, to be written to. Errors: it is the program's own memory, and read-only."""
        if not self._whole.flags.writeable:
            raise Error("array: a writable array is needed, this one has read-only memory")
        return self._whole

    def _move(self, other, preserve=True):
        """Copies the elements of `other`, which has the same shape."""
        if other.shape != self.shape:
            raise Error(
                f"array: an array of the shape {self.shape} is needed, one of the shape {other.shape} was given"
            )
        if other._layout == self._layout:
            if other._whole is not self._whole and self.local().size:
                numpy.copyto(self._written(), other._whole, casting="unsafe")
            return
        if other.dtype != self.dtype:
            other = other.astype(self.dtype)
        source, target = other._read(preserve), self._written()
        addresses = source.ctypes.data, target.ctypes.data
        self._ranks.move(other._layout, self._layout, *addresses, self.dtype.itemsize, preserve)

    @collective
    def to(self, layout: Layout, overwrite: bool = False) -> Self:
        """The array in another layout. `overwrite` permits to destroy this array, which saves memory."""
        other = self._over(self.dtype, layout, self._ranks)
        if any(map(any, layout.ghosts(self._ranks.rank))):
            other._whole[...] = 0
        other._move(self, not overwrite)
        return other

    @collective
    def copy(self) -> Self:
        other = self._like(self.dtype)
        other._move(self)
        return other

    @collective
    def astype(self, dtype, copy: bool = True) -> Self:
        if not copy and self.dtype == dtype:
            return self
        other = self._like(dtype)
        numpy.copyto(other._whole, self._whole, casting="unsafe")
        return other

    @collective
    def transpose(self, *axes) -> Self:
        """Renames the axes: axis a of the result is axis axes[a] of this array; without `axes` the order is reversed.
        The result shares this array's memory; elements move when it is assigned to an array of another layout."""
        if not axes or axes[0] is None:
            axes = tuple(range(self.ndim))[::-1]
        else:
            axes = self._axes(axes[0] if len(axes) == 1 else axes)
        layout = self._layout.transposed(axes)
        return self._over(self._whole.transpose(axes), layout, self._ranks)

    T = property(lambda self: self.transpose())

    @collective
    def update_ghosts(self, periodic=True) -> Self:
        """Fills the ghosts of the layout, corners included, from the ranks that hold the points. `periodic` is one for
        all axes or one an axis. Along an axis that is not periodic, ghosts beyond the edge stay unchanged.

        Errors: `periodic` is not one an axis; a cyclic axis has ghosts.
        """
        periodic = [bool(periodic)] * self.ndim if numpy.ndim(periodic) == 0 else [bool(p) for p in periodic]
        self._ranks.update_ghosts(self._layout, periodic, self._written().ctypes.data, self.dtype.itemsize)
        return self

    @collective
    def gather(self, root: int | None = None) -> numpy.ndarray | None:
        """The whole array, on rank `root` (None on the others), or, without `root`, on every rank."""
        check_root(root or 0, self._ranks)
        together = self.to(on_one_rank(self.shape, root or 0, self._ranks))
        if root is not None:
            return together._whole.copy() if self._ranks.rank == root else None
        whole = together._whole.copy() if self._ranks.rank == 0 else numpy.empty(self.shape, self.dtype)
        self._ranks.broadcast(whole.reshape(-1).view("uint8"), 0)
        return whole

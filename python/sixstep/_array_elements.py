# SPDX-License-Identifier: BSD-3-Clause
"""Elements of arrays on ranks: single ones and slices."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy

from ._array_base import ArrayBase
from ._core import Layout
from ._error import Error
from ._layouts import parts_of, section
from ._ranks import collective

if TYPE_CHECKING:
    from typing_extensions import Self


class Elements(ArrayBase):
    """An Array with an index."""

    def __bool__(self):
        return bool(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __complex__(self):
        return complex(self.item())

    @collective
    def item(self):
        """The only element. Errors: there are more."""
        if self.size != 1:
            raise Error(f"array: an array with a single element is needed, the shape is {self.shape}")
        return self[(0,) * self.ndim].item()

    @collective
    def __getitem__(self, index):
        """An element, the same on all ranks; or a copy of the elements of slices, on the ranks that hold them. Elements
        of a cyclic layout are first moved to blocks along the first axis.

        Errors: an index does not exist; a slice has no elements.
        """
        parts, single = parts_of(index, self.shape)
        if len(single) == self.ndim:
            point = [part.start for part in parts]
            owner = self._layout.rank_of(point)
            value = numpy.zeros((1,), self.dtype)
            if owner == self._ranks.rank:
                box = self.box
                value[0] = self.local()[tuple((i - s.start) // (s.step or 1) for i, s in zip(point, box))]
            self._ranks.broadcast(value.view("uint8"), owner)
            return value[0]
        source = self._blocks()
        layout, mine = section(source._layout, self._ranks.rank, parts, single)
        array = self._over(self.dtype, layout, self._ranks)
        if array._whole.size:
            array._whole[...] = source.local()[mine]
        return array

    def __setitem__(self, index, value):
        """Sets the elements of slices, or all: to a number, to an Array of the slice's shape in any layout, or to a
        NumPy array that broadcasts to that shape and is the same on all ranks."""
        with self._ranks.together("setitem", index):
            self._assign(index, value)

    def _assign(self, index, value):
        parts, single = parts_of(index, self.shape)
        if isinstance(value, ArrayBase) and parts == [range(n) for n in self.shape] and not single:
            self._move(value)
            return
        target = self._blocks()
        if len(single) == self.ndim:
            target[tuple(slice(part.start, part.stop) for part in parts)] = value
        else:
            layout, mine = section(target._layout, self._ranks.rank, parts, single)
            if isinstance(value, ArrayBase):
                if value.shape != layout.shape:
                    raise Error(
                        f"value: an array of the shape {layout.shape} is needed, one of the shape {value.shape} was "
                        "given"
                    )
                value = value.to(layout)._whole
            else:
                try:
                    value = numpy.broadcast_to(value, layout.shape)[layout.box(self._ranks.rank)]
                except ValueError:
                    raise Error(
                        f"value: a shape that broadcasts to {layout.shape} is needed, {numpy.shape(value)} was given"
                    ) from None
            if value.size:
                target.local()[mine] = value
        if target is not self:
            self._move(target)

    def _blocks(self):
        return self if "cyclic" not in self._layout.distribution else self.to(Layout.slab(self.shape, self._ranks.size))

    @collective
    def roll(self, shift, axis) -> Self:
        """Shifts elements cyclically: element i + shift of the result is element i of this array. `shift` and `axis`
        may have one entry for each of several axes."""
        axes = self._axes(axis)
        shifts = numpy.broadcast_to(shift, len(axes)).tolist()
        source = self
        for shift, axis in zip(shifts, axes):
            made, n = source._like(self.dtype), self.shape[axis]
            cut = -operator.index(shift) % n
            before, after = ((slice(None),) * axis + (part,) for part in (slice(n - cut, n), slice(0, n - cut)))
            if cut:
                made[before] = source[(slice(None),) * axis + (slice(0, cut),)]
            made[after] = source[(slice(None),) * axis + (slice(cut, n),)]
            source = made
        return source.copy() if source is self else source

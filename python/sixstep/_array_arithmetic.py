# SPDX-License-Identifier: BSD-3-Clause
"""Arithmetic with arrays on ranks: element by element, and sums, products, maxima and minima."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy

from ._array_base import ArrayBase
from ._array_elements import Elements
from ._core import Layout
from ._error import Error
from ._ranks import collective

if TYPE_CHECKING:
    from typing_extensions import Self

_REDUCTIONS = (numpy.add, numpy.multiply, numpy.maximum, numpy.minimum, numpy.logical_or, numpy.logical_and)


class Arithmetic(Elements):
    """An Array with NumPy's functions of elements and sums over axes."""

    # Element by element.

    def _elements(self, operand):
        """The elements of an operand in this array's layout."""
        if isinstance(operand, ArrayBase):
            if operand.shape != self.shape:
                raise Error(f"operands: all must have the shape {self.shape}, one has the shape {operand.shape}")
            whole = operand._whole if operand._layout == self._layout else operand.to(self._layout)._whole
            # Parts without points may have any extents.
            return whole if self.local().size else numpy.zeros(0, operand.dtype)
        if numpy.ndim(operand) != 0:
            raise Error(
                "operands: Arrays and single numbers are possible, a NumPy array of the shape "
                f"{numpy.shape(operand)} was given; Array.from_local() or from_numpy() make it an Array"
            )
        return operand

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        with self._ranks.together(ufunc.__name__, method, **keywords):
            return self._apply(ufunc, method, inputs, out, keywords)

    def _apply(self, ufunc, method, inputs, out, keywords):
        if method == "reduce" and ufunc in _REDUCTIONS and out is None and len(inputs) == 1:
            return inputs[0]._reduce(ufunc, **keywords)
        if method != "__call__" or ufunc.signature is not None or "where" in keywords:
            return NotImplemented
        targets = () if out is None else out
        if not all(target is None or isinstance(target, ArrayBase) for target in targets):
            raise Error("out: an Array is needed")
        where = next((a for a in (*targets, *inputs) if isinstance(a, ArrayBase)), None)
        operands = [where._elements(operand) for operand in inputs]
        made = [
            where._like(dtype) if target is None else target
            for dtype, target in zip(_types(ufunc, operands, keywords), targets if targets else (None,) * ufunc.nout)
        ]
        if any(m._layout != where._layout for m in made):
            raise Error("out: all output arrays must have the same layout")
        ufunc(*operands, out=tuple(where._elements(m) for m in made), **keywords)
        return made[0] if ufunc.nout == 1 else tuple(made)

    def conj(self) -> Self:
        return numpy.conj(self)

    @collective
    def _part(self, name) -> Self:
        part = getattr(self._whole, name)
        other = self._like(part.dtype)
        other._whole[...] = part
        return other

    real = property(lambda self: self._part("real"), doc="A copy of the real parts.")
    imag = property(lambda self: self._part("imag"), doc="A copy of the imaginary parts.")

    # Sums.

    def _reduce(self, ufunc, axis=0, dtype=None, keepdims=False):
        """Reduces all elements if `axis` is None, else along axes. The latter returns an Array. Elements stay on their
        ranks if these axes are whole, and are moved first if not."""
        if axis is None or self.ndim == 1:
            axes = tuple(range(self.ndim))
            if axis is not None:
                self._axes(axis)
        else:
            axes = self._axes(axis)
        if len(axes) < self.ndim:
            return self._reduce_along(ufunc, axes, dtype, keepdims)
        if keepdims:
            raise Error("keepdims: False is needed, as the result is a single number")
        kind = ufunc.reduce(numpy.ones((1,), self.dtype), dtype=dtype).dtype
        if ufunc is numpy.add and _is_exact(kind):
            return _number(kind, self.astype(kind, copy=False)._exact_sums("elements"))
        local = self.local()
        value = numpy.zeros((1,), kind)
        if local.size:
            value[0] = ufunc.reduce(local, axis=None, dtype=dtype)
        some = [rank for rank in range(self._ranks.size) if 0 not in self._layout.local_shape(rank)]
        return ufunc.reduce(self._ranks.all(value)[some, 0], dtype=dtype)

    def _exact_sums(self, of, other=None):
        """The real and imaginary part of the sum of all elements, of squares, or of products conj(self) other; exact
        and rounded once to double. Products of real and imaginary parts are rounded to double before."""
        exact = numpy.result_type(self.dtype, "float32")
        a = self.astype(exact, copy=False)
        b = a if other is None else other.astype(exact, copy=False)
        if b._layout != a._layout:
            b = b.to(a._layout)
        return self._ranks.exact_sums(a._layout, of, exact.name, a._whole.ctypes.data, b._whole.ctypes.data)

    def _reduce_along(self, ufunc, axes, dtype, keepdims):
        kept = [axis for axis in range(self.ndim) if axis not in axes]
        source = self
        if not all(self._layout.whole(axis) for axis in axes):
            longest = max(kept, key=lambda axis: self.shape[axis])
            source = self.to(Layout.slab(self.shape, self._ranks.size, longest))
        source = source._blocks() if "cyclic" in source._layout.distribution else source
        if not all(source._layout.whole(axis) for axis in axes):
            source = self.to(Layout.slab(self.shape, self._ranks.size, kept[0]))
        left = range(self.ndim) if keepdims else kept
        boxes = []
        for rank in range(self._ranks.size):
            box = source._layout.box(rank)
            empty = any(s.start == s.stop for s in box)
            parts = [slice(0, 1) if a in axes else slice(box[a].start, box[a].stop) for a in left]
            boxes.append(tuple(slice(0, 0) if empty else part for part in parts))
        shape = [1 if axis in axes else self.shape[axis] for axis in left]
        kind = ufunc.reduce(numpy.ones((1,), self.dtype), dtype=dtype).dtype
        made = self._over(kind, Layout.boxes(shape, boxes), self._ranks)
        if made._whole.size:
            ufunc.reduce(source.local(), axis=axes, dtype=dtype, keepdims=keepdims, out=made._whole)
        return made

    @collective
    def sum(self, axis=None, dtype=None, keepdims=False):
        return self._reduce(numpy.add, axis, dtype, keepdims)

    @collective
    def prod(self, axis=None, dtype=None, keepdims=False):
        return self._reduce(numpy.multiply, axis, dtype, keepdims)

    @collective
    def max(self, axis=None, keepdims=False):
        return self._reduce(numpy.maximum, axis, None, keepdims)

    @collective
    def min(self, axis=None, keepdims=False):
        return self._reduce(numpy.minimum, axis, None, keepdims)

    @collective
    def any(self, axis=None, keepdims=False):
        return self.astype(bool)._reduce(numpy.logical_or, axis, None, keepdims)

    @collective
    def all(self, axis=None, keepdims=False):
        return self.astype(bool)._reduce(numpy.logical_and, axis, None, keepdims)

    @collective
    def mean(self, axis=None, keepdims=False):
        count = math.prod(self.shape[a] for a in self._axes(axis))
        source = self if self.dtype.kind in "fc" else self.astype("float64")
        return source.sum(axis, None, keepdims) / source.dtype.type(count).real

    @collective
    def vdot(self, other: ArrayBase):
        """The sum of conj(self) times other."""
        kind = numpy.result_type(self.dtype, other.dtype) if isinstance(other, ArrayBase) else None
        if kind is None or not _is_exact(kind):
            return numpy.multiply(numpy.conj(self), other).sum()
        if other.shape != self.shape:
            raise Error(f"operands: all must have the shape {self.shape}, one has the shape {other.shape}")
        products = self.astype(kind, copy=False)._exact_sums("products", other.astype(kind, copy=False))
        return _number(kind, products)

    @collective
    def norm(self):
        """The square root of the sum of |element|^2."""
        if _is_exact(self.dtype):
            return _number(self.dtype.type(0).real.dtype, [math.sqrt(self._exact_sums("squares")[0])])
        magnitude = numpy.abs(self)
        return numpy.sqrt(numpy.multiply(magnitude, magnitude, out=magnitude).sum())


def _is_exact(dtype):
    """Whether elements are numbers whose parts double can represent."""
    return dtype.kind in "fc" and dtype.itemsize <= (8 if dtype.kind == "f" else 16)


def _number(kind, parts):
    """A number of this type, infinite if it is too large, of its real and imaginary part."""
    with numpy.errstate(over="ignore"):
        return kind.type(complex(*parts) if len(parts) == 2 else parts[0])


def _types(ufunc, operands, keywords):
    """The types that NumPy gives the results."""
    samples = [o if not isinstance(o, numpy.ndarray) else numpy.ones((1,), o.dtype) for o in operands]
    with numpy.errstate(all="ignore"):
        made = ufunc(*samples, **keywords)
    return [numpy.asarray(m).dtype for m in (made if ufunc.nout > 1 else (made,))]

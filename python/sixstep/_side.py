# SPDX-License-Identifier: BSD-3-Clause
"""The form of a rank's part of an array in memory."""

from __future__ import annotations

import math

import numpy

from ._core import Layout
from ._error import Error


def plain(dtype) -> numpy.dtype:
    """The NumPy dtype. Errors: its elements are not plain bytes, or are empty."""
    dtype = numpy.dtype(dtype)
    if dtype.hasobject or dtype.itemsize == 0:
        raise Error(f"dtype: elements of plain bytes are needed, {dtype} was given")
    return dtype


def check_layout(name: str, given) -> None:
    """Errors: `given` is no Layout."""
    if not isinstance(given, Layout):
        raise Error(f"{name}: a Layout is needed, {type(given).__name__} was given")


class Side:
    """The shape and strides of a rank's array in a layout, ghosts included. Several fields are the first axis."""

    __slots__ = ("bytes", "dtype", "layout", "shape", "strides")

    def __init__(self, layout: Layout, rank: int, dtype: numpy.dtype, fields: int = 1):
        self.layout, self.dtype = layout, dtype
        before, after = layout.ghosts(rank)
        self.shape = tuple(map(sum, zip(before, layout.local_shape(rank), after)))
        self.strides = tuple(s * dtype.itemsize for s in layout.strides(rank))
        self.bytes = math.prod(self.shape) * dtype.itemsize
        if fields > 1:
            self.shape, self.strides = (fields, *self.shape), (self.bytes, *self.strides)
            self.bytes *= fields

    def over(self, memory: numpy.ndarray) -> numpy.ndarray:
        """An array in `memory`, which has at least `bytes` bytes."""
        return numpy.ndarray(self.shape, self.dtype, memory, 0, self.strides)

    def check(self, name: str, array) -> None:
        """Errors: no NumPy array, or one with another type, shape or order of elements in memory."""
        if not isinstance(array, numpy.ndarray):
            raise Error(f"{name}: a NumPy array is needed, {type(array).__name__} was given")
        fits = array.dtype == self.dtype and array.shape == self.shape
        apart = zip(self.shape, array.strides, self.strides)
        if not (fits and (array.size == 0 or all(n == 1 or a == b for n, a, b in apart))):
            raise Error(
                f"{name}: an array of {self.dtype} of shape {self.shape}, its elements {self.strides} bytes apart, is "
                f"needed for this rank's part of {self.layout}; one of {array.dtype} of shape {array.shape}, "
                f"{array.strides} apart, was given"
            )

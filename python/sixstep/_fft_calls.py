# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of NumPy arrays in one process: calls that are ready to run, and the memory of their results."""

from __future__ import annotations

import contextvars
import functools
import math
import os
import sys
import threading

import numpy

from . import _serial
from ._fft_arguments import ALIGNMENT, axes_of, scale_of, type_name, workers_of

_MOST_AXES = 8
_CALLS = 256
_RESULTS = 4
_bits = contextvars.ContextVar("sixstep.fft.reproducible", default="none")
_LARGE = 4 << 20  # the memory of results of so many bytes and more is kept; malloc() keeps smaller blocks


def _dense_order(shape, strides, itemsize):
    """The axes of a dense array, slowest in memory first; None if it has gaps."""
    order = sorted(range(len(shape)), key=lambda axis: (-abs(strides[axis]), axis))
    step = itemsize
    for axis in reversed(order):
        if shape[axis] != 1 and strides[axis] != step:
            return None
        step *= shape[axis]
    return tuple(order)


def _merged(shape, order, axes):
    """Merges adjacent axes that are not transformed into one. Returns shape and transformed axes in memory order."""
    merged, places = [], {}
    for axis in order:
        if merged and axis not in axes and merged[-1][1]:
            merged[-1][0] *= shape[axis]
        else:
            merged.append([shape[axis], axis not in axes])
        places[axis] = len(merged) - 1
    return tuple(n for n, _ in merged), [places[axis] for axis in axes]


class _Results:
    """Makes large arrays, in memory of earlier ones to which no object refers: the system needs a third of
    the time of a transform to clear the pages of new memory."""

    def __init__(self):
        self.buffers = []  # the latest last
        self.most_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16

    def empty(self, shape, dtype):
        bytes = math.prod(shape) * dtype.itemsize + ALIGNMENT - 1
        if bytes > self.most_bytes:
            return numpy.empty(shape, dtype)
        for place in range(len(self.buffers)):
            # Two references are the list's and the argument's; arrays and their views also refer to their buffer.
            if self.buffers[place].nbytes == bytes and sys.getrefcount(self.buffers[place]) == 2:
                self.buffers.append(self.buffers.pop(place))
                break
        else:
            self.buffers.append(numpy.empty(bytes, "uint8"))
            while len(self.buffers) > _RESULTS or sum(buffer.nbytes for buffer in self.buffers) > self.most_bytes:
                self.buffers.pop(0)
        return numpy.ndarray(shape, dtype, self.buffers[-1], -self.buffers[-1].ctypes.data % ALIGNMENT)


class _Kept(threading.local):
    """The memory of results of each thread."""

    def __init__(self):
        self.results = _Results()


_kept = _Kept()


def _large_empty(shape, dtype):
    return _kept.results.empty(shape, dtype)


class _Call:
    """A transform of dense arrays of one shape, type and order in memory, ready to run."""

    def __init__(self, shape, order, single, axes, kinds, forward, scale, workers, real_length, bits):
        crosses = "r2c" in kinds
        before, after = list(shape), list(shape)  # before: the shape of the plan's input
        if crosses and forward:
            after[axes[-1]] = after[axes[-1]] // 2 + 1
        elif crosses:
            after[axes[-1]] = before[axes[-1]] = real_length
        is_real = not forward if crosses else "c2c" not in kinds
        self.dtype = numpy.dtype(type_name(is_real, single))
        self.order = order
        self.back = tuple(numpy.argsort(order).tolist())
        self.is_in_c_order = order == tuple(range(len(order)))
        self.in_order = tuple(after[axis] for axis in order)
        self.empty = numpy.empty if math.prod(after) * self.dtype.itemsize < _LARGE else _large_empty
        merged, places = _merged(before, order, axes)
        sides = tuple(shape[axis] for axis in order), self.in_order, self.dtype
        self.transform = _serial.Transform(merged, places, kinds, single, workers, bits, forward, scale, *sides)

    def __call__(self, x, out=None):
        flat = self.empty(self.in_order, self.dtype) if out is None else out.transpose(self.order)
        self.transform(x.transpose(self.order), flat)
        return flat.transpose(self.back) if out is None else out

    def can_write(self, out, x):
        """Whether the result can be written directly to `out` while x is read."""
        if type(out) is not numpy.ndarray or out.ndim != len(self.order):
            return False
        return self.transform.can_write(x.transpose(self.order), out.transpose(self.order))


def _suits(order, bits):
    """Whether arrays in this memory order are transformed as they are. Axes are transformed in memory order, so the
    same bits need the same order."""
    return order is not None and (bits == "none" or order == tuple(range(len(order))))


def _prepare(shape, strides, dtype, transform, axes, norm, forward, workers, bits):
    """The call for all arrays with this shape, strides and type. None if such arrays must be converted, resized or
    made dense."""
    real = transform == "r2c"
    single = dtype in (numpy.float32, numpy.complex64)
    order = _dense_order(shape, strides, dtype.itemsize)
    if dtype != type_name(real, single) or not _suits(order, bits) or 0 in shape:
        return None
    axes, lengths = axes_of(shape, None, axes)
    if not axes or len(_merged(shape, order, axes)[0]) > _MOST_AXES:
        return None
    kinds = ("c2c",) * len(axes) if transform == "c2c" else ("c2c",) * (len(axes) - 1) + ("r2c",)
    real_length = 2 * (lengths[-1] - 1) if transform == "c2r" else None
    if real_length == 0:
        return None
    ahead = transform == "r2c" or transform == "c2c" and forward
    return _call(shape, order, single, tuple(axes), kinds, ahead, scale_of(norm, forward), workers, real_length, bits)


_call = functools.lru_cache(_CALLS)(_Call)
_prepared_call = functools.lru_cache(_CALLS)(_prepare)


_calls = _serial.Calls(numpy.empty, _LARGE)


def run(transform, x, s, axes, norm, workers, plan, out, forward):
    """The transform of x, which may be written to `out`. None if that needs more than one call of a plan. This is what
    a call costs, so calls of the same kind are found in C++."""
    if type(x) is not numpy.ndarray or s is not None or plan is not None:
        return None
    words = (transform, axes, norm, forward, workers_of(workers), _bits.get())
    made = _calls.run(words, x, out)
    return _run(words, x, out) if made is None else made


def _run(words, x, out):
    call = _prepared_call(x.shape, x.strides, x.dtype, *words) if x.flags.aligned else None
    if call is None or (out is not None and not call.can_write(out, x)):
        return None
    if call.is_in_c_order:
        _calls.keep(words, call.transform)
    return call(x, out)


def ready(shape, dtype, axes, kinds, forward, scale, workers, real_length, bits):
    """The transform of arrays in C order of this form. None if they have no elements, or too many axes for one call."""
    order = tuple(range(len(shape)))
    single = dtype in (numpy.float32, numpy.complex64)
    if 0 in shape or len(_merged(shape, order, axes)[0]) > _MOST_AXES:
        return None
    return _call(shape, order, single, axes, kinds, forward, scale, workers, real_length, bits).transform


def execute(x, axes, kinds, forward, scale, workers, overwrite=False, real_length=None, out=None):
    """Transforms along axes; an r2c axis is the last. `real_length`: the number of reals along it, if backward."""
    single = x.dtype in (numpy.float32, numpy.complex64)
    if not isinstance(out, (numpy.ndarray, type(None))):
        raise TypeError(f"out: return arrays must be of ArrayType, {type(out).__name__} was given")
    if x.size == 0:
        return given_to(out, _nothing(x, axes, kinds, forward, real_length))
    order = _dense_order(x.shape, x.strides, x.itemsize)
    bits = _bits.get()
    if not _suits(order, bits) or not x.flags.aligned or not x.dtype.isnative:
        x = numpy.array(x, dtype=x.dtype.newbyteorder("="), order="C")
        order, overwrite = tuple(range(x.ndim)), True
    if len(axes) > 1 and len(_merged(x.shape, order, axes)[0]) > _MOST_AXES:
        return given_to(out, _one_by_one(x, axes, kinds, forward, scale, workers, real_length))
    workers = workers_of(workers)
    call = _call(x.shape, order, single, tuple(axes), tuple(kinds), forward, scale, workers, real_length, bits)
    if out is not None and call.can_write(out, x):
        return call(x, out)
    in_place = overwrite and "r2c" not in kinds and x.flags.writeable
    return given_to(out, call(x, x if in_place else None))


def _nothing(x, axes, kinds, forward, real_length):
    """The transform of an array without elements: an axis that is not transformed has no points."""
    shape, crosses = list(x.shape), "r2c" in kinds
    if crosses:
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1 if forward else real_length
    is_real = not forward if crosses else "c2c" not in kinds
    return numpy.empty(shape, type_name(is_real, x.dtype in (numpy.float32, numpy.complex64)))


def given_to(out, made):
    """made, or `out` with the elements of made, as NumPy's argument `out` requires."""
    if out is None:
        return made
    if out.shape != made.shape:
        raise ValueError(f"out: the array has wrong shape, {out.shape}; {made.shape} is needed")
    numpy.copyto(out, made)
    return out


def _one_by_one(x, axes, kinds, forward, scale, workers, real_length):
    pairs = list(zip(axes, kinds))
    for axis, kind in reversed(pairs) if forward else pairs:
        x = execute(x, [axis], [kind], forward, scale, workers, real_length=real_length)
    return x

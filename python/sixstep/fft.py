# SPDX-License-Identifier: BSD-3-Clause
"""Fourier, cosine and sine transforms of whole arrays in one process, with SciPy's names and arguments.

    import sixstep.fft
    spectrum = sixstep.fft.rfftn(volume, workers=8)

`scipy.fft.set_backend(sixstep.fft)` makes scipy.fft use it. Results are those of scipy.fft: unscaled forward and 1/n
backward, unless `norm` says "ortho" or "forward". MPI is not needed, and forked processes may transform.

Plans are kept for all threads, up to 64 MiB; the last plan is kept whatever its size. `set_cache_bytes()` or the
environment variable SIXSTEP_FFT_CACHE_BYTES change this limit. Each thread keeps the memory of its last four large
results, at most a sixteenth of the machine's memory, and uses it again when no array refers to it.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
import os
import sys
import threading

import numpy
from numpy.fft import fftfreq as _fftfreq
from numpy.fft import fftshift, ifftshift
from numpy.fft import rfftfreq as _rfftfreq

from . import _serial
from ._serial import good_size

__all__ = [
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
    *("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dct", "idct", "dst", "idst"),
    *("dctn", "idctn", "dstn", "idstn", "fftfreq", "rfftfreq", "fftshift", "ifftshift"),
    *("next_fast_len", "prev_fast_len", "set_cache_bytes", "cache_bytes"),
]

_MOST_AXES = 8
_CALLS = 256
_RESULTS = 4
_LARGE = 4 << 20  # the memory of results of so many bytes and more is kept; malloc() keeps smaller blocks


def set_cache_bytes(n):
    """Limits the estimated memory of the plans that are kept. The least recently used plans are dropped first; the last
    plan is kept whatever its size. 0: no plan is kept."""
    n = operator.index(n)
    if n < 0:
        raise ValueError(f"n: 0 bytes or more are needed, {n} was given")
    _serial.set_cache_bytes(min(n, sys.maxsize))


def cache_bytes():
    """The estimated memory of the plans that are kept."""
    return _serial.cache_bytes()


def _workers(workers):
    if workers is None:
        scipy_fft = sys.modules.get("scipy.fft")
        return scipy_fft.get_workers() if scipy_fft else 1
    workers = operator.index(workers)
    if workers > 0:
        return workers
    cores = os.cpu_count() or 1
    if workers == 0:
        raise ValueError(f"workers: workers must not be zero, 1 or more or down to -{cores} for all but some cores")
    if workers < -cores:
        raise ValueError(f"workers: workers value out of range, down to -{cores} are possible, {workers} was given")
    return workers + 1 + cores


def _type_name(real, single):
    return ("float" if real else "complex") + str((32 if single else 64) * (1 if real else 2))


class _Unsupported(TypeError):
    """The array has elements that another backend of scipy.fft may support."""


def _as_floats(x, real):
    """x as an array of floats or complex numbers, in its own precision and the machine's byte order."""
    x = numpy.asarray(x)
    kind, bits = x.dtype.kind, 8 * x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1)
    if real and kind == "c":
        raise TypeError(f"x: x must be a real sequence, {x.dtype} was given")
    if kind not in "biufc" or (kind in "fc" and bits > 64):
        raise _Unsupported(f"x: numbers of single or double precision are needed, {x.dtype} was given")
    return x.astype(_type_name(real, kind in "fc" and bits <= 32), copy=False)


def _integers(name, given, may_have_none=False):
    """A tuple of integers from one integer or several, of any integer type; None from None."""
    if given is None:
        return None
    if not isinstance(given, (tuple, list)):  # sparing these an exception, which takes a microsecond
        try:
            return (operator.index(given),)
        except TypeError:
            pass
    try:
        return tuple(None if each is None and may_have_none else operator.index(each) for each in given)
    except TypeError:
        raise ValueError(f"{name}: {name} must be a scalar or iterable of integers, {given!r} was given") from None


def _lengths_and_axes(s, axes):
    return _integers("s", s, may_have_none=True), _integers("axes", axes)


def _one_axis(axis):
    return (operator.index(axis),)


def _one_length(n):
    if n is None:
        return None
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"n: Invalid number of FFT data points ({n}), at least 1 is needed")
    return (n,)


def _axes_of(shape, s, axes):
    """All axes and lengths, by the rules of NumPy and SciPy."""
    ndim = len(shape)
    if s is not None and axes is None and len(s) > ndim:
        raise ValueError(f"s: at most {ndim} lengths are possible for {ndim} axes, {len(s)} were given")
    if axes is None:
        axes = range(ndim) if s is None else range(ndim - len(s), ndim)
    for axis in axes:
        if ndim == 0:
            raise ValueError("x: an array of at least one axis is needed, a single number was given")
        if not -ndim <= axis < ndim:
            raise ValueError(f"axes: {-ndim} to {ndim - 1} are possible, {axis} was given")
    axes = [axis % ndim for axis in axes]
    if len(set(axes)) < len(axes):
        raise ValueError("axes: all axes must be unique, one is named twice")
    if s is not None and len(s) != len(axes):
        raise ValueError(
            f"s: axes and shape arguments have to be of the same length, {len(axes)} and {len(s)} were given"
        )
    lengths = [shape[axis] if s is None or s[i] is None or s[i] == -1 else s[i] for i, axis in enumerate(axes)]
    for n in lengths:
        if n < 1:
            raise ValueError(f"s: Invalid number of FFT data points ({n})")
    return axes, lengths


def _resized(x, axes, lengths):
    """x, cut off or filled with zeros to these lengths along the axes."""
    if all(x.shape[axis] == n for axis, n in zip(axes, lengths)):
        return x
    shape = list(x.shape)
    for axis, n in zip(axes, lengths):
        shape[axis] = n
    common = tuple(slice(0, min(a, b)) for a, b in zip(x.shape, shape))
    if all(a >= b for a, b in zip(x.shape, shape)):
        return x[common]
    other = numpy.zeros(shape, x.dtype)
    other[common] = x[common]
    return other


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


class _Call:
    """A transform of dense arrays of one shape, type and order in memory, ready to run."""

    def __init__(self, shape, order, single, axes, kinds, forward, scale, workers, real_length):
        crosses = "r2c" in kinds
        before, after = list(shape), list(shape)  # before: the shape of the plan's input
        if crosses and forward:
            after[axes[-1]] = after[axes[-1]] // 2 + 1
        elif crosses:
            after[axes[-1]] = before[axes[-1]] = real_length
        merged, places = _merged(before, order, axes)
        plan = _serial.Plan(merged, places, kinds, single, workers)
        self.transform = plan.forward if forward else plan.backward
        self.scale = scale
        is_real = not forward if crosses else "c2c" not in kinds
        self.dtype = numpy.dtype(_type_name(is_real, single))
        self.shape = tuple(after)
        self.empty = numpy.empty if math.prod(after) * self.dtype.itemsize < _LARGE else _large_empty
        self.order = order
        self.back = tuple(numpy.argsort(order).tolist())
        self.in_order = tuple(after[axis] for axis in order)
        steps = [math.prod(self.in_order[place + 1 :]) * self.dtype.itemsize for place in range(len(order))]
        self.strides = tuple(steps[place] for place in self.back)
        self.source = _merged(shape, order, axes)[0]
        self.target = _merged(after, order, axes)[0]
        self.as_it_lies = order == tuple(range(len(order))) and self.source == shape and self.target == self.shape

    def __call__(self, x, out=None):
        if self.as_it_lies:
            if out is None:
                out = self.empty(self.shape, self.dtype)
            self.transform(x, out, self.scale)
            return out
        flat = self.empty(self.in_order, self.dtype) if out is None else out.transpose(self.order)
        self.transform(x.transpose(self.order).reshape(self.source), flat.reshape(self.target), self.scale)
        return flat.transpose(self.back) if out is None else out

    def can_write(self, out, x):
        """Whether the result can be written directly to `out` while x is read."""
        return (
            type(out) is numpy.ndarray
            and (out.dtype, out.shape, out.strides) == (self.dtype, self.shape, self.strides)
            and out.flags.aligned
            and out.flags.writeable
            and not numpy.may_share_memory(out, x)
        )


def _prepare(shape, strides, dtype, transform, axes, norm, forward, workers):
    """The call for all arrays with this shape, strides and type. None if such arrays must be converted, resized or
    made dense."""
    real = transform == "r2c"
    single = dtype in (numpy.float32, numpy.complex64)
    order = _dense_order(shape, strides, dtype.itemsize)
    if dtype != _type_name(real, single) or order is None or 0 in shape:
        return None
    axes, lengths = _axes_of(shape, None, axes)
    if not axes or len(_merged(shape, order, axes)[0]) > _MOST_AXES:
        return None
    kinds = ("c2c",) * len(axes) if transform == "c2c" else ("c2c",) * (len(axes) - 1) + ("r2c",)
    real_length = 2 * (lengths[-1] - 1) if transform == "c2r" else None
    if real_length == 0:
        return None
    ahead = transform == "r2c" or transform == "c2c" and forward
    return _call(shape, order, single, tuple(axes), kinds, ahead, _scale(norm, forward), workers, real_length)


class _Results:
    """Makes large arrays, in memory of earlier ones to which no object refers: the system needs a third of
    the time of a transform to clear the pages of new memory."""

    def __init__(self):
        self.buffers = []  # the latest last
        self.most_bytes = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16

    def empty(self, shape, dtype):
        bytes = math.prod(shape) * dtype.itemsize
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
        return numpy.ndarray(shape, dtype, self.buffers[-1])


class _Kept(threading.local):
    """The memory of results of each thread."""

    def __init__(self):
        self.results = _Results()


_kept = _Kept()


def _large_empty(shape, dtype):
    return _kept.results.empty(shape, dtype)


_call = functools.lru_cache(_CALLS)(_Call)
_prepared_call = functools.lru_cache(_CALLS)(_prepare)


def _prepared(x, transform, s, axes, norm, workers, forward):
    """The call for x; None if x needs more work than the call does."""
    if type(x) is not numpy.ndarray or s is not None or not x.flags.aligned:
        return None
    return _prepared_call(x.shape, x.strides, x.dtype, transform, axes, norm, forward, _workers(workers))


def _execute(x, axes, kinds, forward, scale, workers, overwrite=False, real_length=None, out=None):
    """Transforms along axes; an r2c axis is the last. `real_length`: the number of reals along it, if backward."""
    single = x.dtype in (numpy.float32, numpy.complex64)
    if not isinstance(out, (numpy.ndarray, type(None))):
        raise TypeError(f"out: return arrays must be of ArrayType, {type(out).__name__} was given")
    if x.size == 0:
        return _given_to(out, _nothing(x, axes, kinds, forward, real_length))
    order = _dense_order(x.shape, x.strides, x.itemsize)
    if order is None or not x.flags.aligned or not x.dtype.isnative:
        x = numpy.array(x, dtype=x.dtype.newbyteorder("="), order="C")
        order, overwrite = tuple(range(x.ndim)), True
    if len(axes) > 1 and len(_merged(x.shape, order, axes)[0]) > _MOST_AXES:
        return _given_to(out, _one_by_one(x, axes, kinds, forward, scale, workers, real_length))
    call = _call(x.shape, order, single, tuple(axes), tuple(kinds), forward, scale, _workers(workers), real_length)
    if out is not None and call.can_write(out, x):
        return call(x, out)
    in_place = overwrite and "r2c" not in kinds and x.flags.writeable
    return _given_to(out, call(x, x if in_place else None))


def _nothing(x, axes, kinds, forward, real_length):
    """The transform of an array without elements: an axis that is not transformed has no points."""
    shape, crosses = list(x.shape), "r2c" in kinds
    if crosses:
        shape[axes[-1]] = shape[axes[-1]] // 2 + 1 if forward else real_length
    is_real = not forward if crosses else "c2c" not in kinds
    return numpy.empty(shape, _type_name(is_real, x.dtype in (numpy.float32, numpy.complex64)))


def _given_to(out, made):
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
        x = _execute(x, [axis], [kind], forward, scale, workers, real_length=real_length)
    return x


def _scale(norm, forward):
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'norm: invalid norm value {norm!r}, it should be "backward", "ortho" or "forward"')
    if norm == "ortho":
        return "by_sqrt_n"
    return "by_n" if forward == (norm == "forward") else "none"


def _refuse(plan):
    if plan is not None:
        raise NotImplementedError("plan: a precomputed plan cannot be given, plans are kept here")


def _c2c(x, s, axes, norm, overwrite_x, workers, plan, out, forward):
    _refuse(plan)
    call = None if overwrite_x else _prepared(x, "c2c", s, axes, norm, workers, forward)
    if call is not None and (out is None or call.can_write(out, x)):
        return call(x, out)
    given = numpy.asarray(x)
    x = _as_floats(given, False)
    axes, lengths = _axes_of(x.shape, s, axes)
    if not axes:
        return _given_to(out, x.copy())
    x = _resized(x, axes, lengths)
    overwrite = overwrite_x or not numpy.may_share_memory(x, given)
    return _execute(x, axes, ["c2c"] * len(axes), forward, _scale(norm, forward), workers, overwrite, out=out)


def _r2c(x, s, axes, norm, workers, plan, out, forward):
    """The transform from reals to coefficients; the conjugates, with exp(+), if not forward."""
    _refuse(plan)
    call = _prepared(x, "r2c", s, axes, norm, workers, forward)
    if call is not None and (out is None or call.can_write(out, x)):
        made = call(x, out)
    else:
        x = _as_floats(x, True)
        axes, lengths = _axes_of(x.shape, s, axes)
        if not axes:
            raise ValueError("axes: at least 1 axis must be transformed")
        x = _resized(x, axes, lengths)
        kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
        made = _execute(x, axes, kinds, True, _scale(norm, forward), workers, out=out)
    return made if forward else numpy.conjugate(made, out=made)


def _c2r(x, s, axes, norm, workers, plan, out, forward):
    """The transform from coefficients to reals, with exp(+), or with exp(-) if forward."""
    _refuse(plan)
    call = _prepared(x, "c2r", s, axes, norm, workers, forward)
    if call is not None and (out is None or call.can_write(out, x)):
        return call(numpy.conjugate(x) if forward else x, out)
    x = _as_floats(x, False)
    axes, lengths = _axes_of(x.shape, s, axes)
    if not axes:
        raise ValueError("axes: at least 1 axis must be transformed")
    if s is None or s[-1] is None:
        lengths[-1] = 2 * (x.shape[axes[-1]] - 1)
    if lengths[-1] < 1:
        raise ValueError(f"s: Invalid number of FFT data points ({lengths[-1]})")
    x = _resized(x, axes, [*lengths[:-1], lengths[-1] // 2 + 1])
    if forward:
        x = numpy.conjugate(x)
    kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
    return _execute(x, axes, kinds, False, _scale(norm, forward), workers, real_length=lengths[-1], out=out)


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """sum_j x[j] exp(-2 pi i jk/n) along an axis; x is cut off or filled with zeros to n points."""
    return _c2c(x, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, plan, out, True)


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of fft()."""
    return _c2c(x, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, plan, out, False)


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() of reals: the first n/2 + 1 coefficients."""
    return _r2c(x, _one_length(n), _one_axis(axis), norm, workers, plan, out, True)


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of rfft(): n reals from m coefficients, n = 2 (m - 1) if it is not given."""
    return _c2r(x, _one_length(n), _one_axis(axis), norm, workers, plan, out, False)


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() of n points: x is their first half, and the others are its conjugates. The result are n reals."""
    return _c2r(x, _one_length(n), _one_axis(axis), norm, workers, plan, out, True)


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of hfft()."""
    return _r2c(x, _one_length(n), _one_axis(axis), norm, workers, plan, out, False)


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() along several axes."""
    return _c2c(x, *_lengths_and_axes(s, axes), norm, overwrite_x, workers, plan, out, True)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of fftn()."""
    return _c2c(x, *_lengths_and_axes(s, axes), norm, overwrite_x, workers, plan, out, False)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """rfft() along the last of several axes, fft() along the others."""
    return _r2c(x, *_lengths_and_axes(s, axes), norm, workers, plan, out, True)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of rfftn()."""
    return _c2r(x, *_lengths_and_axes(s, axes), norm, workers, plan, out, False)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """hfft() along the last of several axes, fft() along the others."""
    return _c2r(x, *_lengths_and_axes(s, axes), norm, workers, plan, out, True)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of hfftn()."""
    return _r2c(x, *_lengths_and_axes(s, axes), norm, workers, plan, out, False)


def _of_two_axes(many):
    @functools.wraps(many)
    def two(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None, out=None):
        return many(x, s, axes, norm, overwrite_x, workers, plan=plan, out=out)

    two.__name__ = two.__qualname__ = many.__name__[:-1] + "2"
    two.__doc__ = f"{many.__name__}() along two axes, by default the last two."
    return two


fft2, ifft2, rfft2, irfft2, hfft2, ihfft2 = map(_of_two_axes, (fftn, ifftn, rfftn, irfftn, hfftn, ihfftn))

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


def _ends(x, axes, family, type, factor):
    """Multiplies the element that has another weight in an orthogonal transform, along all axes."""
    for axis in axes:
        for place in (0, -1) if family == "dct" and type == 1 else (0,) if family == "dct" else (-1,):
            where = [slice(None)] * x.ndim
            where[axis] = place
            x[tuple(where)] *= factor
    return x


def _r2r(family, x, type, s, axes, norm, overwrite_x, workers, orthogonalize, forward):
    type = operator.index(type)
    if type not in _INVERSE:
        raise ValueError(f"type: 1 to 4 are possible, {type} was given")
    s, axes = _lengths_and_axes(s, axes)
    given = numpy.asarray(x)
    if given.dtype.kind == "c":
        real, imaginary = (
            _r2r(family, part, type, s, axes, norm, False, workers, orthogonalize, forward)
            for part in (given.real, given.imag)
        )
        made = numpy.empty(real.shape, numpy.result_type(real, numpy.complex64))
        made.real, made.imag = real, imaginary
        return made
    x = _as_floats(given, True)
    axes, lengths = _axes_of(x.shape, s, axes)
    if not axes:
        return x.copy()
    x = _resized(x, axes, lengths)
    if family == "dct" and type == 1 and min(lengths) < 2:
        raise ValueError("x: dct of type 1 needs at least 2 points")
    done = type if forward else _INVERSE[type]
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    weighted = orthogonal and done != 4 and not (family == "dst" and done == 1)
    is_fresh = not numpy.may_share_memory(x, given)
    overwrite = overwrite_x or is_fresh
    if weighted and done in (1, 3):
        x = _ends(x if is_fresh else x.copy(), axes, family, done, math.sqrt(2))
        overwrite = True
    made = _execute(x, axes, [f"{family}{done}"] * len(axes), True, _scale(norm, forward), workers, overwrite)
    return _ends(made, axes, family, done, math.sqrt(0.5)) if weighted and done in (1, 2) else made


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The cosine transform of this type, 1 to 4, as scipy.fft defines it."""
    return _r2r("dct", x, type, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, orthogonalize, True)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The inverse of dct()."""
    return _r2r("dct", x, type, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, orthogonalize, False)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The sine transform of this type, 1 to 4, as scipy.fft defines it."""
    return _r2r("dst", x, type, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, orthogonalize, True)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The inverse of dst()."""
    return _r2r("dst", x, type, _one_length(n), _one_axis(axis), norm, overwrite_x, workers, orthogonalize, False)


def dctn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None
) -> numpy.ndarray:
    """dct() along several axes."""
    return _r2r("dct", x, type, s, axes, norm, overwrite_x, workers, orthogonalize, True)


def idctn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None
) -> numpy.ndarray:
    """The inverse of dctn()."""
    return _r2r("dct", x, type, s, axes, norm, overwrite_x, workers, orthogonalize, False)


def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """dst() along several axes."""
    return _r2r("dst", x, type, s, axes, norm, overwrite_x, workers, orthogonalize, True)


def idstn(
    x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, orthogonalize=None
) -> numpy.ndarray:
    """The inverse of dstn()."""
    return _r2r("dst", x, type, s, axes, norm, overwrite_x, workers, orthogonalize, False)


def fftfreq(n, d=1.0, *, dtype=None, device=None, xp=None) -> numpy.ndarray:
    """The frequencies of the n points of a spectrum of samples at distance d."""
    return _frequencies(_fftfreq(n, d), dtype, device, xp)


def rfftfreq(n, d=1.0, *, dtype=None, device=None, xp=None) -> numpy.ndarray:
    """The frequencies of the n/2 + 1 coefficients that rfft() returns for n samples at distance d."""
    return _frequencies(_rfftfreq(n, d), dtype, device, xp)


def _frequencies(made, dtype, device, xp):
    if device not in (None, "cpu"):
        raise ValueError(f'device: "cpu" is needed, {device!r} was given')
    if dtype is not None and numpy.dtype(dtype).kind != "f":
        raise ValueError(f"dtype: a real floating-point type is needed, {numpy.dtype(dtype)} was given")
    made = made if dtype is None else made.astype(dtype)
    return made if xp in (None, numpy) else xp.asarray(made)


def next_fast_len(target, real=False) -> int:
    """The smallest length >= `target` that is fast to transform."""
    return good_size(target, 2 if real else 1)


def prev_fast_len(target, real=False) -> int:
    """The largest length <= `target` that is fast to transform."""
    return next(n for n in range(target, 0, -1) if n == 1 or good_size(n, 2 if real and n > 1 else 1) == n)


# scipy.fft calls backends by uarray's protocol.
__ua_domain__ = "numpy.scipy.fft"


def __ua_function__(method, arguments, keywords):
    """Called by scipy.fft. Functions and arrays that this module does not support are left to other backends."""
    function = globals().get(method.__name__)
    if method.__name__ not in __all__ or function is None:
        return NotImplemented
    try:
        return function(*arguments, **keywords)
    except _Unsupported:
        return NotImplemented
    except TypeError:
        # An unknown argument may suit another backend; an argument of a wrong type is the caller's error.
        try:
            inspect.signature(function).bind(*arguments, **keywords)
        except TypeError:
            return NotImplemented
        raise

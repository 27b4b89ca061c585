# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of sixstep.fft, by the rules and in the words of NumPy and SciPy."""

from __future__ import annotations

import operator
import os
import sys

import numpy

ALIGNMENT = 64  # of large results: XLA takes such memory as it is


def workers_of(workers):
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


def type_name(real, single):
    return ("float" if real else "complex") + str((32 if single else 64) * (1 if real else 2))


class Unsupported(TypeError):
    """The array has elements that another backend of scipy.fft may support."""


def as_floats(x, real):
    """x as an array of floats or complex numbers, in its own precision and the machine's byte order."""
    x = numpy.asarray(x)
    kind, bits = x.dtype.kind, 8 * x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1)
    if real and kind == "c":
        raise TypeError(f"x: x must be a real sequence, {x.dtype} was given")
    if kind not in "biufc" or (kind in "fc" and bits > 64):
        raise Unsupported(f"x: numbers of single or double precision are needed, {x.dtype} was given")
    return x.astype(type_name(real, kind in "fc" and bits <= 32), copy=False)


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


def lengths_and_axes(s, axes):
    return _integers("s", s, may_have_none=True), _integers("axes", axes)


def one_axis(axis):
    return (operator.index(axis),)


def one_length(n):
    if n is None:
        return None
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"n: Invalid number of FFT data points ({n}), at least 1 is needed")
    return (n,)


def axes_of(shape, s, axes):
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


def axes_of_c2r(shape, s, axes):
    """axes_of() for a transform from coefficients to reals. The last length is the number of reals, even by default."""
    axes, lengths = axes_of(shape, s, axes)
    if not axes:
        raise ValueError("axes: at least 1 axis must be transformed")
    if s is None or s[-1] is None:
        lengths[-1] = 2 * (shape[axes[-1]] - 1)
    if lengths[-1] < 1:
        raise ValueError(f"s: Invalid number of FFT data points ({lengths[-1]})")
    return axes, lengths


def resized(x, axes, lengths, zeros=numpy.zeros):
    """x, cut off or filled with zeros to these lengths along the axes. `zeros` is that of the array's library."""
    if all(x.shape[axis] == n for axis, n in zip(axes, lengths)):
        return x
    shape = list(x.shape)
    for axis, n in zip(axes, lengths):
        shape[axis] = n
    common = tuple(slice(0, min(a, b)) for a, b in zip(x.shape, shape))
    if all(a >= b for a, b in zip(x.shape, shape)):
        return x[common]
    other = zeros(shape, x.dtype)
    other[common] = x[common]
    return other


def scale_of(norm, forward):
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'norm: invalid norm value {norm!r}, it should be "backward", "ortho" or "forward"')
    if norm == "ortho":
        return "by_sqrt_n"
    return "by_n" if forward == (norm == "forward") else "none"


def refuse(plan):
    if plan is not None:
        raise NotImplementedError("plan: a precomputed plan cannot be given, plans are kept here")

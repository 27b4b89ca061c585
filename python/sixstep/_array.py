# SPDX-License-Identifier: BSD-3-Clause
"""The class Array, and NumPy's functions for it."""

from __future__ import annotations

from types import ModuleType

import numpy

from ._array_arithmetic import Arithmetic
from ._array_shown import ArrayShown
from ._error import Error
from ._layouts import counted
from ._ranks import collective


class Array(Arithmetic, ArrayShown):
    """An array of a global shape, spread over ranks by a layout. It begins as zeros.

    Parameters
    ----------
    layout : Layout or tuple of int
        A shape stands for blocks along the first axis.
    dtype : numpy dtype
        Any type whose elements are plain bytes.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program. A communicator is duplicated for this array only, but all arrays in one
        expression need the same Ranks.

    Raises
    ------
    Error
        The layout is for another number of ranks, or has no points.
    """

    _namespace: ModuleType  # array_namespace: set by array.py, as it makes arrays itself

    @collective
    def __array_function__(self, function, types, arguments, keywords):
        if function not in _FUNCTIONS:
            return NotImplemented
        return _FUNCTIONS[function](*arguments, **keywords)

    def __array_namespace__(self, api_version=None):
        return self._namespace


def _where(condition, a, b):
    first = next(x for x in (condition, a, b) if isinstance(x, Array))
    condition, a, b = (first._elements(x) for x in (condition, a, b))
    made = first._like(numpy.result_type(a, b))
    if made.local().size:
        made._whole[...] = numpy.where(condition, a, b)
    return made


def _norm(x, ord=None):
    if ord not in (None, 2) or (ord == 2 and x.ndim != 1):
        raise Error(f"ord: None is needed, {ord!r} was given")
    return x.norm()


def _along(name):
    """NumPy's function along one axis. Except for irfft, `n` must be the extent."""

    def transform(a, n=None, axis=-1, norm=None, out=None):
        if name == "irfft":
            return a.irfft(n, axis, norm, out)
        if n not in (None, a.shape[axis]):
            raise Error(f"n: None or {a.shape[axis]}, the extent of the axis, is needed, {n} was given")
        return getattr(a, name)(axis, norm, out)

    return transform


def _over_axes(name, default=None):
    def transform(a, s=None, axes=default, norm=None, out=None):
        s = None if s is None else counted(s)
        if name == "irfftn":
            return a.irfftn(s, axes, norm, out)
        axes = tuple(range(-len(s), 0)) if s is not None and axes is None else axes
        extents = tuple(a.shape[axis] for axis in a._axes(axes))
        if s is not None and tuple(s) != extents:
            raise Error(f"s: None or {extents}, the extents of the axes, is needed, {tuple(s)} was given")
        return getattr(a, name)(axes, norm, out)

    return transform


def _shifted(forward):
    """fftshift, which moves the coefficient of wave number 0 to the middle of its axis; or ifftshift."""

    def shift(x, axes=None):
        axes = x._axes(axes)
        return x.roll([x.shape[axis] // 2 if forward else -(x.shape[axis] // 2) for axis in axes], axes)

    return shift


_FUNCTIONS = {
    getattr(numpy, name): getattr(Array, method)
    for name, method in [(n, n) for n in ("sum", "prod", "mean", "any", "all", "transpose", "vdot", "copy")]
    + [("amax", "max"), ("amin", "min"), ("max", "max"), ("min", "min")]
}
_FUNCTIONS |= {numpy.where: _where, numpy.linalg.norm: _norm}
_FUNCTIONS |= {numpy.real: lambda x: x.real, numpy.imag: lambda x: x.imag, numpy.shape: lambda x: x.shape}
_FUNCTIONS |= {numpy.roll: Array.roll, numpy.fft.fftshift: _shifted(True), numpy.fft.ifftshift: _shifted(False)}
_FUNCTIONS |= {getattr(numpy.fft, name): _along(name) for name in ("fft", "ifft", "rfft", "irfft")}
_FUNCTIONS |= {getattr(numpy.fft, name): _over_axes(name) for name in ("fftn", "ifftn", "rfftn", "irfftn")}
_FUNCTIONS |= {
    getattr(numpy.fft, name + "2"): _over_axes(name + "n", (-2, -1)) for name in ("fft", "ifft", "rfft", "irfft")
}

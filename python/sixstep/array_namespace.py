# SPDX-License-Identifier: BSD-3-Clause
"""The array-API standard for sixstep.Array, as far as it makes sense for arrays on many ranks.

Element-wise functions are NumPy's own, under the standard's names. Sorting, searching and linear algebra, which would
move many elements between ranks, are missing.
"""

from __future__ import annotations

from types import SimpleNamespace as _SimpleNamespace

import numpy as _numpy

from ._array import Array as _Array
from ._ranks import ranks_of as _ranks_of

bool, e, inf, nan, pi = _numpy.bool_, _numpy.e, _numpy.inf, _numpy.nan, _numpy.pi
int8, int16, int32, int64 = _numpy.int8, _numpy.int16, _numpy.int32, _numpy.int64
uint8, uint16, uint32, uint64 = _numpy.uint8, _numpy.uint16, _numpy.uint32, _numpy.uint64
float32, float64, complex64, complex128 = _numpy.float32, _numpy.float64, _numpy.complex64, _numpy.complex128
result_type, can_cast, finfo, iinfo = _numpy.result_type, _numpy.can_cast, _numpy.finfo, _numpy.iinfo

_SAME = """add ceil copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot isfinite
isinf isnan less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum
minimum multiply negative nextafter not_equal positive real reciprocal remainder sign signbit sin sinh sqrt square
subtract tan tanh trunc imag conj where"""
_RENAMED = {
    "abs": "absolute", "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "bitwise_and": "bitwise_and", "bitwise_invert": "invert",
    "bitwise_left_shift": "left_shift", "bitwise_or": "bitwise_or", "bitwise_right_shift": "right_shift",
    "bitwise_xor": "bitwise_xor", "pow": "power", "round": "rint",
}  # fmt: skip
globals().update({name: getattr(_numpy, name) for name in _SAME.split()})
globals().update({name: getattr(_numpy, numpys) for name, numpys in _RENAMED.items()})


def full(shape, fill_value, *, dtype=None, device=None):
    with _ranks_of(None).together("full", shape, dtype):
        array = _Array(shape, dtype or _numpy.asarray(fill_value).dtype)
        array.local()[...] = fill_value
        return array


def zeros(shape, *, dtype="float64", device=None):
    return _Array(shape, dtype or "float64")


def ones(shape, *, dtype="float64", device=None):
    return full(shape, 1, dtype=dtype or "float64")


def zeros_like(x, *, dtype=None, device=None):
    return _Array(x.layout, dtype or x.dtype, x.ranks)


def full_like(x, fill_value, *, dtype=None, device=None):
    array = zeros_like(x, dtype=dtype)
    array.local()[...] = fill_value
    return array


def ones_like(x, *, dtype=None, device=None):
    return full_like(x, 1, dtype=dtype)


empty, empty_like = zeros, zeros_like


def asarray(obj, *, dtype=None, device=None, copy=None):
    """Returns an Array as it is. Any other array, which must be the same on all ranks, becomes an Array in blocks along
    the first axis."""
    if isinstance(obj, _Array):
        array = obj if dtype is None else obj.astype(dtype, copy=False)
        return array.copy() if copy and array is obj else array
    with _ranks_of(None).together("asarray", dtype):
        whole = _numpy.asarray(obj, dtype)
        array = _Array(whole.shape, whole.dtype)
        array[...] = whole
        return array


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    with _ranks_of(None).together("arange", dtype):
        numbers = (start,) if stop is None else (start, stop, step)
        return asarray(_numpy.arange(*numbers, dtype=dtype))


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    with _ranks_of(None).together("linspace", num, dtype):
        return asarray(_numpy.linspace(start, stop, num, endpoint, dtype=dtype))


def astype(x, dtype, /, *, copy=True, device=None):
    return x.astype(dtype, copy)


def permute_dims(x, /, axes):
    return x.transpose(axes)


def roll(x, /, shift, *, axis):
    return x.roll(shift, axis)


def vecdot(x1, x2, /, *, axis=-1):
    return (conj(x1) * x2).sum(axis)


def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return x.sum(axis, dtype, keepdims)


def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return x.prod(axis, dtype, keepdims)


def max(x, /, *, axis=None, keepdims=False):
    return x.max(axis, keepdims)


def min(x, /, *, axis=None, keepdims=False):
    return x.min(axis, keepdims)


def mean(x, /, *, axis=None, keepdims=False):
    return x.mean(axis, keepdims)


def any(x, /, *, axis=None, keepdims=False):
    return x.any(axis, keepdims)


def all(x, /, *, axis=None, keepdims=False):
    return x.all(axis, keepdims)


def _frequencies(function):
    return lambda n, /, *, d=1.0, dtype=None, device=None: asarray(function(n, d), dtype=dtype)


_DISTRIBUTED = ("fft", "ifft", "rfft", "irfft", "fftn", "ifftn", "rfftn", "irfftn", "fftshift", "ifftshift")
fft = _SimpleNamespace(
    **{name: getattr(_numpy.fft, name) for name in _DISTRIBUTED},
    fftfreq=_frequencies(_numpy.fft.fftfreq),
    rfftfreq=_frequencies(_numpy.fft.rfftfreq),
)

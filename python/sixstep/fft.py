# SPDX-License-Identifier: BSD-3-Clause
"""Fourier, cosine and sine transforms of whole arrays in one process, with SciPy's names and arguments.

    import sixstep.fft
    spectrum = sixstep.fft.rfftn(volume, workers=8)

Arrays of PyTorch and JAX in the host's memory are transformed where they are, and results are arrays of the same kind,
with gradients (sixstep.torch, sixstep.jax).

`scipy.fft.set_backend(sixstep.fft)` makes scipy.fft use it. Results are those of scipy.fft: unscaled forward and 1/n
backward, unless `norm` says "ortho" or "forward". MPI is not needed, and forked processes may transform.

Plans are kept for all threads, up to 64 MiB; the last plan is kept whatever its size. `set_cache_bytes()` or the
environment variable SIXSTEP_FFT_CACHE_BYTES change this limit. Each thread keeps the memory of its last four large
results, at most a sixteenth of the machine's memory, and uses it again when no array refers to it.

    with sixstep.fft.set_reproducible("machine"):
        spectrum = sixstep.fft.fftn(volume)

gives the bits that any Plan with `reproducible="machine"` gives, on any number of ranks.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
import sys

import numpy
from numpy.fft import fftfreq as _fftfreq
from numpy.fft import fftshift, ifftshift
from numpy.fft import rfftfreq as _rfftfreq

from . import _frame_transforms, _serial
from ._fft_arguments import (
    Unsupported,
    as_floats,
    axes_of,
    axes_of_c2r,
    lengths_and_axes,
    one_axis,
    one_length,
    refuse,
    resized,
    scale_of,
)
from ._fft_calls import _bits, execute, given_to, run
from ._frames import compiled, compiles, frame_of
from ._jax_values import OfJax
from ._serial import good_size

__all__ = [
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
    *("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dct", "idct", "dst", "idst"),
    *("dctn", "idctn", "dstn", "idstn", "fftfreq", "rfftfreq", "fftshift", "ifftshift"),
    *("next_fast_len", "prev_fast_len", "set_cache_bytes", "cache_bytes", "set_reproducible"),
]


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


@contextlib.contextmanager
def set_reproducible(bits):
    """Within this context, equal arrays have results with equal bits: "machine", with the same instruction set, for any
    workers, shape of a batch and memory order; "everywhere", also with any other instruction set. They are the bits of
    a Plan with this option. "none": as without it."""
    if bits not in ("none", "machine", "everywhere"):
        raise ValueError(f"bits: none, machine or everywhere is needed, {bits} was given")
    before = _bits.set(bits)
    try:
        yield
    finally:
        _bits.reset(before)


def _in_frame(frame, transform, recorded, x, arguments, workers, others):
    """Calls `transform` of a NumPy view of x, or `recorded` of x itself where gradients need it."""
    if frame is OfJax and compiles(x) and others[:2] == (None, None):
        return compiled(recorded, (), (*arguments, workers, *others), _bits.get())(x)
    view = frame.view(x)
    if view is None:
        return recorded(frame, x, *arguments, workers, *others)
    return frame.of_numpy(transform(view, *arguments, frame.workers_now(workers), *others))


def _c2c(x, s, axes, norm, workers, plan, out, forward, overwrite_x=False):
    made = None if overwrite_x else run("c2c", x, s, axes, norm, workers, plan, out, forward)
    if made is not None:
        return made
    if type(x) is not numpy.ndarray and (frame := frame_of(x)) is not None:
        return _in_frame(frame, _c2c, _frame_transforms.c2c, x, (s, axes, norm), workers, (plan, out, forward))
    refuse(plan)
    given = numpy.asarray(x)
    x = as_floats(given, False)
    axes, lengths = axes_of(x.shape, s, axes)
    if not axes:
        return given_to(out, x.copy())
    x = resized(x, axes, lengths)
    overwrite = overwrite_x or not numpy.may_share_memory(x, given)
    return execute(x, axes, ["c2c"] * len(axes), forward, scale_of(norm, forward), workers, overwrite, out=out)


def _r2c(x, s, axes, norm, workers, plan, out, forward):
    """The transform from reals to coefficients; the conjugates, with exp(+), if not forward."""
    made = run("r2c", x, s, axes, norm, workers, plan, out, forward)
    if made is None:
        if type(x) is not numpy.ndarray and (frame := frame_of(x)) is not None:
            return _in_frame(frame, _r2c, _frame_transforms.r2c, x, (s, axes, norm), workers, (plan, out, forward))
        refuse(plan)
        x = as_floats(x, True)
        axes, lengths = axes_of(x.shape, s, axes)
        if not axes:
            raise ValueError("axes: at least 1 axis must be transformed")
        x = resized(x, axes, lengths)
        kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
        made = execute(x, axes, kinds, True, scale_of(norm, forward), workers, out=out)
    return made if forward else numpy.conjugate(made, out=made)


_OPPOSITE_NORMS = {None: "forward", "backward": "forward", "forward": None}


def _c2r(x, s, axes, norm, workers, plan, out, forward):
    """The transform from coefficients to reals, with exp(+), or with exp(-) if forward."""
    made = None if forward else run("c2r", x, s, axes, norm, workers, plan, out, forward)
    if made is not None:
        return made
    if type(x) is not numpy.ndarray and (frame := frame_of(x)) is not None:
        return _in_frame(frame, _c2r, _frame_transforms.c2r, x, (s, axes, norm), workers, (plan, out, forward))
    refuse(plan)
    x = as_floats(x, False)
    if forward:
        return _c2r(numpy.conjugate(x), s, axes, _OPPOSITE_NORMS.get(norm, norm), workers, None, out, False)
    axes, lengths = axes_of_c2r(x.shape, s, axes)
    x = resized(x, axes, [*lengths[:-1], lengths[-1] // 2 + 1])
    kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
    return execute(x, axes, kinds, False, scale_of(norm, forward), workers, real_length=lengths[-1], out=out)


def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """sum_j x[j] exp(-2 pi i jk/n) along an axis; x is cut off or filled with zeros to n points."""
    return _c2c(x, one_length(n), one_axis(axis), norm, workers, plan, out, True, overwrite_x)


def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of fft()."""
    return _c2c(x, one_length(n), one_axis(axis), norm, workers, plan, out, False, overwrite_x)


def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() of reals: the first n/2 + 1 coefficients."""
    return _r2c(x, one_length(n), one_axis(axis), norm, workers, plan, out, True)


def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of rfft(): n reals from m coefficients, n = 2 (m - 1) if it is not given."""
    return _c2r(x, one_length(n), one_axis(axis), norm, workers, plan, out, False)


def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() of n points: x is their first half, and the others are its conjugates. The result are n reals."""
    return _c2r(x, one_length(n), one_axis(axis), norm, workers, plan, out, True)


def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of hfft()."""
    return _r2c(x, one_length(n), one_axis(axis), norm, workers, plan, out, False)


def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """fft() along several axes."""
    return _c2c(x, *lengths_and_axes(s, axes), norm, workers, plan, out, True, overwrite_x)


def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of fftn()."""
    return _c2c(x, *lengths_and_axes(s, axes), norm, workers, plan, out, False, overwrite_x)


def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """rfft() along the last of several axes, fft() along the others."""
    return _r2c(x, *lengths_and_axes(s, axes), norm, workers, plan, out, True)


def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of rfftn()."""
    return _c2r(x, *lengths_and_axes(s, axes), norm, workers, plan, out, False)


def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """hfft() along the last of several axes, fft() along the others."""
    return _c2r(x, *lengths_and_axes(s, axes), norm, workers, plan, out, True)


def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None, out=None) -> numpy.ndarray:
    """The inverse of hfftn()."""
    return _r2c(x, *lengths_and_axes(s, axes), norm, workers, plan, out, False)


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
    s, axes = lengths_and_axes(s, axes)
    if (frame := frame_of(x)) is not None:
        if frame is OfJax and compiles(x):
            words = (type, s, axes, norm, workers, orthogonalize, forward)
            return compiled(_frame_transforms.r2r, (family,), words, _bits.get())(x)
        view = frame.view(x)
        if view is None:
            return _frame_transforms.r2r(frame, family, x, type, s, axes, norm, workers, orthogonalize, forward)
        threads = frame.workers_now(workers)
        return frame.of_numpy(_r2r(family, view, type, s, axes, norm, False, threads, orthogonalize, forward))
    given = numpy.asarray(x)
    if given.dtype.kind == "c":
        real, imaginary = (
            _r2r(family, part, type, s, axes, norm, False, workers, orthogonalize, forward)
            for part in (given.real, given.imag)
        )
        made = numpy.empty(real.shape, numpy.result_type(real, numpy.complex64))
        made.real, made.imag = real, imaginary
        return made
    x = as_floats(given, True)
    axes, lengths = axes_of(x.shape, s, axes)
    if not axes:
        return x.copy()
    x = resized(x, axes, lengths)
    if family == "dct" and type == 1 and min(lengths) < 2:
        raise ValueError("x: dct of type 1 needs at least 2 points")
    done = type if forward else _INVERSE[type]
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    weighted = orthogonal and not (family == "dst" and done == 1)
    is_fresh = x.size > 0 and not numpy.may_share_memory(x, given)  # empty arrays share nothing
    overwrite = overwrite_x or is_fresh
    if weighted and done in (1, 3):
        x = _ends(x if is_fresh else x.copy(), axes, family, done, math.sqrt(2))
        overwrite = True
    made = execute(x, axes, [f"{family}{done}"] * len(axes), True, scale_of(norm, forward), workers, overwrite)
    return _ends(made, axes, family, done, math.sqrt(0.5)) if weighted and done in (1, 2) else made


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The cosine transform of this type, 1 to 4, as scipy.fft defines it."""
    return _r2r("dct", x, type, one_length(n), one_axis(axis), norm, overwrite_x, workers, orthogonalize, True)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The inverse of dct()."""
    return _r2r("dct", x, type, one_length(n), one_axis(axis), norm, overwrite_x, workers, orthogonalize, False)


def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The sine transform of this type, 1 to 4, as scipy.fft defines it."""
    return _r2r("dst", x, type, one_length(n), one_axis(axis), norm, overwrite_x, workers, orthogonalize, True)


def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None) -> numpy.ndarray:
    """The inverse of dst()."""
    return _r2r("dst", x, type, one_length(n), one_axis(axis), norm, overwrite_x, workers, orthogonalize, False)


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
    except Unsupported:
        return NotImplemented
    except TypeError:
        # An unknown argument may suit another backend; an argument of a wrong type is the caller's error.
        try:
            inspect.signature(function).bind(*arguments, **keywords)
        except TypeError:
            return NotImplemented
        raise

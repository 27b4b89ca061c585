# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of whole arrays in the memory of a GPU, by plans of this process alone, in the streams of the libraries
that own the arrays.

The library of an array is described by a class with these members:

    stream(x)                                  the stream in which the library works now, and its owner
    address(x)                                 where its first element is
    strides(x)                                 in bytes
    dtype_name(x)
    empty(shape, strides, dtype_name, like)    a new array on the GPU of another
    assign(x, y)                               x[...] = y

sixstep has GPUs where it has MPI, so MPI is loaded by the first transform. Plans are kept, and those of one stream are
used there alone, so that nothing is waited for.
"""

from __future__ import annotations

import atexit
import collections
import functools
import threading
from typing import Any, NamedTuple

import numpy

from ._error import Error
from ._fft_calls import _bits, _dense_order, _merged
from ._linear import SINGLE, Transform

_MOST_PLANS = 32
_MOST_BYTES = 1 << 30  # of the plans' work memory; the last plan is kept whatever its size
_plans: collections.OrderedDict[Any, Any] = collections.OrderedDict()
_lock = threading.Lock()


@functools.cache
def _give_back_at_exit() -> None:
    atexit.register(_plans.clear)  # before MPI ends, which has begun by now


def _made(shape: Any, order: Any, single: bool, transform: Transform, gpu: int) -> Any:
    from . import _core, _mpi

    before, after = list(shape), list(transform.shape(shape))
    if transform.crosses and not transform.forward:
        before, after = after, before
    merged, places = _merged(before, order, transform.axes)
    there = _merged(after, order, transform.axes)[0]
    options = dict(axes=places, kinds=list(transform.kinds), device="cuda", gpu=gpu)
    layouts, myself = (_core.Layout.slab(merged, 1), _core.Layout.slab(there, 1)), _mpi.myself()
    _give_back_at_exit()
    return _core.Plan(*layouts, myself, single, options)


def _kept(key: Any) -> Any:
    """The plan of these arguments of _made() and a stream."""
    plan = _plans.get(key)
    if plan is not None:
        _plans.move_to_end(key)
        return plan
    plan = _plans[key] = _made(*key[:-1])
    while len(_plans) > 1 and (
        len(_plans) > _MOST_PLANS or sum(each.workspace_bytes for each in _plans.values()) > _MOST_BYTES
    ):
        _plans.popitem(last=False)
    return plan


def put(
    transform: Transform, shape: Any, order: Any, single: bool, source: int, target: int, stream: int, owner: Any = None
) -> None:
    """Puts the transform of a dense array, whose axes lie in this order, into a stream. The result lies likewise."""
    from ._core import gpu_of

    require_any_bits()
    with _lock:
        plan = _kept((shape, order, single, transform, gpu_of(source), stream))
        plan.put(source, target, transform.forward, transform.scale, None, stream, owner)


def require_any_bits() -> None:
    """Errors: results with the same bits everywhere are asked for."""
    if _bits.get() != "none":
        raise Error("set_reproducible: an array in the host's memory is needed, one on a GPU was given")


def dense_strides(shape: Any, order: Any, itemsize: int) -> tuple[int, ...]:
    """The strides in bytes of a dense array whose axes lie in this order, slowest first."""
    strides = [0] * len(shape)
    step = itemsize
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


class _Form(NamedTuple):
    """How an array before a transform lies, and the one after it."""

    order: tuple[int, ...]  # the axes, slowest first
    strides: tuple[int, ...]
    shape_after: tuple[int, ...]
    strides_after: tuple[int, ...]
    dtype_after: str
    single: bool
    alignment: int  # of the first element


@functools.lru_cache(256)
def _form(transform: Transform, shape: Any, strides: Any, dtype: str) -> _Form:
    itemsize, single = numpy.dtype(dtype).itemsize, dtype in SINGLE
    order = _dense_order(shape, strides, itemsize) or tuple(range(len(shape)))
    after, dtype_after = transform.shape(shape), transform.dtype_name(single)
    strides_after = dense_strides(after, order, numpy.dtype(dtype_after).itemsize)
    dense = dense_strides(shape, order, itemsize)
    return _Form(order, dense, after, strides_after, dtype_after, single, 8 if single else 16)


def _lies_as(strides: Any, others: Any, shape: Any) -> bool:
    return strides == others or all(n == 1 or a == b for n, a, b in zip(shape, strides, others))


def transformed(of: Any, transform: Transform, x: Any) -> Any:
    """The transform of an array on a GPU, which is copied there if it has gaps."""
    shape, strides, dtype = tuple(x.shape), of.strides(x), of.dtype_name(x)
    form = _form(transform, shape, strides, dtype)
    if not _lies_as(strides, form.strides, shape) or of.address(x) % form.alignment:
        x = _placed(of, x, form.strides)
    out = of.empty(form.shape_after, form.strides_after, form.dtype_after, x)
    if 0 not in shape:
        put(transform, shape, form.order, form.single, of.address(x), of.address(out), *of.stream(x))
    return out


def _placed(of: Any, x: Any, strides: Any) -> Any:
    placed = of.empty(tuple(x.shape), strides, of.dtype_name(x), x)
    of.assign(placed, x)
    return placed


def executed(of: Any, made: Any, x: Any) -> Any:
    """The map `made`, of _planned.py, of a rank's part on a GPU. A part with other strides is copied there. Collective.

    Errors: those of the plan; the map is none of a plan on a GPU.
    """
    shape, strides, dtype = made.form(True)
    fits = tuple(x.shape) == tuple(shape) and of.dtype_name(x) == dtype
    if fits and not _lies_as(of.strides(x), strides, shape):
        x = _placed(of, x, strides)
    return made.begun(x)

# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of JAX in the host's memory as NumPy's, and back, without a copy. JAX is imported when one is given."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy

from ._error import Error


def is_traced(array: Any) -> bool:
    """Whether this array of JAX stands for one while JAX traces a function."""
    import jax

    return isinstance(array, jax.core.Tracer)


@functools.lru_cache(256)
def is_of_host(sharding: Any) -> bool:
    """Whether arrays of JAX that are divided in this way are whole, and in the host's memory of this process."""
    device, *others = sharding.device_set
    return not others and sharding.is_fully_addressable and device.platform == "cpu"


def is_on_several(array: Any) -> bool:
    """Whether the parts of this array lie on several devices of this process."""
    return array.is_fully_addressable and array.sharding.num_devices > 1


def is_on_gpu(array: Any) -> bool:
    """Whether this array with values lies on a single GPU of this process."""
    if is_traced(array) or not array.is_fully_addressable:
        return False
    devices = array.devices()
    return len(devices) == 1 and next(iter(devices)).platform in ("gpu", "cuda")


def new_on_gpu(like: Any, shape: Any, strides: Any, dtype: str) -> Any:
    """A new array on the GPU of `like`, and a capsule by which it is written before anybody else has it."""
    import jax

    itemsize = numpy.dtype(dtype).itemsize
    dense = tuple(itemsize * math.prod(shape[place + 1 :]) for place in range(len(shape)))
    if any(n > 1 and a != b for n, a, b in zip(shape, strides, dense)):
        raise Error(f"out: arrays of JAX are in C order; one with its elements {strides} bytes apart is needed")
    if jax.dtypes.canonicalize_dtype(dtype) != numpy.dtype(dtype):
        raise Error(f"dtype: jax_enable_x64 is needed for arrays of {dtype}, JAX has single precision alone")
    made = jax.numpy.empty(shape, dtype, device=next(iter(like.devices()))).block_until_ready()
    return made, made.__dlpack__()


class OfJax:
    """JAX, as the functions of sixstep.fft need it for the values alone."""

    @staticmethod
    def view(x: Any) -> numpy.ndarray:
        if x.dtype.kind in "fV" and x.dtype.itemsize < 4:
            raise TypeError(f"x: numbers of single or double precision are needed, {x.dtype} was given")
        return view_of_jax("x", x, is_written=False)

    @staticmethod
    def of_numpy(made: numpy.ndarray) -> Any:
        import jax

        return jax.device_put(made, may_alias=True)

    @staticmethod
    def workers_now(given: int | None) -> int | None:
        return given


def view_of_jax(name: str, array: Any, is_written: bool) -> Any:
    if is_written:
        raise Error(f"{name}: a writable array is needed, an array of JAX was given, which nobody may write to")
    if is_traced(array):
        raise Error(
            f"{name}: an array is needed, one that JAX traces was given: sixstep.jax has calls for inside of jax.jit "
            "and jax.grad"
        )
    if not array.is_fully_addressable or len(array.devices()) > 1:
        raise Error(f"{name}: an array on one device of this process is needed, one on several was given")
    if next(iter(array.devices())).platform == "cpu":
        return numpy.asarray(array)
    return array.block_until_ready()

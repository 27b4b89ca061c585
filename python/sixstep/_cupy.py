# SPDX-License-Identifier: BSD-3-Clause
"""CuPy, as the functions of sixstep.fft need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cupy
import numpy

from . import _gpu
from ._fft_arguments import resized
from ._linear import Transform


class OnGpu:
    """CuPy's arrays, as _gpu.py needs them."""

    @staticmethod
    def stream(x: Any) -> tuple[int, Any]:
        stream = cupy.cuda.get_current_stream(x.device.id)
        return stream.ptr, stream

    @staticmethod
    def address(x: Any) -> int:
        return x.data.ptr

    @staticmethod
    def strides(x: Any) -> tuple[int, ...]:
        return x.strides

    @staticmethod
    def dtype_name(x: Any) -> str:
        return x.dtype.name

    @staticmethod
    def empty(shape: Any, strides: Any, dtype: str, like: Any) -> Any:
        shape, itemsize = tuple(shape), numpy.dtype(dtype).itemsize
        with like.device:
            if 0 in shape:
                return cupy.empty(shape, dtype)
            memory = cupy.cuda.alloc(sum((n - 1) * step for n, step in zip(shape, strides)) + itemsize)
            return cupy.ndarray(shape, dtype, memory, tuple(strides))

    @staticmethod
    def assign(x: Any, y: Any) -> None:
        x[...] = y


class Arrays:
    """CuPy, as _frame_transforms.py needs it."""

    @staticmethod
    def view(x: Any) -> None:
        return None

    @staticmethod
    def floats(x: Any, real: bool) -> Any:
        if real and x.dtype.kind == "c":
            raise TypeError(f"x: x must be a real sequence, {x.dtype} was given")
        if x.dtype.name in ("float32", "float64", "complex64", "complex128"):
            return x
        if x.dtype.kind not in "biu":
            raise TypeError(f"x: numbers of single or double precision are needed, {x.dtype} was given")
        return x.astype("float64")

    @staticmethod
    def complexes(x: Any) -> Any:
        return x if x.dtype.kind == "c" else x.astype("complex64" if x.dtype.name == "float32" else "complex128")

    @staticmethod
    def resized(x: Any, axes: Sequence[int], lengths: Sequence[int]) -> Any:
        return resized(x, axes, lengths, cupy.zeros)

    @staticmethod
    def multiplied(x: Any, axis: int, places: Sequence[int], factor: float) -> Any:
        vector = numpy.ones(x.shape[axis], x.dtype)
        vector[list(places)] = factor
        return x * cupy.asarray(vector).reshape(-1, *[1] * (x.ndim - axis - 1))

    conjugate = staticmethod(cupy.conj)

    @staticmethod
    def is_complex(x: Any) -> bool:
        return x.dtype.kind == "c"

    @staticmethod
    def parts(x: Any) -> tuple[Any, Any]:
        return x.real, x.imag

    @staticmethod
    def joined(real: Any, imaginary: Any) -> Any:
        made = cupy.empty(real.shape, "complex64" if real.dtype.name == "float32" else "complex128")
        made.real, made.imag = real, imaginary
        return made

    @staticmethod
    def workers(given: int | None) -> int:
        return 0

    @staticmethod
    def nothing(x: Any, transform: Transform) -> Any:
        single = x.dtype.name in ("float32", "complex64")
        return cupy.zeros(transform.shape(x.shape), transform.dtype_name(single))

    @staticmethod
    def apply(transform: Transform, x: Any) -> Any:
        return _gpu.transformed(OnGpu, transform, x)

# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.fft's operations on arrays that JAX traces, and on arrays on several devices or on GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
from jax import lax
from jax import numpy as jnp

from ._fft_arguments import workers_of
from ._jax import Whole, weighted
from ._jax_values import OfJax
from ._linear import SINGLE, Transform


class Arrays(OfJax):
    """JAX, as the functions of sixstep.fft need it for arrays that it traces."""

    @staticmethod
    def view(x: Any) -> None:
        return None

    @staticmethod
    def floats(x: Any, real: bool) -> Any:
        if real and jnp.iscomplexobj(x):
            raise TypeError(f"x: x must be a real sequence, {x.dtype} was given")
        if x.dtype.name in ("float32", "float64", "complex64", "complex128"):
            return x
        if jnp.issubdtype(x.dtype, jnp.inexact):
            raise TypeError(f"x: numbers of single or double precision are needed, {x.dtype} was given")
        return x.astype(float)

    @staticmethod
    def complexes(x: Any) -> Any:
        return x if jnp.iscomplexobj(x) else lax.complex(x, jnp.zeros_like(x))

    @staticmethod
    def resized(x: Any, axes: Sequence[int], lengths: Sequence[int]) -> Any:
        shape = list(x.shape)
        for axis, n in zip(axes, lengths):
            shape[axis] = n
        x = x[tuple(slice(0, n) for n in shape)]
        return jnp.pad(x, [(0, n - given) for n, given in zip(shape, x.shape)])

    @staticmethod
    def multiplied(x: Any, axis: int, places: Sequence[int], factor: float) -> Any:
        vector = numpy.ones(x.shape[axis])
        vector[list(places)] = factor
        return weighted(x, [(axis, vector)])

    conjugate = staticmethod(jnp.conj)
    is_complex = staticmethod(jnp.iscomplexobj)

    @staticmethod
    def parts(x: Any) -> tuple[Any, Any]:
        return x.real, x.imag

    joined = staticmethod(lax.complex)

    @staticmethod
    def workers(given: int | None) -> int:
        return 0 if given is None else workers_of(given)

    @staticmethod
    def nothing(x: Any, transform: Transform) -> Any:
        return jnp.zeros(transform.shape(x.shape), transform.dtype_name(x.dtype in SINGLE))

    @staticmethod
    def apply(transform: Transform, x: Any) -> Any:
        return Whole(*transform).applied(x)

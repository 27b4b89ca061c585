# SPDX-License-Identifier: BSD-3-Clause
"""Linear maps of JAX's arrays as one primitive, with JAX's rules for it, and sixstep.fft's operations on arrays that
JAX traces.

A map is an object `made` with the members that _torch.py lists, and:

    made(x, out)             the result, written to a NumPy array
    made.behind_one()        the map of several arrays, which are the first axis; None if there is none
    made.transpose()         the map's transpose; None if it is only known by weights
    made.is_collective       whether all ranks have to make the same calls in the same order
    made.aval(x)             shape and type of the result for an array like x
    made.orders              the axes of arrays before and after the map as they lie in memory, slowest first

Compiled functions call XLA's foreign functions on the host: python/xla.cpp calls _run() with the bytes of operand and
result. A collective map has an ordered effect, so that XLA keeps the calls in the order of the program, also where none
needs another's result, and from one compiled function to the next.
"""

from __future__ import annotations

import itertools
import os
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import numpy
from jax import lax
from jax import numpy as jnp
from jax._src import effects
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _serial
from ._error import Error
from ._fft_arguments import workers_of
from ._fft_calls import _bits, _dense_order
from ._jax_values import OfJax
from ._linear import Transform

_SINGLE = ("float32", "complex64")


class _Collective(effects.Effect):
    __str__ = __repr__ = lambda self: "sixstep"  # type: ignore[method-assign,assignment]


_COLLECTIVE = _Collective()
for allowed in (
    effects.ordered_effects,
    effects.lowerable_effects,
    effects.control_flow_allowed_effects,
    effects.custom_derivatives_allowed_effects,
    effects.remat_allowed_effects,
):
    allowed.add_type(_Collective)


class Whole(Transform):
    """A transform of whole arrays."""

    __slots__ = ()
    is_collective = False
    orders = (None, None)

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        return Transform.__call__(self if self.workers else self._replace(workers=cores()), x, out)

    def aval(self, x: Any) -> tuple[Any, str]:
        return self.shape(x.shape), self.dtype_name(x.dtype in _SINGLE)

    def behind_one(self) -> Whole:
        return self.behind(1)

    def transpose(self) -> Whole | None:
        return self if set(self.kinds) == {"c2c"} else None


class Collective(NamedTuple):
    """A map of this rank's part of an array, of _planned.py."""

    made: Any
    is_collective = True

    @property
    def orders(self) -> Any:
        return self._order(True), self._order(False)

    def _order(self, of_input: bool) -> Any:
        shape, strides, dtype = self.made.form(of_input)
        return _dense_order(shape, strides, numpy.dtype(dtype).itemsize)

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        return self.made(x, out)

    def aval(self, x: Any) -> tuple[Any, str]:
        shape, _, dtype = self.made.form(False)
        return shape, dtype

    def behind_one(self) -> None:
        return None

    def opposite(self, shape: Any) -> Collective:
        return Collective(self.made.opposite(shape))

    def weights(self, shape: Any) -> Any:
        return self.made.weights(shape)

    def transpose(self) -> Collective | None:
        made = self.made.transpose()
        return None if made is None else Collective(made)


def cores() -> int:
    """The cores that XLA uses, too."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def applied(made: Any, x: Any) -> Any:
    """Applies a map to an array, with JAX's transformations."""
    return _apply.bind(x, made=made)


def _values(x: Any, *, made: Any) -> Any:
    """The map of an array with values, outside of compiled functions."""
    if made.is_collective:
        jax.effects_barrier()  # compiled functions may still make calls in threads of XLA
    return OfJax.of_numpy(made(OfJax.view(jnp.asarray(x))))


def _abstract(x: Any, *, made: Any) -> Any:
    shape, dtype = made.aval(x)
    return jax.core.ShapedArray(shape, numpy.dtype(dtype)), {_COLLECTIVE} if made.is_collective else effects.no_effects


def _weighted(x: Any, vectors: Any) -> Any:
    """x times vectors along some of its axes."""
    for axis, vector in vectors:
        x = x * jnp.asarray(vector, x.real.dtype).reshape(-1, *[1] * (x.ndim - axis - 1))
    return x


def _transposed(ct: Any, x: Any, *, made: Any) -> Any:
    """JAX wants the transpose, which is the adjoint between two conjugates."""
    if (transpose := made.transpose()) is not None:
        return [applied(transpose, ct)]
    shape = x.aval.shape
    before, after = made.weights(shape)
    back = applied(made.opposite(shape), _weighted(jnp.conj(ct), before))
    return [jnp.conj(_weighted(back, after))]


def _batched(arguments: Any, axes: Any, *, made: Any) -> Any:
    x = jnp.moveaxis(arguments[0], axes[0], 0)
    many = made.behind_one()
    return jnp.stack([applied(made, y) for y in x]) if many is None else applied(many, x), 0


class _Call(NamedTuple):
    """A map of arrays of one form, as a compiled function calls it."""

    made: Any
    before: Any  # shape, type and order in memory
    after: Any
    bits: str

    def __call__(self, source: Any, target: Any) -> None:
        out = _over(target, *self.after)
        given = _bits.set(self.bits)
        try:
            self.made(_over(source, *self.before), out)
        finally:
            _bits.reset(given)


def _over(memory: Any, shape: Any, dtype: Any, order: Any) -> numpy.ndarray:
    """An array over memory, in which its axes lie in this order."""
    if order is None:
        return numpy.ndarray(shape, dtype, memory)
    lying = numpy.ndarray([shape[axis] for axis in order], dtype, memory)
    return lying.transpose(numpy.argsort(order))


_calls: dict[str, _Call] = {}  # kept, as a compiled function may run after JAX has forgotten it
_names: dict[Any, str] = {}
_numbers = itertools.count(secrets.randbits(60))  # no compiled function of another process finds its call here


def _name_of(call: _Call) -> str:
    if call not in _names:
        name = str(next(_numbers))
        _names[call], _calls[name] = name, call
    return _names[call]


def _run(call: str, source: Any, target: Any) -> None:
    if call not in _calls:
        raise Error(f"jax: a function that this process has compiled is needed, one with the call {call} was given")
    _calls[call](source, target)


jax.ffi.register_ffi_target("sixstep_call", _serial.xla_handler(_run), platform="cpu")


def _lowered(ctx: Any, x: Any, *, made: Any) -> Any:
    avals = (*ctx.avals_in, *ctx.avals_out)
    orders = [order or tuple(range(len(aval.shape))) for aval, order in zip(avals, made.orders)]
    forms = [(aval.shape, aval.dtype, order) for aval, order in zip(avals, made.orders)]
    name = _name_of(_Call(made, *forms, _bits.get()))
    operands, results = [x], [mlir.ir.RankedTensorType.get(avals[1].shape, mlir.dtype_to_ir_type(avals[1].dtype))]
    layouts = [[order[::-1]] for order in orders]  # XLA's are fastest first
    if made.is_collective:
        operands.append(ctx.tokens_in.get(_COLLECTIVE))
        results.append(mlir.token_type())
        layouts = [[*layout, ()] for layout in layouts]
    lower = jax.ffi.ffi_lowering(
        "sixstep_call",
        has_side_effect=made.is_collective,
        operand_layouts=layouts[0],
        result_layouts=layouts[1],
        result_types=results,
    )
    # JAX counts layouts by avals, and tokens have none here.
    counted = ctx.replace(avals_in=avals[:1] * len(operands), avals_out=avals[1:] * len(results))
    lowered = lower(counted, *operands, call=name)
    if made.is_collective:
        ctx.set_tokens_out(ctx.tokens_in.update_tokens(mlir.TokenSet({_COLLECTIVE: lowered[1]})))
    return lowered[:1]


_apply = Primitive("sixstep")
_apply.def_impl(_values)
_apply.def_effectful_abstract_eval(_abstract)
ad.deflinear2(_apply, _transposed)
batching.primitive_batchers[_apply] = _batched
mlir.register_lowering(_apply, _lowered, platform="cpu")


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
        return _weighted(x, [(axis, vector)])

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
        return jnp.zeros(transform.shape(x.shape), transform.dtype_name(x.dtype in _SINGLE))

    @staticmethod
    def apply(transform: Transform, x: Any) -> Any:
        return applied(Whole(*transform), x)

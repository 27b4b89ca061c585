# SPDX-License-Identifier: BSD-3-Clause
"""Linear maps of JAX's arrays as one primitive, with JAX's rules for it.

A map is an object `made` with the members that _torch.py lists, and:

    made(x, out)             the result, written to a NumPy array
    made.put(form, source, target, stream)
                             puts the map of an array at an address, of this shape, type and order, into a GPU's stream
    made.behind_one()        the map of several arrays, which are the first axis; None if there is none
    made.transpose()         the map's transpose; None if it is only known by weights
    made.is_collective       whether all ranks have to make the same calls in the same order
    made.aval(x)             what JAX knows of the result for an array of which it knows x
    made.orders              the axes of arrays before and after the map as they lie in memory, slowest first
    made.words()             the map in numbers and words, from which any process makes it; None if there are none

Compiled functions call XLA's foreign functions: on the host, python/xla.cpp calls _run() with the bytes of operand and
result; for arrays on GPUs it calls _run_on_gpu() with their addresses and XLA's stream. Arrays on several devices are
divided by _jax_mesh.py. A collective map has an ordered effect, so that XLA keeps the calls in the order of the
program, also where none needs another's result, and from one compiled function to the next.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import secrets
from typing import Any, NamedTuple

import jax
import numpy
from jax import numpy as jnp
from jax._src import dispatch, effects
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from . import _gpu, _serial
from ._error import Error
from ._fft_calls import _bits, _dense_order
from ._jax_mesh import names_after, on_devices
from ._jax_values import OfJax, is_on_gpu, is_on_several
from ._linear import SINGLE, Transform


class _Collective(effects.Effect):
    __str__ = __repr__ = lambda self: "plans of sixstep"  # type: ignore[method-assign,assignment]


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

    def put(self, form: Any, source: int, target: int, stream: int) -> None:
        shape, dtype, order = form
        order = tuple(order or range(len(shape)))
        _gpu.put(Transform(*self)._replace(workers=0), tuple(shape), order, dtype in SINGLE, source, target, stream)

    def aval(self, x: Any) -> Any:
        dtype = numpy.dtype(self.dtype_name(x.dtype in SINGLE))
        sharding = x.sharding.update(spec=names_after(self, x.shape, x.sharding.spec))
        return x.update(shape=self.shape(x.shape), dtype=dtype, weak_type=False, sharding=sharding)

    def applied(self, x: Any) -> Any:
        return applied(self, x)

    def words(self) -> list[Any]:
        return list(self)

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

    def put(self, form: Any, source: int, target: int, stream: int) -> None:
        shape, _, dtype = self.made.form(True)
        if (tuple(form[0]), form[1]) != (tuple(shape), dtype):
            raise Error(f"in: an array of {dtype} of shape {shape} is needed, one of {form[1]} of {form[0]} was given")
        self.made.put(source, target, stream)

    def aval(self, x: Any) -> Any:
        shape, _, dtype = self.made.form(False)
        return jax.core.ShapedArray(shape, numpy.dtype(dtype))

    def words(self) -> None:
        return None

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
    x = jnp.asarray(x)
    if made.is_collective:
        jax.effects_barrier()  # compiled functions may still make calls in threads of XLA
    elif is_on_several(x):
        return _compiled(x, made)
    if is_on_gpu(x):
        _gpu.require_any_bits()
        return _compiled(x, made)
    return OfJax.of_numpy(made(OfJax.view(x)))


@functools.partial(jax.jit, static_argnums=1)
def _compiled(x: Any, made: Any) -> Any:
    return applied(made, x)


def _abstract(x: Any, *, made: Any) -> Any:
    return made.aval(x), {_COLLECTIVE} if made.is_collective else effects.no_effects


def weighted(x: Any, vectors: Any) -> Any:
    """x times vectors along some of its axes."""
    for axis, vector in vectors:
        x = x * jnp.asarray(vector, x.real.dtype).reshape(-1, *[1] * (x.ndim - axis - 1))
    return x


def _transposed(ct: Any, x: Any, *, made: Any) -> Any:
    """JAX wants the transpose, which is the adjoint between two conjugates."""
    if (transpose := made.transpose()) is not None:
        return [_divided_as(x.aval, applied(transpose, ct))]
    shape = x.aval.shape
    before, after = made.weights(shape)
    back = applied(made.opposite(shape), weighted(jnp.conj(ct), before))
    return [_divided_as(x.aval, jnp.conj(weighted(back, after)))]


def _divided_as(aval: Any, made: Any) -> Any:
    """`made`, divided among devices like an array of which JAX knows `aval`."""
    there = aval.sharding
    return made if jax.typeof(made).sharding == there else jax.sharding.reshard(made, there)


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
    devices: int  # that call at the same time

    def __call__(self, source: Any, target: Any) -> None:
        out = _over(target, *self.after)
        given = _bits.set(self.bits)
        try:
            self.made(_over(source, *self.before), out)
        finally:
            _bits.reset(given)

    def put(self, source: int, target: int, stream: int) -> None:
        given = _bits.set(self.bits)
        try:
            self.made.put(self.before, source, target, stream)
        finally:
            _bits.reset(given)

    def ready(self) -> Any:
        """The transform that does the same in C++; None if there is no such one."""
        shape, dtype, _ = self.before
        return None if self.made.is_collective else self.made.ready(shape, numpy.dtype(dtype), self.bits)

    def words(self) -> str | None:
        """The call in words, which _of_words() reads in any process."""
        made = self.made.words()
        return None if made is None else json.dumps([made, *self[1:]])


def _of_words(words: str) -> _Call:
    made, before, after, bits, devices = json.loads(words)
    kinds, axes, forward, scale, real_length, workers = made
    workers = workers or max(1, cores() // devices)
    whole = Whole(tuple(kinds), tuple(axes), forward, scale, real_length, workers)
    return _Call(whole, before, after, bits, devices)


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
    """The words of the call; a number if this process alone can make it."""
    words = call.words()
    if words is not None:
        return words
    if call not in _names:
        name = str(next(_numbers))
        _names[call], _calls[name] = name, call
    return _names[call]


def _found(call: str) -> _Call:
    if call not in _calls:
        if not call.startswith("["):
            raise Error(f"jax: a function that this process has compiled is needed, one with the call {call} was given")
        _calls[call] = _of_words(call)
    return _calls[call]


def _run(call: str, source: Any, target: Any) -> None:
    found = _found(call)
    if (transform := found.ready()) is not None:
        _serial.xla_keep(call, transform)  # which runs from the next call on
    found(source, target)


def _run_on_gpu(call: str, source: int, target: int, stream: int) -> None:
    _found(call).put(source, target, stream)


jax.ffi.register_ffi_target("sixstep_call", _serial.xla_handler(_run), platform="cpu")
jax.ffi.register_ffi_target("sixstep_call", _serial.xla_gpu_handler(_run_on_gpu), platform="CUDA")


def _devices(ctx: Any) -> tuple[int, bool]:
    """The number of devices for which a function is compiled, and whether its arrays are the parts of each."""
    context = ctx.module_context.axis_context
    if hasattr(context, "mesh"):
        return context.mesh.size, set(context.manual_axes) == set(context.mesh.axis_names)
    return getattr(context, "num_devices", 1), False


def _check(made: Any, avals: Any, is_for_export: bool, is_on_gpu: bool) -> None:
    """Errors: the call cannot be in this compiled function."""
    if made.is_collective:
        made.made.check(is_on_gpu)
    if made.is_collective and is_for_export:
        raise Error("jax.export: calls of whole arrays are needed, which other processes can make; a plan was given")
    for aval in avals:
        if not all(isinstance(n, int) for n in aval.shape):
            raise Error(f"x: lengths of axes are needed, symbols {aval.shape} were given")


def _lowered(ctx: Any, x: Any, *, made: Any, is_on_gpu: bool) -> Any:
    avals = (*ctx.avals_in, *ctx.avals_out)
    devices, is_of_parts = _devices(ctx)
    _check(made, avals, ctx.module_context.lowering_parameters.for_export, is_on_gpu)
    if devices > 1 and not is_of_parts:
        return mlir.lower_fun(lambda x: on_devices(x, made), multiple_results=False)(ctx, x)
    orders = [order or tuple(range(len(aval.shape))) for aval, order in zip(avals, made.orders)]
    forms = [(aval.shape, aval.dtype.name, order) for aval, order in zip(avals, made.orders)]
    name = _name_of(_Call(made, *forms, _bits.get(), devices))
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
for platform in ("cpu", "cuda"):
    mlir.register_lowering(_apply, functools.partial(_lowered, is_on_gpu=platform == "cuda"), platform=platform)
dispatch.prim_requires_devices_during_lowering.add(_apply)

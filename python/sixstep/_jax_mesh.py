# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of JAX's arrays whose parts lie on several devices of one process.

XLA gathers a whole array on every device before a call that it does not know. The calls here say how they are divided:
an axis that is not transformed, or is whole on each device, stays as it is. Along an axis that is divided, devices
exchange parts so that it is whole, transform it, and exchange the parts again. Where no other axis has enough columns
for that, the axis is seen as two. Anything else is gathered.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
import numpy
from jax import lax
from jax import numpy as jnp
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import NamedSharding, PartitionSpec

# Transforms here are those of _jax.py, which apply themselves to arrays that JAX traces.
Names = tuple[str, ...]  # the axes of a mesh along which an axis of an array is divided


def names_after(transform: Any, shape: Sequence[Any], names: Sequence[Any]) -> list[Any]:
    """How the axes of the result are divided: as those before, but axes whose length changes are whole."""
    return [name if n == m else None for name, n, m in zip(names, shape, transform.shape(shape))]


def stages(transform: Any, names: Sequence[Names]) -> list[Any]:
    """The transform as one of all axes that are whole, and one of each divided axis, in the order in which they are
    executed. Halves of reals come first forward and last back."""
    pairs = list(zip(transform.axes, transform.kinds))
    divided = [[pair] for pair in reversed(pairs) if names[pair[0]]]
    whole = [pair for pair in pairs if not names[pair[0]]]
    first = [group for group in divided if group[0][1] == "r2c"]
    groups = [*first, *([whole] if whole else []), *(group for group in divided if group not in first)]
    made = [_of_axes(transform, group) for group in groups]
    return made if transform.forward else made[::-1]


def _of_axes(transform: Any, pairs: Any) -> Transform:
    axes, kinds = zip(*pairs)
    length = transform.real_length if "r2c" in kinds else 0
    return transform._replace(axes=axes, kinds=kinds, real_length=length)


def _padded(x: Any, axis: int, parts: int) -> Any:
    """x with zeros behind along an axis, so that equal parts can be sent."""
    behind = [(0, -n % parts if place == axis else 0) for place, n in enumerate(x.shape)]
    return jnp.pad(x, behind)


def _along_divided(transform: Any, x: Any, names: Names) -> Any:
    """A transform along one axis of which each device of a group has a part: its columns are dealt out meanwhile."""
    (axis,) = transform.axes
    parts = lax.axis_size(names)
    other = max((place for place in range(x.ndim) if place != axis), key=lambda place: x.shape[place], default=axis)
    columns, length = 1 if other == axis else x.shape[other], parts * x.shape[axis]
    if columns < parts and (digits := _digits(transform.kinds[0], length, parts)):
        return _in_two_digits(transform, x, names, digits)
    x = lax.all_to_all(_padded(x, other, parts), names, other, axis, tiled=True)
    x = transform.applied(x)
    if x.shape[axis] == length:
        x = lax.all_to_all(x, names, axis, other, tiled=True)
    else:
        x = lax.all_gather(x, names, axis=other, tiled=True)
    return lax.slice_in_dim(x, 0, columns, axis=other)


def _digits(kind: str, length: int, parts: int) -> tuple[int, int] | None:
    """Two lengths, about the same, whose product is `length` and that are both multiples of `parts`. None if there are
    none, or if the transform cannot be made of two."""
    rest, left = divmod(length, parts**2)
    if kind != "c2c" or left or not rest or length >= 2**31:  # products of indices are numbers of 32 bits
        return None
    factor = max(factor for factor in range(1, math.isqrt(rest) + 1) if rest % factor == 0)
    return parts * factor, parts * (rest // factor)


def _in_two_digits(transform: Any, x: Any, names: Names, digits: tuple[int, int]) -> Any:
    """The transform along an axis of N = N1 N2 elements, of which each device has consecutive ones.

    X[k1 + N1 k2] = sum_n2 w_N2^(n2 k2) [ w_N^(n2 k1) sum_n1 w_N1^(n1 k1) x[N2 n1 + n2] ], w_N = exp(-2 pi i / N)
    """
    (axis,) = transform.axes
    slow, fast = digits
    parts, shape = lax.axis_size(names), x.shape
    exchanged = functools.partial(lax.all_to_all, axis_name=names, tiled=True)
    x = x.reshape(*shape[:axis], slow // parts, fast, *shape[axis + 1 :])  # [n1, of this device][n2]
    x = exchanged(x, split_axis=axis + 1, concat_axis=axis)  # [n1][n2, of this device]
    x = transform.applied(x)
    n2 = jnp.arange(fast // parts) + lax.axis_index(names) * (fast // parts)
    twiddles = _roots(slow * fast, jnp.arange(slow)[:, None] * n2, transform.forward, x.dtype)
    x = x * twiddles.reshape(*twiddles.shape, *[1] * (x.ndim - axis - 2))
    x = exchanged(x, split_axis=axis, concat_axis=axis + 1)  # [k1, of this device][n2]
    x = transform._replace(axes=(axis + 1,)).applied(x)
    x = exchanged(x, split_axis=axis + 1, concat_axis=axis)  # [k1][k2, of this device]
    return jnp.swapaxes(x, axis, axis + 1).reshape(shape)


def _roots(length: int, powers: Any, forward: bool, dtype: Any) -> Any:
    """w_N^powers or its conjugates for N = `length`, as products of two numbers from tables of about sqrt(N)."""
    step = math.isqrt(length) + 1
    turn = (-2j if forward else 2j) * numpy.pi / length
    coarse, fine = (jnp.asarray(numpy.exp(turn * unit * numpy.arange(step)), dtype) for unit in (step, 1))
    return coarse[powers // step] * fine[powers % step]


@functools.partial(custom_partitioning, static_argnums=(1,))
def on_devices(x: Any, transform: Any) -> Any:
    """The transform of an array, of which XLA decides how it is divided."""
    return transform.applied(x)


def _names(sharding: Any, shape: Sequence[int]) -> list[Names]:
    """The axes of the mesh along which each axis of an array has equal parts."""
    names = [(each,) if isinstance(each, str) else tuple(each or ()) for each in sharding.spec]
    names += [()] * (len(shape) - len(names))
    parts = [math.prod(sharding.mesh.shape[name] for name in each) for each in names]
    return [each if n % part == 0 else () for each, n, part in zip(names, shape, parts)]


def _sharding(mesh: Any, names: Sequence[Any]) -> NamedSharding:
    return NamedSharding(mesh, PartitionSpec(*(name or None for name in names)))


def _divided(transform: Any, x: Any) -> list[Names]:
    """Finds _names(), but an array of one axis that cannot be seen as two is whole."""
    names = _names(x.sharding, x.shape)
    if x.ndim > 1 or not transform.axes:
        return names
    parts = math.prod(x.sharding.mesh.shape[name] for name in names[0])
    return names if _digits(transform.kinds[0], x.shape[0], parts) else [()]


def _partition(transform: Any, mesh: Any, arguments: Any, result: Any) -> Any:
    (x,) = arguments
    names = _divided(transform, x)

    def of_parts(x: Any) -> Any:
        # The parts are whole arrays of their devices. In a program's mesh of explicit axes, JAX 0.12 would say how
        # results are divided, by a call that XLA does not know here.
        with jax.sharding.use_abstract_mesh(jax.sharding.AbstractMesh((), ())):
            for stage in stages(transform, names):
                here = names[stage.axes[0]]
                x = _along_divided(stage, x, here) if here else stage.applied(x)
        return x

    after = _sharding(mesh, names_after(transform, x.shape, names))
    return mesh, of_parts, after, (_sharding(mesh, names),)


def _result(transform: Any, mesh: Any, arguments: Any, result: Any) -> NamedSharding:
    (x,) = arguments
    return _sharding(mesh, names_after(transform, x.shape, _divided(transform, x)))


def _rule(transform: Any, mesh: Any, before: Any, after: Any) -> str:
    """Axes before and after as Shardy names them: those of one name are divided alike."""
    names = [f"a{axis}" for axis in range(len(before[0].shape))]
    changed = zip(names, before[0].shape, after[0].shape)
    return f"{' '.join(names)} -> {' '.join(name if n == m else f'b{name[1:]}' for name, n, m in changed)}"


on_devices.def_partition(partition=_partition, infer_sharding_from_operands=_result, sharding_rule=_rule)

# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of JAX's arrays whose parts lie on several devices of one process.

XLA gathers a whole array on every device before a call that it does not know. The calls here say how they are divided:
an axis that is not transformed, or is whole on each device, stays as it is. Along an axis that is divided, devices
exchange parts so that it is whole, transform it, and exchange the parts again. Arrays of one axis are gathered.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import jax
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
    other = max((place for place in range(x.ndim) if place != axis), key=lambda place: x.shape[place])
    columns, length = x.shape[other], parts * x.shape[axis]
    x = lax.all_to_all(_padded(x, other, parts), names, other, axis, tiled=True)
    x = transform.applied(x)
    if x.shape[axis] == length:
        x = lax.all_to_all(x, names, axis, other, tiled=True)
    else:
        x = lax.all_gather(x, names, axis=other, tiled=True)
    return lax.slice_in_dim(x, 0, columns, axis=other)


@functools.partial(custom_partitioning, static_argnums=(1,))
def on_devices(x: Any, transform: Any) -> Any:
    """The transform of an array, of which XLA decides how it is divided."""
    return transform.applied(x)


def _names(sharding: Any, shape: Sequence[int]) -> list[Names]:
    """The axes of the mesh along which each axis can stay divided: they have equal parts, and another axis is there to
    be divided meanwhile."""
    names = [(each,) if isinstance(each, str) else tuple(each or ()) for each in sharding.spec]
    names += [()] * (len(shape) - len(names))
    parts = [math.prod(sharding.mesh.shape[name] for name in each) for each in names]
    return [each if n % part == 0 else () for each, n, part in zip(names, shape, parts)]


def _sharding(mesh: Any, names: Sequence[Any]) -> NamedSharding:
    return NamedSharding(mesh, PartitionSpec(*(name or None for name in names)))


def _divided(transform: Any, x: Any) -> list[Names]:
    return [() if x.ndim == 1 and transform.axes else each for each in _names(x.sharding, x.shape)]


def _partition(transform: Any, mesh: Any, arguments: Any, result: Any) -> Any:
    (x,) = arguments
    names = _divided(transform, x)

    def of_parts(x: Any) -> Any:
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

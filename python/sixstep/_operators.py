# SPDX-License-Identifier: BSD-3-Clause
"""Operators on arrays on ranks: they are kept by the arrays' Ranks, as plans are."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from . import _core
from ._array import Array
from ._array_transforms import computed_in
from ._error import Error
from ._side import Side

_MOST = 8  # operators that one Ranks keeps; the table of each may be as large as its result


def _word(argument):
    """The form in which ranks compare an argument: with all digits of numbers, which Ranks.together() leaves out."""
    if isinstance(argument, Array) or callable(argument):
        return argument
    if isinstance(argument, (tuple, list)):
        return [_word(each) for each in argument]
    return repr(argument.tolist() if isinstance(argument, numpy.ndarray) else argument)


@contextlib.contextmanager
def together(call: str, arrays: Sequence[Any], *arguments: Any):
    """A context for the body of a collective function of arrays. Errors, on this rank only: there is no Array."""
    first = next((array for array in arrays if isinstance(array, Array)), None)
    if first is None:
        kind = type(arrays[0]).__name__ if len(arrays) == 1 else f"{len(arrays)} other arguments"
        raise Error(f"{call}: an Array is needed, {kind} was given")
    with first.ranks.together(call, *arrays, *map(_word, arguments)):
        yield


def prepared(arrays: Sequence[Any]) -> list[Array]:
    """Arrays of one type of floating-point or complex numbers, in the layout of the first, without ghosts."""
    shape = next(array.shape for array in arrays if isinstance(array, Array))
    for array in arrays:
        if not isinstance(array, Array) or array.shape != shape:
            given = f"one of the shape {array.shape}" if isinstance(array, Array) else type(array).__name__
            raise Error(f"u: Arrays of one shape, {shape}, are needed, {given} was given")
    dtype = numpy.result_type(*(computed_in(array.dtype)[array.dtype.kind == "c"] for array in arrays))
    layout = arrays[0].layout.dense()
    made = [array.astype(dtype, copy=False) for array in arrays]
    return [array if array.layout == layout else array.to(layout) for array in made]


def vectors(arrays: Any) -> list[Array]:
    """The components of a vector field. Errors: they are not as many as axes."""
    components = prepared(list(arrays))
    if len(components) != components[0].ndim:
        raise Error(f"u: an Array for each of the {components[0].ndim} axes is needed, {len(components)} were given")
    return components


def lengths(shape: tuple[int, ...], sides: Any) -> list[float]:
    """The lengths of a domain; 2 pi if none are given, a number stands for all axes. Errors: not one an axis, or not
    above 0."""
    sides = 2 * math.pi if sides is None else sides
    given = [float(side) for side in ([sides] * len(shape) if numpy.ndim(sides) == 0 else sides)]
    if len(given) != len(shape):
        raise Error(f"sides: one for each of the {len(shape)} axes is needed, {len(given)} were given")
    for side in given:
        if not 0 < side < math.inf:
            raise Error(f"sides: lengths above 0 are needed, {side:g} was given")
    return given


def apply(
    symbol: Callable[..., _core.Symbol],
    arguments: tuple,
    fields: list[Array],
    results: int,
    sides: Any,
    *,
    kinds: Sequence[str] | None = None,
    spacing: Sequence[float] | None = None,
    **by: Any,
):
    """Applies the operator symbol(*arguments, **by) to fields, which prepared() has returned. Without `kinds` and
    `spacing` all axes are periodic."""
    first, ranks, dtype = fields[0], fields[0].ranks, fields[0].dtype
    layout, sides = first.layout, lengths(first.shape, sides)
    # Memory of all results. This is also the call in which ranks compare their arguments.
    target = _block(first, results)
    source = first._whole
    if len(fields) > 1:
        source = _block(first, len(fields))
        for part, field in zip(source, fields):
            part[...] = field._whole
    kinds = kinds or ["c2c" if dtype.kind == "c" else "r2c"]
    key = (symbol.__name__, arguments, tuple(by.items()), *map(tuple, (sides, kinds)), layout, dtype, len(fields))

    def make():
        options = {"kinds": list(kinds), "fields": len(fields)}
        single = dtype.itemsize == (8 if dtype.kind == "c" else 4)
        if "accuracy" in by:
            by["spacing"] = spacing or [side / n for side, n in zip(sides, first.shape)]
        return _core.Operator(layout, symbol(*arguments, **by), ranks.handle, single, sides, True, options)

    ranks.kept(key, make, _MOST).apply(source, target)
    parts = target if results > 1 else (target,)
    return tuple(Array._over(part, layout, ranks) for part in parts)


def interpolated(u: Array, layout: _core.Layout) -> Array:
    """u at the points of another layout, in the same box."""
    key = ("interpolated", u.layout, layout, u.dtype)

    def make():
        kinds = {"kinds": ["c2c" if u.dtype.kind == "c" else "r2c"]}
        single = u.dtype.itemsize == (8 if u.dtype.kind == "c" else 4)
        return _core.Operator(u.layout, _core.Symbol.gaussian(0.0), u.ranks.handle, single, [], True, kinds, layout)

    return _applied(u.ranks.kept(key, make, _MOST), u)


def linear(signal: Any, kernel: Any, mode: str, correlate: bool) -> Array:
    """The linear convolution or correlation of two Arrays, in the layout of the first."""
    for array in (signal, kernel):
        if not isinstance(array, Array):
            raise Error(f"u: two Arrays are needed, {type(array).__name__} was given")
    both = [computed_in(array.dtype)[array.dtype.kind == "c"] for array in (signal, kernel)]
    dtype, ranks = numpy.result_type(*both), signal.ranks
    signal, kernel = (prepared([array.astype(dtype, copy=False)])[0] for array in (signal, kernel))
    key = ("convolution", signal.layout, kernel.layout, dtype, mode, correlate)

    def make():
        options = {"kinds": ["c2c" if dtype.kind == "c" else "r2c"]}
        single = dtype.itemsize == (8 if dtype.kind == "c" else 4)
        return _core.Convolution(signal.layout, kernel.layout, ranks.handle, single, mode, correlate, options)

    made = ranks.kept(key, make, _MOST)
    made.set_kernel(kernel._whole)
    return _applied(made, signal)


class _InFreeSpace:
    """A solver, and the Green's function that it has."""

    def __init__(self, f: Array, spacing: list[float], ends, shift: list[float], greens):
        single = f.dtype.itemsize == 4
        self.made = _core.Convolution(f.layout, f.ranks.handle, single, spacing, *ends, shift, greens, {})
        self._greens = greens

    def take(self, greens):
        has_numbers = isinstance(greens[1], tuple)  # which may have changed since the last call
        if self._greens is not greens and (has_numbers or self._greens != greens):
            self._greens = None
            self.made.renew(greens)
        self._greens = None if has_numbers else greens


def in_free_space(f: Array, spacing: list[float], greens_function: str, walls, points, shift: list[float],
                  function: Callable[..., float] | Array | None, space: str) -> Array:
    """The solution of Poisson's equation in free space."""
    ends = [[given] if isinstance(given, str) else list(given) for given in (walls, points)]
    key = ("in free space", f.layout, f.dtype, tuple(spacing), *map(tuple, ends), tuple(shift))
    if isinstance(function, Array):
        if function.dtype.kind not in "fiu":
            raise Error(f"function: real numbers are needed, {function.dtype} was given")
        numbers, layout = function.astype("float64", copy=False), function.layout.dense()
        numbers = numbers if numbers.layout == layout else numbers.to(layout)
        function = (layout, numbers._whole)
    greens = (greens_function, function, space)
    solver = f.ranks.kept(key, lambda: _InFreeSpace(f, spacing, ends, shift, greens), _MOST)
    solver.take(greens)
    return _applied(solver.made, f)


def _applied(made: _core.Convolution | _core.Operator, array: Array) -> Array:
    """A convolution of an array, or what an operator makes of it, in a new one."""
    ranks, layout = array.ranks, made.output
    side = Side(layout, ranks.rank, array.dtype, 1)
    target = side.over(ranks.allocate(layout, array.dtype.itemsize, False))
    made.apply(array._whole, target)
    return Array._over(target, layout, ranks)


def _block(like: Array, fields: int) -> numpy.ndarray:
    """Memory for this rank's part of several arrays, one after the other, that the ranks of a node reach."""
    side = Side(like.layout, like.ranks.rank, like.dtype, fields)
    return side.over(like.ranks.allocate(like.layout, fields * like.dtype.itemsize, False))

# SPDX-License-Identifier: BSD-3-Clause
"""Plans, redistributions and operators as linear maps of a rank's part of an array; see _linear.py for their adjoints.

They are collective: all ranks call them in the same order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from . import _gpu
from ._error import Error
from ._frames import empty_bytes
from ._linear import axis_weights, inverses


def _lies_as(x: numpy.ndarray, strides: Sequence[int]) -> bool:
    return x.size == 0 or all(n == 1 or a == b for n, a, b in zip(x.shape, x.strides, strides))


def _placed(x: numpy.ndarray, form: Any) -> numpy.ndarray:
    """x with these strides, a copy if it has others. Errors are those of the call that gets it."""
    shape, strides, dtype = form
    if x.shape != shape or x.dtype != dtype or _lies_as(x, strides):
        return x
    memory = empty_bytes(sum((n - 1) * step for n, step in zip(shape, strides)) + x.itemsize if x.size else 0)
    placed = numpy.ndarray(shape, dtype, memory, 0, strides)
    placed[...] = x
    return placed


def _executed(execute: Callable[..., Any], x: numpy.ndarray, out: numpy.ndarray | None, made: Any) -> numpy.ndarray:
    """Calls execute(in, out) of arrays with the strides that `made`, the map, has."""
    x = _placed(x, made.form(True))
    if out is None or _lies_as(out, made.form(False)[1]):
        return execute(x, out)
    out[...] = execute(x)
    return out


class _Sides(NamedTuple):
    """The vectors of weights of a rank's part before and after a plan, forward."""

    before: Any
    after: Any


def _sides(plan: Any) -> _Sides:
    if plan._weights is None:
        plan._weights = _found_sides(plan)
    return plan._weights


def _found_sides(plan: Any) -> _Sides:
    options = plan._options
    _check_options(options)
    _check_ghosts(plan)
    axes, kinds = _axes_and_kinds(options, len(plan.input.shape))
    if set(kinds) == {"c2c"}:
        return _Sides((), ())
    if options.get("sphere") is not None or options.get("columns") is not None:
        raise Error("sphere, columns: complex transforms are needed for gradients, others were given")
    behind = int(options.get("fields", 1) > 1)
    lengths = options.get("lengths") or [plan.input.shape[axis] for axis in axes]
    before, after = [], []
    for axis, kind, n in zip(axes, kinds, lengths):
        a, b = axis_weights(kind, n)
        before += [] if a is None else [(axis + behind, a[plan.input_box[axis]])]
        after += [] if b is None else [(axis + behind, b[plan.output_box[axis]])]
    return _Sides(tuple(before), tuple(after))


def _check_options(options: Any) -> None:
    """Errors: an option with which there is no adjoint."""
    if options.get("device") == "emulated":
        raise Error("device: none or cuda is needed for gradients, emulated was given")
    for name, wanted in (("preserve_input", True), ("interleaved", False), ("twiddle", None)):
        if options.get(name, wanted) != wanted:
            raise Error(f"{name}: {wanted} is needed for gradients, {options[name]} was given")


def _check_ghosts(plan: Any) -> None:
    """Errors: arrays have more elements than the box of the rank."""
    for side, box, of_input in (("input", plan.input_box, True), ("output", plan.output_box, False)):
        points = tuple(len(range(*each.indices(each.stop))) for each in box)
        shape = plan.form(of_input)[0]
        if shape[len(shape) - len(points) :] != points:
            raise Error(f"{side}: a layout without ghosts is needed for gradients, one with ghosts was given")


def point_weights(operator: Any, options: Any) -> Any:
    """The vectors of weights of an operator's input."""
    _check_options(options)
    _check_ghosts(operator)
    axes, kinds = _axes_and_kinds(options, len(operator.input.shape))
    behind = len(operator.form(True)[0]) - len(operator.input.shape)
    lengths = options.get("lengths") or [operator.input.shape[axis] for axis in axes]
    found = [(axis, axis_weights(kind, n)[0]) for axis, kind, n in zip(axes, kinds, lengths)]
    return tuple((axis + behind, a[operator.input_box[axis]]) for axis, a in found if a is not None)


def _axes_and_kinds(options: Any, ndim: int) -> tuple[list[int], list[str]]:
    axes = options.get("axes")
    axes = [axes] if isinstance(axes, int) else list(axes) if axes else list(range(ndim))
    kinds = options.get("kinds") or "c2c"
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    if len(kinds) == 1:
        kinds = ["c2c"] * (len(axes) - 1) + kinds if kinds[0] == "r2c" else kinds * len(axes)
    return [axis % ndim for axis in axes], kinds


_OPPOSITE = {None: None, "minus": "plus", "plus": "minus"}


class Planned(NamedTuple):
    """A plan in one direction."""

    plan: Any
    forward: bool
    scale: str
    sign: str | None

    def form(self, of_input: bool) -> Any:
        """The form of arrays before, or after it."""
        return self.plan.form(of_input == self.forward)

    def layout(self, of_input: bool) -> Any:
        return self.plan.input if of_input == self.forward else self.plan.output

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        execute = self.plan.forward if self.forward else self.plan.backward
        return _executed(functools.partial(execute, scale=self.scale, sign=self.sign), x, out, self)

    def on_gpu(self, of: Any, x: Any) -> Any:
        return _gpu.executed(of, self, x)

    def begun(self, x: Any) -> Any:
        """The map of an array of the plan's form on a GPU, in the stream of its library."""
        execute = self.plan.forward_async if self.forward else self.plan.backward_async
        return execute(x, scale=self.scale, sign=self.sign)

    def check(self, is_on_gpu: bool) -> None:
        """Errors: the plan works on the host and arrays are on a GPU, or the other way round."""
        device = self.plan._options.get("device", "none")
        if (device == "cuda") != is_on_gpu:
            where = "a GPU" if is_on_gpu else "the host"
            raise Error(f"in: an array in the memory of {where} was given to a plan with device={device!r}")

    def put(self, source: int, target: int, stream: int) -> None:
        """The map between arrays of the plan's form at addresses, in a stream."""
        self.plan.put(source, target, self.forward, self.scale, self.sign, stream)

    def opposite(self, shape: Sequence[int]) -> Planned:
        return self._replace(forward=not self.forward, sign=_OPPOSITE[self.sign])

    def transpose(self) -> Planned | None:
        """The transpose, where no weights are needed: the way back with the same sign."""
        _, kinds = _axes_and_kinds(self.plan._options, len(self.plan.input.shape))
        if set(kinds) != {"c2c"}:
            return None
        return self._replace(forward=not self.forward, sign=self.sign or ("minus" if self.forward else "plus"))

    def weights(self, shape: Sequence[int]) -> tuple[Any, Any]:
        before, after = _sides(self.plan)
        return (after, before) if self.forward else (inverses(before), inverses(after))


def _refuse_gpu(map_: Any, is_on_gpu: bool) -> None:
    if is_on_gpu:
        raise Error("x: an array in the host's memory is needed, one on a GPU was given")


def _refused(*arguments: Any) -> Any:
    _refuse_gpu(None, True)


class Moved(NamedTuple):
    """A redistribution in one direction."""

    moves: Any
    forward: bool

    def form(self, of_input: bool) -> Any:
        side = self.moves._from if of_input == self.forward else self.moves._to
        return side.shape, side.strides, side.dtype.name

    def layout(self, of_input: bool) -> Any:
        return self.moves.from_ if of_input == self.forward else self.moves.to

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        return _executed(self.moves.forward if self.forward else self.moves.backward, x, out, self)

    on_gpu, check = _refused, _refuse_gpu

    def opposite(self, shape: Sequence[int]) -> Moved:
        return self._replace(forward=not self.forward)

    def transpose(self) -> Moved:
        return self.opposite(())

    def weights(self, shape: Sequence[int]) -> tuple[Any, Any]:
        return (), ()


class Operated(NamedTuple):
    """An operator, or its adjoint."""

    operator: Any
    is_adjoint: bool

    def form(self, of_input: bool) -> Any:
        return self.operator.form(of_input != self.is_adjoint)

    def layout(self, of_input: bool) -> Any:
        return self.operator.input if of_input != self.is_adjoint else self.operator.output

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        return _executed((self.operator.adjoint() if self.is_adjoint else self.operator).apply, x, out, self)

    on_gpu, check = _refused, _refuse_gpu

    def opposite(self, shape: Sequence[int]) -> Operated:
        return self._replace(is_adjoint=not self.is_adjoint)

    def transpose(self) -> None:
        return None

    def weights(self, shape: Sequence[int]) -> tuple[Any, Any]:
        """Waves have weights before and after the product with the symbol, so those of points alone are left."""
        points = self.operator._point_weights()
        return inverses(points), points


def planned(plan: Any, forward: bool, scale: str, sign: str | None) -> Planned:
    """Errors: the plan has options with which it has no adjoint here."""
    _sides(plan)
    return Planned(plan, forward, scale, sign)


def operated(operator: Any) -> Operated:
    """Errors: the operator has options with which it has no adjoint here."""
    operator._point_weights()
    return Operated(operator, False)

# SPDX-License-Identifier: BSD-3-Clause
"""The functions of sixstep.fft for arrays of a library with automatic differentiation.

They are made of a linear transform without options and of the library's own operations, so that the library has the
gradients of all that is not the transform.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

from ._fft_arguments import axes_of, axes_of_c2r, refuse, scale_of
from ._fft_calls import _MOST_AXES, _merged
from ._linear import Transform

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}


class Operations(Protocol):
    """The operations that a library has to provide."""

    def view(self, x: Any) -> Any:
        """A NumPy view of x where nothing but values is asked for; None otherwise."""

    def of_numpy(self, x: Any) -> Any: ...
    def workers_now(self, given: int | None) -> int: ...
    def floats(self, x: Any, real: bool) -> Any:
        """x in single or double precision. Errors: TypeError for other elements."""

    def complexes(self, x: Any) -> Any: ...
    def resized(self, x: Any, axes: Any, lengths: Any) -> Any: ...
    def multiplied(self, x: Any, axis: int, places: Any, factor: float) -> Any:
        """x with the elements at some places along an axis multiplied by a factor."""

    def conjugate(self, x: Any) -> Any: ...
    def is_complex(self, x: Any) -> bool: ...
    def parts(self, x: Any) -> tuple[Any, Any]: ...
    def joined(self, real: Any, imaginary: Any) -> Any: ...
    def workers(self, given: int | None) -> int: ...
    def nothing(self, x: Any, transform: Transform) -> Any:
        """The transform of an array without elements."""

    def apply(self, transform: Transform, x: Any) -> Any: ...


def _transformed(of: Operations, x: Any, kinds: Any, axes: Any, forward: bool, scale: str, length: int, workers: Any):
    transform = Transform(tuple(kinds), tuple(axes), forward, scale, length, of.workers(workers))
    if 0 in x.shape:
        return of.nothing(x, transform)
    if len(axes) > 1 and len(_merged(x.shape, range(x.ndim), axes)[0]) > _MOST_AXES:
        pairs = list(zip(axes, kinds))
        for axis, kind in reversed(pairs) if forward else pairs:
            length_here = length if kind == "r2c" else 0
            x = of.apply(transform._replace(kinds=(kind,), axes=(axis,), real_length=length_here), x)
        return x
    return of.apply(transform, x)


def c2c(of, x, s, axes, norm, workers, plan, out, forward):
    _refuse(plan, out)
    x = of.complexes(of.floats(x, False))
    axes, lengths = axes_of(x.shape, s, axes)
    x = of.resized(x, axes, lengths)
    if not axes:
        return x
    return _transformed(of, x, ["c2c"] * len(axes), axes, forward, scale_of(norm, forward), 0, workers)


def r2c(of, x, s, axes, norm, workers, plan, out, forward):
    _refuse(plan, out)
    x = of.floats(x, True)
    axes, lengths = axes_of(x.shape, s, axes)
    if not axes:
        raise ValueError("axes: at least 1 axis must be transformed")
    kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
    made = _transformed(of, of.resized(x, axes, lengths), kinds, axes, True, scale_of(norm, forward), 0, workers)
    return made if forward else of.conjugate(made)


def c2r(of, x, s, axes, norm, workers, plan, out, forward):
    _refuse(plan, out)
    x = of.complexes(of.floats(x, False))
    axes, lengths = axes_of_c2r(x.shape, s, axes)
    x = of.resized(x, axes, [*lengths[:-1], lengths[-1] // 2 + 1])
    x = of.conjugate(x) if forward else x
    kinds = ["c2c"] * (len(axes) - 1) + ["r2c"]
    return _transformed(of, x, kinds, axes, False, scale_of(norm, forward), lengths[-1], workers)


def r2r(of, family, x, type, s, axes, norm, workers, orthogonalize, forward):
    x = of.floats(x, False)
    if of.is_complex(x):
        return of.joined(
            *(r2r(of, family, part, type, s, axes, norm, workers, orthogonalize, forward) for part in of.parts(x))
        )
    axes, lengths = axes_of(x.shape, s, axes)
    x = of.resized(x, axes, lengths)
    if not axes:
        return x
    if family == "dct" and type == 1 and min(lengths) < 2:
        raise ValueError("x: dct of type 1 needs at least 2 points")
    done = type if forward else _INVERSE[type]
    orthogonal = norm == "ortho" if orthogonalize is None else orthogonalize
    weighted = orthogonal and done != 4 and not (family == "dst" and done == 1)
    places = (0, -1) if family == "dct" and done == 1 else (0,) if family == "dct" else (-1,)
    if weighted and done in (1, 3):
        x = _ends(of, x, axes, places, math.sqrt(2))
    made = _transformed(of, x, [f"{family}{done}"] * len(axes), axes, True, scale_of(norm, forward), 0, workers)
    return _ends(of, made, axes, places, math.sqrt(0.5)) if weighted and done in (1, 2) else made


def _ends(of, x, axes, places, factor):
    for axis in axes if 0 not in x.shape else ():
        x = of.multiplied(x, axis, places, factor)
    return x


def _refuse(plan, out):
    refuse(plan)
    if out is not None:
        raise TypeError(f"out: None is needed for arrays with gradients, {type(out).__name__} was given")

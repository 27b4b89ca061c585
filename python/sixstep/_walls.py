# SPDX-License-Identifier: BSD-3-Clause
"""Axes that are periodic or end at walls: their points, the transforms that fit, and what walls add to a right side.

include/sixstep/poisson.hpp has the same for C++.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy

from ._array import Array
from ._error import Error
from ._operators import lengths

# The transforms of cells and of nodes.
_KINDS = {
    "dirichlet": ("dst2", "dst1"),
    "neumann": ("dct2", "dct1"),
    "dirichlet_neumann": ("dst4", "dst3"),
    "neumann_dirichlet": ("dct4", "dct3"),
}


class Axis(NamedTuple):
    """An axis with n points; the first lies `before` spacings behind its begin."""

    kind: str
    ends: tuple[str, ...]  # "dirichlet" or "neumann" at the first and the last end; () if periodic
    before: float
    spacing: float
    side: float
    n: int

    def points(self, indices):
        return self.spacing * (indices + self.before)

    def weights(self, indices):
        """Weights of points in means: those on walls count half."""
        return numpy.where((indices == 0) | (indices == self.n - 1), 0.5, 1) if self.kind == "dct1" else 1 + 0 * indices

    def lift(self, end: int) -> float:
        """The number by which u or du/dx at a wall is multiplied and added to the right side at the points next to it,
        for accuracy 2. The difference needs a value behind the wall. If u is given, that is twice the value on the
        wall less the mirror image (cells), or the value on the wall (nodes); if du/dx is given, it is the mirror
        image plus the slope."""
        in_cells = self.before == 0.5
        if self.ends[end] == "dirichlet":
            return -(2 if in_cells else 1) / self.spacing**2
        return (1 if in_cells else 2) / self.spacing * (-1 if end else 1)


def _axis(n: int, walls: str, points: str, side: float | None) -> Axis:
    if walls == "periodic":
        side = 2 * math.pi if side is None else side
        return Axis("c2c", (), 0.0, side / n, side, n)
    side = math.pi if side is None else side
    in_cells = points == "cells"
    kind = _KINDS[walls][0 if in_cells else 1]
    ends = tuple(walls.split("_")) if "_" in walls else (walls, walls)
    before = 0.5 if in_cells else 1.0 if ends[0] == "dirichlet" else 0.0
    spaces = n + {"dst1": 1, "dct1": -1}.get(kind, 0)
    if spaces < 1:
        raise Error("points: nodes between Neumann walls need at least 2 points")
    return Axis(kind, ends, before, side / spaces, side, n)


def _each(name: str, given, axes: int, possible: Sequence[str]) -> list[str]:
    entries = [given] * axes if isinstance(given, str) else list(given)
    if len(entries) != axes:
        raise Error(f"{name}: one for each of the {axes} axes or one for all is needed, {len(entries)} were given")
    for entry in entries:
        if entry not in possible:
            raise Error(f"{name}: {', '.join(possible)} are possible, {entry!r} was given")
    return entries


def axes_of(shape: tuple[int, ...], walls, points, sides) -> list[Axis]:
    """The axes of an array. Errors: there is neither one entry an axis nor one for all; a word is unknown."""
    return [
        _axis(n, *words, side=side)
        for n, side, *words in zip(
            shape,
            [None] * len(shape) if sides is None else lengths(shape, sides),
            _each("walls", walls, len(shape), ("periodic", *_KINDS)),
            _each("points", points, len(shape), ("cells", "nodes")),
        )
    ]


def kinds_of(axes: Sequence[Axis]) -> list[str]:
    """The transforms of reals: r2c along the last periodic axis."""
    kinds = [axis.kind for axis in axes]
    if "c2c" in kinds:
        kinds[len(kinds) - 1 - kinds[::-1].index("c2c")] = "r2c"
    return kinds


def meshes_of(u: Array, axes: Sequence[Axis]) -> tuple[numpy.ndarray, ...]:
    """The coordinates of this rank's points, as open meshes."""
    return tuple(axis.points(indices) for axis, indices in zip(axes, u.indices()))


def add_walls(right: Array, axes: Sequence[Axis], values) -> None:
    """Adds what walls contribute to a right side, at the points next to them."""
    for number, axis in enumerate(axes):
        indices = right.indices()[number].ravel()
        for end in range(len(axis.ends)):
            at = numpy.flatnonzero(indices == (axis.n - 1 if end else 0))
            if not (at.size and right.local().size):
                continue
            x = list(meshes_of(right, axes))
            x[number] = numpy.full((1,) * len(axes), axis.side if end else 0.0)
            right.local()[(slice(None),) * number + (at,)] += axis.lift(end) * values(number, bool(end), tuple(x))

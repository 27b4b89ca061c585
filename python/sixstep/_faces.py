# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a layout: which rank holds which part of the array. It knows neither HTML nor matplotlib.

The array is a solid: the first axis points down, the second back and the last to the right. Boxes fill the shape, so
the faces of the solid that are seen, in front, on top and at the right, show every box that touches them. An array with
two axes is the front alone, one with a single axis is a strip.
"""

from __future__ import annotations

from typing import NamedTuple

MOST_RANKS = 1024  # a picture has no room for more
COLOURS = ("#4477aa", "#ee7733", "#44aa88", "#cc6688", "#ccbb44", "#66ccee", "#aa66cc", "#999999")
_BACK = (0.45, 0.35)  # where the second axis points: to the right, and up
_SHORTEST = 0.3  # of the longest side: a shorter axis would hardly be seen
_STRIP = 0.25  # the height of an array with a single axis
_MOST_CYCLES = 4  # of a cyclic axis


class Face(NamedTuple):
    """A part of a face of the solid that belongs to one rank."""

    rank: int
    corners: tuple[tuple[float, float], ...]  # x to the right, y down
    light: float  # 1: as in front
    spans: tuple[slice, slice]  # of which indices, along the axes that point down (or back) and right


class Picture(NamedTuple):
    faces: list[Face]
    width: float
    height: float
    axes: tuple[int, ...]  # those that are drawn
    words: str  # which part of the array is drawn; empty: all of it


def picture(layout) -> Picture:
    """Layouts with more than MOST_RANKS ranks have no faces."""
    axes = _drawn_axes(layout)
    shape = [min(n, _cycles(layout, axis)) for axis, n in enumerate(layout.shape)]
    most = max(shape[axis] for axis in axes)
    lengths = {axis: max(_SHORTEST, shape[axis] / most) for axis in axes}
    missing: list[int | None] = [None] * (3 - len(axes))
    down, back, right = [*axes[:-1], *missing, axes[-1]]
    solid = _Solid(lengths.get(down, _STRIP), lengths.get(back, 0.0), lengths[right])
    faces: list[Face] = []
    for rank in range(layout.ranks) if layout.ranks <= MOST_RANKS else ():
        box = [range(n)[part] for n, part in zip(shape, layout.box(rank))]
        if all(len(part) and (axis in axes or part[0] == 0) for axis, part in enumerate(box)):
            spans = [
                [(0.0, size, slice(0, 1))] if axis is None else _spans(box[axis], size / shape[axis])
                for axis, size in zip((down, back, right), solid)
            ]
            faces += solid.faces(rank, *spans)
    width, height = solid.right + _BACK[0] * solid.back, solid.down + _BACK[1] * solid.back
    return Picture(faces, width, height, axes, _in_words(layout, axes, shape))


def _drawn_axes(layout) -> tuple[int, ...]:
    """At most three axes, first of all those that are split."""
    every = range(len(layout.shape))
    return tuple(sorted(sorted(every, key=layout.whole)[:3]))


def _cycles(layout, axis) -> int:
    """The number of points along an axis that are drawn, if it has as many."""
    is_cyclic = layout.rank_grid and layout.distribution[axis] == "cyclic"
    return _MOST_CYCLES * layout.rank_grid[axis] if is_cyclic else layout.shape[axis]


def _spans(part, size):
    """Begin, end and indices of the parts of an axis that a rank holds."""
    if part.step == 1:
        return [(part.start * size, part.stop * size, slice(part.start, part.stop))]
    return [(i * size, (i + 1) * size, slice(i, i + 1)) for i in part]


class _Solid(NamedTuple):
    """The lengths of the sides."""

    down: float
    back: float
    right: float

    def faces(self, rank, down, back, right):
        """The faces that are seen of a rank's boxes, the products of these spans."""
        found = []
        for a0, a1, i in down if back[0][0] == 0 else ():
            for c0, c1, k in right:
                found.append(self._face(rank, [(a0, 0, c0), (a0, 0, c1), (a1, 0, c1), (a1, 0, c0)], 1.0, (i, k)))
        for b0, b1, j in back if self.back else ():
            for c0, c1, k in right if down[0][0] == 0 else ():
                found.append(self._face(rank, [(0, b0, c0), (0, b1, c0), (0, b1, c1), (0, b0, c1)], 1.15, (j, k)))
            end = right[-1][1]
            for a0, a1, i in down if abs(end - self.right) < 1e-9 else ():
                at = [(a0, b0, end), (a0, b1, end), (a1, b1, end), (a1, b0, end)]
                found.append(self._face(rank, at, 0.8, (i, j)))
        return found

    def _face(self, rank, corners, light, spans):
        at = tuple((c + _BACK[0] * b, a + _BACK[1] * (self.back - b)) for a, b, c in corners)
        return Face(rank, at, light, spans)


def _in_words(layout, axes, shape) -> str:
    if layout.ranks > MOST_RANKS:
        return f"pictures show at most {MOST_RANKS} ranks"
    words = [f"the first {shape[a]} points of axis {a}" for a in axes if shape[a] < layout.shape[a]]
    words += [f"the first point of axis {a}" for a in range(len(layout.shape)) if a not in axes]
    return "shown: " + ", ".join(words) if words else ""


def colour_of(face: Face) -> str:
    """The colour in HTML's notation."""
    parts = [int(COLOURS[face.rank % len(COLOURS)][at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{min(255, round(face.light * part)):02x}" for part in parts)


def middle_of(face: Face) -> tuple[float, float]:
    xs, ys = zip(*face.corners)
    return sum(xs) / 4, sum(ys) / 4


def has_room(face: Face, width: float, height: float) -> bool:
    """Whether a word of this size fits in the face, which is in front."""
    xs, ys = zip(*face.corners)
    return face.light == 1 and max(xs) - min(xs) >= width and max(ys) - min(ys) >= height

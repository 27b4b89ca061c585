# SPDX-License-Identifier: BSD-3-Clause
"""Ranges of indices, and layouts that are made of others: of one rank, of a slice, of another extent."""

from __future__ import annotations

import operator

from ._core import Layout
from ._error import Error


def counted(given) -> tuple[int, ...]:
    """A tuple of integers from one integer or several, of any integer type."""
    try:
        return (operator.index(given),)
    except TypeError:
        return tuple(operator.index(each) for each in given)


def as_layout(given, ranks) -> Layout:
    """A layout, or a shape in blocks along the first axis."""
    return given if isinstance(given, Layout) else Layout.slab(counted(given), ranks.size)


def on_one_rank(shape, root, ranks) -> Layout:
    boxes = [tuple(slice(0, n if rank == root else 0) for n in shape) for rank in range(ranks.size)]
    return Layout.boxes(shape, boxes)


def with_extent(layout, axis, extent) -> Layout:
    if layout.whole(axis):
        return layout.with_extent(axis, extent)
    shape = [extent if a == axis else n for a, n in enumerate(layout.shape)]
    if not layout.rank_grid:
        return Layout.slab(shape, layout.ranks)
    return Layout.grid(shape, layout.rank_grid, list(layout.distribution), layout.order)


def parts_of(index, shape):
    """An index as a range for each axis, and the axes whose entries are single integers."""
    index = index if isinstance(index, tuple) else (index,)
    missing = len(shape) - sum(i is not Ellipsis for i in index)
    if missing < 0:
        raise Error(f"index: at most {len(shape)} entries are possible, {len(shape) - missing} were given")
    at = next((n for n, i in enumerate(index) if i is Ellipsis), len(index))
    index = (*index[:at], *[slice(None)] * missing, *index[at + 1 :])
    parts, single = [], []
    for axis, (entry, n) in enumerate(zip(index, shape)):
        if isinstance(entry, slice):
            if entry.step == 0:
                raise Error(f"index: a step other than 0 is needed, 0 was given along axis {axis}")
            parts.append(range(n)[entry])
            if not parts[-1]:
                raise Error(f"index: at least one point is needed, axis {axis} of {n} has none in {entry}")
        else:
            try:
                i = operator.index(entry)
            except TypeError:
                raise Error(f"index: integers and slices are possible, {entry!r} was given") from None
            if not -n <= i < n:
                raise Error(f"index: {-n} to {n - 1} are possible along axis {axis}, {i} was given")
            parts.append(range(i % n, i % n + 1))
            single.append(axis)
    return parts, single


def _shared(block, part):
    """The elements of the range `part` that lie in a block of an axis, and their places in the block: two slices."""
    up = part if part.step > 0 else part[::-1]
    first = max(0, -(-(block.start - up.start) // up.step))
    last = min(len(up), -(-(block.stop - up.start) // up.step))
    if first >= last:
        return slice(0, 0), slice(0, 0)
    lo = up[first] - block.start
    hi = up[last - 1] - block.start
    if part.step > 0:
        return slice(first, last), slice(lo, hi + 1, up.step)
    return slice(len(part) - last, len(part) - first), slice(hi, lo - 1 if lo > 0 else None, -up.step)


def section(layout: Layout, mine: int, parts, single):
    """The layout of a slice whose elements stay on their ranks, and its place in the part of the rank `mine`."""
    kept = [axis for axis in range(len(layout.shape)) if axis not in single]
    boxes, place = [], None
    for rank in range(layout.ranks):
        box, here = [], []
        for s, part in zip(layout.box(rank), parts):
            taken, there = _shared(s, part)
            box.append(taken)
            here.append(there)
        empty = any(s.start == s.stop for s in box)
        boxes.append([slice(0, 0) if empty else box[axis] for axis in kept])
        if rank == mine:
            nothing = tuple(slice(0, 0) for _ in here)
            place = nothing if empty else tuple(s.start if a in single else s for a, s in enumerate(here))
    order = [kept.index(axis) for axis in layout.order if axis in kept]
    return Layout.boxes([len(parts[axis]) for axis in kept], [tuple(b) for b in boxes], order), place

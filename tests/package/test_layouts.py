# SPDX-License-Identifier: BSD-3-Clause
"""Layouts as values of Python: what they are asked for, compared, hashed, copied and pickled."""

import copy
import itertools
import pickle

import numpy
import pytest
import sixstep
from hypothesis import given, settings
from hypothesis import strategies as st

Layout = sixstep.Layout


@st.composite
def layouts(draw):
    """Any layout: a grid of blocks or in turn, or boxes cut at random; then in another order, transposed, with ghosts
    and with another extent, or not."""
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    axes = len(shape)
    if draw(st.booleans()):
        grid = draw(st.lists(st.integers(1, 3), min_size=axes, max_size=axes))
        words = draw(st.lists(st.sampled_from(["block", "cyclic"]), min_size=axes, max_size=axes))
        layout = Layout.grid(shape, grid, words)
    else:
        cuts = sorted(draw(st.lists(st.integers(0, shape[0]), max_size=4)))
        ends = itertools.pairwise([0, *cuts, shape[0]])
        boxes = [(slice(lo, hi), *(slice(0, n if lo < hi else 0) for n in shape[1:])) for lo, hi in ends]
        layout = Layout.boxes(shape, draw(st.permutations(boxes)))
    if draw(st.booleans()):
        layout = layout.with_order(draw(st.permutations(range(axes))))
    if draw(st.booleans()):
        layout = layout.transposed(draw(st.permutations(range(axes))))
    whole = [axis for axis in range(axes) if layout.whole(axis)]
    if whole and draw(st.booleans()):
        layout = layout.with_extent(draw(st.sampled_from(whole)), draw(st.integers(1, 6)))
    if draw(st.booleans()):
        widths = st.lists(st.integers(0, 2), min_size=axes, max_size=axes)
        layout = layout.with_ghosts(draw(widths), draw(widths))
    return layout


def parts(layout):
    """What each rank has, as numbers of points, and how it lies there."""
    points = numpy.arange(numpy.prod(layout.shape)).reshape(layout.shape)
    here = [points[layout.box(rank)] for rank in range(layout.ranks)]
    return [
        (part.tolist(), layout.ghosts(rank), layout.strides(rank)) if part.size else None
        for rank, part in enumerate(here)
    ]


@settings(deadline=None)
@given(layouts())
def test_pickled_and_copied_layouts_are_the_same(layout):
    for other in (pickle.loads(pickle.dumps(layout)), copy.copy(layout), copy.deepcopy(layout)):
        assert other == layout and not other != layout and hash(other) == hash(layout)
        assert parts(other) == parts(layout)
        assert other.rank_grid == layout.rank_grid
        # Without a grid, an axis of a point a rank may count as cyclic or as blocks: it is the same.
        assert other.distribution == layout.distribution or not layout.rank_grid
        corner = tuple(n - 1 for n in layout.shape)
        assert other.rank_of(corner) == layout.rank_of(corner)


@settings(deadline=None)
@given(layouts(), layouts())
def test_equal_layouts_hash_alike(a, b):
    boxes = [a.box(rank) for rank in range(a.ranks)]
    listed = (
        None if any(s.step not in (None, 1) for box in boxes for s in box) else Layout.boxes(a.shape, boxes, a.order)
    )
    for other in (b, listed):
        if a == other:
            assert hash(a) == hash(other) and parts(a) == parts(other)
    if listed is not None:
        assert a != listed or not any(map(any, a.ghosts(0)))


def test_layouts_are_keys():
    assert len({Layout.slab((4, 6), 2), Layout.slab([4, 6], 2, 0), Layout.slab((4, 6), 2, 1)}) == 2


def test_layouts_differ_from_all_else():
    layout = Layout.slab((4, 6), 2)
    for other in (None, 3, "slab", (4, 6), numpy.float64(1)):
        assert not (layout == other) and layout != other


def test_layouts_of_ranks_that_hold_nothing():
    some = Layout.slab((0, 3), 2).with_ghosts((1, 0), (0, 0))
    assert pickle.loads(pickle.dumps(some)) == some
    assert hash(Layout.boxes((2,), [(slice(0, 2),), (slice(2, 2),)])) == hash(
        Layout.boxes((2,), [(slice(0, 2),), (slice(0, 0),)])
    )


@settings(deadline=None)
@given(layouts(), st.integers(-(2**31), 2**31 - 1), st.data())
def test_what_a_layout_has_not_is_an_error(layout, number, data):
    for ask in (layout.box, layout.local_shape, layout.strides, layout.ghosts):
        if 0 <= number < layout.ranks:
            ask(number)
        else:
            with pytest.raises(sixstep.Error, match=f"rank: 0 to {layout.ranks - 1} is needed, {number} was given"):
                ask(number)
    axes = len(layout.shape)
    if -axes <= number < axes:
        assert layout.whole(number) == layout.whole(number % axes)
    else:
        for ask in (
            layout.whole,
            lambda axis: layout.with_extent(axis, 3),
            lambda axis: Layout.slab(layout.shape, 2, axis),
        ):
            with pytest.raises(sixstep.Error, match=f"axis: -{axes} to {axes - 1} are possible, {number} was given"):
                ask(number)
    point = data.draw(st.lists(st.integers(-3, 7) | st.integers(-(2**63), 2**63 - 1), max_size=5))
    if len(point) != axes:
        with pytest.raises(sixstep.Error, match=f"point: {axes} indices are needed, {len(point)} were given"):
            layout.rank_of(point)
    elif all(0 <= i < n for i, n in zip(point, layout.shape)):
        owner = layout.rank_of(point)
        assert all(i in range(s.start, s.stop, s.step or 1) for i, s in zip(point, layout.box(owner)))
    else:
        with pytest.raises(sixstep.Error, match="point: 0 to .* are possible along axis"):
            layout.rank_of(point)


@settings(deadline=None)
@given(st.integers(0, 2**63 - 1), st.integers(0, 2**63 - 1))
def test_ghosts_of_any_width(before, after):
    make = lambda: Layout.slab((4, 6), 2).with_ghosts((before, 0), (after, 0))  # noqa: E731
    if (4 + before + after) * 6 > 2**62:
        with pytest.raises(sixstep.Error, match=f"ghosts: .*{before}, 0 before and {after}, 0 after have over 2.62"):
            make()
    else:
        assert make().ghosts(1) == ((before, 0), (after, 0))
        assert pickle.loads(pickle.dumps(make())) == make()


def test_shapes_and_axes_are_any_integers():
    made = Layout.slab(numpy.array([4, 6]), numpy.int64(2), numpy.int32(-1), order=numpy.array([1, 0]))
    assert made == Layout.slab((4, 6), 2, 1, (1, 0))
    with pytest.raises(sixstep.Error, match="shape: at least one axis is needed"):
        Layout.slab((), 2)

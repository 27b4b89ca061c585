# SPDX-License-Identifier: BSD-3-Clause
"""Layouts that go to other ranks, and mistakes: each is an error with words, on all ranks that it concerns."""

import numpy
import pytest
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_go_to_other_ranks(name):
    from mpi4py import MPI

    layout = LAYOUTS[name]((5, 6)).with_ghosts((1, 0), (0, 2))
    assert MPI.COMM_WORLD.bcast(layout if RANK == 0 else None) == layout
    assert MPI.COMM_WORLD.allgather(layout) == [layout] * RANKS


def test_layouts_of_the_boxes_that_ranks_have():
    for name in ("slab", "brick", "one has all"):
        layout = LAYOUTS[name]((5, 6))
        assert sixstep.gather_boxes((5, 6), layout.box(RANK)) == layout
    assert sixstep.gather_boxes([5, 6], layout.box(RANK), order=(1, 0)) == layout.with_order((1, 0))


@pytest.mark.parametrize(
    "box, words",
    [
        ((slice(0, 4),), "box: a slice for each of the 2 axes is needed, 1 were given"),
        ("all", "box: a tuple of slices is needed, 'all' was given"),
        ((slice(0, 4), slice(0, 6, 0)), "slice step cannot be zero"),
        ((slice(0, 4), slice(0, 6, 2)), "has a step"),
    ],
)
def test_a_box_that_is_wrong_on_one_rank_is_an_error_on_all(box, words):
    layout = LAYOUTS["slab"]((4 * RANKS, 6))
    with pytest.raises(sixstep.Error, match=words):
        sixstep.gather_boxes((4 * RANKS, 6), box if RANK == RANKS - 1 else layout.box(RANK))


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), axes=[2]), "axes: 0 to 1 are possible, 2 was given"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), axes=[-3]), "axes: 0 to 1 are possible, -3 was given"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), axes="x"), "axes: one integer or several are needed, 'x' was"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4))).wavenumbers(-3), "axis: 0 to 1 are possible, -3 was given"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), padded=1), "padded: True or False is needed, 1 was given"),
        (lambda: sixstep.Plan((8, 8)), "input: a Layout is needed, tuple was given"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), "natural"), "as_input, natural_axes are possible, natural was"),
        (lambda: sixstep.Redistribution((8, 8), (8, 8)), "from_: a Layout is needed, tuple was given"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), kinds="dct5"), "kinds: c2c, r2c"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), exchange="pigeons"), "exchange: shared, collective"),
        (
            lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), threads="two"),
            "threads: an integer is needed, 'two' was given",
        ),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), kind="r2c"), "kind: there is no such option"),
        (lambda: sixstep.Plan(LAYOUTS["slab"]((4, 4)), dtype="int32"), "dtype: float32"),
        (
            lambda: sixstep.Plan(sixstep.Layout.slab((4, 4), RANKS + 1)),
            f"input: a layout for the {RANKS} ranks of comm",
        ),
        (lambda: sixstep.Layout.slab((4, 4), 0), "at least 1 rank"),
        (
            lambda: sixstep.Redistribution(LAYOUTS["slab"]((4, 4)), LAYOUTS["slab"]((4, 5))),
            "to: the shape of `from`",
        ),
        (
            lambda: sixstep.Redistribution(LAYOUTS["slab"]((4, 4)), LAYOUTS["slab"]((4, 4)), dtype=object),
            "dtype: elements of plain bytes are needed, object was given",
        ),
        (
            lambda: sixstep.Redistribution(LAYOUTS["slab"]((4, 4)), LAYOUTS["slab"]((4, 4)), fields=0),
            "fields: 1 or more are needed",
        ),
        (lambda: sixstep.Layout.grid((4, 4), (1,)), "grid"),
    ],
)
def test_mistakes_are_errors_with_words(make, words):
    with pytest.raises(sixstep.Error) as error:
        make()
    assert words in str(error.value)


def test_other_arrays_are_refused():
    plan = sixstep.Plan(sixstep.Layout.slab((4 * RANKS, 6), RANKS))
    for array in (
        numpy.zeros((4, 5), complex),
        numpy.zeros((4, 6)),
        numpy.zeros((6, 4), complex).T,
        numpy.zeros((8, 6), complex)[::2],
    ):
        with pytest.raises(sixstep.Error, match="in: an array of complex128 of shape"):
            plan.forward(array)
    with pytest.raises(sixstep.Error, match="out: "):
        plan.forward(plan.empty_input(), numpy.zeros((4, 5), complex))
    with pytest.raises(sixstep.Error, match="scale: none"):
        plan.forward(plan.empty_input(), scale="twice")


@pytest.mark.parametrize(
    "right, wrong, words",
    [
        (right, wrong, words)
        for right, mistakes in (
            (
                sixstep.Plan,
                {
                    "kinds: c2c, r2c": lambda slab: sixstep.Plan(slab, kinds="dct9"),
                    "exchange: shared": lambda slab: sixstep.Plan(slab, exchange="pigeon"),
                    "threads: an integer is needed, 'many' was given": lambda slab: sixstep.Plan(slab, threads="many"),
                    "colour: there is no such option": lambda slab: sixstep.Plan(slab, colour="red"),
                    "fields: all ranks must give the same": lambda slab: sixstep.Plan(slab, fields=2),
                    "dtype: float32": lambda slab: sixstep.Plan(slab, dtype="int32"),
                    "input: a Layout is needed": lambda slab: sixstep.Plan((4, 6)),
                    "output: a Layout is needed": lambda slab: sixstep.Plan(slab, (4, 6)),
                },
            ),
            (
                lambda slab: sixstep.Redistribution(slab, slab),
                {
                    "dtype: elements of plain bytes": lambda slab: sixstep.Redistribution(slab, slab, dtype="O"),
                    "to: a Layout is needed": lambda slab: sixstep.Redistribution(slab, 5),
                    "exchange: shared": lambda slab: sixstep.Redistribution(slab, slab, exchange="pigeon"),
                },
            ),
            (
                sixstep.Array,
                {
                    "dtype: elements of plain bytes": lambda slab: sixstep.Array(slab, "O"),
                    "layout: a layout for": lambda slab: sixstep.Array(sixstep.Layout.slab((4, 6), RANKS + 1)),
                },
            ),
        )
        for words, wrong in mistakes.items()
        if RANKS > 1 or "same" not in words
    ],
)
def test_what_is_wrong_on_one_rank_is_an_error_on_all(right, wrong, words):
    slab = sixstep.Layout.slab((4, 6), RANKS)
    for other in {0, RANKS - 1}:
        with pytest.raises((sixstep.Error, TypeError)) as error:
            (wrong if RANK == other else right)(slab)
        assert words in str(error.value)
    right(slab)

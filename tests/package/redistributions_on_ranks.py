# SPDX-License-Identifier: BSD-3-Clause
"""Redistributions on the ranks that run this file, against the whole array."""

import gc
import weakref

import numpy
import pytest
import sixstep
from on_ranks import CELL, LAYOUTS, RANK, RANKS, filled, in_turn


def counted(shape, dtype):
    """Each element another, by its global index."""
    values = numpy.zeros(shape, dtype)
    index = numpy.arange(values.size).reshape(shape)
    if dtype != CELL:
        return (index % 251).astype(dtype)
    values["name"], values["value"] = index.astype("S5"), index
    values["at"] = numpy.moveaxis(numpy.stack([index % 7, index % 11, index % 13]), 0, -1)
    return values


@pytest.mark.parametrize("shape", [(12,), (7, 5), (8, 6, 9)])
@pytest.mark.parametrize(
    "before, behind, dtype", in_turn(LAYOUTS, LAYOUTS, ["int8", "float32", "complex128", "M8[s]", CELL]), ids=str
)
def test_redistribution(before, behind, shape, dtype):
    dtype = numpy.dtype(dtype)
    values = counted(shape, dtype)
    moves = sixstep.Redistribution(LAYOUTS[before](shape), LAYOUTS[behind](shape), dtype=dtype)
    there, back = moves.to.box(RANK), moves.from_.box(RANK)
    part = filled(moves.empty_from(), values[back])
    assert numpy.array_equal(moves.forward(part), values[there])
    assert numpy.array_equal(part, values[back])
    target = moves.empty_to()
    assert moves.forward(part, target) is target and numpy.array_equal(target, values[there])
    assert numpy.array_equal(moves.backward(target), values[back])


def test_redistribution_of_fields_in_place():
    shape = (8, 6, 10)
    values = counted((3, *shape), numpy.dtype("int32"))
    moves = sixstep.Redistribution(
        LAYOUTS["slab"](shape), LAYOUTS["brick"](shape), dtype="int32", fields=3, exchange="pairwise"
    )
    part, there = moves.empty_in_place()
    part[...] = values[(slice(None), *moves.from_.box(RANK))]
    assert numpy.array_equal(moves.forward(part, there), values[(slice(None), *moves.to.box(RANK))])
    assert numpy.array_equal(moves.backward(there, part), values[(slice(None), *moves.from_.box(RANK))])


def test_redistribution_with_ghosts():
    shape = (8, 6, 10)
    values = counted(shape, numpy.dtype("int16"))
    ghosts = LAYOUTS["slab"](shape).with_ghosts((1, 2, 0), (2, 1, 1))
    moves = sixstep.Redistribution(LAYOUTS["last axis"](shape), ghosts, dtype="int16")
    around = filled(moves.empty_to(), -1)
    moves.forward(values[moves.from_.box(RANK)].copy(), around)
    if around.size:
        assert numpy.array_equal(around[1:-2, 2:-1, 0:-1], values[moves.to.box(RANK)])
        assert (around[0] == -1).all() and (around[:, :2] == -1).all()


def test_redistributions_tell_what_they_do():
    moves = sixstep.Redistribution(LAYOUTS["slab"]((8, 6)), LAYOUTS["last axis"]((8, 6)))
    assert moves.exchanges == (RANKS > 1) and moves.passes >= 0
    assert moves.from_ == LAYOUTS["slab"]((8, 6)) and moves.to == LAYOUTS["last axis"]((8, 6))
    assert "8 x 6" in str(moves)


def test_redistributions_compare_bits():
    shape = (8, 6, 10)
    values = counted(shape, numpy.dtype("int16"))
    for verify in ("result", "all"):
        moves = sixstep.Redistribution(LAYOUTS["slab"](shape), LAYOUTS["brick"](shape), dtype="int16", verify=verify)
        told = []
        moves.on_detection(told.append)
        there = moves.forward(values[moves.from_.box(RANK)].copy())
        assert numpy.array_equal(there, values[moves.to.box(RANK)])
        assert (moves.verified().checked, moves.verified().repaired, told) == (1, 0, [])
        assert (moves.verified().compared > 0) == (verify == "all")
    with pytest.raises(sixstep.Error, match="verify: none, result, all are possible, perhaps was given"):
        sixstep.Redistribution(LAYOUTS["slab"](shape), LAYOUTS["brick"](shape), verify="perhaps")


def test_a_function_is_told_of_elements_that_change():
    from mpi4py import MPI

    slab = sixstep.Layout.slab((300, 128), 1)  # of each rank alone: no messages keep arrays apart that overlap
    turned = sixstep.Layout.slab((300, 128), 1, order=(1, 0))
    moves = sixstep.Redistribution(slab, turned, comm=MPI.COMM_SELF, verify="all")
    memory = numpy.arange(300 * 128 + 1, dtype=float)
    told = []
    moves.on_detection(told.append)
    with pytest.raises(sixstep.Error, match="verify: forward redistribution: rank 0 has read other bits than it wrote"):
        moves.forward(memory[:-1].reshape(300, 128), memory[1:].reshape(128, 300).T)
    (found,) = told
    assert (found.repaired, found.rank, found.bound) == (False, 0, 0)
    here = weakref.ref(moves)
    moves.on_detection(lambda found, moves=moves: None)
    del moves
    gc.collect()
    assert here() is None


def test_redistributions_refuse_other_arrays():
    slabs = LAYOUTS["slab"]((4 * RANKS, 6))
    moves = sixstep.Redistribution(slabs, slabs, dtype="int32")
    for array in (
        numpy.zeros((4, 5), "int32"),
        numpy.zeros((4, 6)),
        numpy.zeros((4, 6), ">i4"),
        numpy.zeros((6, 4), "int32").T,
        [[0] * 6] * 4,
    ):
        with pytest.raises(sixstep.Error, match="in: a.* is needed"):
            moves.forward(array)
        with pytest.raises(sixstep.Error, match="out: a.* is needed"):
            moves.forward(moves.empty_from(), array)
    fixed = moves.empty_to()
    fixed.flags.writeable = False
    with pytest.raises(sixstep.Error, match="a writable array is needed"):
        moves.forward(moves.empty_from(), fixed)

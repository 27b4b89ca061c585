# SPDX-License-Identifier: BSD-3-Clause
"""What sixstep.Array refuses, on all of the ranks that run this file.

Every rank runs every test, with the same random numbers.
"""

import itertools
import pickle

import numpy
import pytest
import sixstep
from arrays_on_ranks import SHAPE, placed
from on_ranks import LAYOUTS, RANK, RANKS, whole


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda a: sixstep.Array(sixstep.Layout.slab((4, 4), RANKS + 1)), f"a layout for the {RANKS} ranks"),
        (lambda a: sixstep.Array((4, 0)), "at least one point"),
        (lambda a: a + sixstep.Array((3, 4)), "operands: all must have the shape (6, 5, 8)"),
        (lambda a: a + numpy.ones(8), "operands: Arrays and single numbers"),
        (lambda a: a[6], "-6 to 5 are possible along axis 0, 6"),
        (lambda a: a[::0], "a step other than 0 is needed"),
        (lambda a: a[2:2], "at least one point"),
        (lambda a: a[1, 2, 3, 4], "at most 3 entries"),
        (lambda a: a.fft(3), "axes: -3 to 2 are possible, 3"),
        (lambda a: a.fft(norm="best"), "norm: backward"),
        (lambda a: a.irfft(3), "n: 14 or 15 is needed, as there are 8 coefficients, 3"),
        (lambda a: a.fft(out=a), "out: an Array of complex128"),
        (lambda a: numpy.fft.fft(a, 4), "n: None or 8"),
        (lambda a: a.gather(RANKS), f"root: 0 to {RANKS - 1}"),
        (lambda a: sixstep.Array.from_local(numpy.ones((2, 2)), a.layout), "local: an array of float64 of shape"),
        (lambda a: sixstep.Array.from_numpy(None), "whole: a NumPy array is needed on rank 0"),
    ],
)
def test_mistakes_are_errors_with_words(call, words):
    with pytest.raises(sixstep.Error) as error:
        call(sixstep.Array(SHAPE))
    assert words in str(error.value)


def expect_all_refuse(mistakes):
    """Calls of which the last rank makes a wrong one: all ranks raise the same, and are in step afterwards."""
    a = placed(whole(SHAPE, dtype="float64"), "slab")
    total = a.sum()
    for words, call in mistakes:
        with pytest.raises((sixstep.Error, TypeError, ArithmeticError)) as raised:
            call(a, RANK == RANKS - 1)
        said = str(raised.value)
        assert words in said and raised.value.on_all_ranks, said
        assert a.ranks.told(said, 0) == said
        assert a.sum() == total


def test_what_is_refused_on_one_rank_all_ranks_refuse():
    other, cyclic = sixstep.Array((8, 5, 6)), sixstep.Array(LAYOUTS["cyclic"](SHAPE))
    xp = other.__array_namespace__()
    expect_all_refuse(
        [
            ("at least one point", lambda a, is_wrong: sixstep.Array((4, 0 if is_wrong else 4))),
            ("plain bytes", lambda a, is_wrong: sixstep.Array(4, object if is_wrong else float)),
            ("by zero", lambda a, is_wrong: sixstep.Array.from_function(lambda i: i + 1 / (not is_wrong), 4)),
            ("root: ", lambda a, is_wrong: sixstep.Array.from_numpy(numpy.ones(4), root=RANKS if is_wrong else 0)),
            ("axes: -3 to 2 are possible, 3", lambda a, is_wrong: a.fft(axis=3 if is_wrong else 2)),
            ("norm: backward", lambda a, is_wrong: a.fft(norm="best" if is_wrong else "ortho")),
            ("n: 14 or 15", lambda a, is_wrong: a.irfft(3 if is_wrong else 14)),
            ("'str' object", lambda a, is_wrong: a.fftn(axes="x" if is_wrong else 0)),
            ("out: an Array", lambda a, is_wrong: a.fft(out=a if is_wrong else None)),
            ("dct", lambda a, is_wrong: a.dctn(5 if is_wrong else 2)),
            ("axes: -3 to 2", lambda a, is_wrong: a.sum(axis=5 if is_wrong else 0)),
            ("-6 to 5 are possible along axis 0, 6", lambda a, is_wrong: a[6 if is_wrong else 0]),
            ("a step other than 0", lambda a, is_wrong: a[:: 0 if is_wrong else 1]),
            ("at least one point", lambda a, is_wrong: a[2 : 2 if is_wrong else 3]),
            ("integers and slices", lambda a, is_wrong: a["x" if is_wrong else 0]),
            ("a shape that broadcasts", lambda a, is_wrong: cyclic.__setitem__(0, numpy.ones(7) if is_wrong else 1)),
            ("Arrays and single numbers", lambda a, is_wrong: a + (numpy.ones(8) if is_wrong else 1)),
            ("operands: all must have the shape", lambda a, is_wrong: a + (other if is_wrong else a)),
            ("root: ", lambda a, is_wrong: a.gather(RANKS if is_wrong else 0)),
            ("'str' object", lambda a, is_wrong: a.roll(1, "x" if is_wrong else 0)),
            ("n: None or 8", lambda a, is_wrong: numpy.fft.fft(a, 4 if is_wrong else 8)),
            ("ord: None", lambda a, is_wrong: numpy.linalg.norm(a, 1 if is_wrong else None)),
            ("axes", lambda a, is_wrong: a.transpose((0, 0, 1) if is_wrong else (0, 2, 1)).copy()),
            ("'str' object", lambda a, is_wrong: a.to("x" if is_wrong else LAYOUTS["brick"](SHAPE))),
            ("no_type", lambda a, is_wrong: a.astype("no_type" if is_wrong else "f4")),
            ("path in UTF-8", lambda a, is_wrong: sixstep.save(b"\xff.npy" if is_wrong else "/nonexistent/a.npy", a)),
            ("path in UTF-8", lambda a, is_wrong: sixstep.load(b"\xff.npy" if is_wrong else "/nonexistent/a.npy")),
            ("plain bytes", lambda a, is_wrong: xp.full(4, object() if is_wrong else 1)),
            ("plain bytes", lambda a, is_wrong: xp.asarray([object() if is_wrong else 1])),
            ("from: a rank", lambda a, is_wrong: a.ranks.broadcast(numpy.zeros(1, "uint8"), RANKS if is_wrong else 0)),
        ]
    )


def test_arguments_are_the_same_on_all_ranks():
    if RANKS == 1:
        return
    around = sixstep.Array(LAYOUTS["slab"](SHAPE).with_ghosts((1, 1, 1), (1, 1, 1)))
    outs = [sixstep.Array(LAYOUTS[name](SHAPE), complex) for name in ("slab", "last axis")]
    # All of these plans are kept, so that no rank plans.
    for axis, out in itertools.product((0, 1), outs):
        sixstep.Array(SHAPE).fft(axis, out=out)
    expect_all_refuse(
        [
            ("fft: all ranks must give the same; (axis=0) was", lambda a, is_wrong: a.fft(axis=int(is_wrong))),
            ("output: all ranks must", lambda a, is_wrong: a.fft(0, out=outs[is_wrong])),
            ("fft: all ranks must", lambda a, is_wrong: a.fft(0, out=outs[0] if is_wrong else None)),
            ("dctn: all ranks must", lambda a, is_wrong: a.dctn(3 if is_wrong else 2)),
            ("getitem: all ranks must", lambda a, is_wrong: a[is_wrong : 2 + is_wrong]),
            ("getitem: all ranks must", lambda a, is_wrong: a[0, 0, int(is_wrong)]),
            ("setitem: all ranks must", lambda a, is_wrong: a.copy().__setitem__(int(is_wrong), outs[0].real[0])),
            ("gather: all ranks must", lambda a, is_wrong: a.gather(1 if is_wrong else 0)),
            ("sum: all ranks must", lambda a, is_wrong: a.sum(int(is_wrong))),
            ("roll: all ranks must", lambda a, is_wrong: a.roll(int(is_wrong), 0)),
            ("update_ghosts: all ranks must", lambda a, is_wrong: around.update_ghosts(periodic=is_wrong)),
            ("Array: all ranks must", lambda a, is_wrong: sixstep.Array(5 if is_wrong else 4)),
            ("Array: all ranks must", lambda a, is_wrong: sixstep.Array(4, "i8" if is_wrong else "f8")),
            ("astype: all ranks must", lambda a, is_wrong: a.astype("i8" if is_wrong else "f8")),
            ("layout: all ranks must", lambda a, is_wrong: a.to(outs[is_wrong].layout)),
            ("call: all ranks must give the same; sum was", lambda a, is_wrong: a.max() if is_wrong else a.sum()),
            ("call: all ranks must", lambda a, is_wrong: a.copy() if is_wrong else a.fft(0)),
            ("call: all ranks must", lambda a, is_wrong: sixstep.load("a.npy") if is_wrong else a.sum()),
            ("bytes: all ranks must", lambda a, is_wrong: a.ranks.all(numpy.zeros(1 + is_wrong))),
        ]
    )


def test_ranks_may_give_numbers_of_their_own():
    a = sixstep.Array(SHAPE)
    a[...] = RANK
    a *= RANK + 1
    assert (a.local() == RANK * (RANK + 1)).all()


def test_what_an_array_on_many_ranks_refuses():
    a = sixstep.Array(SHAPE)
    for call in (pickle.dumps, numpy.asarray, list):
        with pytest.raises(TypeError, match="Array"):
            call(a)

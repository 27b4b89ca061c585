# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of every type whose elements are plain bytes, in any byte order, read-only or not, on the ranks that run this
file.

Every rank runs every test, with the same random numbers.
"""

import itertools

import numpy
import pytest
import scipy.fft
import sixstep
from on_ranks import CELL, LAYOUTS, RANK, RANKS, close

SHAPE = (6, 5, 4)
PADDED = numpy.dtype([("a", "i1"), ("b", ">f8")], align=True)
TYPES = (
    *("?", "i1", "<i2", ">i2", ">i4", ">u8", "e", ">e", "<f4", ">f4", ">f8", "g", "F", ">F", ">D", "G"),
    *("S3", "<U2", ">U2", "M8[s]", ">m8[ms]", "V5", CELL, PADDED),
)


def values_of(dtype, shape=SHAPE):
    """Elements of the type by their global index."""
    dtype = numpy.dtype(dtype)
    index = numpy.arange(numpy.prod(shape)).reshape(shape)
    if dtype.names:
        values = numpy.zeros(shape, dtype)
        for name in dtype.names:
            field = values[name]
            field[...] = (index % 100).astype(field.dtype).reshape(shape + (1,) * (field.ndim - len(shape)))
        return values
    if dtype.kind == "V":
        return index.astype("<i8").view("V8").astype(dtype)
    return (index % (2 if dtype.kind == "b" else 97)).astype(dtype)


def same_bytes(part, expected):
    assert part.dtype == expected.dtype and part.shape == expected.shape
    assert (part == expected).all()
    if part.dtype.char not in "gG" and not part.dtype.isalignedstruct:  # which have bytes without a meaning
        assert part.tobytes() == expected.tobytes()


WAYS = itertools.cycle([("slab", "last axis"), ("brick", "cyclic"), ("fortran", "one has all")])


@pytest.mark.parametrize("dtype, way", list(zip(TYPES, WAYS)), ids=str)
def test_arrays_of_every_type_move(dtype, way):
    values, before, there = values_of(dtype), way[0], LAYOUTS[way[1]](SHAPE)
    a = sixstep.Array.from_numpy(values if RANK == 0 else None, LAYOUTS[before](SHAPE))
    assert a.dtype == values.dtype and a.dtype.fields == values.dtype.fields
    same_bytes(a.local(), values[a.box])
    b = a.to(there)
    same_bytes(b.local(), values[b.box])
    c = sixstep.Array(there, values.dtype)
    c[...] = a
    same_bytes(c.local(), values[c.box])
    same_bytes(a.T.gather(), values.T)
    found = b.gather(RANKS - 1)
    if RANK == RANKS - 1:
        same_bytes(found, values)
    same_bytes(numpy.asarray(b[1, 2, 3]), values[1, 2, 3])
    same_bytes(b[1:4, 2].gather(), values[1:4, 2])
    b[0] = a[1]
    same_bytes(b.gather()[0], values[1])
    moves = sixstep.Redistribution(a.layout, there, dtype=values.dtype)
    same_bytes(moves.forward(a.local()), values[c.box])


@pytest.mark.parametrize("dtype", [">i4", "S3", CELL], ids=str)
def test_ghosts_of_every_type(dtype):
    values = values_of(dtype)
    layout = sixstep.Layout.slab(SHAPE, RANKS).with_ghosts((1, 0, 0), (1, 0, 0))
    a = sixstep.Array.from_numpy(values if RANK == 0 else None, layout).update_ghosts()
    rows = numpy.arange(a.box[0].start - 1, a.box[0].stop + 1) % SHAPE[0]
    if a.local().size:
        same_bytes(a.local(ghosts=True), values[rows])


@pytest.mark.parametrize("given, made", [(">f4", "F"), (">F", "F"), ("e", "F"), (">f8", "D"), (">i2", "D"), ("?", "D")])
def test_transforms_keep_the_precision(given, made):
    values = values_of(given)
    a = sixstep.Array.from_numpy(values if RANK == 0 else None)
    spectrum = a.fftn()
    assert spectrum.dtype == numpy.dtype(made)
    native = values.astype(values.dtype.newbyteorder("="))
    close(spectrum.local(), scipy.fft.fftn(native)[spectrum.box])


@pytest.mark.parametrize("dtype", ["g", ">g", "G", "S3", "M8[s]", CELL], ids=str)
def test_types_that_are_not_transformed(dtype):
    a = sixstep.Array(SHAPE, dtype)
    for transform in (a.fftn, a.rfft, a.dctn):
        with pytest.raises(sixstep.Error, match="array: (numbers of single or double|real numbers)"):
            transform()


def test_arrays_over_memory_that_is_read_only():
    values = numpy.random.default_rng(1).normal(size=SHAPE)
    layout = LAYOUTS["slab"](SHAPE)
    part = numpy.ascontiguousarray(values[layout.box(RANK)])
    part.flags.writeable = RANK != 0  # on one rank alone
    given = part.copy()
    a = sixstep.Array.from_local(part, layout)
    for overwrite in (False, True):
        close(a.to(LAYOUTS["last axis"](SHAPE), overwrite).gather(), values)
        if not overwrite:
            close(a.gather(), values)
        if RANK != 0:
            part[...] = given
        spectrum = a.rfftn(overwrite=overwrite)
        close(spectrum.local(), numpy.fft.rfftn(values)[spectrum.box])
        if RANK == 0:
            assert (part == given).all()
        else:
            part[...] = given
    close((2 * a + 1).gather(), 2 * values + 1)
    fixed = part.copy()
    fixed.flags.writeable = False
    a = sixstep.Array.from_local(fixed, layout)
    b = sixstep.Array(LAYOUTS["last axis"](SHAPE))
    for write in (lambda: assign(a, b), lambda: a.update_ghosts(), lambda: b.dctn(out=a)):
        with pytest.raises(
            sixstep.Error, match="array: a writable array is needed, this one has read-only"
        ):
            write()


def assign(a, b):
    a[...] = b


def test_axes_and_shapes_are_any_integers():
    values = numpy.random.default_rng(2).normal(size=SHAPE)
    a = sixstep.Array.from_numpy(values if RANK == 0 else None)
    axis = numpy.int64(-1)
    close(a.fft(axis).gather(), numpy.fft.fft(values))
    close(a.fftn(numpy.array([0, 2])).gather(), numpy.fft.fftn(values, axes=(0, 2)))
    close(numpy.fft.fftn(a, s=numpy.array(SHAPE), axes=(0, 1, 2)).gather(), numpy.fft.fftn(values))
    close(a.sum(axis).gather(), values.sum(-1))
    close(a.transpose(numpy.array([2, 0, 1])).gather(), values.transpose(2, 0, 1))
    close(numpy.transpose(a, None).gather(), values.T)
    close(a.transpose(numpy.int64(-1), 0, 1).gather(), values.transpose(2, 0, 1))
    close(a.roll(numpy.int64(2), axis).gather(), numpy.roll(values, 2, -1))
    assert sixstep.Array(numpy.array([4, 5])).shape == (4, 5) and sixstep.Array(numpy.int64(7)).shape == (7,)
    for wrong in ((0, 1), (0, 1, 5), (0, 0, 1)):
        with pytest.raises(sixstep.Error, match="axes: "):
            a.transpose(wrong)


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2"])
def test_two_axes(name):
    values = numpy.random.default_rng(3).normal(size=SHAPE)
    a = sixstep.Array.from_numpy(values if RANK == 0 else None)
    for arguments in ({}, {"axes": (0, 1)}, {"norm": "ortho"}):
        made = getattr(numpy.fft, name)(a, **arguments)
        close(made.gather(), getattr(numpy.fft, name)(values, **arguments))


def test_wave_numbers_of_two_points():
    reals = sixstep.Array((4, 2))
    k = reals.fftn().wavenumbers()[1]
    assert k.tolist() == [[0, -1]]
    spectrum = reals.rfftn()
    assert spectrum.shape == (4, 2)
    assert spectrum.wavenumbers(reals.shape, real=-1)[1].tolist() == [[0, 1]]
    assert reals.rfftn((0,)).wavenumbers(reals.shape, real=0)[1].tolist() == [[0, -1]]
    with pytest.raises(sixstep.Error, match="axes: -2 to 1"):
        spectrum.wavenumbers(real=2)


def test_more_axes_than_there_may_be():
    for axes in (9, 16):
        whole = numpy.zeros((1,) * axes)
        with pytest.raises(sixstep.Error, match="a layout of 1 to 8 axes is needed, it has"):
            sixstep.Array.from_numpy(whole if RANK == 0 else None).fftn()
    with pytest.raises(sixstep.Error, match="at most 16 axes are possible"):
        sixstep.Array.from_numpy(numpy.zeros((1,) * 17) if RANK == 0 else None)


def test_what_is_no_array():
    with pytest.raises(sixstep.Error, match="whole: a NumPy array is needed on rank 0"):
        sixstep.Array.from_numpy([1, 2])
    with pytest.raises(sixstep.Error, match="local: a NumPy array is needed, list was given"):
        sixstep.Array.from_local([1, 2], LAYOUTS["slab"]((2,)))
    with pytest.raises(sixstep.Error, match="dtype: elements of plain bytes are needed, object was given"):
        sixstep.Array.from_numpy(numpy.zeros(3, object))

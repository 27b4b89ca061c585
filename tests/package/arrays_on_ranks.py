# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.Array on the ranks that run this file, against NumPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import itertools
import math
import operator
import os
import pathlib
import pickle
import shutil
import tempfile

import numpy
import pytest
import scipy.fft
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS, close, in_turn, whole

SHAPE = (6, 5, 8)


def placed(values, layout):
    layout = LAYOUTS[layout](values.shape) if isinstance(layout, str) else layout
    array = sixstep.Array(layout, values.dtype)
    array.local()[...] = values[array.box]
    return array


def same(array, expected):
    expected = numpy.asarray(expected)
    found = array.gather()
    assert array.shape == found.shape == expected.shape
    assert array.dtype == expected.dtype
    if expected.dtype.kind in "fc":
        close(found, expected)
    else:
        assert (found == expected).all()


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


@pytest.mark.parametrize(
    "layout, other, dtype", in_turn(LAYOUTS, LAYOUTS, ["float64", "complex64", "int16", "bool"])
)
def test_assignment_moves(layout, other, dtype):
    values = (10 * whole(SHAPE)).real.astype(dtype)
    a, b = placed(values, layout), sixstep.Array(LAYOUTS[other](SHAPE), dtype)
    b[...] = a
    assert (b.local() == values[b.box]).all()
    same(a.to(b.layout), values)
    c = sixstep.Array(LAYOUTS[other](SHAPE[::-1]), dtype)
    c[...] = a.T
    assert (c.local() == values.T[c.box]).all()
    same(a.transpose(1, 2, 0), values.transpose(1, 2, 0))


def test_functions_of_indices(layout):
    def of(i, j, k):
        return 100 * i + 10 * j + k

    same(sixstep.Array.from_function(of, LAYOUTS[layout](SHAPE)), numpy.fromfunction(of, SHAPE, dtype=int))
    a = sixstep.Array(LAYOUTS[layout](SHAPE))
    a.local()[...] = of(*a.indices())
    same(a, numpy.fromfunction(of, SHAPE))
    k = [scipy.fft.fftfreq(n, 1 / n) for n in SHAPE]
    a.local()[...] = of(*a.wavenumbers())
    same(a, of(*numpy.ix_(*k)))


@pytest.mark.parametrize("other", ["slab", "brick", "cyclic", "fortran"])
def test_element_by_element(layout, other):
    x, y = whole(SHAPE), whole(SHAPE, seed=2, dtype="float32")
    a, b = placed(x, layout), placed(y, other)
    for of in (operator.add, operator.sub, operator.mul, operator.truediv):
        c = of(a, b)
        assert c.layout == a.layout
        same(c, of(x, y))
        same(of(2, b), of(2, y))
    same(numpy.exp(abs(a) - 1j * b) ** 2, numpy.exp(abs(x) - 1j * y) ** 2)
    same(b > 0.5, y > 0.5)
    same(numpy.where(b > 0.5, a, 0), numpy.where(y > 0.5, x, 0))
    same(a.real, x.real)
    same(a.conj().imag, -x.imag)
    numpy.multiply(a, b, out=a)
    same(a, x * y)
    a += b
    same(a, x * y + y)


def test_sums(layout):
    x = whole(SHAPE)
    a = placed(x, layout)
    numpy.testing.assert_allclose(numpy.sum(a), x.sum())
    numpy.testing.assert_allclose(a.mean(), x.mean())
    numpy.testing.assert_allclose(numpy.linalg.norm(a), numpy.linalg.norm(x))
    numpy.testing.assert_allclose(numpy.vdot(a, 2 * a), numpy.vdot(x, 2 * x))
    assert (a.real.max(), a.real.min()) == (x.real.max(), x.real.min())
    assert (a.real > 0).any() and not (a.real > 0).all()
    numpy.testing.assert_allclose(a.real.prod(), x.real.prod())
    for axis in (0, 1, -1, (0, 2)):
        same(a.sum(axis), x.sum(axis))
        same(a.real.max(axis, keepdims=True), x.real.max(axis, keepdims=True))


def exact(values, dtype):
    """The sum of numbers in double, rounded once to double."""
    values = numpy.asarray(values).ravel()
    parts = [math.fsum(values.real), math.fsum(values.imag)]
    return numpy.dtype(dtype).type(complex(*parts) if values.dtype.kind == "c" else parts[0])


@pytest.mark.parametrize(
    "layout, other, dtype",
    in_turn(LAYOUTS, LAYOUTS, ["float64", "float32", "complex128", "complex64", ">f8", "float16"]),
)
def test_sums_are_exact_on_any_ranks(layout, other, dtype):
    dtype = numpy.dtype(dtype)
    spread = 3 if dtype == "float16" else 40
    scale = numpy.ldexp(1.0, numpy.random.default_rng(5).integers(-spread, spread, SHAPE))
    drawn = "complex128" if dtype.kind == "c" else "float64"
    x, y = (whole(SHAPE, 1, drawn) * scale).astype(dtype), whole(SHAPE, 2, drawn).astype(dtype)
    a, b = placed(x, layout), placed(y, other)
    wide = numpy.result_type(dtype, "float64")
    u, v = x.astype(wide), y.astype(wide)
    cases = [
        (a.sum(), exact(u, dtype)),
        (numpy.sum(a), exact(u, dtype)),
        (a.sum(dtype=wide), exact(u, wide)),
        (a.mean(), exact(u, dtype) / dtype.type(x.size).real),
        (a.T.sum(), exact(u, dtype)),
        (a.norm(), dtype.type(0).real.dtype.type(math.sqrt(math.fsum([*(u.real**2).flat, *(u.imag**2).flat])))),
    ]
    if dtype.kind == "c":
        real = math.fsum([*(u.real * v.real).flat, *(u.imag * v.imag).flat])
        imag = math.fsum([*(u.real * v.imag).flat, *(-u.imag * v.real).flat])
        cases.append((a.vdot(b), dtype.type(complex(real, imag))))
    else:
        cases.append((a.vdot(b), exact(u * v, dtype)))
    for found, expected in cases:
        assert found == expected and found.dtype == expected.dtype


def test_sums_of_infinities(layout):
    inf, nan = numpy.inf, numpy.nan
    x = numpy.ones(SHAPE)
    cases = [(inf, 1, inf), (1, -inf, -inf), (inf, -inf, nan), (nan, 1, nan), (1.5e308, 1.5e308, inf)]
    for first, last, total in cases:
        x[0, 0, 0], x[-1, -1, -1] = first, last
        numpy.testing.assert_equal(placed(x, layout).sum(), total)
    x[0, 0, 1] = -1.5e308
    assert placed(x, layout).sum() == 1.5e308


@pytest.mark.parametrize(
    "key",
    [
        (slice(1, 4), slice(None), slice(0, 8, 3)),
        (2,),
        (Ellipsis, -1),
        (slice(None, None, 2), 3),
        (slice(4, 5), Ellipsis, slice(5, None)),
        (0, slice(None), 7),
        (-1, 2, 3),
        (slice(None, None, -1), slice(3, None, -2)),
        (slice(4, 1, -2), 2, slice(-1, -9, -3)),
    ],
)
def test_slices(layout, key):
    x = whole(SHAPE, dtype="float64")
    a = placed(x, layout)
    if numpy.ndim(x[key]):
        same(a[key], x[key])
        a[key] = 2 * a[key]
    else:
        assert a[key] == x[key]
        a[key] = 2 * x[key]
    x[key] *= 2
    same(a, x)
    a[key] = 7
    x[key] = 7
    same(a, x)
    a[key] = y = numpy.arange(x[key].size).reshape(x[key].shape)
    x[key] = y
    same(a, x)


def test_an_array_is_assigned_in_reverse(layout):
    x, y = whole(SHAPE), whole(SHAPE, seed=2)
    a = placed(x, layout)
    a[::-1] = placed(y, "brick")
    x[::-1] = y
    same(a, x)


@pytest.mark.parametrize(
    "layout, other, norm", in_turn(LAYOUTS, [None, "brick", "last axis"], [None, "ortho", "forward"])
)
def test_transforms(layout, other, norm):
    x = whole(SHAPE)
    a = placed(x, layout)

    def out(array_shape, dtype):
        return None if other is None else sixstep.Array(LAYOUTS[other](array_shape), dtype)

    for axis in (0, 1, -1):
        same(a.fft(axis, norm, out(SHAPE, complex)), numpy.fft.fft(x, axis=axis, norm=norm))
        same(a.ifft(axis, norm, out(SHAPE, complex)), numpy.fft.ifft(x, axis=axis, norm=norm))
        spectrum = numpy.fft.rfft(x.real, axis=axis, norm=norm)
        made = a.real.rfft(axis, norm, out(spectrum.shape, complex))
        same(made, spectrum)
        same(made.irfft(SHAPE[axis], axis, norm, out(SHAPE, float)), x.real)
    for axes in (None, (2, 0)):
        same(a.fftn(axes, norm, out(SHAPE, complex)), numpy.fft.fftn(x, axes=axes, norm=norm))
        same(a.ifftn(axes, norm), numpy.fft.ifftn(x, axes=axes, norm=norm))
        spectrum = numpy.fft.rfftn(x.real, axes=axes, norm=norm)
        same(a.real.rfftn(axes, norm), spectrum)
        same(placed(spectrum, layout).irfftn(None if axes is None else (8, 6), axes, norm), x.real)
    same(a.T.fft(0, norm, overwrite=True), numpy.fft.fft(x.T, axis=0, norm=norm))
    if norm != "ortho":
        for kind in (1, 2, 3, 4):
            same(placed(x.real, layout).dctn(kind, norm=norm), scipy.fft.dctn(x.real, kind, norm=norm))
            same(placed(x.real, layout).idstn(kind, norm=norm), scipy.fft.idstn(x.real, kind, norm=norm))
            same(a.dctn(kind, axes, norm, out(SHAPE, complex)), scipy.fft.dctn(x, kind, axes=axes, norm=norm))
            same(a.idstn(kind, norm=norm), scipy.fft.idstn(x, kind, norm=norm))
            b = placed(x.astype("complex64"), layout)
            assert b.dstn(kind, out=b) is b
            same(b, scipy.fft.dstn(x.astype("complex64"), kind))


def test_numpys_functions():
    x = whole(SHAPE, dtype="float32")
    a = placed(x, "slab")
    same(numpy.fft.fft(a, axis=1), numpy.fft.fft(x.astype("complex64"), axis=1).astype("complex64"))
    same(numpy.fft.rfftn(a), numpy.fft.rfftn(x).astype("complex64"))
    same(numpy.transpose(a, (2, 0, 1)), x.transpose(2, 0, 1))
    xp = a.__array_namespace__()
    same(xp.permute_dims(xp.abs(a), (1, 0, 2)), abs(x).transpose(1, 0, 2))
    same(xp.ones((4, 3)) + xp.arange(12, dtype="float64")[:12].sum(), numpy.full((4, 3), 67.0))


def test_slices_of_a_transposed_array_that_is_cyclic_along_one_of_two_split_axes():
    grid = [2, RANKS // 2] if RANKS % 2 == 0 else [RANKS, 1]
    x = numpy.arange(9.0).reshape(3, 3)
    a = placed(x, sixstep.Layout.grid((3, 3), grid, ["block", "cyclic"]))
    same(a.T[::2], x.T[::2])
    same(a.T[1], x.T[1])
    same(a.T.roll(1, 0), numpy.roll(x.T, 1, 0))
    same(a.T.sum(axis=0), x.T.sum(axis=0))
    b = sixstep.Array((3, 3))
    b[...] = a.T
    b[1:] = a.T[:2]
    x[:, 1:] = x[:, :2].copy()
    same(b, x.T)


@pytest.mark.parametrize("shift, axis", [(3, 0), (-2, (2, 1)), ((1, -9, 8), None), (0, 1), (6, 0)])
def test_rolling(layout, shift, axis):
    x = whole(SHAPE)
    a = placed(x, layout)
    rolled = a.roll(shift, axis)
    same(rolled, numpy.roll(x, shift, tuple(range(3)) if axis is None else axis))
    assert rolled.layout.shape == a.layout.shape and rolled is not a
    rolled[...] = 0
    same(a, x)


def test_frequencies_of_the_array_api(layout):
    x = whole(SHAPE)
    a = placed(x, layout)
    xp = a.__array_namespace__()
    same(xp.fft.fftshift(a), numpy.fft.fftshift(x))
    same(numpy.fft.fftshift(a, (0, 2)), numpy.fft.fftshift(x, (0, 2)))
    same(xp.fft.ifftshift(xp.fft.fftshift(a, axes=1), axes=1), x)
    same(xp.fft.fftfreq(7, d=0.5), numpy.fft.fftfreq(7, 0.5))
    same(xp.fft.rfftfreq(8), numpy.fft.rfftfreq(8))
    same(xp.linspace(0, 1, 5, endpoint=False), numpy.linspace(0, 1, 5, endpoint=False))
    same(xp.vecdot(a, a, axis=1), numpy.sum(abs(x) ** 2, 1).astype(complex))


def test_parts_without_points_may_have_any_extents():
    x = whole(SHAPE)
    a = placed(x, "one has all")
    nothing, everything = (tuple(slice(0, n) for n in shape) for shape in ((0, *SHAPE[1:]), SHAPE))
    b = placed(x, sixstep.Layout.boxes(SHAPE, [nothing] * (RANKS - 1) + [everything]))
    assert a.layout == b.layout
    same(a + b, 2 * x)
    same(numpy.where(abs(a) > 1, b, a), x)
    a += b
    b[...] = a
    same(b, 2 * x)


@pytest.fixture
def folder():
    """The same on all ranks."""
    ranks = sixstep.Ranks()
    path = pathlib.Path(tempfile.gettempdir()) / f"sixstep_arrays_{ranks.all(numpy.array(os.getpid()))[0]}"
    path.mkdir(exist_ok=True)
    yield path
    ranks.all(numpy.zeros(1))  # everybody has done with it
    shutil.rmtree(path, ignore_errors=True)


TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("dataset", [None, "fields/u"])
@pytest.mark.parametrize(
    "layout, dtype", [(layout, "complex64") for layout in LAYOUTS] + [("brick", dtype) for dtype in TYPES]
)
def test_files(folder, layout, dtype, dataset):
    values = 10 * whole(SHAPE)
    values = (values if "complex" in dtype else abs(values)).astype(dtype)
    file = folder / "a"
    sixstep.save(file, placed(values, layout), dataset)
    same(sixstep.load(file, dataset=dataset), values)
    same(sixstep.load(file, LAYOUTS["brick"](SHAPE), dataset), values)
    if dataset is None:
        assert (numpy.load(file) == values).all()


def test_files_of_others(folder):
    values = numpy.asfortranarray(whole(SHAPE)).astype(">c16")
    if RANK == 0:
        numpy.save(folder / "a.npy", values)
    sixstep.Ranks().all(numpy.zeros(1))
    same(sixstep.load(folder / "a.npy"), values.astype("complex128"))


def test_files_of_what_may_only_be_read(folder, layout):
    a = placed(whole(SHAPE), layout)
    a.local(ghosts=True).flags.writeable = False
    sixstep.save(folder / "a.npy", sixstep.Array.from_local(a.local(ghosts=True), a.layout))
    same(sixstep.load(folder / "a.npy"), whole(SHAPE))


def test_files_are_refused(folder):
    a = sixstep.Array(SHAPE)
    sixstep.save(folder / "a.npy", a)
    sixstep.save(folder / "a.h5", a, "run1/u")
    if RANK == 0:
        numpy.save(folder / "number.npy", numpy.float64(1))
        numpy.save(folder / "half.npy", numpy.zeros(3, "f2"))
        numpy.save(folder / "long.npy", numpy.zeros(3, "longdouble"))
        numpy.save(folder / "nine.npy", numpy.zeros((1,) * 9))
        numpy.save(folder / "records.npy", numpy.zeros(3, "f8,f4"))
    sixstep.Ranks().all(numpy.zeros(1))
    for words, refused in {
        "dtype: one of .*float16 was given": lambda: sixstep.save(folder / "b.npy", sixstep.Array(SHAPE, "float16")),
        "dtype: one of .*>f8 was given": lambda: sixstep.save(folder / "b.npy", sixstep.Array(SHAPE, ">f8")),
        "dataset: a name is needed, as": lambda: sixstep.save(folder / "b.h5", a),
        "dataset: a name .* is needed, '' was": lambda: sixstep.save(folder / "b.h5", a, ""),
        r"'x\\0y.npy': cannot be written: .*zero byte": lambda: sixstep.save("x\0y.npy", a),
        r"'x\\0y.npy': cannot be read: .*zero byte": lambda: sixstep.load("x\0y.npy"),
        r"'x\\0y.h5': cannot be written: .*zero byte": lambda: sixstep.save("x\0y.h5", a, "u"),
        r"'x\\0y.h5': cannot be read: .*zero byte": lambda: sixstep.load("x\0y.h5", dataset="u"),
        r"dataset: .*'u\\x00v' was": lambda: sixstep.save(folder / "a.h5", a, "u\0v"),
        r"file: a path in UTF-8": lambda: sixstep.save(b"x\xff.npy", a),
        "'run1' cannot be written: it is a group": lambda: sixstep.save(folder / "a.h5", a, "run1"),
        "'run1/u' is a dataset": lambda: sixstep.save(folder / "a.h5", a, "run1/u/v"),
        "'run1' is no dataset, it is a group": lambda: sixstep.load(folder / "a.h5", dataset="run1"),
        "number.npy: an array with axes is needed": lambda: sixstep.load(folder / "number.npy"),
        "half.npy: dtype .*float16": lambda: sixstep.load(folder / "half.npy"),
        "long.npy: dtype .*extended precision": lambda: sixstep.load(folder / "long.npy"),
        "nine.npy: the array has 9 axes; at most 8": lambda: sixstep.load(folder / "nine.npy"),
        "records.npy: a structured dtype": lambda: sixstep.load(folder / "records.npy"),
        "No such file": lambda: sixstep.load(folder / "b.npy"),
        "not an HDF5 file": lambda: sixstep.load(folder / "a.npy", dataset="u"),
        "6 x 5 x 7 is needed": lambda: sixstep.load(folder / "a.npy", LAYOUTS["slab"]((6, 5, 7))),
    }.items():
        with pytest.raises(sixstep.Error, match=words):
            refused()
    same(sixstep.load(folder / "a.h5", dataset="run1/u"), a.gather())
    assert not os.path.exists("x")


def test_twiddles():
    n1, n2 = 6, 8
    x = whole((n1, n2))
    a, work, out = placed(x, "slab"), sixstep.Array((n2, n1), complex), sixstep.Array((n2, n1), complex)
    a.T.fft(out=work, twiddle=0)
    work.T.fft(out=out.T)
    close(out.gather().ravel(), numpy.fft.fft(x.ravel()))


@pytest.mark.parametrize("periodic", [True, False, (True, False, True)])
def test_ghosts_come_from_those_who_have_the_points(periodic):
    before, after = (1, 0, 2), (2, 1, 0)
    values = whole(SHAPE)
    a = placed(values, LAYOUTS["brick"](SHAPE).with_ghosts(before, after))
    outside = a.local(ghosts=True)
    a.update_ghosts(periodic)
    if a.local().size == 0:
        return
    wide = values
    for axis, turns in enumerate([periodic] * 3 if isinstance(periodic, bool) else periodic):
        pad = [(0, 0)] * 3
        pad[axis] = before[axis], after[axis]
        wide = numpy.pad(wide, pad, mode="wrap" if turns else "constant")
    box = tuple(slice(s.start, s.stop + b + c) for s, b, c in zip(a.box, before, after))
    assert (outside == wide[box]).all()


def test_memory_of_ones_own_and_ghosts():
    x = whole(SHAPE)
    layout = LAYOUTS["brick"](SHAPE).with_ghosts((1, 0, 2), (0, 1, 1))
    a = placed(x, layout)
    same(2 * a, 2 * x)
    same(a.fftn(), numpy.fft.fftn(x))
    assert abs(a.sum() - x.sum()) < 1e-12
    mine = sixstep.Array.from_local(x[LAYOUTS["slab"](SHAPE).box(RANK)].copy(), LAYOUTS["slab"](SHAPE))
    same(mine + a, 2 * x)
    same(mine.fft(0), numpy.fft.fft(x, axis=0))


@pytest.mark.parametrize("root", {0, RANKS - 1})
def test_gather_and_scatter(layout, root):
    x = whole(SHAPE, dtype="float32")
    a = sixstep.Array.from_numpy(x if RANK == root else None, LAYOUTS[layout](SHAPE), root)
    same(a, x)
    found = a.gather(root)
    assert (found is None) == (RANK != root)
    if RANK == root:
        assert (found == x).all()


def test_parts_that_are_kept_on_one_rank_alone_are_no_hazard():
    kept = []
    for i in range(8):
        a = sixstep.Array((64, 64))
        a.local()[...] = i
        if RANK == 0:
            kept.append(a.local())
        assert a.to(LAYOUTS["last axis"]((64, 64))).sum() == i * 4096
    assert all((part == i).all() for i, part in enumerate(kept))


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

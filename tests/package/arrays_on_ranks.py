# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.Array on the ranks that run this file, against NumPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import math
import operator

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

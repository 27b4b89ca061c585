# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.fields on the ranks that run this file, against NumPy and SciPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import warnings

import numpy
import pytest
import scipy.ndimage
import scipy.signal
import scipy.special
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS, close, in_turn, whole

fields = sixstep.fields
SIDES = (1.5, 2.0, 5.0)
DTYPES = ["float64", "float32", "complex128", "complex64"]


def spread(values, layout="slab"):
    return sixstep.Array.from_numpy(values, LAYOUTS[layout](values.shape))


def same(array, expected):
    assert isinstance(array, sixstep.Array) and array.dtype == expected.dtype
    close(array.local(), expected[array.box])


def waves(shape, sides=SIDES):
    k = [2 * numpy.pi * numpy.fft.fftfreq(n, side / n) for n, side in zip(shape, sides)]
    return numpy.meshgrid(*k, indexing="ij")


def by_waves(symbol, values):
    """The whole array whose coefficients are multiplied by a symbol."""
    result = numpy.fft.ifftn(symbol * numpy.fft.fftn(values))
    return (result if values.dtype.kind == "c" else result.real).astype(values.dtype)


@pytest.mark.parametrize("layout, shape, dtype", in_turn(LAYOUTS, [(7,), (9, 5), (3, 7, 5)], DTYPES))
def test_exact_derivatives(layout, shape, dtype):
    values = whole(shape, dtype=dtype)
    sides = SIDES[: len(shape)]
    k = waves(shape, sides)
    u = spread(values, layout)
    slopes = [by_waves(1j * each, values) for each in k]
    squared = sum(each**2 for each in k)
    made = fields.gradient(u, sides=sides)
    assert isinstance(made, tuple) and len(made) == len(shape) and made[0].layout == u.layout
    for axis, (found, expected) in enumerate(zip(made, slopes)):
        same(found, expected)
        same(fields.derivative(u, axis, sides=sides), expected)
    same(fields.derivative(u, -1, 2, sides=sides), by_waves(-(k[-1] ** 2), values))
    curved = by_waves(-squared, values)
    same(fields.divergence(made, sides=sides), curved)
    same(fields.laplacian(u, sides=sides), curved)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(fields.inverse_laplacian(spread(curved, layout), sides=sides, mean=2), values - values.mean() + 2)
    same(u, values)  # as before


def test_a_number_is_the_side_of_all_axes():
    values = whole((6, 8), dtype="float64")
    u = spread(values)
    same(fields.laplacian(u, sides=3), by_waves(-sum(k**2 for k in waves((6, 8), (3, 3))), values))
    same(fields.laplacian(u), by_waves(-sum(k**2 for k in waves((6, 8), [2 * numpy.pi] * 2)), values))
    line = numpy.arange(5)
    same(fields.derivative(spread(line), 0, 2), by_waves(-(waves((5,), [2 * numpy.pi])[0] ** 2), 1.0 * line))


def test_vectors():
    values = whole((3, 5, 7, 9), dtype="float64")
    u = [spread(values[0]), spread(values[1], "last axis"), spread(values[2], "cyclic")]
    kx, ky, kz = k = waves((5, 7, 9))
    spectra = numpy.fft.fftn(values, axes=(1, 2, 3))
    curl = [ky * spectra[2] - kz * spectra[1], kz * spectra[0] - kx * spectra[2], kx * spectra[1] - ky * spectra[0]]
    vortices = fields.curl(u, sides=SIDES)
    for found, expected in zip(vortices, curl):
        same(found, numpy.fft.ifftn(1j * expected).real)
        assert found.layout == u[0].layout
    along = sum(a * b for a, b in zip(k, spectra)) / numpy.where(sum(a**2 for a in k) == 0, 1, sum(a**2 for a in k))
    for axis, found in enumerate(fields.project(u, sides=SIDES)):
        same(found, numpy.fft.ifftn(spectra[axis] - k[axis] * along).real)
    same(fields.divergence(vortices, sides=SIDES), 0 * values[0])
    even = whole((3, 6, 4, 2), dtype="float64")  # n/2 has no derivative
    same(fields.divergence(fields.project([spread(each) for each in even])), 0 * even[0])


@pytest.mark.parametrize("faces", ["none", "above", "below"])
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_finite_differences(faces, dtype):
    shape = (6, 5, 8)
    values = whole((3, *shape), dtype=dtype)
    by = {"accuracy": 2, "faces": faces, "sides": SIDES}

    def difference(u, axis, to_points):
        h = SIDES[axis] / shape[axis]
        if faces == "none":
            return (numpy.roll(u, -1, axis) - numpy.roll(u, 1, axis)) / (2 * h)
        lower = (faces == "below") != to_points
        return (u - numpy.roll(u, 1, axis) if lower else numpy.roll(u, -1, axis) - u) / h

    u = [spread(each) for each in values]
    for axis, found in enumerate(fields.gradient(u[0], **by)):
        same(found, difference(values[0], axis, False))
        same(fields.derivative(u[0], axis, **by), difference(values[0], axis, False))
    same(fields.divergence(u, **by), sum(difference(values[axis], axis, True) for axis in range(3)))
    solenoidal = [each.gather() for each in fields.project(u, **by)]
    close(sum(difference(solenoidal[axis], axis, True) for axis in range(3)), 0 * values[0])
    f = sum(scipy.ndimage.convolve1d(values[0], [1, -2, 1], axis, mode="wrap") * (shape[axis] / SIDES[axis]) ** 2
            for axis in range(3))  # fmt: skip
    same(fields.laplacian(u[0], **by), f)
    same(fields.inverse_laplacian(spread(f), **by), values[0] - values[0].mean())


@pytest.mark.parametrize("dtype", DTYPES)
def test_filters_and_shifts(dtype):
    values = whole((9, 7, 5), dtype=dtype)
    u, k = spread(values), waves((9, 7, 5))
    squared = sum(each**2 for each in k)
    same(fields.lowpass(u, 5.1, sides=SIDES), by_waves(numpy.sqrt(squared) <= 5.1, values))
    same(fields.gaussian(u, 0.3, sides=SIDES), by_waves(numpy.exp(-squared * 0.045), values))
    distance = numpy.array([0.1, -0.2, 0.3])
    symbol = numpy.exp(-1j * sum(d * each for d, each in zip(distance, k)))
    same(fields.shift(u, distance, sides=SIDES), by_waves(symbol, values))
    whole_points = [2 * 1.5 / 9, -2.0 / 7, 0]
    same(fields.shift(u, whole_points, sides=SIDES), numpy.roll(values, (2, -1), (0, 1)))


GRIDS = [
    *(((8, 6), (12, 10)), ((8, 6), (4, 6)), ((9, 5), (4, 11)), ((7, 8), (8, 7)), ((1, 2), (3, 4)), ((6,), (15,))),
    *(((8, 6, 4), (16, 12, 8)), ((5, 9, 8), (6, 3, 2)), ((12,), (1,))),
]


@pytest.mark.parametrize("layout, grids, dtype", in_turn(LAYOUTS, GRIDS, DTYPES))
def test_interpolation(layout, grids, dtype):
    before, after = grids
    if layout == "one has all" and RANKS > 1:
        layout = "slab"  # boxes cannot follow an axis that is split
    values = whole(before, dtype=dtype)
    expected = values
    for axis, points in enumerate(after):
        expected = scipy.signal.resample(expected, points, axis=axis)
    made = fields.interpolate(spread(values, layout), after)
    assert made.shape == after
    same(made, expected.astype(dtype))
    if all(m % n == 0 for n, m in zip(before, after)):
        close(made.gather()[tuple(slice(None, None, m // n) for n, m in zip(before, after))], values)


@pytest.mark.parametrize("dtype, other", [("float64", "float64"), ("float32", "float32"), ("complex128", "float64")])
@pytest.mark.parametrize("shape", [(8,), (6, 5), (3, 4, 7)])
def test_convolutions(shape, dtype, other):
    a, b = whole(shape, dtype=dtype), whole(shape, 2, other)
    axes = tuple(range(len(shape)))
    convolved, correlated, itself = (numpy.zeros(shape, numpy.result_type(dtype, other)) for _ in range(3))
    for y in numpy.ndindex(shape):
        convolved += a[y] * numpy.roll(b, y, axes)
        back = tuple(-i for i in y)
        correlated += numpy.conj(a[y]) * numpy.roll(b, back, axes)
        itself += numpy.conj(a[y]) * numpy.roll(a, back, axes)
    same(fields.convolve(spread(a), spread(b, "last axis")), convolved)
    same(fields.correlate(spread(a), spread(b, "last axis")), correlated)
    u = spread(a)
    same(fields.auto_correlation(u), itself.astype(dtype))
    same(fields.correlate(u, u), itself.astype(dtype))
    same(u, a)


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("dtype, other", [("float64", "float64"), ("float32", "complex64"), ("complex128", "float64")])
@pytest.mark.parametrize("shape, size", [((9,), (4,)), ((6, 5), (3, 8)), ((3, 4, 7), (2, 1, 3))])
def test_linear_convolutions(shape, size, dtype, other, mode):
    a, b = whole(shape, dtype=dtype), whole(size, 2, other)
    full = numpy.zeros([n + m - 1 for n, m in zip(shape, size)], numpy.result_type(dtype, other))
    turned = numpy.zeros(full.shape, full.dtype)
    for y in numpy.ndindex(size):
        there = tuple(slice(i, i + n) for i, n in zip(y, shape))
        full[there] += b[y] * a
        turned[there] += numpy.conj(b[tuple(m - 1 - i for i, m in zip(y, size))]) * a
    first = [{"full": 0, "same": (m - 1) // 2, "valid": min(n, m) - 1}[mode] for n, m in zip(shape, size)]
    count = [{"full": n + m - 1, "same": n, "valid": abs(n - m) + 1}[mode] for n, m in zip(shape, size)]
    part = tuple(slice(i, i + n) for i, n in zip(first, count))
    same(fields.convolve(spread(a), spread(b, "last axis"), mode), full[part])
    same(fields.correlate(spread(b, "last axis"), spread(a), mode), turned[part])


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128"])
@pytest.mark.parametrize("shape", [(8, 6, 7), (5, 4), (12,), (1, 2)])
def test_power_spectra(shape, dtype):
    values = whole(shape, dtype=dtype)
    k = numpy.meshgrid(*(numpy.rint(numpy.fft.fftfreq(n, 1 / n)) for n in shape), indexing="ij")
    shell = numpy.rint(numpy.sqrt(sum(along**2 for along in k))).astype(int).ravel()
    power = abs(numpy.fft.fftn(values) / values.size).ravel() ** 2
    for layout in ("slab", "brick"):
        found = fields.power_spectrum(spread(values, layout))
        assert (found.k == numpy.arange(shell.max() + 1)).all()
        numpy.testing.assert_array_equal(found.modes, numpy.bincount(shell))
        bound = 1e-5 if dtype == "float32" else 1e-13
        numpy.testing.assert_allclose(found.power, numpy.bincount(shell, power), atol=bound)
        assert abs(found.power.sum() - numpy.mean(abs(values) ** 2)) < 1e-5


def test_operators_are_kept():
    u = spread(whole((6, 5), dtype="float64"))
    kept = u.ranks._kept
    kept.clear()
    first = fields.laplacian(u).gather()
    (operator,) = kept.values()
    for _ in range(2):
        fields.gaussian(u, 0.25)
        close(fields.laplacian(u).gather(), first)
    assert len(kept) == 2 and operator in kept.values()
    for sigma in range(10):
        fields.gaussian(u, 1 + sigma)
    assert len(kept) == 8 and operator not in kept.values()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda u: fields.laplacian(3), "laplacian: an Array is needed, int was given"),
        (lambda u: fields.curl([]), "curl: an Array is needed, 0 other arguments was given"),
        (lambda u: fields.laplacian(u, sides=(1, 2, 3)), "sides: one for each of the 2 axes is needed, 3 were given"),
        (lambda u: fields.laplacian(u, sides=0), "sides: lengths above 0 are needed, 0 was given"),
        (lambda u: fields.laplacian(u, accuracy=3), "accuracy: 0 .exact., 2 or 4 is needed, 3 was given"),
        (lambda u: fields.gradient(u, faces="above"), "accuracy: 2 or 4 is needed for vectors on faces"),
        (lambda u: fields.derivative(u, 2), "axis: -2 to 1 are possible, 2 was given"),
        (lambda u: fields.divergence([u]), "u: an Array for each of the 2 axes is needed, 1 were given"),
        (lambda u: fields.divergence([u, 3]), "u: Arrays of one shape, .6, 5., are needed, int was given"),
        (lambda u: fields.divergence([3, u]), "u: Arrays of one shape, .6, 5., are needed, int was given"),
        (lambda u: fields.project([u, sixstep.Array((5, 6))]), "u: Arrays of one shape, .6, 5., are needed, one of"),
        (lambda u: fields.curl([u, u]), "u: an Array for each of 3 axes is needed, 2 were given"),
        (lambda u: fields.poisson(u, walls=("neumann",)), "walls: one for each of the 2 axes or one for all is"),
        (lambda u: fields.poisson(u, walls="open"), "walls: periodic, .* are possible, 'open' was given"),
        (lambda u: fields.poisson(u, points="middle"), "points: cells, nodes are possible, 'middle' was given"),
        (lambda u: fields.poisson(u, sides=(1, 2, 3)), "sides: one for each of the 2 axes is needed, 3 were given"),
        (lambda u: fields.poisson(u, walls="neumann", values=print), "values: accuracy 2 is needed .* 0 was given"),
        (lambda u: fields.poisson(u.astype(complex)), "f: real numbers are needed, complex128 was given"),
        (lambda u: fields.poisson(u[:, :1], walls="neumann", points="nodes"), "points: .* need at least 2 points"),
        (lambda u: fields.shift(u, (1, 2, 3)), "axes: the layout has 2, 3 were given"),
        (lambda u: fields.interpolate(u, (3,)), "shape: 2 extents of at least 1 are needed, .3,. was given"),
        (lambda u: fields.interpolate(u, (3, 0)), "shape: 2 extents of at least 1 are needed, .3, 0. was given"),
        (lambda u: fields.convolve(u, sixstep.Array((5, 6))), "u: Arrays of one shape, .6, 5., are needed, one of"),
        (lambda u: fields.convolve(u, u, "circular"), "mode: full, .* is needed, circular was given"),
        (lambda u: fields.convolve(u, 3, "same"), "u: two Arrays are needed, int was given"),
        (lambda u: fields.open_poisson(u, spacing=0), "spacing: distances above 0 are needed, 0 was given"),
        (lambda u: fields.open_poisson(u, walls="periodic"), "walls: an open axis is needed"),
        (lambda u: fields.open_poisson(u, walls=("open", "shut")), "walls: periodic, .* is needed, shut was given"),
        (lambda u: fields.open_poisson(u, points="middle"), "points: cells or nodes is needed, middle was given"),
        (lambda u: fields.open_poisson(u, shift=(1,)), "shift: one for each of the 2 axes is needed, 1 were given"),
        (lambda u: fields.open_poisson(u.astype(complex)), "f: real numbers are needed, complex128 was given"),
        (lambda u: fields.open_poisson(u, greens_function="cut"), "greens_function: truncated or integrated is needed"),
        (lambda u: fields.open_poisson(u, function=lambda *x: 1, space="k"), "space: distances or waves is needed"),
        (lambda u: fields.open_poisson(u, function=lambda *x: None), "float"),
        (lambda u: fields.open_poisson(u, function=u[:, :4]), r"numbers: an array of shape .6, 5. is .* .6, 4. was"),
        (lambda u: fields.open_poisson(u, function=u * numpy.nan), r"numbers: finite .* entry .0, 0. it is -?nan"),
        (lambda u: fields.open_poisson(u, function=u.astype(complex)), "function: real numbers are needed, complex128"),
        (lambda u: fields.laplacian(u.astype("S3")), "array: numbers of single or double precision are needed, |S3"),
    ],
)
def test_what_is_wrong_is_told(call, words):
    with pytest.raises(sixstep.Error, match=words):
        call(spread(whole((6, 5), dtype="float64")))


def test_ranks_that_disagree_are_told():
    u = spread(whole((6, 5), dtype="float64"))
    fields.gaussian(u, 0.5)
    for others in range(1, RANKS):
        with pytest.raises(sixstep.Error, match=r"gaussian: .*0\.5.* on ranks? 0.*, .*0\.25.* on rank"):
            fields.gaussian(u, 0.5 if RANK < others else 0.25)
        with pytest.raises(sixstep.Error, match="sides: one for each of the 2 axes is needed"):
            fields.laplacian(u, sides=1.0 if RANK < others else (1, 2, 3))

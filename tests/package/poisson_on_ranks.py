# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of Poisson's equation on the ranks that run this file.

Every rank runs every test, with the same random numbers.
"""

import math
import warnings

import numpy
import pytest
import scipy.signal
import scipy.special
import sixstep
from fields_on_ranks import same, spread
from on_ranks import LAYOUTS, RANK, RANKS, in_turn, whole

fields = sixstep.fields


def test_a_mean_without_a_solution_is_told():
    values = whole((6, 8), dtype="float64")
    values -= values.mean()
    expected = fields.inverse_laplacian(spread(values))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        same(fields.inverse_laplacian(spread(values + 0.25)), expected.gather())
    assert [str(each.message) for each in told] == [
        "f: a mean of 0 is needed for a solution of laplacian(u) = f; the mean, 0.25, is left out"
    ] * (RANK == 0)
    assert all(each.filename == __file__ for each in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # on rank 0, which tells the others
        with pytest.raises((RuntimeWarning, sixstep.Error), match="a mean of 0 is needed"):
            fields.inverse_laplacian(spread(values + 0.25))
    same(fields.inverse_laplacian(spread(values.astype("float32"))), expected.gather().astype("float32"))


WALLS = ("periodic", "dirichlet", "neumann", "dirichlet_neumann", "neumann_dirichlet")
WAVES = {
    "periodic": lambda x, side: numpy.cos(4 * numpy.pi * x / side),
    "dirichlet": lambda x, side: numpy.sin(2 * numpy.pi * x / side),
    "neumann": lambda x, side: numpy.cos(2 * numpy.pi * x / side),
    "dirichlet_neumann": lambda x, side: numpy.sin(1.5 * numpy.pi * x / side),
    "neumann_dirichlet": lambda x, side: numpy.cos(1.5 * numpy.pi * x / side),
}
PERIODS = {"periodic": 4, "dirichlet": 2, "neumann": 2, "dirichlet_neumann": 1.5, "neumann_dirichlet": 1.5}


@pytest.mark.parametrize("layout, walls, points", in_turn(LAYOUTS, WALLS, ["cells", "nodes"]))
def test_poisson_has_exact_derivatives_of_waves(layout, walls, points):
    box = {"walls": (walls, "periodic", "neumann"), "points": points, "sides": (1.5, 0.7, 2)}
    u = sixstep.Array(LAYOUTS[layout]((9, 8, 6)))
    x, y, z = fields.coordinates(u, **box)
    u.local()[...] = WAVES[walls](x, 1.5) * WAVES["periodic"](y, 0.7) * WAVES["neumann"](z, 2)
    squared = numpy.pi**2 * ((PERIODS[walls] / 1.5) ** 2 + (4 / 0.7) ** 2 + 1)
    same(fields.poisson(-squared * u, **box), u.gather())
    same(fields.poisson((-squared * u).astype("float32"), **box), u.gather().astype("float32"))


def given(axis, is_last, x):
    return 0.3 + axis + (0.5 if is_last else -0.2) + sum(numpy.cos((2 + a) * along) for a, along in enumerate(x))


def second(u, axis, walls, points, h, x, side):
    """The second difference of a whole array with its values at walls."""
    u, x = numpy.moveaxis(u, axis, 0), list(x)
    if walls == "periodic":
        around = u[-1:], u[:1]
    else:
        conditions = walls.split("_") if "_" in walls else (walls, walls)
        around = []
        for is_last, condition in enumerate(conditions):
            x[axis] = numpy.full((1, 1), side if is_last else 0.0)
            g = numpy.moveaxis(numpy.broadcast_to(given(axis, bool(is_last), x), [n if a != axis else 1 for a, n in
                               enumerate(numpy.moveaxis(u, 0, axis).shape)]), axis, 0)  # fmt: skip
            edge, inner = (u[-1:], u[-2:-1]) if is_last else (u[:1], u[1:2])
            if condition == "dirichlet":
                around.append(2 * g - edge if points == "cells" else g)
            else:
                slope = g if is_last else -g
                around.append(edge + h * slope if points == "cells" else inner + 2 * h * slope)
    return numpy.moveaxis(numpy.diff(numpy.concatenate([around[0], u, around[1]]), 2, axis=0) / h**2, 0, axis)


@pytest.mark.parametrize("layout, first, points", in_turn(LAYOUTS, WALLS, ["cells", "nodes"]))
def test_poisson_satisfies_differences_with_values_at_walls(layout, first, points):
    for other in WALLS:
        box = {"walls": (first, other), "points": points, "sides": (1.5, 0.7)}
        shape = (7, 6)
        f = sixstep.Array(LAYOUTS[layout](shape))
        x, y = fields.coordinates(f, **box)
        f.local()[...] = numpy.cos(5 * x) + x * numpy.sin(3 * y)
        before = f.gather()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            u = fields.poisson(f, accuracy=2, values=given, mean=4, **box).gather()
        same(f, before)
        everything = sixstep.Array(LAYOUTS["one has all"](shape))  # on the last rank
        whole_x = f.ranks.told(fields.coordinates(everything, **box), RANKS - 1)
        curved, weights = 0, numpy.ones(shape)
        for axis, walls in enumerate((first, other)):
            h = (whole_x[axis].ravel()[1] - whole_x[axis].ravel()[0])
            curved = curved + second(u, axis, walls, points, h, whole_x, box["sides"][axis])
            if walls == "neumann" and points == "nodes":
                numpy.moveaxis(weights, axis, 0)[[0, -1]] *= 0.5
        left_out = before - curved
        if {first, other} <= {"periodic", "neumann"}:
            assert abs((u * weights).sum() / weights.sum() - 4) < 1e-12
            left_out -= left_out.mean()
        assert abs(left_out).max() < 1e-11 * (1 + abs(curved).max())


def test_poisson_tells_a_mean_without_a_solution():
    for points in ("cells", "nodes"):
        f = sixstep.Array((8, 9))
        box = {"walls": "neumann", "points": points, "sides": numpy.pi}
        f.local()[...] = 0.25 + sum(numpy.cos(x) for x in fields.coordinates(f, **box))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            same(fields.poisson(f, **box), (0.25 - f).gather())
            fields.poisson(f - 0.25, **box)
            fields.poisson((f - 0.25).astype("float32"), **box)
            fields.poisson(f, walls="dirichlet")
        assert [str(each.message)[-27:] for each in told] == ["the mean, 0.25, is left out"] * (RANK == 0)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_poisson_in_free_space(dtype):
    shape, spacing, width = (32, 30, 36), (0.5, 0.55, 0.45), 1.2
    x = numpy.meshgrid(*((numpy.arange(n) - n / 2) * h for n, h in zip(shape, spacing)), indexing="ij")
    r = numpy.sqrt(sum(each**2 for each in x))
    source = numpy.exp(-(r**2) / (2 * width**2)) / (numpy.sqrt(2 * numpy.pi) * width) ** 3
    r = numpy.maximum(r, 1e-9)
    potential = -scipy.special.erf(r / (numpy.sqrt(2) * width)) / (4 * numpy.pi * r)
    u = fields.open_poisson(spread(source.astype(dtype)), spacing=spacing)
    assert u.dtype == dtype
    assert abs(u.gather() - potential).max() < (1e-8 if dtype == "float64" else 1e-6) * abs(potential).max()
    rough = fields.open_poisson(spread(source.astype(dtype)), spacing=spacing, greens_function="integrated")
    assert 1e-4 < abs(rough.gather() - potential).max() / abs(potential).max() < 0.1


@pytest.mark.parametrize("moved", [None, 1.5])
def test_poisson_with_a_function_of_the_callers(moved):
    shape, h = (20, 22), (0.5, 0.4)
    source = whole(shape, dtype="float64")
    x = numpy.meshgrid(*(numpy.arange(1 - n, n) + (moved or 0) for n in shape), indexing="ij")
    weights = h[0] * h[1] * numpy.exp(-(x[0] ** 2 + x[1] ** 2) / 18)  # a Gaussian three spacings wide
    expected = scipy.signal.convolve(source, weights, "full", "direct")[shape[0] - 1:, shape[1] - 1:][:20, :22]

    def at_distance(x, y):
        return h[0] * h[1] * math.exp(-((x / h[0]) ** 2 + (y / h[1]) ** 2) / 18)

    def of_waves(k, l):
        return 2 * math.pi * 9 * h[0] * h[1] * math.exp(-((3 * h[0] * k) ** 2 + (3 * h[1] * l) ** 2) / 2)

    shift = () if moved is None else [moved * each for each in h]
    for function, space in ((at_distance, "distances"), (of_waves, "waves")):
        u = fields.open_poisson(spread(source), spacing=h, shift=shift, function=function, space=space)
        assert abs(u.gather() - expected).max() < 1e-12 * abs(expected).max()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("space", ["distances", "waves"])
@pytest.mark.parametrize("moved", [False, True])
def test_poisson_with_numbers_of_the_callers(dtype, space, moved):
    shape, waves = (5, 7), (9, 8)
    source = whole(shape, dtype="float64")
    shift = (1.0, -2.0) if moved else ()  # of a spacing of 1
    for seed in (3, 4):  # the second array is taken by the solver of the first
        random = numpy.random.default_rng(seed)
        offsets = [numpy.arange(1 - n, n) + int(by) for n, by in zip(shape, shift or (0, 0))]
        if space == "waves":
            numbers = random.random(waves)
            # k and -k have the same number, so the sum over all waves is real.
            images = numpy.pad(numbers, [(0, n - 2) for n in waves], "reflect")
            weights = numpy.fft.ifft2(images).real[numpy.ix_(*offsets)]
        else:
            numbers = random.random([2 * n - 1 if moved else n for n in shape])
            weights = numbers if moved else numbers[numpy.ix_(*map(abs, offsets))]
        full = scipy.signal.convolve(source, weights, "full", "direct")
        expected = full[tuple(slice(n - 1, 2 * n - 1) for n in shape)]
        given = spread(numbers, "last axis")
        u = fields.open_poisson(spread(source.astype(dtype)), shift=shift, function=given, space=space)
        assert abs(u.gather() - expected).max() < (1e-13 if dtype == "float64" else 1e-5) * abs(expected).max()


def gaussian_between_waves(x, width, k):
    """The solution of u'' - k^2 u = f on a line, for a Gaussian f of unit integral."""
    root = numpy.sqrt(2) * width
    ends = [numpy.exp(side * k * x) * scipy.special.erfc((k * width**2 + side * x) / root) for side in (-1, 1)]
    return -numpy.exp((k * width) ** 2 / 2) / (4 * k) * sum(ends)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("walls", ["periodic", "dirichlet"])
def test_poisson_with_one_open_axis(walls, dtype):
    shape, h, width, moved = (7, 60), (0.5, 0.25), 1.0, 0.8
    side = h[0] * (shape[0] + (walls == "dirichlet"))
    k = 2 * numpy.pi / side
    j, x = numpy.arange(shape[0]), (numpy.arange(shape[1]) - 30) * h[1]
    mode = numpy.cos(k * h[0] * j) if walls == "periodic" else numpy.sin(k * h[0] * (j + 1))
    source = numpy.exp(-(x**2) / (2 * width**2)) / (numpy.sqrt(2 * numpy.pi) * width)
    f = spread(numpy.outer(mode, source).astype(dtype), "last axis")
    bound = 1e-11 if dtype == "float64" else 1e-5
    for shift in ((), (0, moved)):
        u = fields.open_poisson(f, spacing=h, walls=(walls, "open"), points="nodes", shift=shift)
        expected = numpy.outer(mode, gaussian_between_waves(x + (moved if shift else 0), width, k))
        assert u.dtype == dtype
        assert abs(u.gather() - expected).max() < bound * abs(expected).max()

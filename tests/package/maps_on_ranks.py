# SPDX-License-Identifier: BSD-3-Clause
"""Maps on the ranks that run this file, against NumPy on the whole array. Every rank runs every test."""

import ctypes

import numpy
import pytest
import scipy
import sixstep
from on_ranks import LAYOUTS, RANK, close, filled, in_turn, whole

SHAPE = (6, 9, 8)


def fields(count, dtype):
    return numpy.stack([whole(SHAPE, seed=seed + 1, dtype=dtype) for seed in range(count)])


def spectra(values):
    transform = numpy.fft.fftn if values.dtype.kind == "c" else numpy.fft.rfftn
    return transform(values, axes=(1, 2, 3))


def parts(map_, spectrum, output=False):
    """This rank's part of coefficients, in an array of the map's."""
    box = map_.output_box if output else map_.input_box
    part = map_.empty_output() if output else map_.empty_input()
    part[...] = spectrum[(slice(None), *box)].reshape(part.shape)
    return part


def cross(v):
    return numpy.stack([v[1] * v[5] - v[2] * v[4], v[2] * v[3] - v[0] * v[5], v[0] * v[4] - v[1] * v[3]])


@pytest.mark.parametrize(
    "layout, dtype, batch",
    in_turn(LAYOUTS, ["float64", "float32", "complex128", "complex64"], [16384, 1, 50]),
)
def test_functions_at_points(layout, dtype, batch):
    values = fields(6, dtype)
    kinds = "c2c" if values.dtype.kind == "c" else "r2c"
    product = sixstep.Map(LAYOUTS[layout](SHAPE), (cross, 3), kinds=kinds, dtype=dtype, fields=6, batch=batch)
    part = parts(product, spectra(values))
    before = part.copy()
    expected = spectra(cross(values))
    for result in (product(part), product.apply(part, product.empty_output())):
        close(result, expected[(slice(None), *product.output_box)].reshape(result.shape).astype(result.dtype))
    assert (part == before).all()
    assert product.passes >= 3 and "function" in str(product)


def test_one_field_in_place_with_places():
    values = whole(SHAPE, dtype="float64")
    potential = whole(SHAPE, seed=9, dtype="float64")
    times = sixstep.Map(
        LAYOUTS["slab"](SHAPE), (lambda u, x: u * potential[tuple(x)], 1), kinds="r2c", places=True
    )
    part, result = times.empty_in_place()
    part[...] = numpy.fft.rfftn(values)[times.input_box]
    times(part, result)
    close(result, numpy.fft.rfftn(values * potential)[times.output_box])


def test_the_layout_of_the_result():
    values = whole(SHAPE, dtype="complex128")
    waves, results = (sixstep.Layout.slab(SHAPE, LAYOUTS["slab"](SHAPE).ranks, axis=axis) for axis in (1, 2))
    square = sixstep.Map(LAYOUTS["slab"](SHAPE), (numpy.square, 1), coefficients=waves, results=results)
    assert square.input == waves and square.output == results
    close(square(numpy.fft.fftn(values)[square.input_box].copy()), numpy.fft.fftn(values**2)[square.output_box])


def test_a_sphere_of_coefficients():
    values = whole(SHAPE, dtype="float64")
    square = sixstep.Map(LAYOUTS["slab"](SHAPE), (numpy.square, 1), kinds="r2c", sphere=2.5)
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c", sphere=2.5)
    k = tuple(plan.wavenumbers(axis).astype(int) for axis in range(3))
    spectrum = numpy.fft.rfftn(values)
    signs = (numpy.fft.fftfreq(n, 1 / n) for n in SHAPE)
    squared = sum(each**2 for each in numpy.meshgrid(*signs, indexing="ij"))[..., : spectrum.shape[2]]
    smooth = numpy.fft.irfftn(numpy.where(squared < 2.5**2, spectrum, 0), SHAPE, axes=(0, 1, 2))
    close(square(spectrum[k].copy()), numpy.fft.rfftn(smooth**2)[k])


def test_functions_of_k():
    u = whole(SHAPE, dtype="complex128")
    k = [numpy.fft.fftfreq(n, side / n / (2 * numpy.pi)) for n, side in zip(SHAPE, (1.0, 2.0, 3.0))]
    squared = sum(each**2 for each in numpy.meshgrid(*k, indexing="ij"))
    advance = sixstep.Map(
        LAYOUTS["slab"](SHAPE),
        (lambda v: v[:1] * v[1:], 1),
        before=(lambda c, k: numpy.concatenate([c, c / (1 + (k**2).sum(0))]), 2),
        after=(lambda c, k: -c * (k**2).sum(0), 1),
        sides=(1, 2, 3),
    )
    coefficients = numpy.fft.fftn(u)
    expected = -squared * numpy.fft.fftn(u * numpy.fft.ifftn(coefficients / (1 + squared)))
    result = advance(coefficients[advance.input_box].copy())
    close(result, expected[advance.output_box])


def test_amplitudes():
    values = whole(SHAPE, dtype="float64")
    square = sixstep.Map(LAYOUTS["slab"](SHAPE), (numpy.square, 1), kinds="r2c", backward="none", forward="by_n")
    result = square(numpy.fft.rfftn(values, norm="forward")[square.input_box].copy())
    close(result, numpy.fft.rfftn(values**2, norm="forward")[square.output_box])


REALS = ctypes.POINTER(ctypes.POINTER(ctypes.c_double))
INDICES = ctypes.POINTER(ctypes.POINTER(ctypes.c_int64))


class Along(ctypes.Structure):
    _fields_ = [("axis", ctypes.c_int), ("count", ctypes.c_int64), ("step", ctypes.c_int64)]


class Batch(ctypes.Structure):
    """sixstep_batch of sixstep.h, whose values are reals."""

    _fields_ = [
        ("count", ctypes.c_int64),
        *((name, ctypes.c_int) for name in ("axes", "fields", "results")),
        *((name, REALS) for name in ("values", "out", "k")),
        ("first", ctypes.c_int64 * 8),
        *((name, Along) for name in ("points", "rows")),
    ]


@ctypes.CFUNCTYPE(None, ctypes.c_int64, REALS, REALS)
def twice(count, values, results):
    for i in range(count):
        results[0][i] = 2 * values[0][i]


@ctypes.CFUNCTYPE(None, ctypes.c_int64, REALS, REALS, INDICES)
def times_place(count, values, results, index):
    for i in range(count):
        results[0][i] = values[0][i] * (100 * index[0][i] + 10 * index[1][i] + index[2][i])


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Batch))
def times_context(context, batch):
    of = batch.contents
    factor = ctypes.cast(context, ctypes.POINTER(ctypes.c_double))[0] if context else 3
    for i in range(of.count):
        of.out[0][i] = factor * of.values[0][i]
    return 0 if (of.axes, of.fields, of.results, bool(of.k)) == (3, 1, 1, False) else 9


class Compiled:
    """What has an address alone has the first signature."""

    address = ctypes.cast(twice, ctypes.c_void_p).value


FIVE = ctypes.c_double(5)


@pytest.mark.parametrize(
    "function, factor",
    [
        (Compiled(), 2),
        (twice, 2),
        (scipy.LowLevelCallable(twice), 2),
        (times_context, 3),
        (scipy.LowLevelCallable(times_context, ctypes.cast(ctypes.byref(FIVE), ctypes.c_void_p)), 5),
    ],
)
def test_compiled_functions(function, factor):
    values = whole(SHAPE, dtype="float64")
    times = sixstep.Map(LAYOUTS["slab"](SHAPE), (function, 1), kinds="r2c")
    spectrum = numpy.fft.rfftn(values)
    close(times(spectrum[times.input_box].copy()), factor * spectrum[times.output_box])


def test_compiled_functions_of_places():
    values = whole(SHAPE, dtype="float64")
    place = sum(factor * index for factor, index in zip((100, 10, 1), numpy.indices(SHAPE)))
    times = sixstep.Map(LAYOUTS["last axis"](SHAPE), (times_place, 1), kinds="r2c", places=True)
    result = times(filled(times.empty_input(), numpy.fft.rfftn(values)[times.input_box]))
    close(result, numpy.fft.rfftn(values * place)[times.output_box])


def test_compiled_functions_of_k():
    @ctypes.CFUNCTYPE(None, ctypes.c_int64, REALS, REALS, REALS)
    def smooth(count, values, results, k):
        for i in range(count):
            factor = 1 / (1 + k[0][i] ** 2 + 2 * k[1][i] ** 2 + 3 * k[2][i] ** 2)
            results[0][2 * i], results[0][2 * i + 1] = factor * values[0][2 * i], factor * values[0][2 * i + 1]

    u = numpy.fft.fftn(whole(SHAPE, dtype="complex128"))
    k = numpy.meshgrid(*(numpy.fft.fftfreq(n, 1 / n) for n in SHAPE), indexing="ij")
    factor = 1 / (1 + k[0] ** 2 + 2 * k[1] ** 2 + 3 * k[2] ** 2)
    same = sixstep.Map(
        LAYOUTS["slab"](SHAPE), (lambda v: v, 1), before=(smooth, 1), after=(scipy.LowLevelCallable(smooth), 1)
    )
    close(same(u[same.input_box].copy()), (u * factor**2)[same.output_box])


def test_compiled_functions_that_do_not_fit():
    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Batch))
    def fails(context, batch):
        return 7

    layout = LAYOUTS["slab"](SHAPE)
    map_ = sixstep.Map(layout, (fails, 1), kinds="r2c")
    part = map_.empty_input()
    part[...] = 0
    with pytest.raises(sixstep.Error, match="function: the function returned 7, 0 is needed"):
        map_(part)
    for wrong, words in (
        (times_place, r"\(context, batch\) or \(n, values, results\) is needed, one with 4 arguments"),
        (ctypes.CDLL(None).labs, "unknown arguments was given"),
    ):
        with pytest.raises(sixstep.Error, match="function: a compiled function .*" + words):
            sixstep.Map(layout, (wrong, 1), kinds="r2c")
    with pytest.raises(sixstep.Error, match="function: values have 4 bytes a real, .* takes .*double"):
        sixstep.Map(layout, (twice, 1), kinds="r2c", dtype="float32")


def test_what_a_function_raises():
    def refuse(u):
        if RANK == 0:
            raise LookupError("nothing here")
        return u

    map_ = sixstep.Map(LAYOUTS["slab"](SHAPE), (refuse, 1), kinds="r2c")
    part = map_.empty_input()
    part[...] = 0
    if RANK == 0:
        with pytest.raises(LookupError, match="nothing here"):
            map_(part)
    else:
        map_(part)
    wrong = sixstep.Map(LAYOUTS["slab"](SHAPE), (lambda u: u[:, :1], 1), kinds="r2c")
    with pytest.raises(sixstep.Error, match="function: for values of shape .* was returned"):
        wrong(part)


def test_wrong_arguments():
    layout = LAYOUTS["slab"](SHAPE)
    for wrong in (numpy.square, (numpy.square, 0), (3, 1)):
        with pytest.raises(sixstep.Error, match="function: a function and the number of its results"):
            sixstep.Map(layout, wrong, kinds="r2c")
    with pytest.raises(sixstep.Error, match="before: a function and the number"):
        sixstep.Map(layout, (numpy.square, 1), before=1, kinds="r2c")
    with pytest.raises(sixstep.Error, match="forward: none, by_n or by_sqrt_n is needed, twice was given"):
        sixstep.Map(layout, (numpy.square, 1), kinds="r2c", forward="twice")
    with pytest.raises(sixstep.Error, match="batch: 1 or more"):
        sixstep.Map(layout, (numpy.square, 1), kinds="r2c", batch=0)

# SPDX-License-Identifier: BSD-3-Clause
"""Maps on the ranks that run this file, against NumPy on the whole array. Every rank runs every test."""

import ctypes

import numpy
import pytest
import sixstep
from on_ranks import LAYOUTS, RANK, close, in_turn, whole

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


def test_compiled_functions():
    array = ctypes.POINTER(ctypes.POINTER(ctypes.c_double))

    @ctypes.CFUNCTYPE(None, ctypes.c_int64, array, array)
    def twice(count, values, results):
        for i in range(count):
            results[0][i] = 2 * values[0][i]

    class Compiled:
        address = ctypes.cast(twice, ctypes.c_void_p).value

    values = whole(SHAPE, dtype="float64")
    double = sixstep.Map(LAYOUTS["slab"](SHAPE), (Compiled(), 1), kinds="r2c", threads=1)
    spectrum = numpy.fft.rfftn(values)
    close(double(spectrum[double.input_box].copy()), 2 * spectrum[double.output_box])


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

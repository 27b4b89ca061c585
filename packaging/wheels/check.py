# SPDX-License-Identifier: BSD-3-Clause
"""Checks an installed wheel against NumPy: transforms by sixstep.fft, and a plan on the ranks of `mpiexec`.

python check.py         the part without MPI
python check.py ranks   a plan over MPI, too
"""

import platform
import sys

import numpy
import sixstep
import sixstep.fft

MOST_ERROR = {"float32": 2e-6, "float64": 2e-15}  # relative to the largest coefficient


def close(values, expected, precision):
    error = abs(values - expected).max() / abs(expected).max()
    assert error < MOST_ERROR[precision], f"{precision}: {error}"


def check_fft():
    random = numpy.random.default_rng(1)
    for shape in [(64,), (4099,), (30, 21), (12, 10, 17), (128, 96)]:
        reals = random.normal(size=shape)
        field = reals + 1j * random.normal(size=shape)
        for precision, complex_ in [("float64", "complex128"), ("float32", "complex64")]:
            x, r = field.astype(complex_), reals.astype(precision)
            close(sixstep.fft.fftn(x), numpy.fft.fftn(field), precision)
            close(sixstep.fft.ifftn(x), numpy.fft.ifftn(field), precision)
            close(sixstep.fft.rfftn(r), numpy.fft.rfftn(reals), precision)
            close(sixstep.fft.irfftn(sixstep.fft.rfftn(r), shape), reals, precision)
            close(sixstep.fft.idctn(sixstep.fft.dctn(r)), reals, precision)


def check_plan():
    shape = (16, 12, 10)
    for dtype, precision in [("complex128", "float64"), ("complex64", "float32")]:
        whole = numpy.random.default_rng(2).normal(size=shape) + 0.5j
        plan = sixstep.Plan(sixstep.Layout.slab(shape, sixstep.ranks()), dtype=dtype)
        field = plan.empty_input()
        field[...] = whole[plan.input_box]
        spectrum = plan.forward(field)
        expected = numpy.fft.fftn(whole)
        assert abs(spectrum - expected[plan.output_box]).max() < MOST_ERROR[precision] * abs(expected).max()
        close(plan.backward(spectrum, scale="by_n"), whole[plan.input_box], precision)
    return sixstep.ranks()


if __name__ == "__main__":
    check_fft()
    ranks = check_plan() if sys.argv[1:] == ["ranks"] else 0
    if ranks == 0 or sixstep.rank() == 0:
        print(f"right on {platform.machine()}, Python {platform.python_version()}, {ranks or 'no'} ranks of MPI")

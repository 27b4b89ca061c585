# SPDX-License-Identifier: BSD-3-Clause
"""The code of docs/spectra.md: convolutions and correlations.

    mpiexec -n 4 python spectra.py
"""

import numpy
import sixstep
import sixstep.fft


# [convolution]
def convolve(a, b):
    """The circular convolution of two real global arrays: the sum of a(y) b(x - y) over all y."""
    return (a.rfftn() * b.rfftn()).irfftn(a.shape)
    # [convolution]


# [correlation]
def correlate(a, b):
    """The circular cross-correlation: the sum of a(y) b(y + x) over all y. With b = a, the autocorrelation."""
    return (numpy.conj(a.rfftn()) * b.rfftn()).irfftn(a.shape)
    # [correlation]


# [linear]
def convolve_line(signal, kernel):
    """numpy.convolve(signal, kernel): zeros behind both keep the ends from meeting."""
    points = len(signal) + len(kernel) - 1
    n = sixstep.fft.next_fast_len(points, real=True)
    product = sixstep.fft.rfft(signal, n) * sixstep.fft.rfft(kernel, n)
    return sixstep.fft.irfft(product, n)[:points]
    # [linear]


# [parseval]
def mean_square(field):
    """The mean of field^2, from its modes."""
    modes = field.rfftn(norm="forward")  # divided by the number of points
    last, n = modes.wavenumbers(field.shape)[-1], field.shape[-1]
    weight = numpy.where((last == 0) | (2 * last == n), 1, 2)  # modes that also represent their conjugates
    mine = numpy.sum(weight * abs(modes.local()) ** 2)
    return modes.ranks.all(numpy.array(mine)).sum()
    # [parseval]


random = numpy.random.default_rng(0)  # the same on all ranks
whole = random.standard_normal((2, 6, 5, 4))
a, b = (sixstep.Array.from_function(lambda i, j, k, values=values: values[i, j, k], values.shape) for values in whole)


def by_definition(first, second):
    """The sum of first(y) second(x - y)."""
    shape = first.shape
    sums = numpy.zeros(shape)
    for y in numpy.ndindex(shape):
        sums += first[y] * numpy.roll(second, y, range(3))
    return sums


backward = numpy.roll(whole[0][::-1, ::-1, ::-1], 1, range(3))  # a(-x)
assert numpy.allclose(convolve(a, b).gather(), by_definition(*whole))
assert numpy.allclose(correlate(a, b).gather(), by_definition(backward, whole[1]))
assert numpy.isclose(correlate(a, a).max(), (whole[0] ** 2).sum())
assert numpy.isclose(mean_square(a), (whole[0] ** 2).mean())
signal, kernel = random.standard_normal(100), random.standard_normal(7)
assert numpy.allclose(convolve_line(signal, kernel), numpy.convolve(signal, kernel))
if sixstep.rank() == 0:
    print("all as defined, on", sixstep.ranks(), "ranks")

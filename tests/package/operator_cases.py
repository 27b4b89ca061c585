# SPDX-License-Identifier: BSD-3-Clause
"""Symbols, and what they make of a whole array by NumPy's transforms."""

import numpy

SHAPE = (6, 9, 8)
SIDES = (1.5, 2.0, 5.0)


def waves(shape=SHAPE, sides=SIDES):
    """The components of k for each coefficient of numpy.fft.fftn."""
    k = [2 * numpy.pi * numpy.fft.fftfreq(n, side / n) for n, side in zip(shape, sides)]
    return numpy.stack(numpy.meshgrid(*k, indexing="ij"))


def mean(symbol, k, axis=0):
    """The symbol at k. Where a component is that of n/2, the mean over both of its signs."""
    if axis == len(k):
        return 1.0 * symbol(k.reshape(len(k), -1)).reshape(k.shape[1:])
    found = mean(symbol, k, axis + 1)
    if k.shape[1 + axis] % 2 == 0:
        other = k.copy()
        half = numpy.take(other[axis], k.shape[1 + axis] // 2, axis).max()
        other[axis][other[axis] == half] *= -1
        found = (found + mean(symbol, other, axis + 1)) / 2
    return found


def applied(symbol, values):
    """What a symbol of numbers makes of a whole array, periodic along all axes."""
    result = numpy.fft.ifftn(mean(symbol, waves(values.shape)) * numpy.fft.fftn(values))
    return result if numpy.iscomplexobj(values) else result.real


def smooth(k):
    return 1 / (1 + (k**2).sum(0))


def drift(k):
    return (0.5 + 1j * (k[0] - 2 * k[2])) * smooth(k)

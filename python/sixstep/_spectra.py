# SPDX-License-Identifier: BSD-3-Clause
"""The power of an array in shells of wave numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy


class PowerSpectrum(NamedTuple):
    """The power of a field in shells of wave numbers, 1-D arrays of one length."""

    k: numpy.ndarray
    """0, 1, 2, ...: shell k has the waves with k - 1/2 < |k| < k + 1/2, where |k| counts periods along each axis."""
    power: numpy.ndarray
    """The sum of |X/N|^2 over the waves of a shell, where X is a sum over N points. The shells add up to the mean
    square."""
    modes: numpy.ndarray
    """The number of waves of a shell. power / modes is the mean."""


def shells(field) -> PowerSpectrum:
    """The spectrum of an Array of real or complex numbers, without ghosts. Collective."""
    is_real = field.dtype.kind != "c"
    waves = field.rfftn(norm="forward") if is_real else field.fftn(norm="forward")
    k = waves.wavenumbers(field.shape, field.ndim - 1 if is_real else None)
    shell = numpy.rint(numpy.sqrt(sum(along.astype(float) ** 2 for along in k))).astype(int)
    # In half of a spectrum a wave inside the last axis also stands for its conjugate.
    last, n = k[-1], field.shape[-1]
    times = numpy.where((last == 0) | (2 * last == n), 1.0, 2.0 if is_real else 1.0) + 0 * shell
    power = times * abs(waves.local()) ** 2
    count = int(numpy.rint(numpy.sqrt(sum(float(n // 2) ** 2 for n in field.shape)))) + 1
    mine = [numpy.bincount(shell.ravel(), each.ravel(), count) for each in (power, times)]
    sums = field.ranks.all(numpy.array(mine, "float64")).sum(axis=0)
    return PowerSpectrum(numpy.arange(count), *sums)

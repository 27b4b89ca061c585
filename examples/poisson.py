# SPDX-License-Identifier: BSD-3-Clause
"""Poisson's equation -laplace(u) = f in a periodic box of length 2 pi, solved on finer and finer grids.

    mpiexec -n 4 python poisson.py

The solution is known, so each grid prints its largest error. The error falls faster than any power of the spacing.
"""

import sys

import numpy
import sixstep


# [solve]
def solve(f):
    """The u of mean zero with -laplace(u) = f: each coefficient divided by the square of its wave number."""
    modes = f.rfftn()
    k_squared = sum(k**2 for k in modes.wavenumbers(f.shape))  # of this rank's part
    modes.local()[...] /= numpy.where(k_squared == 0, numpy.inf, k_squared)
    return modes.irfftn(f.shape)
    # [solve]


def grid_function(function, n):
    """The values of function(x, y, z) on n x n x n points of the box."""
    return sixstep.Array.from_function(lambda *j: function(*(2 * numpy.pi * i / n for i in j)), (n, n, n))


def u(x, y, z):
    return numpy.exp(numpy.sin(x) + numpy.cos(y) + numpy.sin(z))


def f(x, y, z):
    # d^2/ds^2 exp(sin s) = (cos^2 s - sin s) exp(sin s); with cosine and sine exchanged for y.
    curvature = (numpy.cos(x) ** 2 - numpy.sin(x)) + (numpy.sin(y) ** 2 - numpy.cos(y))
    curvature = curvature + (numpy.cos(z) ** 2 - numpy.sin(z))
    return -u(x, y, z) * curvature


def main():
    for n in (8, 12, 16, 24, 32):
        exact = grid_function(u, n)
        error = abs(solve(grid_function(f, n)) - (exact - exact.mean())).max()
        if sixstep.rank() == 0:
            print(f"{n:2} points an axis   largest error {error:.1e}")
    return error < 1e-11  # of values up to 20, on the finest grid


if __name__ == "__main__":
    sys.exit(0 if main() else 1)

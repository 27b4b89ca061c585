# SPDX-License-Identifier: BSD-3-Clause
"""HPCC's G-FFT in the global view: one long transform, as its six steps on global arrays, and as one call.

    mpiexec -n 4 python gfft.py [points] [repeats]

N = n1 n2, j = n2 j1 + j2, k = k1 + n1 k2 (Bailey 1990):
  X[k] = sum_j2 w_n2^(j2 k2) [ w_N^(j2 k1) sum_j1 w_n1^(j1 k1) x[j] ].
HPCC's rules: the inverse must give x again, max|x - x0| < 16 eps ln N.
"""

import math
import statistics
import sys
import time

import numpy
import sixstep


# [six_steps]
# From x(j1, j2) to X(k2, k1). Transpose, transform the rows, twiddle; transpose, transform the rows, transpose.
def six_step(x, work, X):
    x.T.fft(out=work, twiddle=0)
    work.T.fft(out=X.T)


def inverse_six_step(X, work, x):
    X.T.ifft(out=work, twiddle=0)
    work.T.ifft(out=x.T)
    # [six_steps]


def seconds(repeats, steps, ranks):
    """The median of the runs, after a first run that makes the plans."""
    times = []
    for _ in range(repeats + 1):
        ranks.all(numpy.zeros(1))
        begin = time.perf_counter()
        steps()
        times.append(ranks.all(numpy.array([time.perf_counter() - begin])).max())
    return statistics.median(times[1:])


def main(points=500_000, repeats=5):
    n1 = math.isqrt(points)
    while points % n1:
        n1 -= 1
    n2 = points // n1
    x, work, X = (sixstep.Array(shape, complex) for shape in ((n1, n2), (n2, n1), (n2, n1)))
    line, spectrum = sixstep.Array((points,), complex), sixstep.Array((points,), complex)
    random = numpy.random.default_rng(sixstep.rank())
    for array in (x, line):
        parts = random.random((2, *array.local().shape))
        array.local()[...] = parts[0] + 1j * parts[1]
    steps_s = seconds(repeats, lambda: six_step(x, work, X), x.ranks)
    call_s = seconds(repeats, lambda: line.fft(out=spectrum), x.ranks)
    back = sixstep.Array((n1, n2), complex)
    inverse_six_step(X, sixstep.Array((n1, n2), complex), back)
    error, bound = abs(back - x).max(), 16 * 2.0**-53 * math.log(points)
    flop = 5 * points * math.log2(points) * 1e-9
    if sixstep.rank() == 0:
        print(points, "points on", sixstep.ranks(), "ranks")
        for name, time_s in (("six steps", steps_s), ("one call", call_s)):
            print(f"{name:9}  {1e3 * time_s:.3f} ms, {flop / time_s:.2f} GFLOP/s")
        print(f"error      max|x - x0| = {error:.3e}, {error / bound:.3f} of what HPCC allows")
    return error < bound


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)

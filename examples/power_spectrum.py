# SPDX-License-Identifier: BSD-3-Clause
"""The power spectrum and the autocorrelation of a field in a periodic box.

    mpiexec -n 4 python power_spectrum.py [field.npy] [picture.png]

Without a file, a random field is made whose power falls as k^-3. A table of the power by wave number is printed; a
name that ends in .png draws it (with matplotlib).
"""

import sys

import numpy
import sixstep


# [spectrum]
def power_spectrum(field):
    """The mean of |coefficient|^2 in shells of wave numbers k - 1/2 to k + 1/2, for k = 1, 2, ..."""
    modes = field.rfftn(norm="forward")
    k = modes.wavenumbers(field.shape)
    shell = numpy.rint(numpy.sqrt(sum(k_axis**2 for k_axis in k))).astype(int)
    # Half of the modes are kept. Those inside the last axis also represent their conjugates.
    last, n = k[-1], field.shape[-1]
    weight = numpy.where((last == 0) | (2 * last == n), 1, 2) + 0 * shell
    power = weight * abs(modes.local()) ** 2
    most = min(field.shape) // 2
    sums = [numpy.bincount(shell.ravel(), w.ravel(), most + 1)[: most + 1] for w in (power, weight)]
    sums = modes.ranks.all(numpy.stack(sums)).sum(axis=0)  # over all ranks
    return numpy.arange(1, most + 1), sums[0][1:] / sums[1][1:]
    # [spectrum]


# [autocorrelation]
def autocorrelation(field):
    """The mean of f(x) f(x + r) over all x, for each displacement r: the transform of the power of each mode."""
    modes = field.rfftn(norm="forward")
    return (abs(modes) ** 2).astype(complex).irfftn(field.shape, norm="forward")
    # [autocorrelation]


def random_field(n, seed=1):
    """White noise, its modes divided by k^1.5."""
    noise = sixstep.Array((n, n, n))
    noise.local()[...] = numpy.random.default_rng([seed, sixstep.rank()]).standard_normal(noise.local().shape)
    modes = noise.rfftn()
    k = numpy.sqrt(sum(k_axis**2 for k_axis in modes.wavenumbers(noise.shape)))
    modes.local()[...] *= numpy.where(k == 0, 0, numpy.maximum(k, 1) ** -1.5)
    return modes.irfftn(noise.shape)


def draw(k, power, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.loglog(k, power, "o-")
    pyplot.xlabel("wave number k")
    pyplot.ylabel("mean power of a mode")
    pyplot.savefig(file)


def main(*names):
    pictures = [name for name in names if name.endswith(".png")]
    files = [name for name in names if name not in pictures]
    field = sixstep.load(files[0]).astype(float) if files else random_field(32)
    k, power = power_spectrum(field)
    at_zero = autocorrelation(field).max()  # displacement 0 has the largest
    mean_square = (field * field).mean()
    if sixstep.rank() == 0:
        for k_shell, power_shell in zip(k, power):
            print(f"{k_shell:4}  {power_shell:.4e}")
        print(f"mean square {mean_square:.6e}, autocorrelation at displacement 0 {at_zero:.6e}")
        for picture in pictures:
            draw(k, power, picture)
    good = abs(at_zero - mean_square) < 1e-12 * mean_square  # Parseval
    if not files:
        slope = numpy.polyfit(numpy.log(k), numpy.log(power), 1)[0]
        good = good and abs(slope + 3) < 0.3
    return good


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)

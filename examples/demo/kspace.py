# SPDX-License-Identifier: BSD-3-Clause
"""Wave numbers, the low-pass and the radial power spectrum of a volume of 1 mm voxels.

Spectra are numpy.fft.fftn's: natural order, unscaled. Wave numbers are in cycles per mm.
"""

import numpy as np

VOXEL_MM = 1.0


def wave_number(shape):
    """|k| of every point of the spectrum, in cycles per mm."""
    axes = [np.fft.fftfreq(extent, VOXEL_MM) for extent in shape]
    squares = np.meshgrid(*[axis**2 for axis in axes], indexing="ij", sparse=True)
    return np.sqrt(sum(squares))


def gaussian_lowpass(k, width_mm):
    """The factor of a spectrum for a blur by a Gaussian of this full width at half maximum.

    g(x) = exp(-x^2 / (2 s^2)) has the transform exp(-2 (pi s k)^2), and s = width / sqrt(8 ln 2).
    """
    s = width_mm / np.sqrt(8 * np.log(2))
    return np.exp(-2 * (np.pi * s * k) ** 2)


def half_amplitude(width_mm):
    """The wave number at which gaussian_lowpass() is 1/2."""
    return 2 * np.log(2) / (np.pi * width_mm)


def power_density(spectrum):
    """Power per unit volume of k-space, in units of the volume's value squared times mm^3."""
    return np.abs(spectrum) ** 2 * (VOXEL_MM**spectrum.ndim / spectrum.size)


def radial_power(spectrum):
    """Mean power density in shells of |k| below the Nyquist wave number: (|k|, density).

    A shell is as thick as the coarsest spacing of k. The first shell, with the mean, is left out.
    """
    thickness = 1 / (min(spectrum.shape) * VOXEL_MM)
    shells = int(0.5 / VOXEL_MM / thickness)
    shell = np.rint(wave_number(spectrum.shape) / thickness).astype(int).ravel()
    points = np.bincount(shell)[1:shells]
    power = np.bincount(shell, power_density(spectrum).ravel())[1:shells]
    return np.arange(1, shells) * thickness, power / points


def relative_error(given, reference):
    """|given - reference| / |reference|, both as root of the sum of squares."""
    return np.linalg.norm((given - reference).ravel()) / np.linalg.norm(reference.ravel())

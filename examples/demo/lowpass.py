# SPDX-License-Identifier: BSD-3-Clause
"""Blurs a volume in k-space, by a Gaussian of the given full width at half maximum.

Usage: lowpass.py SPECTRUM.npy OUT.npy WIDTH_MM
"""

import sys

import numpy as np

from kspace import gaussian_lowpass, wave_number


def main(spectrum_path, out_path, width_mm):
    spectrum = np.load(spectrum_path)
    np.save(out_path, spectrum * gaussian_lowpass(wave_number(spectrum.shape), float(width_mm)))


if __name__ == "__main__":
    main(*sys.argv[1:])

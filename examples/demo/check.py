# SPDX-License-Identifier: BSD-3-Clause
"""Compares sixstep's forward and inverse transform with NumPy's; fails if they differ by over 1e-13.

Usage: check.py VOLUME.npy SPECTRUM.npy FILTERED_SPECTRUM.npy FILTERED_VOLUME.npy
"""

import sys

import numpy as np

from kspace import relative_error

TOLERANCE = 1e-13


def main(volume_path, spectrum_path, filtered_spectrum_path, filtered_path):
    pairs = {
        "forward": (np.load(spectrum_path), np.fft.fftn(np.load(volume_path))),
        "inverse": (np.load(filtered_path), np.fft.ifftn(np.load(filtered_spectrum_path))),
    }
    errors = {name: relative_error(ours, numpys) for name, (ours, numpys) in pairs.items()}
    for name, error in errors.items():
        print(f"{name} transform: relative difference from NumPy's {error:.2e} (at most {TOLERANCE:g})")
    # Not "any over": a NaN must fail too.
    return 0 if all(error < TOLERANCE for error in errors.values()) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

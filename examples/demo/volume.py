# SPDX-License-Identifier: BSD-3-Clause
"""Writes the volume to be transformed as float64, and prints a line that describes it.

Usage: volume.py OUT.npy
"""

import pathlib
import sys

import numpy as np

from kspace import VOXEL_MM, wave_number

CH2 = pathlib.Path("/usr/share/mricron/templates/ch2.nii.gz")
SHAPE = (181, 217, 181)


def read_mri(path):
    """The values of a NIfTI file, axes x (left to right), y (back to front), z (bottom to top)."""
    import nibabel

    image = nibabel.load(path)
    if not np.allclose(image.header.get_zooms(), VOXEL_MM):
        raise SystemExit(f"{path}: voxels of {image.header.get_zooms()} mm, {VOXEL_MM} is needed")
    return np.ascontiguousarray(image.get_fdata(dtype=np.float64))


def turbulence(shape, seed=1):
    """A random field with Kolmogorov's energy spectrum, E(k) ~ k^(-5/3), of values from 0 to 255.

    A shell of radius k has an area ~ k^2, so the power density is ~ k^(-5/3 - 2).
    """
    noise = np.fft.fftn(np.random.default_rng(seed).standard_normal(shape))
    k = wave_number(shape)
    k.flat[0] = np.inf
    field = np.fft.ifftn(noise * k ** (-11 / 6)).real
    return 255 * (field - field.min()) / np.ptp(field)


def main(path):
    if CH2.exists():
        volume, name = read_mri(CH2), "Magnetic resonance image of a head (ch2)"
    else:
        print(f"{CH2} is not there: a random field takes its place", file=sys.stderr)
        volume, name = turbulence(SHAPE), "Random field with the spectrum of turbulence"
    np.save(path, volume)
    print(f"{name}, {' x '.join(map(str, volume.shape))} voxels of {VOXEL_MM:g} mm")


if __name__ == "__main__":
    main(*sys.argv[1:])

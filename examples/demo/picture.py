# SPDX-License-Identifier: BSD-3-Clause
"""Draws a slice of the volume before and after the low-pass, its k-space, and both power spectra.

Usage: picture.py VOLUME.npy SPECTRUM.npy FILTERED_SPECTRUM.npy FILTERED_VOLUME.npy WIDTH_MM TITLE OUT.png
"""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from kspace import VOXEL_MM, half_amplitude, power_density, radial_power

BEFORE, AFTER = "#1f5fa8", "#d1495b"


def draw_slice(axes, volume, title, brightest):
    """The axial slice at half height, x to the right and y upwards, in mm from the corner."""
    middle = volume[:, :, volume.shape[2] // 2]
    extent = [0, middle.shape[0] * VOXEL_MM, 0, middle.shape[1] * VOXEL_MM]
    axes.imshow(middle.T, origin="lower", extent=extent, cmap="gray", vmin=0, vmax=brightest)
    axes.set(title=title, xlabel="x (mm)", ylabel="y (mm)")


def draw_k_space(axes, spectrum):
    """Power density in the plane kz = 0 on a logarithmic colour scale, with k = 0 in the centre."""
    plane = np.fft.fftshift(np.log10(power_density(spectrum)[:, :, 0] + 1e-30))
    kx, ky = (np.fft.fftshift(np.fft.fftfreq(extent, VOXEL_MM)) for extent in plane.shape)
    darkest, brightest = np.percentile(plane, [2, 99.98])
    image = axes.pcolormesh(kx, ky, plane.T, cmap="magma", vmin=darkest, vmax=brightest)
    axes.set(title="Power before, plane $k_z = 0$", aspect="equal")
    axes.set(xlabel="$k_x$ (cycles/mm)", ylabel="$k_y$ (cycles/mm)")
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label("log$_{10}$ power density (a.u.$^2$ mm$^3$)")


def draw_radial_power(axes, spectrum, filtered, width_mm):
    """Both spectra over |k|, and the |k| at which the low-pass leaves half of the amplitude."""
    k, before = radial_power(spectrum)
    _, after = radial_power(filtered)
    half = half_amplitude(width_mm)
    axes.semilogy(k, before, color=BEFORE, linewidth=2, label="before")
    axes.semilogy(k, after, color=AFTER, linewidth=2, label=f"after a Gaussian low-pass, {width_mm:g} mm wide")
    axes.axvline(half, color="0.45", linestyle=":")
    axes.annotate(f"half of the amplitude\nat {half:.3f} cycles/mm\n({1 / half:.1f} mm)", (half, 0),
                  xycoords=("data", "axes fraction"), xytext=(-6, 10), textcoords="offset points",
                  ha="right", color="0.35", fontsize=10)
    axes.set(title="Mean power in shells of $|k|$", xlim=(0, 0.5 / VOXEL_MM))
    axes.set_ylim(before.min() * 1e-4, before.max() * 3)
    axes.set(xlabel="wave number $|k|$ (cycles/mm)", ylabel="power density (a.u.$^2$ mm$^3$)")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)


def main(volume_path, spectrum_path, filtered_spectrum_path, filtered_path, width_mm, title, out_path):
    volume, spectrum = np.load(volume_path), np.load(spectrum_path)
    filtered_spectrum, filtered = np.load(filtered_spectrum_path), np.load(filtered_path).real

    plt.rcParams.update({"font.size": 11, "axes.titlesize": 13})
    figure = plt.figure(figsize=(14, 10), layout="constrained")
    figure.suptitle(title, fontsize=15)
    panels = figure.subplot_mosaic([["before", "after", "k"], ["power", "power", "power"]],
                                   width_ratios=[1, 1, 1.35])
    brightest = np.percentile(volume, 99.9)
    draw_slice(panels["before"], volume, "Axial slice before", brightest)
    draw_slice(panels["after"], filtered, "Axial slice after", brightest)
    draw_k_space(panels["k"], spectrum)
    draw_radial_power(panels["power"], spectrum, filtered_spectrum, float(width_mm))
    figure.savefig(out_path, dpi=130)


if __name__ == "__main__":
    main(*sys.argv[1:])

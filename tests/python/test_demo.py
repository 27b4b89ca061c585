# SPDX-License-Identifier: BSD-3-Clause
"""The Python of the demonstration, on small arrays."""

import pathlib
import sys

import numpy as np
import pytest

DEMO = pathlib.Path(__file__).parents[2] / "examples" / "demo"
sys.path.insert(0, str(DEMO))

import check
import kspace
import lowpass
import picture
import volume


@pytest.fixture
def field():
    return np.random.default_rng(7).standard_normal((12, 10, 9))


def test_wave_number_of_a_plane_wave_is_its_own():
    x = np.arange(10) * kspace.VOXEL_MM
    wave = np.exp(2j * np.pi * 0.3 * x)[:, None, None] * np.ones((1, 4, 5))
    peak = np.argmax(np.abs(np.fft.fftn(wave)))
    assert kspace.wave_number(wave.shape).flat[peak] == pytest.approx(0.3)


def test_lowpass_keeps_the_mean_and_halves_at_half_amplitude():
    assert kspace.gaussian_lowpass(0.0, 6.0) == 1
    assert kspace.gaussian_lowpass(kspace.half_amplitude(6.0), 6.0) == pytest.approx(0.5)


def test_lowpass_blurs_a_point_to_its_width():
    point = np.zeros((64, 1, 1))
    point[32] = 1
    lowpassed = np.fft.ifftn(
        np.fft.fftn(point) * kspace.gaussian_lowpass(kspace.wave_number(point.shape), 8.0)).real
    blurred = lowpassed.ravel()
    assert blurred[32 + 4] == pytest.approx(blurred[32] / 2)
    assert blurred[32 - 4] == pytest.approx(blurred[32] / 2)


def test_power_density_of_white_noise_is_its_variance():
    noise = np.random.default_rng(3).normal(scale=2, size=(40, 40, 40))
    k, density = kspace.radial_power(np.fft.fftn(noise))
    assert np.all(np.diff(k) > 0) and k[-1] < 0.5
    assert density[3:] == pytest.approx(4, rel=0.3)


def test_turbulence_falls_as_kolmogorov_says():
    field = volume.turbulence((48, 48, 48))
    assert (field.min(), field.max()) == pytest.approx((0, 255))
    k, density = kspace.radial_power(np.fft.fftn(field))
    slope = np.polyfit(np.log(k[2:]), np.log(density[2:]), 1)[0]
    assert slope == pytest.approx(-11 / 3, abs=0.2)


def test_volume_falls_back_to_turbulence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(volume, "CH2", tmp_path / "absent.nii.gz")
    monkeypatch.setattr(volume, "SHAPE", (6, 5, 4))
    volume.main(tmp_path / "volume.npy")
    assert np.load(tmp_path / "volume.npy").shape == (6, 5, 4)
    printed = capsys.readouterr()
    assert "6 x 5 x 4 voxels" in printed.out and "is not there" in printed.err


def test_check_fails_where_one_value_differs_or_is_not_a_number(tmp_path, field):
    paths = [tmp_path / f"{name}.npy" for name in ("volume", "spectrum", "filtered", "back")]
    spectrum = np.fft.fftn(field)
    for wrong, verdict in ((0, 0), (1e-9, 1), (np.nan, 1)):
        given = spectrum.copy()
        given[1, 2, 3] += wrong
        for path, array in zip(paths, (field, given, spectrum, field)):
            np.save(path, array)
        assert check.main(*paths) == verdict


def test_steps_follow_each_other_to_a_picture(tmp_path, field):
    names = ("volume", "spectrum", "filtered_spectrum", "filtered")
    paths = [tmp_path / f"{name}.npy" for name in names]
    np.save(paths[0], field)
    np.save(paths[1], np.fft.fftn(field))
    lowpass.main(paths[1], paths[2], "3")
    np.save(paths[3], np.fft.ifftn(np.load(paths[2])))
    assert check.main(*paths) == 0
    assert np.load(paths[3]).real.std() < 0.8 * field.std()
    picture.main(*paths, "3", "A small field", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")

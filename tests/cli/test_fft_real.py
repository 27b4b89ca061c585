# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep fft --kind`: numpy.fft.rfftn and irfftn, and cosine and sine transforms by their definitions."""

import json

import numpy as np
import pytest
from sixstep_command import run, run_alone, succeed
from test_fft import random_array, transformed

R2R = [f"{name}{number}" for name in ("dct", "dst") for number in (1, 2, 3, 4)]


def matrix(kind, n):
    """y = matrix @ x, as FFTW and SciPy define the kinds."""
    j, k = np.arange(n)[None, :], np.arange(n)[:, None]
    pi = np.pi
    signs = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    if kind == "dct1":
        m = 2 * np.cos(pi * j * k / (n - 1))
        m[:, 0], m[:, -1] = 1, signs
    elif kind == "dct2":
        m = 2 * np.cos(pi * (j + 0.5) * k / n)
    elif kind == "dct3":
        m = 2 * np.cos(pi * j * (k + 0.5) / n)
        m[:, 0] = 1
    elif kind == "dct4":
        m = 2 * np.cos(pi * (j + 0.5) * (k + 0.5) / n)
    elif kind == "dst1":
        m = 2 * np.sin(pi * (j + 1) * (k + 1) / (n + 1))
    elif kind == "dst2":
        m = 2 * np.sin(pi * (j + 0.5) * (k + 1) / n)
    elif kind == "dst3":
        m = 2 * np.sin(pi * (j + 1) * (k + 0.5) / n)
        m[:, -1] = signs
    else:
        m = 2 * np.sin(pi * (j + 0.5) * (k + 0.5) / n)
    return m


def along(m, array, axis):
    return np.moveaxis(np.tensordot(m, array, (1, axis)), 0, axis)


def check(result, expected, dtype):
    assert result.dtype == dtype
    assert result.shape == expected.shape
    error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
    assert error < (1e-6 if np.dtype(dtype).type in (np.float32, np.complex64) else 1e-14)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize(
    "shape, ranks, axes, layout",
    [
        ((6, 5, 8), 3, None, "slab"),
        ((6, 5, 7), 4, None, "pencil"),
        ((6, 5, 7), 4, (2, 1, 0), "brick"),
        ((9, 4, 5), 2, (1,), "slab"),
        ((9, 4, 5), 3, (2, 0), "1x3"),
        ((13,), 3, None, "slab"),
        ((64,), 4, None, "slab"),
        ((1, 1), 2, None, "slab"),
    ],
)
def test_r2c_is_rfftn_and_back(tmp_path, shape, ranks, axes, layout, order):
    field = random_array(shape, "<f8", order)
    options = ["--kind", "r2c", "--layout", layout]
    options += ["--axes", ",".join(map(str, axes))] if axes else []
    expected = np.fft.rfftn(field, axes=axes)
    spectrum = transformed(tmp_path, field, ranks, *options)
    check(spectrum, expected, np.complex128)
    assert np.isfortran(spectrum) == np.isfortran(np.asarray(expected, order=order))
    points = shape[axes[-1] if axes else -1]
    back = transformed(tmp_path, spectrum, ranks, *options, "--inverse", "--points", points)
    check(back, field, np.float64)


def test_the_inverse_of_a_spectrum_of_no_field_is_irfftn(tmp_path):
    # Imaginary parts where a real field has none are not looked at.
    spectrum = random_array((4, 5, 6), "<c16")
    result = transformed(tmp_path, spectrum, 3, "--kind", "r2c", "--inverse", "--axes", "2")
    check(result, np.fft.irfft(spectrum), np.float64)


def test_float32_gives_complex64_and_back(tmp_path):
    field = random_array((6, 5, 8), "<f4")
    spectrum = transformed(tmp_path, field, 2, "--kind", "r2c")
    check(spectrum, np.fft.rfftn(field), np.complex64)
    check(transformed(tmp_path, spectrum, 2, "--kind", "r2c", "--inverse"), field, np.float32)


@pytest.mark.parametrize("dtype", ["?", "<i2", ">f8"])
def test_any_real_numbers_are_read(tmp_path, dtype):
    field = random_array((4, 6), dtype)
    check(transformed(tmp_path, field, 2, "--kind", "r2c"), np.fft.rfftn(field), np.complex128)


@pytest.mark.parametrize("kind", R2R)
def test_cosines_and_sines_are_those_of_the_definition(tmp_path, kind):
    field = random_array((5, 8, 3), "<f8", "F" if kind.endswith("2") else "C")
    expected = field
    for axis, n in enumerate(field.shape):
        expected = along(matrix(kind, n), expected, axis)
    modes = transformed(tmp_path, field, 3, "--kind", kind)
    check(modes, expected, np.float64)
    check(transformed(tmp_path, modes, 3, "--kind", kind, "--inverse"), field, np.float64)


def test_each_axis_may_have_its_own_kind(tmp_path):
    field = random_array((6, 9, 8))
    options = ["--axes", "2,0,1", "--kind", "r2c,c2c,dct1", "--layout", "pencil"]
    expected = along(matrix("dct1", 9), np.fft.rfftn(field, axes=(0, 2)), 1)
    check(transformed(tmp_path, field, 4, *options), expected, np.complex128)


def test_what_does_not_fit_is_refused(tmp_path):
    np.save(tmp_path / "complex.npy", np.ones((4, 6), complex))
    np.save(tmp_path / "real.npy", np.ones((4, 6)))

    def refused(code, message, name, *options):
        outcome = run(2, "fft", tmp_path / name, tmp_path / "out.npy", *options)
        assert outcome.code == code, outcome.stderr
        assert len(outcome.messages) == 1
        assert message in outcome.messages[0]
        assert not (tmp_path / "out.npy").exists()

    refused(1, "needs real numbers, the file has complex ones", "complex.npy", "--kind", "r2c")
    refused(1, "needs real numbers, the file has complex ones", "complex.npy", "--kind", "dct2")
    refused(1, "one axis", "real.npy", "--kind", "r2c,r2c")
    refused(1, "2 axes is needed", "real.npy", "--kind", "c2c,r2c,c2c")
    refused(1, "10 or 11 is needed", "complex.npy", "--kind", "r2c", "--inverse", "--points", 7)
    refused(1, "it is possible only with --inverse --kind r2c", "real.npy", "--kind", "r2c", "--points", 7)
    refused(2, "'dct5' is no kind", "real.npy", "--kind", "dct5")


def test_plan_tells_of_half_the_bytes():
    def told(*options):
        outcome = run_alone("plan", 64, 64, 64, "--ranks", 4, *options)
        assert outcome.code == 0, outcome.stderr
        return outcome.stdout

    assert "messages of 256 KiB" in told()
    words = told("--kind", "r2c")
    assert "r2c 64" in words
    assert "64 x 64 x 33" in words
    assert "messages of 132 KiB" in words
    assert "dct2 64" in told("--kind", "dct2")


@pytest.mark.parametrize("kind", ["r2c", "dct2"])
def test_bench_times_any_kind(tmp_path, kind):
    path = tmp_path / "figures.json"
    outcome = succeed(2, "bench", 16, 12, 10, "--kind", kind, "--repeats", 2, "--json", path)
    assert kind in outcome.stdout
    assert json.loads(path.read_text())["kind"] == kind

# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep spectrum` adds up what NumPy's transform has, shell by shell."""

import json
import zlib

import numpy as np
import pytest
from sixstep_command import run_alone, succeed

CASES = [
    ((8, 8, 8), "<f8", "C", 1),
    ((8, 8, 8), "<c16", "C", 2),
    ((7, 5, 6), "<f4", "C", 3),
    ((7, 5, 6), "<f8", "F", 2),
    ((6, 5, 7), "<c8", "F", 4),
    ((9, 16), "<i2", "C", 3),
    ((1000,), "<f8", "C", 3),
    ((999,), "<f8", "C", 2),
    ((64,), "<c16", "C", 4),
    ((1,), "<f8", "C", 2),
    ((2, 3, 4, 5), "<f8", "C", 4),
]


def array_of(shape, dtype, order):
    random = np.random.default_rng(zlib.crc32(repr((shape, dtype)).encode()))
    values = 9 * random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return np.asarray(values.astype(dtype), order=order)


def expected(array):
    squared = np.abs(np.fft.fftn(array) / array.size) ** 2
    waves = np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in array.shape), indexing="ij")
    radii = np.sqrt(sum(wave**2 for wave in waves)).ravel()
    shells = np.floor(radii + 0.5).astype(int)
    return np.bincount(shells, squared.ravel()), np.bincount(shells)


@pytest.mark.parametrize(("shape", "dtype", "order", "ranks"), CASES)
def test_shells_are_numpys(tmp_path, shape, dtype, order, ranks):
    array = array_of(shape, dtype, order)
    np.save(tmp_path / "a.npy", array)
    outcome = succeed(ranks, "spectrum", tmp_path / "a.npy", "--json", tmp_path / "s.json")
    told = json.loads((tmp_path / "s.json").read_text())
    power, modes = expected(array)
    assert told["modes"][: len(modes)] == list(modes) and not any(told["modes"][len(modes):])
    np.testing.assert_allclose(told["power"][: len(power)], power, rtol=1e-10, atol=1e-14)
    assert sum(told["power"]) == pytest.approx(np.mean(np.abs(array.astype(complex)) ** 2))
    rows = [line.split() for line in outcome.stdout.splitlines()[1:]]
    assert [int(row[0]) for row in rows] == [k for k, count in enumerate(modes) if count]
    assert [float(row[2]) for row in rows] == pytest.approx([power[int(row[0])] for row in rows], rel=1e-5, abs=1e-14)


def test_it_is_drawn(tmp_path):
    np.save(tmp_path / "a.npy", array_of((16, 16), "<f8", "C"))
    succeed(2, "spectrum", tmp_path / "a.npy", "--plot", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    succeed(1, "spectrum", tmp_path / "a.npy", "--plot", tmp_path / "a.gp")
    assert "plot $data" in (tmp_path / "a.gp").read_text()


def test_what_cannot_be_done_is_told(tmp_path):
    np.save(tmp_path / "flat.npy", np.ones((4, 4)))
    np.save(tmp_path / "none.npy", np.ones((4, 0)))
    for arguments, words in [
        ([tmp_path / "no.npy"], "no.npy"),
        ([tmp_path / "none.npy"], "the array is empty"),
        ([tmp_path / "flat.npy", "--plot", "a.pdf"], "a file named .png or .gp is needed"),
        ([tmp_path / "flat.npy", "--plot", tmp_path / "a.gp"], "only has power at k = 0"),
    ]:
        outcome = run_alone("spectrum", *arguments)
        assert outcome.code == 1 and words in outcome.messages[0], outcome

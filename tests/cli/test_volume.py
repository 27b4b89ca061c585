# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep fft` on the demo's volume: 181 x 217 x 181 points, a prime length and no power of two."""

import pathlib
import sys

import numpy as np
import pytest
from sixstep_command import ROOT, succeed

sys.path.insert(0, str(ROOT / "examples" / "demo"))
import volume  # noqa: E402


@pytest.fixture(scope="module")
def head(tmp_path_factory):
    """The volume's file, and its spectrum as NumPy has it."""
    path = tmp_path_factory.mktemp("head") / "head.npy"
    volume.main(path)
    return path, np.fft.fftn(np.load(path))


@pytest.mark.parametrize("layout", ["slab", "pencil", "brick"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_spectrum_is_numpys(head, tmp_path, ranks, layout):
    path, expected = head
    spectrum = pathlib.Path(tmp_path) / "spectrum.npy"
    succeed(ranks, "fft", path, spectrum, "--layout", layout)
    error = np.linalg.norm(np.load(spectrum) - expected) / np.linalg.norm(expected)
    assert error < 1e-13

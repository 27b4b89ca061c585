# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep convolve` against the sum that defines it."""

import itertools
import os

import h5py
import numpy as np
import pytest
from drawn_arrays import array_of
from sixstep_command import refuse, succeed
from test_solve import check


def convolution(a, b):
    """out[i] = sum_j a[j] b[i - j]: b is rolled to each j."""
    wide = [each.astype("c16" if each.dtype.kind == "c" else "f8") for each in (a, b)]
    axes = tuple(range(a.ndim))
    return sum(wide[0][j] * np.roll(wide[1], j, axes) for j in itertools.product(*map(range, a.shape)))


@pytest.mark.parametrize(
    "shape, ranks, options",
    [
        ((6, 5, 4), 2, []),
        ((3, 7, 5), 3, ["--layout", "pencil"]),
        ((4, 6), 1, ["--exchange", "pairwise"]),
        ((30,), 3, []),
        ((13,), 2, []),
        ((1,), 2, []),
        ((2, 3, 4), 4, ["--layout", "1x2x2"]),
    ],
)
@pytest.mark.parametrize("types", [("<f8", "<f8"), ("<c16", "<f8"), ("<i2", ">c8"), ("<f4", "<f4"), ("<c8", "<f4")])
def test_it_is_the_sum_of_the_definition(tmp_path, shape, ranks, options, types):
    a, b = array_of(shape, types[0]), array_of(shape[::-1], types[1]).reshape(shape)
    np.save(tmp_path / "a.npy", np.asarray(a, order="CF"[ranks % 2]))
    np.save(tmp_path / "b.npy", np.asarray(b, order="CFC"[len(types[0]) + len(shape) & 1]))
    outcome = succeed(ranks, "convolve", tmp_path / "a.npy", tmp_path / "b.npy", tmp_path / "out.npy", *options)
    assert f"convolved with {tmp_path}/b.npy on {ranks} rank" in outcome.stdout
    single = {types[0], types[1]} <= {"<f4", "<c8"}
    check(np.load(tmp_path / "out.npy"), convolution(a, b), "<f4" if single else "<f8")


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(
    "shape, kernel, ranks, types",
    [
        ((6, 5, 4), (3, 2, 4), 2, ("<f8", "<f8")),
        ((4, 6), (7, 3), 3, ("<c16", "<f8")),
        ((9,), (4,), 2, ("<f4", "<c8")),
        ((3, 4, 2), (1, 1, 1), 4, ("<f4", "<f4")),
    ],
)
def test_modes_are_those_of_scipy(tmp_path, mode, shape, kernel, ranks, types):
    a, b = array_of(shape, types[0]), array_of(kernel, types[1])
    wide = [each.astype("c16" if each.dtype.kind == "c" else "f8") for each in (a, b)]
    full = np.zeros([n + m - 1 for n, m in zip(shape, kernel)], np.result_type(*wide))
    for j in np.ndindex(*kernel):
        full[tuple(slice(i, i + n) for i, n in zip(j, shape))] += wide[0] * wide[1][j]
    first = [{"full": 0, "same": (m - 1) // 2, "valid": min(n, m) - 1}[mode] for n, m in zip(shape, kernel)]
    count = [{"full": n + m - 1, "same": n, "valid": abs(n - m) + 1}[mode] for n, m in zip(shape, kernel)]
    np.save(tmp_path / "a.npy", np.asarray(a, order="CF"[ranks % 2]))
    np.save(tmp_path / "b.npy", np.asarray(b, order="FC"[len(shape) % 2]))
    succeed(ranks, "convolve", tmp_path / "a.npy", tmp_path / "b.npy", tmp_path / "out.npy", "--mode", mode)
    expected = full[tuple(slice(i, i + n) for i, n in zip(first, count))]
    check(np.load(tmp_path / "out.npy"), expected, "<f4" if {*types} <= {"<f4", "<c8"} else "<f8")


def test_files_of_other_formats(tmp_path):
    a, b = array_of((6, 5), "<f8"), array_of((5, 6), "<f8").T
    a.tofile(tmp_path / "a.raw")
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["b"] = b
    succeed(2, "convolve", tmp_path / "a.raw", f"{tmp_path}/b.h5:b", tmp_path / "out.npy", "--raw", "6x5:float64",
            "--precision", "single")  # fmt: skip
    check(np.load(tmp_path / "out.npy"), convolution(a, b), "<f4")


def test_errors(tmp_path):
    a, b, out = (tmp_path / f"{name}.npy" for name in ("a", "b", "out"))
    np.save(a, np.ones((4, 6)))
    np.save(b, np.ones((4, 5)))
    complaint = f"{b}: its shape is 4 x 5, that of {a} is 4 x 6; the same shape is needed"
    assert complaint in refuse(2, "convolve", a, b, out)
    assert not out.exists()
    np.save(b, np.ones(4))
    complaint = f"{b}: its shape is 4, that of {a} is 4 x 6; as many axes are needed"
    assert complaint in refuse(2, "convolve", a, b, out, "--mode", "same")
    np.save(b, np.ones((4, 6)))
    for input in (a, b):
        os.link(input, tmp_path / "link.npy")
        assert "overwrite" in refuse(2, "convolve", a, b, tmp_path / "link.npy")
        os.unlink(tmp_path / "link.npy")
    assert "OUT is required" in refuse(1, "convolve", a, b)
    assert "No such file" in refuse(2, "convolve", a, tmp_path / "c.npy", out)

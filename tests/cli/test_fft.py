# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep fft` gives what numpy.fft gives, however the array is stored and shared out."""

import re
import tempfile
import zlib

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies
from sixstep_command import succeed

DTYPES = [
    *("?", "i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8"),
    *("<f4", ">f4", "<f8", ">f8", "<c8", ">c8", "<c16", ">c16"),
]

# Shape, ranks, layout: uneven, prime, long and short axes, one to eight of them, idle ranks.
SHARED = [
    ((1,), 1, "slab"),
    ((1,), 3, "slab"),
    ((17,), 2, "slab"),
    ((360,), 4, "slab"),
    ((1009,), 3, "brick"),
    ((2, 3), 4, "slab"),
    ((13, 11), 3, "slab"),
    ((13, 11), 3, "1x3"),
    ((9, 10), 4, "2x2"),
    ((1, 64), 4, "slab"),
    ((64, 1), 3, "pencil"),
    ((8, 8, 8), 1, "slab"),
    ((8, 8, 8), 4, "pencil"),
    ((7, 5, 3), 2, "brick"),
    ((7, 5, 3), 3, "1x1x3"),
    ((6, 5, 4), 4, "2x1x2"),
    ((2, 9, 5), 4, None),
    ((2, 2, 2), 4, "4"),
    ((3, 1, 4, 5), 3, "pencil"),
    ((2, 3, 4, 5), 4, "brick"),
    ((1, 2, 1, 3, 2, 1, 2, 3), 2, "brick"),
]


def random_array(shape, dtype="<f8", order="C"):
    random = np.random.default_rng(zlib.crc32(repr((shape, dtype)).encode()))
    kind = np.dtype(dtype).kind
    if kind == "b":
        values = random.integers(0, 2, shape)
    elif kind in "iu":
        limits = np.iinfo(dtype)
        native = np.dtype(dtype).newbyteorder("=")
        values = random.integers(limits.min, limits.max, shape, native, endpoint=True)
    else:
        values = random.standard_normal(shape)
        if kind == "c":
            values = values + 1j * random.standard_normal(shape)
    return np.asarray(values.astype(dtype), order=order)


def transformed(folder, array, ranks, *options, version=None):
    """What the command makes of the array."""
    with open(f"{folder}/in.npy", "wb") as file:
        np.lib.format.write_array(file, array, version)
    succeed(ranks, "fft", f"{folder}/in.npy", f"{folder}/out.npy", *options)
    return np.load(f"{folder}/out.npy")


def check(result, array, expected):
    single = array.dtype.kind in "fc" and array.real.dtype.itemsize == 4
    assert result.dtype == (np.complex64 if single else np.complex128)
    assert result.shape == array.shape
    assert np.isfortran(result) == np.isfortran(array)
    error = np.linalg.norm(result - expected) / np.linalg.norm(expected)
    assert error < (5e-7 if single else 2e-15)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_number_type_is_read(tmp_path, dtype):
    order = "CF"[DTYPES.index(dtype) % 2]
    array = random_array((6, 5, 4), dtype, order)
    check(transformed(tmp_path, array, 2), array, np.fft.fftn(array))


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("shape, ranks, layout", SHARED)
def test_every_layout_gives_the_same(tmp_path, shape, ranks, layout, order):
    array = random_array(shape, "<c16", order)
    options = ["--layout", layout] if layout else []
    check(transformed(tmp_path, array, ranks, *options), array, np.fft.fftn(array))


def test_it_says_what_it_did(tmp_path):
    np.save(tmp_path / "in.npy", random_array((4, 6, 8), "<f4"))
    words = succeed(2, "fft", tmp_path / "in.npy", tmp_path / "out.npy", "--kind", "r2c").stdout
    assert re.fullmatch(r"read .*in.npy \(4 x 6 x 8, float32, 768 bytes\) in [0-9.]+ \w+; transformed on 2 ranks in "
                        r"[0-9.]+ \w+, [0-9.e+-]+ GFLOP/s; wrote .*out.npy \(4 x 6 x 5, complex64, 960 bytes\) in "
                        r"[0-9.]+ \w+\n", words), words


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (-1, 1), (2, 1, 0)])
def test_axes_are_those_of_the_array(tmp_path, axes, order):
    array = random_array((4, 6, 5), "<f8", order)
    result = transformed(tmp_path, array, 3, "--axes", ",".join(map(str, axes)))
    check(result, array, np.fft.fftn(array, axes=axes))


@pytest.mark.parametrize("shape", [(30,), (6, 7), (5, 4, 6)])
@pytest.mark.parametrize("dtype", ["<f8", "<c8"])
def test_inverse_is_scaled(tmp_path, shape, dtype):
    array = random_array(shape, dtype)
    check(transformed(tmp_path, array, 3, "--inverse"), array, np.fft.ifftn(array))


def test_inverse_is_scaled_over_the_axes_transformed(tmp_path):
    array = random_array((4, 6, 5), "<c16", "F")
    result = transformed(tmp_path, array, 2, "--inverse", "--axes", "0,1")
    check(result, array, np.fft.ifftn(array, axes=(0, 1)))


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_of_the_format_is_read(tmp_path, version):
    array = random_array((5, 4))
    check(transformed(tmp_path, array, 2, version=version), array, np.fft.fftn(array))


def test_precision_may_be_chosen(tmp_path):
    array = random_array((8, 6, 4))
    single = transformed(tmp_path, array, 2, "--precision", "single")
    check(single, array.astype("f4"), np.fft.fftn(array))
    array = array.astype("f4")
    double = transformed(tmp_path, array, 2, "--precision", "double")
    check(double, array.astype("f8"), np.fft.fftn(array))


def test_messages_may_be_pairwise(tmp_path):
    array = random_array((9, 7, 5))
    result = transformed(tmp_path, array, 3, "--exchange", "pairwise", "--layout", "pencil")
    check(result, array, np.fft.fftn(array))


@pytest.mark.parametrize("ranks, options", [(1, []), (3, ["--layout", "pencil"]), (2, ["--exchange", "pairwise"])])
def test_a_device_may_do_it(tmp_path, ranks, options):
    array = random_array((9, 7, 5))
    result = transformed(tmp_path, array, ranks, "--device", "emulated", *options)
    check(result, array, np.fft.fftn(array))


def test_what_was_in_the_output_file_is_gone(tmp_path):
    (tmp_path / "out.npy").write_bytes(b"x" * 100_000)
    array = random_array((4, 4))
    check(transformed(tmp_path, array, 2), array, np.fft.fftn(array))
    assert (tmp_path / "out.npy").stat().st_size == 128 + 16 * array.size


def test_more_than_one_piece_is_moved(tmp_path):
    # A rank's part is moved in pieces of 32 MiB; here ranks have two of them, and none.
    array = random_array((3, 1000, 1000), "<c16")
    assert array.nbytes > 32 << 20
    result = transformed(tmp_path, array, 2, "--axes", "1,2", "--layout", "1x2")
    check(result, array, np.fft.fftn(array, axes=(1, 2)))
    result = transformed(tmp_path, array, 2, "--axes", "2", "--layout", "slab")
    check(result, array, np.fft.fft(array))


@strategies.composite
def cases(draw):
    shape = draw(strategies.lists(strategies.integers(1, 9), min_size=1, max_size=4).map(tuple))
    axes = draw(strategies.sets(strategies.integers(0, len(shape) - 1), min_size=1))
    ranks = draw(strategies.integers(1, 3))
    layouts = ["slab", "brick"] + (["pencil"] if len(shape) > 1 else [])
    return {
        "shape": shape,
        "axes": sorted(axes),
        "ranks": ranks,
        "layout": draw(strategies.sampled_from(layouts)),
        "dtype": draw(strategies.sampled_from(DTYPES[1:])),
        "order": draw(strategies.sampled_from("CF")),
        "inverse": draw(strategies.booleans()),
    }


@hypothesis.settings(max_examples=30, deadline=None, derandomize=True)
@hypothesis.given(cases())
def test_any_combination(case):
    array = random_array(case["shape"], case["dtype"], case["order"])
    options = ["--axes", ",".join(map(str, case["axes"])), "--layout", case["layout"]]
    options += ["--inverse"] if case["inverse"] else []
    expected = (np.fft.ifftn if case["inverse"] else np.fft.fftn)(array, axes=case["axes"])
    with tempfile.TemporaryDirectory() as folder:
        check(transformed(folder, array, case["ranks"], *options), array, expected)


# MPI may take what is before a colon for the name of a file system, and what is behind for the file.
@pytest.mark.parametrize("name", ["12:00.npy", "ufs:in.npy"])
def test_names_may_have_colons(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    array = random_array((4, 6))
    np.save("in.npy", array)
    succeed(2, "fft", "in.npy", name)
    assert (np.load("in.npy") == array).all()
    succeed(2, "fft", name, "back.npy", "--inverse")
    assert abs(np.load("back.npy") - array).max() < 1e-12


def test_a_link_to_a_new_file_is_written_through(tmp_path):
    np.save(tmp_path / "in.npy", np.ones(4))
    (tmp_path / "link.npy").symlink_to("out.npy")
    succeed(2, "fft", tmp_path / "in.npy", tmp_path / "link.npy")
    assert (tmp_path / "link.npy").is_symlink()
    assert (np.load(tmp_path / "out.npy") == [4, 0, 0, 0]).all()

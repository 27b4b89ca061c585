# SPDX-License-Identifier: BSD-3-Clause
"""`sixstep fft --filter` against NumPy, and files that are not .npy."""

import zlib

import h5py
import numpy as np
import pytest
from drawn_arrays import array_of
from sixstep_command import refuse, succeed

SHAPES = [((12, 7, 10), 2), ((7, 9, 5), 3), ((16, 6), 4), ((30,), 2), ((1,), 1), ((4, 1, 6, 5), 3)]
DTYPES = ["<f8", "<f4", "<c16", "<c8", "<i2"]


def wave_numbers(shape, axes, sides):
    one = [
        2 * np.pi / side * np.fft.fftfreq(n, 1 / n) if axis in axes else np.zeros(n)
        for axis, (n, side) in enumerate(zip(shape, sides))
    ]
    return np.meshgrid(*one, indexing="ij")


def derivative(k, axis):
    """i k, and 0 where k and -k are the same wave."""
    factor = 1j * k[axis]
    n = k[axis].shape[axis]
    if n % 2 == 0:
        np.moveaxis(factor, axis, 0)[n // 2] = 0
    return factor


def factor_of(words, k):
    modulus = np.sqrt(sum(each**2 for each in k))
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = np.where(modulus > 0, -1 / modulus**2, 0)
    return {
        "lowpass=2": modulus <= 2,
        "highpass=2": modulus >= 2,
        "derivative=0": derivative(k, 0),
        "derivative=-1": derivative(k, len(k) - 1),
        "laplacian": -(modulus**2),
        "inverse-laplacian": inverse,
        "helmholtz=1.5": 1 / (1.5 + modulus**2),
        "gaussian=0.3": np.exp(-((0.3 * modulus) ** 2) / 2),
        "exp(-(k/2)^2) * (1 + k0^2)": np.exp(-((modulus / 2) ** 2)) * (1 + k[0] ** 2),
    }[words]


def filtered(array, words, axes=None, sides=None):
    axes = range(array.ndim) if axes is None else axes
    k = wave_numbers(array.shape, axes, sides or [2 * np.pi] * array.ndim)
    factor = np.ones(array.shape)
    for word in words:
        factor = factor * factor_of(word, k)
    result = np.fft.ifftn(np.fft.fftn(array, axes=axes) * factor, axes=axes)
    return result if array.dtype.kind == "c" else result.real


def check(found, expected, dtype):
    is_single = np.dtype(dtype).newbyteorder("=") in (np.float32, np.complex64)
    complex_type, real_type = ("c8", "f4") if is_single else ("c16", "f8")
    assert found.dtype == np.dtype(complex_type if expected.dtype.kind == "c" else real_type)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= (3e-5 if is_single else 1e-12) * max(1, np.abs(expected).max())


FILTERS = ["lowpass=2", "highpass=2", "derivative=0", "derivative=-1", "laplacian", "inverse-laplacian"]
FILTERS += ["helmholtz=1.5", "gaussian=0.3"]


@pytest.mark.parametrize("words", [*FILTERS, "exp(-(k/2)^2) * (1 + k0^2)"])
@pytest.mark.parametrize("shape, ranks", SHAPES)
def test_filters_are_what_numpy_makes_of_them(tmp_path, shape, ranks, words):
    dtype = DTYPES[zlib.crc32(repr((shape, words)).encode()) % len(DTYPES)]
    array = array_of(shape, dtype)
    np.save(tmp_path / "in.npy", array)
    outcome = succeed(ranks, "fft", tmp_path / "in.npy", tmp_path / "out.npy", "--filter", words)
    assert "filtered on" in outcome.stdout
    check(np.load(tmp_path / "out.npy"), filtered(array, [words]), dtype)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["<f8", "<c16"])
def test_axes_sides_orders_and_more_than_one(tmp_path, order, dtype):
    array = array_of((6, 8, 5), dtype)
    np.save(tmp_path / "in.npy", np.asarray(array, order=order))
    words = ["derivative=0", "exp(-(k/2)^2) * (1 + k0^2)"]
    succeed(3, "fft", tmp_path / "in.npy", tmp_path / "out.npy", "--axes", "0,2", "--sides", "1,2,3",
            "--filter", *words)  # fmt: skip
    check(np.load(tmp_path / "out.npy"), filtered(array, words, (0, 2), (1, 2, 3)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_raw_files(tmp_path, dtype):
    array = array_of((6, 8, 5), dtype)
    array.tofile(tmp_path / "in.numbers")
    name = np.dtype(dtype).name
    succeed(3, "fft", tmp_path / "in.numbers", tmp_path / "out.raw", "--raw", f"6x8x5:{name}")
    single = np.dtype(dtype).name in ("float32", "complex64")
    found = np.fromfile(tmp_path / "out.raw", "c8" if single else "c16").reshape(array.shape)
    check(found, np.fft.fftn(array), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_hdf5_files(tmp_path, dtype):
    array = array_of((6, 8, 5), dtype)
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["fields/u"] = array
    succeed(3, "fft", f"{tmp_path}/in.h5:fields/u", f"{tmp_path}/in.h5:fields/spectrum")
    if np.dtype(dtype).kind != "c":
        succeed(2, "fft", f"{tmp_path}/in.h5:fields/u", f"{tmp_path}/out.hdf5:half", "--kind", "r2c")
        with h5py.File(tmp_path / "out.hdf5") as file:
            check(file["half"][()], np.fft.rfftn(array), dtype)
    with h5py.File(tmp_path / "in.h5") as file:
        assert (file["fields/u"][()] == array).all()
        check(file["fields/spectrum"][()], np.fft.fftn(array), dtype)


def test_a_spectrum_of_raw_and_of_hdf5_files(tmp_path):
    array = array_of((6, 8, 5), "<f8")
    np.save(tmp_path / "in.npy", array)
    array.tofile(tmp_path / "in.raw")
    with h5py.File(tmp_path / "in.h5", "w") as file:
        file["u"] = array
    lines = succeed(2, "spectrum", tmp_path / "in.npy").stdout
    assert succeed(2, "spectrum", tmp_path / "in.raw", "--raw", "6x8x5:float64").stdout == lines
    assert succeed(2, "spectrum", f"{tmp_path}/in.h5:u").stdout == lines


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["--filter", "kk + 1"], "--filter 'kk + 1'"),
        (["--filter", "1/k"], "'1/k': its value is inf at k = 0; give it a finite one there, as in k > 0 ? 1/k : 0"),
        (["--filter", "k0"], "'k0': its values at k and -k differ"),
        (["--filter", "derivative=3"], "--filter derivative=3: axes are 0 to 2"),
        (["--filter", "derivative=1", "--axes", "0,2"], "an axis that is transformed is needed"),
        (["--filter", "lowpass=much"], "a number is needed after lowpass="),
        *((["--filter", f"{filter}={word}"], f"--filter {filter}={word}: a number is needed after {filter}=")
          for filter in ("lowpass", "highpass", "derivative")
          for word in ("nan", "inf", "-inf", "1e999", "0x10", "", " 1", "1,", "+1")),
        (["--filter", "lowpass=-1"], "--filter lowpass=-1: a number of at least 0 is needed"),
        (["--filter", "highpass=-0"], "--filter highpass=-0: a number of at least 0 is needed"),
        *((["--filter", "laplacian", "--sides", f"1,{word},1"],
           f"--sides: '1,{word},1' is no list of sides: numbers above 0 are needed, as in 1,1,2.5")
          for word in ("nan", "inf", "1e999", "0", "-0", "-1", "0x1", "", "x")),
        (["--filter", "laplacian", "--inverse"], "leave out --inverse and --kind"),
        (["--filter", "laplacian", "--device", "emulated"], "arrays are filtered on the processor; leave out --device"),
        (["--filter", "helmholtz=0"], "finite numbers are needed, at k = (0, 0, 0) it is inf"),
        (["--filter", "helmholtz=a"], "--filter helmholtz=a: a number is needed after helmholtz="),
        (["--filter", "gaussian=-1"], "--filter gaussian=-1: a number of at least 0 is needed"),
        (["--filter", "laplacian", "--sides", "1,2"], "--sides: 3 numbers are needed, one for each axis, 2 were given"),
        (["--raw", "6x8x4:float64"], "take 1536 bytes, the file has 2048"),
        (["--raw", "6x8x4:float"], "'float' is no type of elements"),
        (["--raw", "6x8x4"], "a shape and a type are needed"),
    ],
)
def test_errors(tmp_path, words, complaint):
    np.save(tmp_path / "in.npy", array_of((6, 8, 5), "<f8"))
    message = refuse(2, "fft", tmp_path / "in.npy", tmp_path / "out.npy", *words)
    assert complaint in message
    assert not (tmp_path / "out.npy").exists()


def test_errors_of_files(tmp_path):
    array_of((6, 8, 5), "<f8").tofile(tmp_path / "in.raw")
    assert "give --raw SHAPE:TYPE" in refuse(2, "fft", tmp_path / "in.raw", tmp_path / "out.npy")
    assert "an array in an HDF5 file has a name" in refuse(2, "fft", tmp_path / "in.raw", tmp_path / "out.h5")
    assert "no such" in refuse(2, "fft", f"{tmp_path}/in.h5:u", tmp_path / "out.npy").lower()

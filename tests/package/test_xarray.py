# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.xarray against sums over all points in double precision, and against xrft where it is installed."""

import sys
import warnings

import numpy
import pytest
from test_ranks import MPIEXEC, run

xarray = pytest.importorskip("xarray", reason="xarray is not installed: scripts/test --frameworks installs it")
dask_array = pytest.importorskip("dask.array")
xrft = pytest.importorskip("xrft")
import sixstep.fft  # noqa: E402
import sixstep.xarray  # noqa: E402

RANDOM = numpy.random.default_rng(7)


def data_array(shape=(5, 6, 4), is_complex=False, dtype=None, falling=(), units="m"):
    values = RANDOM.normal(size=shape) + (1j * RANDOM.normal(size=shape) if is_complex else 0)
    coordinates = {}
    for axis, n in enumerate(shape):
        x = 1.5 * axis - 2 + 0.25 * (axis + 1) * numpy.arange(n)
        coordinates["xyzt"[axis]] = ("xyzt"[axis], x[::-1] if axis in falling else x, {"units": units})
    coordinates["run"] = 3
    dims = list("xyzt"[: len(shape)])
    return xarray.DataArray(values.astype(dtype or values.dtype), dims=dims, coords=coordinates, name="u")


def summed(da, dims, daft, sign=-1):
    """The sum over all points of each dim, by a matrix."""
    values = da.values.astype(complex)
    for name in dims:
        axis, to = da.get_axis_num(name), f"freq_{name}" if sign < 0 else name[len("freq_") :]
        x, k = da[name].values.astype(float), daft[to].values.astype(float)
        matrix = numpy.exp(sign * 2j * numpy.pi * numpy.outer(k, x)) * abs(numpy.sort(x)[1] - numpy.sort(x)[0])
        values = numpy.moveaxis(numpy.tensordot(matrix, values, (1, axis)), 0, axis)
    return values


@pytest.mark.parametrize("shape", [(5, 6, 4), (2, 3), (7,), (16,)])
@pytest.mark.parametrize("falling", [(), (0,)])
@pytest.mark.parametrize("shift", [True, False])
def test_transforms_are_sums(shape, falling, shift):
    for is_complex in (False, True):
        da = data_array(shape, is_complex, falling=falling)
        for dims in {da.dims, da.dims[:1], da.dims[-1:], da.dims[::-1]}:
            daft = sixstep.xarray.fft(da, dims, shift=shift)
            assert daft.dims == tuple(f"freq_{d}" if d in dims else d for d in da.dims) and daft.name == "u"
            numpy.testing.assert_allclose(daft.values, summed(da, dims, daft), atol=1e-12)
            for name in dims:
                k = daft[f"freq_{name}"]
                assert k.attrs["units"] == "1/m" and (k.values[0] != 0) == (shift and k.size > 1)
            assert daft.run == 3
            back = sixstep.xarray.ifft(daft, [f"freq_{d}" for d in dims])
            for name in dims:
                if da.get_axis_num(name) in falling:
                    back = back.sortby(name, ascending=False)
                assert back[name].attrs["units"] == "m"
            numpy.testing.assert_allclose(back.values, da.values, atol=1e-12)
            xarray.testing.assert_allclose(back.real, da.real)


@pytest.mark.parametrize("points", [4, 5, 2])
@pytest.mark.parametrize("real_dim", ["x", "y"])
def test_real_transforms(points, real_dim):
    da = data_array((points, points + 1, 3))
    for dims in (None, "z", (), (real_dim, "z")):
        daft = sixstep.xarray.fft(da, dims, real_dim)
        names = [*dict.fromkeys([*([dims] if isinstance(dims, str) else da.dims if dims is None else dims), real_dim])]
        assert daft.sizes[f"freq_{real_dim}"] == da.sizes[real_dim] // 2 + 1
        numpy.testing.assert_allclose(daft.values, summed(da, names, daft), atol=1e-12)
        back = sixstep.xarray.ifft(daft, [f"freq_{name}" for name in names], f"freq_{real_dim}")
        assert back.dtype == "float64"
        xarray.testing.assert_allclose(back, da)


@pytest.mark.parametrize("true_phase", [True, False])
@pytest.mark.parametrize("true_amplitude", [True, False])
def test_as_xrft(true_phase, true_amplitude):
    more = dict(true_phase=true_phase, true_amplitude=true_amplitude)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for falling in ((), (1,)) if true_phase else ((),):
            da = data_array((6, 5, 4), True, falling=falling)
            for dims in (["x"], ["y", "z"], ["z", "x", "y"]):
                mine, theirs = sixstep.xarray.fft(da, dims, **more), xrft.fft(da, dim=dims, **more)
                xarray.testing.assert_allclose(mine, theirs)
                for name in dims:
                    there = theirs[f"freq_{name}"].attrs
                    assert all(numpy.isclose(mine[f"freq_{name}"].attrs[key], there[key]) for key in there)
                frequencies = [f"freq_{name}" for name in dims]
                mine = sixstep.xarray.ifft(theirs, frequencies, **more)
                xarray.testing.assert_allclose(mine, xrft.ifft(theirs, dim=frequencies, **more))
                mine = sixstep.xarray.ifft(theirs, frequencies, lag=[2.0] * len(dims), **more)
                xarray.testing.assert_allclose(mine, xrft.ifft(theirs, dim=frequencies, lag=[2.0] * len(dims), **more))
        da = data_array((6, 5, 4))
        mine, theirs = sixstep.xarray.fft(da, ["y"], "x", **more), xrft.fft(da, dim=["y"], real_dim="x", **more)
        xarray.testing.assert_allclose(mine, theirs)
        dims = ["freq_y"], "freq_x"
        xarray.testing.assert_allclose(
            sixstep.xarray.ifft(theirs, *dims, **more), xrft.ifft(theirs, dim=dims[0], real_dim=dims[1], **more)
        )


@pytest.mark.parametrize("scaling", ["density", "spectrum"])
@pytest.mark.parametrize("real_dim", [None, "x", "y"])
@pytest.mark.parametrize("shape", [(6, 5), (7, 8)])
def test_power_spectra(scaling, real_dim, shape):
    da = data_array(shape)
    power = sixstep.xarray.power_spectrum(da, real_dim=real_dim, scaling=scaling)
    spacing = numpy.prod([power[name].attrs["spacing"] for name in power.dims])
    total = float(power.sum()) * (spacing if scaling == "density" else 1)
    assert numpy.isclose(total, float((da**2).mean()))
    xarray.testing.assert_allclose(power, xrft.power_spectrum(da, real_dim=real_dim, scaling=scaling))


def test_times_are_in_seconds():
    hours = numpy.datetime64("2020-01-01") + numpy.arange(8) * numpy.timedelta64(1, "h")
    da = xarray.DataArray(RANDOM.normal(size=8), dims="time", coords={"time": hours})
    k = sixstep.xarray.fft(da).freq_time
    numpy.testing.assert_allclose(k.values, numpy.fft.fftshift(numpy.fft.fftfreq(8, 3600)))
    assert k.attrs["units"] == "1/s"
    xarray.testing.assert_allclose(abs(sixstep.xarray.fft(da)), abs(xrft.fft(da)))


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int32"])
def test_precision_stays(dtype):
    da = data_array((8, 6), dtype=dtype)
    daft = sixstep.xarray.fft(da)
    assert daft.dtype == ("complex128" if dtype == "int32" else "complex64")
    numpy.testing.assert_allclose(daft.values, summed(da, da.dims, daft), atol=1e-5)
    if dtype == "float32":
        daft = sixstep.xarray.fft(da, real_dim="y")
        assert sixstep.xarray.ifft(daft, real_dim="freq_y").dtype == "float32"


def test_dask_waits_and_the_source_stays():
    da = data_array((6, 8, 4))
    kept = da.values.copy()
    chunked = da.chunk({"x": 2, "y": 3})
    for real_dim in (None, "y"):
        daft = sixstep.xarray.fft(chunked, ["x"], real_dim)
        assert isinstance(daft.data, dask_array.Array)
        xarray.testing.assert_allclose(daft.compute(), sixstep.xarray.fft(da, ["x"], real_dim))
        dims = [["freq_x"], real_dim and "freq_y"]
        back = sixstep.xarray.ifft(daft, *dims)
        assert isinstance(back.data, dask_array.Array) and back.shape == da.shape
        xarray.testing.assert_allclose(back.compute().real, da)
        assert back.dtype == back.compute().dtype
        sixstep.xarray.ifft(daft.compute(), *dims)
    xarray.testing.assert_allclose(
        sixstep.xarray.power_spectrum(chunked).compute(), sixstep.xarray.power_spectrum(da)
    )
    numpy.testing.assert_array_equal(da.values, kept)
    mine = sixstep.xarray.fft(da, shift=False, true_phase=False, true_amplitude=False)
    kept = mine.values.copy()
    sixstep.xarray.ifft(mine)
    numpy.testing.assert_array_equal(mine.values, kept)


UNEVEN = xarray.DataArray(numpy.zeros(3), dims="x", coords={"x": [0.0, 1.0, 3.0]})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda da: sixstep.xarray.fft(da, "w"), "dim: one of x, y, z is needed, w was given"),
        (lambda da: sixstep.xarray.fft(da, ["x", "x"]), "dim: one or more different dims are needed"),
        (lambda da: sixstep.xarray.fft(da, []), "dim: one or more different dims are needed"),
        (lambda da: sixstep.xarray.fft(UNEVEN), "x: evenly spaced coordinates are needed, their steps are 1.0 to 2.0"),
        (lambda da: sixstep.xarray.fft(da.isel(x=[0])), "x: two points or more are needed"),
        (lambda da: sixstep.xarray.fft(da.assign_coords(r=("x", range(5)))), "x: no other coordinates may lie along"),
        (lambda da: sixstep.xarray.fft(da.assign_coords(x=list("abcde"))), "x: coordinates that are numbers or times"),
        (lambda da: sixstep.xarray.ifft(da), "x: coordinates from the lowest to the highest"),
        (lambda da: sixstep.xarray.ifft(sixstep.xarray.fft(da), lag=[1.0]), "lag: one for each of 3 dims is needed"),
        (lambda da: sixstep.xarray.ifft(sixstep.xarray.fft(da, (), "y"), (), "freq_y", points=9), "points: 6 or 7"),
        (lambda da: sixstep.xarray.power_spectrum(da, scaling="loud"), "scaling: density or spectrum is needed"),
    ],
)
def test_mistakes(call, words):
    with pytest.raises(sixstep.Error, match=words):
        call(data_array())


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_on_ranks(ranks):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "xarray_on_ranks.py"]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words

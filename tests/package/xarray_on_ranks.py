# SPDX-License-Identifier: BSD-3-Clause
"""DataArrays of global arrays, and global arrays of dask's, on the ranks that run this file."""

import dask.array
import numpy
import pytest
import sixstep
import sixstep.dask
import sixstep.xarray
import xarray

RANK, RANKS = sixstep.rank(), sixstep.ranks()
SHAPE = (6, 9, 5)
VALUES = numpy.random.default_rng(4).normal(size=SHAPE)
LAYOUTS = [None, sixstep.Layout.pencil(SHAPE, RANKS), sixstep.Layout.slab(SHAPE, RANKS, 2, (2, 0, 1))]
WHOLE = xarray.DataArray(
    VALUES,
    dims=tuple("xyz"),
    coords={"x": numpy.arange(6) * 0.5, "y": 3 - numpy.arange(9.0), "z": numpy.arange(5) - 2.0, "run": 1},
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(("dim", "real_dim"), [(None, None), ("y", None), (["z"], "x"), (None, "y")])
def test_transforms(layout, lazy, dim, real_dim):
    da = sixstep.xarray.spread(WHOLE.chunk(4) if lazy else WHOLE, layout)
    assert isinstance(da.data, sixstep.Array)
    daft = sixstep.xarray.fft(da, dim, real_dim)
    expected = sixstep.xarray.fft(WHOLE, dim, real_dim)
    assert isinstance(daft.data, sixstep.Array)
    xarray.testing.assert_allclose(sixstep.xarray.gather(daft), expected)
    dims = [name for name in daft.dims if name.startswith("freq_")], real_dim and f"freq_{real_dim}"
    back = sixstep.xarray.gather(sixstep.xarray.ifft(daft, *dims)).real
    xarray.testing.assert_allclose(back, sixstep.xarray.ifft(expected, *dims).real)
    power = sixstep.xarray.power_spectrum(da, dim, real_dim)
    xarray.testing.assert_allclose(
        sixstep.xarray.gather(power), sixstep.xarray.power_spectrum(WHOLE, dim, real_dim)
    )
    numpy.testing.assert_array_equal(da.data.gather(), VALUES)


def test_a_layout_of_another_shape():
    with pytest.raises(sixstep.Error, match=r"layout: one of the shape \(6, 9, 5\) is needed, it has \(4,\)"):
        sixstep.xarray.spread(WHOLE, sixstep.Layout.slab((4,), RANKS))


CHUNKS = [(2, 4, 5), (6, 1, 5), (6, 9, 5), (1, 9, 1), ((1, 5), (3, 3, 3), (5,))]


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "complex128", "int16"])
def test_dask_arrays(chunks, layout, dtype):
    values = (10 * VALUES).astype(dtype)
    computed = []

    def block(at, block_info=None):
        computed.append(tuple(block_info[0]["chunk-location"]))
        return at

    x = dask.array.from_array(values, chunks).map_blocks(block, dtype=dtype)
    computed.clear()
    a = sixstep.dask.to_array(x, layout)
    assert a.dtype == dtype
    numpy.testing.assert_array_equal(a.gather(), values)
    if layout is None and max(x.numblocks) >= RANKS:
        counts = sixstep.Ranks().all(numpy.array([len(computed)])).sum()
        assert counts == x.npartitions  # each chunk was computed once
    part = sixstep.dask.from_array(a, chunks=2)
    numpy.testing.assert_array_equal(part.compute(), values[a.box])
    if part.size:
        assert part.npartitions == numpy.prod([-(-n // 2) for n in a.local().shape])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: VALUES, "x: a dask array is needed, ndarray was given"),
        (lambda: (y := dask.array.from_array(VALUES[0, 0], 2))[y > 0], "x: a dask array that knows its shape"),
    ],
)
def test_mistakes(make, words):
    with pytest.raises(sixstep.Error, match=words):
        sixstep.dask.to_array(make())


def test_what_a_chunk_raises_on_one_rank_is_raised_on_all():
    def block(at, block_info=None):
        if block_info[0]["chunk-location"] == (0, 0, 0):
            raise ValueError("a chunk is broken")
        return at

    x = dask.array.from_array(VALUES, (1, 9, 5)).map_blocks(block, dtype=float, meta=VALUES[:0])
    with pytest.raises((ValueError, sixstep.Error), match="a chunk is broken"):
        sixstep.dask.to_array(x)

# SPDX-License-Identifier: BSD-3-Clause
"""Files of arrays on the ranks that run this file, against NumPy's.

Every rank runs every test, with the same random numbers.
"""

import os
import pathlib
import shutil
import tempfile

import numpy
import pytest
import sixstep
from arrays_on_ranks import SHAPE, placed, same
from on_ranks import LAYOUTS, RANK, whole


@pytest.fixture
def folder():
    """The same on all ranks."""
    ranks = sixstep.Ranks()
    path = pathlib.Path(tempfile.gettempdir()) / f"sixstep_arrays_{ranks.all(numpy.array(os.getpid()))[0]}"
    path.mkdir(exist_ok=True)
    yield path
    ranks.all(numpy.zeros(1))  # everybody has done with it
    shutil.rmtree(path, ignore_errors=True)


TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("dataset", [None, "fields/u"])
@pytest.mark.parametrize(
    "layout, dtype", [(layout, "complex64") for layout in LAYOUTS] + [("brick", dtype) for dtype in TYPES]
)
def test_files(folder, layout, dtype, dataset):
    values = 10 * whole(SHAPE)
    values = (values if "complex" in dtype else abs(values)).astype(dtype)
    file = folder / "a"
    sixstep.save(file, placed(values, layout), dataset)
    same(sixstep.load(file, dataset=dataset), values)
    same(sixstep.load(file, LAYOUTS["brick"](SHAPE), dataset), values)
    if dataset is None:
        assert (numpy.load(file) == values).all()


def test_files_of_others(folder):
    values = numpy.asfortranarray(whole(SHAPE)).astype(">c16")
    if RANK == 0:
        numpy.save(folder / "a.npy", values)
    sixstep.Ranks().all(numpy.zeros(1))
    same(sixstep.load(folder / "a.npy"), values.astype("complex128"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_of_what_may_only_be_read(folder, layout):
    a = placed(whole(SHAPE), layout)
    a.local(ghosts=True).flags.writeable = False
    sixstep.save(folder / "a.npy", sixstep.Array.from_local(a.local(ghosts=True), a.layout))
    same(sixstep.load(folder / "a.npy"), whole(SHAPE))


def test_files_are_refused(folder):
    a = sixstep.Array(SHAPE)
    sixstep.save(folder / "a.npy", a)
    sixstep.save(folder / "a.h5", a, "run1/u")
    if RANK == 0:
        numpy.save(folder / "number.npy", numpy.float64(1))
        numpy.save(folder / "half.npy", numpy.zeros(3, "f2"))
        numpy.save(folder / "long.npy", numpy.zeros(3, "longdouble"))
        numpy.save(folder / "nine.npy", numpy.zeros((1,) * 9))
        numpy.save(folder / "records.npy", numpy.zeros(3, "f8,f4"))
    sixstep.Ranks().all(numpy.zeros(1))
    for words, refused in {
        "dtype: one of .*float16 was given": lambda: sixstep.save(folder / "b.npy", sixstep.Array(SHAPE, "float16")),
        "dtype: one of .*>f8 was given": lambda: sixstep.save(folder / "b.npy", sixstep.Array(SHAPE, ">f8")),
        "dataset: a name is needed, as": lambda: sixstep.save(folder / "b.h5", a),
        "dataset: a name .* is needed, '' was": lambda: sixstep.save(folder / "b.h5", a, ""),
        r"'x\\0y.npy': cannot be written: .*zero byte": lambda: sixstep.save("x\0y.npy", a),
        r"'x\\0y.npy': cannot be read: .*zero byte": lambda: sixstep.load("x\0y.npy"),
        r"'x\\0y.h5': cannot be written: .*zero byte": lambda: sixstep.save("x\0y.h5", a, "u"),
        r"'x\\0y.h5': cannot be read: .*zero byte": lambda: sixstep.load("x\0y.h5", dataset="u"),
        r"dataset: .*'u\\x00v' was": lambda: sixstep.save(folder / "a.h5", a, "u\0v"),
        r"file: a path in UTF-8": lambda: sixstep.save(b"x\xff.npy", a),
        "'run1' cannot be written: it is a group": lambda: sixstep.save(folder / "a.h5", a, "run1"),
        "'run1/u' is a dataset": lambda: sixstep.save(folder / "a.h5", a, "run1/u/v"),
        "'run1' is no dataset, it is a group": lambda: sixstep.load(folder / "a.h5", dataset="run1"),
        "number.npy: an array with axes is needed": lambda: sixstep.load(folder / "number.npy"),
        "half.npy: dtype .*float16": lambda: sixstep.load(folder / "half.npy"),
        "long.npy: dtype .*extended precision": lambda: sixstep.load(folder / "long.npy"),
        "nine.npy: the array has 9 axes; at most 8": lambda: sixstep.load(folder / "nine.npy"),
        "records.npy: a structured dtype": lambda: sixstep.load(folder / "records.npy"),
        "No such file": lambda: sixstep.load(folder / "b.npy"),
        "not an HDF5 file": lambda: sixstep.load(folder / "a.npy", dataset="u"),
        "6 x 5 x 7 is needed": lambda: sixstep.load(folder / "a.npy", LAYOUTS["slab"]((6, 5, 7))),
    }.items():
        with pytest.raises(sixstep.Error, match=words):
            refused()
    same(sixstep.load(folder / "a.h5", dataset="run1/u"), a.gather())
    assert not os.path.exists("x")

# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.fft on arrays and arguments that Hypothesis draws: what scipy.fft returns or refuses."""

import numpy
import scipy.fft
import sixstep.fft
from hypothesis import given, settings
from hypothesis import strategies as st
from test_fft import NORMS, as_scipy

DTYPES = (*"bBhHiIlLqQ?efdFD", *(f">{letter}" for letter in "hilfdFD"))


@st.composite
def arrays(draw, dtypes=DTYPES, least=0):
    """Any array: of any type and byte order, with axes of no or one point, transposed, reversed, with gaps, with
    elements that stand for many, read-only, not aligned."""
    dtype = numpy.dtype(draw(st.sampled_from(dtypes)))
    shape = tuple(draw(st.lists(st.integers(least, 6), min_size=1, max_size=4)))
    steps = draw(st.tuples(*[st.sampled_from([1, 1, -1, 2, -2, 0]) for _ in shape]))
    whole = [n * abs(step) if step else 1 for n, step in zip(shape, steps)]
    seeds = numpy.random.default_rng(draw(st.integers(0, 1000)))
    values = seeds.integers(0, 2 if dtype.kind == "b" else 100, whole)
    if dtype.kind == "c":
        values = values + 1j * seeds.integers(0, 100, whole)
    x = values.astype(dtype)
    if draw(st.booleans()):  # begins at an odd address
        bytes = numpy.zeros(x.nbytes + 1, "uint8")
        bytes[1:] = numpy.frombuffer(x.tobytes(), "uint8")
        x = numpy.ndarray(x.shape, x.dtype, bytes, 1)
    x = x[tuple(slice(None, None, step or None) for step in steps)]
    x = numpy.broadcast_to(x, shape) if 0 in steps else x
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    if x.flags.writeable and draw(st.booleans()):
        x.flags.writeable = False
    return x


def spelled(draw, numbers):
    """Integers as programs have them."""
    one = st.sampled_from([int, numpy.int64, numpy.int32, numpy.uint8, numpy.array])
    some = [draw(one)(n) if n >= 0 else draw(st.sampled_from([int, numpy.int64, numpy.array]))(n) for n in numbers]
    kind = draw(st.sampled_from([tuple, list, numpy.array, "one"]))
    if kind == "one" and len(some) == 1:
        return numpy.int64(some[0]) if draw(st.booleans()) else int(some[0])  # SciPy takes no arrays without axes
    return numpy.array(numbers, int) if kind is numpy.array else (list if kind is list else tuple)(some)


COMPLEX_NAMES = ("fft", "ifft", "hfft", "irfft")
REAL_NAMES = ("rfft", "ihfft", "dct", "idct", "dst", "idst")


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_one_axis_of_any_array(data):
    name = data.draw(st.sampled_from(COMPLEX_NAMES + REAL_NAMES))
    x = data.draw(arrays([d for d in DTYPES if d[-1] not in "FD"] if name in ("rfft", "ihfft") else DTYPES))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    arguments = {"axis": data.draw(st.sampled_from([int, numpy.int64, numpy.array]))(axis)}
    if data.draw(st.booleans()):
        arguments["n"] = data.draw(st.sampled_from([int, numpy.int64]))(data.draw(st.integers(-2, 8)))
    if "d" in (name[0], name[1]):
        arguments["type"] = data.draw(st.sampled_from([int, numpy.int64]))(data.draw(st.integers(1, 4)))
    arguments["norm"] = data.draw(st.sampled_from(NORMS))
    as_scipy(name, x, arguments)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_several_axes_of_any_array(data):
    name = data.draw(st.sampled_from([f"{name}n" for name in COMPLEX_NAMES + REAL_NAMES]))
    x = data.draw(arrays([d for d in DTYPES if d[-1] not in "FD"] if name in ("rfftn", "ihfftn") else DTYPES))
    axes = data.draw(st.permutations(range(x.ndim)))[: data.draw(st.integers(1, x.ndim))]
    axes = [axis - x.ndim * data.draw(st.booleans()) for axis in axes]
    arguments = {}
    if data.draw(st.booleans()):
        arguments["axes"] = spelled(data.draw, axes)
    if data.draw(st.booleans()):
        lengths = [data.draw(st.sampled_from([-1, 0, 1, 2, 5, 7, 8])) for _ in axes]
        arguments["s"] = spelled(data.draw, lengths)
    arguments["norm"] = data.draw(st.sampled_from(NORMS))
    as_scipy(name, x, arguments)


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_overwriting_any_array(data):
    name = data.draw(st.sampled_from(["fft", "ifft", "fftn", "dct", "idct", "dst", "idst", "dctn", "idstn"]))
    x = data.draw(arrays(least=1))
    arguments = {"norm": data.draw(st.sampled_from(NORMS)), "overwrite_x": True}
    if name[-1] != "n" and x.shape[-1] < 2:
        return
    if "d" in (name[0], name[1]):
        arguments["type"] = data.draw(st.integers(2, 4))
    expected = getattr(scipy.fft, name)(x.copy(), **arguments)
    made = getattr(sixstep.fft, name)(x, **arguments)
    bound = (1e-5 if made.dtype in (numpy.float32, numpy.complex64) else 1e-13) * (1 + abs(expected).max(initial=0))
    numpy.testing.assert_allclose(made, expected, rtol=0, atol=bound)

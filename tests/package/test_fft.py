# SPDX-License-Identifier: BSD-3-Clause
"""sixstep.fft against scipy.fft: names, arguments, shapes, types and values."""

import numpy
import pytest
import scipy.fft
import sixstep.fft

random = numpy.random.default_rng(1)
REAL = random.normal(size=(5, 6, 8))
COMPLEX = REAL + 1j * random.normal(size=REAL.shape)
NORMS = (None, "ortho", "forward", "backward")


def same(name, x, *arguments, **keywords):
    given = x.copy(order="K")
    made, expected = (getattr(module, name)(x, *arguments, **keywords) for module in (sixstep.fft, scipy.fft))
    assert made.shape == expected.shape and made.dtype == expected.dtype, name
    bound = (1e-6 if made.dtype in (numpy.float32, numpy.complex64) else 1e-13) * (1 + abs(expected).max(initial=0))
    numpy.testing.assert_allclose(made, expected, rtol=0, atol=bound, err_msg=name)
    assert (x == given).all()


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [None, 4, 7, 11])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_one_axis(n, axis, norm):
    for name in ("fft", "ifft", "hfft", "irfft"):
        same(name, COMPLEX, n, axis, norm)
    for name in ("fft", "ifft", "rfft", "ihfft"):
        same(name, REAL, n, axis, norm)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [None, 4, 11])
@pytest.mark.parametrize("orthogonalize", [None, True, False])
def test_cosines_and_sines(n, norm, orthogonalize):
    for axis in (0, 2):
        for kind in (1, 2, 3, 4):
            for name in ("dct", "idct", "dst", "idst"):
                same(name, REAL, kind, n, axis, norm, orthogonalize=orthogonalize)
                same(name + "n", REAL, kind, None, (2, 0), norm, orthogonalize=orthogonalize)
    same("dct", COMPLEX, 2)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("axes", [None, (0, 1), (2, 0), (1,)])
def test_several_axes(axes, norm):
    for s in (None, (4, 9, 5)[: 3 if axes is None else len(axes)]):
        for name in ("fftn", "ifftn", "irfftn", "hfftn"):
            same(name, COMPLEX, s, axes, norm)
        for name in ("fftn", "rfftn", "ihfftn"):
            same(name, REAL, s, axes, norm)
    for name in ("fft2", "ifft2", "irfft2", "hfft2"):
        same(name, COMPLEX, norm=norm)
    for name in ("rfft2", "ihfft2"):
        same(name, REAL, norm=norm)


def test_arrays_that_lie_in_any_way():
    for x in (
        COMPLEX.T,
        COMPLEX[::2],
        COMPLEX[:, ::-1],
        COMPLEX.transpose(1, 0, 2),
        COMPLEX[1:, 2:5],
        numpy.asfortranarray(COMPLEX),
    ):
        same("fft", x)
        same("fftn", x, workers=2)
        same("fft", x.astype("complex64"), axis=0)
    many = random.normal(size=(2,) * 10)
    same("fftn", many + 1j)
    same("rfftn", many, axes=(1, 3, 5, 7, 9))


def test_arrays_whose_axes_are_as_long_as_those_they_are_exchanged_with():
    square = random.normal(size=(4, 4, 4)) + 1j
    for axes in ((1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0)):
        same("fft", square.transpose(axes))
        same("fftn", square.transpose(axes), axes=(0, 1))
        same("rfftn", square.real.transpose(axes))
    same("fft2", square[0].T)


def test_whole_numbers_and_single_precision():
    same("fft", numpy.arange(12))
    same("rfft", numpy.arange(12, dtype="int8").reshape(3, 4))
    same("dct", numpy.arange(12) > 5)
    for dtype in ("float16", "float32", "complex64"):
        same("fft", numpy.arange(12).astype(dtype))


def test_overwriting():
    x = COMPLEX.copy()
    made = sixstep.fft.fftn(x, overwrite_x=True)
    numpy.testing.assert_allclose(made, scipy.fft.fftn(COMPLEX), atol=1e-11)
    assert numpy.shares_memory(made, x)


def test_backend_of_scipy():
    with scipy.fft.set_backend(sixstep.fft, only=True):
        numpy.testing.assert_allclose(scipy.fft.fftn(COMPLEX), numpy.fft.fftn(COMPLEX), atol=1e-11)
        with pytest.raises(NotImplementedError):
            scipy.fft.fht(REAL, 1, 1)
    with scipy.fft.set_backend(sixstep.fft):
        assert scipy.fft.fft(numpy.ones(3, "longdouble")).dtype == numpy.clongdouble


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: sixstep.fft.fft(COMPLEX, 0), "number of FFT data points"),
        (lambda: sixstep.fft.fft(COMPLEX, axis=3), "axes: -3 to 2"),
        (lambda: sixstep.fft.fftn(COMPLEX, axes=(0, 0)), "unique"),
        (lambda: sixstep.fft.fftn(COMPLEX, (4,), (0, 1)), "same length"),
        (lambda: sixstep.fft.fft(COMPLEX, norm="best"), "norm"),
        (lambda: sixstep.fft.fft(COMPLEX, workers=0), "workers"),
        (lambda: sixstep.fft.dct(REAL, 5), "type: 1 to 4"),
        (lambda: sixstep.fft.dct(REAL, 1, 1), "at least 2 points"),
        (lambda: sixstep.fft.fft(COMPLEX, -1), "n: Invalid number of FFT data points .-1."),
        (lambda: sixstep.fft.irfft(COMPLEX, -1), "n: Invalid number of FFT data points .-1."),
        (lambda: sixstep.fft.dct(REAL, 2, -1), "n: Invalid number of FFT data points .-1."),
        (lambda: sixstep.fft.fft(REAL[:0], axis=0), "number of FFT data points .0."),
        (lambda: sixstep.fft.fftn(COMPLEX, (2, 2, 2, 2)), "s: at most 3 lengths are possible for 3 axes, 4 were given"),
        (lambda: sixstep.fft.fftn(COMPLEX, 2.5), "s: s must be a scalar or iterable of integers, 2.5 was given"),
        (lambda: sixstep.fft.fftn(COMPLEX, axes="x"), "axes: axes must be a scalar or iterable of integers"),
        (lambda: sixstep.fft.fftn(COMPLEX, axes=(None,)), "axes: axes must be a scalar or iterable of integers"),
        (lambda: sixstep.fft.fft(3.0), "x: an array of at least one axis is needed"),
    ],
)
def test_mistakes(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_types_that_are_refused():
    for x in (COMPLEX, numpy.array(["a"])):
        with pytest.raises(TypeError):
            sixstep.fft.rfft(x)
    for dtype in ("longdouble", "clongdouble", "O", "M8[s]", "U1"):
        for order in "<>":
            x = numpy.zeros(3, dtype).astype(numpy.dtype(dtype).newbyteorder(order))
            with pytest.raises(TypeError, match="x: numbers of single or double precision are needed, "):
                sixstep.fft.fft(x)
    for wrong in ({"n": 4.0}, {"axis": 1.0}, {"axis": (0, 1)}, {"workers": 1.5}):
        with pytest.raises(TypeError):
            sixstep.fft.fft(COMPLEX, **wrong)
    with pytest.raises(TypeError):
        sixstep.fft.dct(REAL, 2.0)


# Arrays and arguments as NumPy has them, against SciPy.


def outcome(function, x, arguments):
    try:
        return function(x, **arguments), None
    except (ValueError, TypeError, IndexError, RuntimeError) as error:  # the last is SciPy's of n=0
        return None, error


def as_scipy(name, x, arguments):
    """The same array, or an error as well."""
    before = x.tobytes()
    made, error = outcome(getattr(sixstep.fft, name), x, arguments)
    expected, theirs = outcome(getattr(scipy.fft, name), x, arguments)
    if name[:4] in ("hfft", "irff") and theirs is None and "data points (0)" in str(error):
        return  # which SciPy takes for 2 m - 1; NumPy refuses it, and so do we
    if x.size == 0 and "at least 2 points" in str(error):
        return  # SciPy does not look at lengths where there is nothing to do
    assert (error is None) == (theirs is None), (error, theirs)
    assert x.tobytes() == before
    if theirs is None:
        assert made.shape == expected.shape and made.dtype == expected.dtype and made.dtype.isnative
        single = made.dtype in (numpy.float32, numpy.complex64)
        bound = (1e-5 if single else 1e-13) * (1 + abs(expected).max(initial=0))
        numpy.testing.assert_allclose(made, expected, rtol=0, atol=bound)


def test_types_and_byte_orders():
    for given, made in ((">f4", "c8"), (">c8", "c8"), (">f8", "c16"), (">f2", "c8"), ("e", "c8"), (">i4", "c16")):
        assert sixstep.fft.fft(numpy.arange(6).astype(given)).dtype == made, given
        same("fft", numpy.arange(6).astype(given if given != ">f2" else "f2"))  # which SciPy does not take


def read_only(tmp_path):
    """Arrays that nobody may write to, and the name of what makes them."""
    numpy.save(tmp_path / "x.npy", COMPLEX)
    fixed = COMPLEX.copy()
    fixed.flags.writeable = False
    return {
        "mapped": numpy.load(tmp_path / "x.npy", mmap_mode="r"),
        "broadcast": numpy.broadcast_to(COMPLEX[0], COMPLEX.shape),
        "fixed": fixed,
        "bytes": numpy.frombuffer(COMPLEX.tobytes(), complex).reshape(COMPLEX.shape),
        "swapped": COMPLEX.astype(">c16"),
        "empty": COMPLEX[:0],
    }


@pytest.mark.parametrize("name", ["fft", "rfft", "dct", "idct", "dst", "idst"])
def test_empty_arrays_that_are_read_only(name):
    x = numpy.zeros((0, 3))
    x.flags.writeable = False
    as_scipy(name, x, {"norm": "ortho"})


def test_arrays_that_are_read_only(tmp_path):
    for name, x in read_only(tmp_path).items():
        if name != "empty":
            same("fft", x)
        same("fftn", x, axes=(1, 2))
        same("irfft", x)
        same("dctn", numpy.broadcast_to(REAL[0], REAL.shape), norm="ortho", type=3)
        # SciPy does not take these. They are not written to.
        given = x.copy()
        made = sixstep.fft.fftn(x, axes=(1, 2), overwrite_x=True)
        assert (x == given).all() and numpy.allclose(made, scipy.fft.fftn(given, axes=(1, 2)))
    out = numpy.empty_like(COMPLEX)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        sixstep.fft.fft(COMPLEX, out=out)


def test_scipy_does_not_step_in_for_arrays_that_are_ours(tmp_path):
    asked = []

    class Spy:
        __ua_domain__ = sixstep.fft.__ua_domain__

        @staticmethod
        def __ua_function__(*call):
            made = sixstep.fft.__ua_function__(*call)
            asked.append(made is not NotImplemented)
            return made

    with scipy.fft.set_backend(Spy):
        for x in read_only(tmp_path).values():
            scipy.fft.fft(x)
            scipy.fft.fftn(x, axes=numpy.array([1, 2]), s=numpy.array([4, 4]))
            scipy.fft.dct(x.real, axis=numpy.int64(-1), type=numpy.int64(2))
        assert all(asked) and len(asked) == 18
        del asked[:]
        scipy.fft.fft(numpy.ones(3, "longdouble"))
        assert asked == [False]
        with pytest.raises(TypeError):
            scipy.fft.fft(COMPLEX, n=4.0)
        assert asked == [False]  # it was told by us


def test_infinite_imaginary_parts_stay_there():
    x = numpy.zeros((3, 4), complex)
    x[0, 0] = complex(0, numpy.inf)
    made = sixstep.fft.dct(x)
    assert numpy.isfinite(made.real).all() and not numpy.isfinite(made[0].imag).any()


def test_fast_lengths():
    assert sixstep.fft.next_fast_len(97) == sixstep.good_size(97)
    assert sixstep.fft.prev_fast_len(128) == 128
    assert sixstep.fft.prev_fast_len(97) < 97


def test_results_in_a_given_array():
    for lies in (COMPLEX, numpy.asfortranarray(COMPLEX), COMPLEX[::2]):
        expected = scipy.fft.fftn(lies)
        for out in (numpy.zeros_like(expected), numpy.zeros_like(expected, order="F"), expected.astype("G")):
            assert sixstep.fft.fftn(lies, out=out) is out
            numpy.testing.assert_allclose(out, expected, atol=1e-11)
    x = COMPLEX.copy()
    assert sixstep.fft.fft(x, out=x) is x
    numpy.testing.assert_allclose(x, scipy.fft.fft(COMPLEX), atol=1e-11)


def one_of(generator, choices):
    return choices[generator.integers(len(choices))]


def laid_out(x, generator):
    """x, or an equal array that lies otherwise in memory."""
    order = tuple(generator.permutation(x.ndim))
    gaps = numpy.empty((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)[..., ::2]
    unaligned = numpy.ndarray(x.shape, x.dtype, numpy.empty(x.nbytes + 1, "u1")[1:].data)
    gaps[...] = unaligned[...] = x
    permuted = x.transpose(order).copy().transpose(tuple(numpy.argsort(order)))
    return one_of(generator, (x, x, x, x, permuted, gaps, unaligned, x.astype(x.dtype.newbyteorder(">"))))


def place_for(expected, x, generator):
    """An array for this result: as it would be made, with gaps, of double precision, or x itself."""
    which = generator.integers(6)
    if which == 0:
        return numpy.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), expected.dtype)[..., ::2]
    if which == 1:
        return numpy.zeros(expected.shape, numpy.result_type(expected, numpy.float64))
    if which == 2 and (x.shape, x.dtype) == (expected.shape, expected.dtype):
        return x
    return numpy.empty_like(expected)


def test_calls_in_turn():
    """Few words and shapes, so that the same ones return: what is kept of one call must suit another."""
    generator = numpy.random.default_rng(7)
    for _ in range(1500):
        name = one_of(generator, ("fft", "ifft", "rfft", "irfft", "ihfft", "hfft", "fft2", "rfft2"))
        shape = one_of(generator, ((4, 4), (4, 5), (5, 4), (1, 4), (4, 1)))
        is_single, is_real = generator.integers(2, size=2)
        x = random.normal(size=shape)
        if name in ("hfft", "irfft") or (name[0] != "r" and name != "ihfft" and not is_real):
            x = x + 1j * random.normal(size=shape)
        if is_single:
            x = x.astype("complex64" if x.dtype.kind == "c" else "float32")
        x = laid_out(x, generator)
        keywords = {} if name.endswith("2") else {"axis": one_of(generator, (0, 1))}
        if name in ("irfft", "hfft") and x.shape[keywords["axis"]] == 1:
            continue
        expected = getattr(scipy.fft, name)(x, **keywords)
        out = place_for(expected, x, generator) if generator.integers(2) else None
        with sixstep.fft.set_reproducible(one_of(generator, ("none", "machine"))):
            made = getattr(sixstep.fft, name)(x, out=out, **keywords)
        assert (made is out if out is not None else made.dtype == expected.dtype), (name, x.shape, keywords)
        bound = (1e-5 if expected.dtype in (numpy.float32, numpy.complex64) else 1e-13) * (1 + abs(expected).max())
        numpy.testing.assert_allclose(made, expected, rtol=0, atol=bound, err_msg=f"{name} {x.shape} {keywords}")
    unwritable = numpy.zeros((4, 4), complex)
    unwritable.flags.writeable = False
    for _ in range(2):
        sixstep.fft.fft(COMPLEX[0, :4, :4].copy())
        with pytest.raises(ValueError, match="read-only"):
            sixstep.fft.fft(COMPLEX[0, :4, :4].copy(), out=unwritable)


def test_memory_of_results():
    """It is that of an earlier one only when nobody has this any more, nor a part of it."""
    x = random.normal(size=(600, 700)) + 1j * random.normal(size=(600, 700))
    expected = numpy.fft.fft2(x)
    first = sixstep.fft.fft2(x)
    address = first.ctypes.data
    del first
    second = sixstep.fft.fft2(x)
    assert second.ctypes.data == address
    part = second[3:, ::2].T
    del second
    third = sixstep.fft.fft2(2 * x)
    assert third.ctypes.data != address
    assert numpy.allclose(part.T, expected[3:, ::2])
    view = memoryview(third)
    address = third.ctypes.data
    del third
    others = [sixstep.fft.fft2(x) for _ in range(6)]
    assert address not in [other.ctypes.data for other in others]
    assert numpy.allclose(numpy.asarray(view), 2 * expected)
    assert len({other.ctypes.data for other in others}) == 6
    assert all(numpy.allclose(other, expected) for other in others)


@pytest.mark.parametrize("n", [8, 9, 26, 60, 97])
def test_rows_are_independent(n):
    """Rows that are not numbers, or far larger, leave the others as accurate as SciPy has them."""
    for axis, shape in ((-1, (7, n)), (0, (n, 7)), (1, (3, n, 7))):
        x = random.normal(size=shape)
        rows = numpy.moveaxis(x, axis, -1)
        rows[..., 2, :] = numpy.nan
        rows[..., 5, :] *= 1e13
        for name in ("rfft", "irfft", "dct", "idct", "dst", "fft"):
            made, expected = (getattr(module, name)(x, axis=axis) for module in (sixstep.fft, scipy.fft))
            made, expected = numpy.moveaxis(made, axis, -1), numpy.moveaxis(expected, axis, -1)
            numpy.testing.assert_array_equal(numpy.isnan(made), numpy.isnan(expected), err_msg=name)
            others = [0, 1, 3, 4, 5, 6]
            error = abs(made - expected)[..., others, :].max(axis=-1)
            assert (error < 1e-13 * abs(expected[..., others, :]).max(axis=-1)).all(), name


def test_the_array_api():
    xp = sixstep.fft
    for name in ("fft", "ifft", "fftn", "ifftn", "hfft", "irfft", "irfftn"):
        for given, made in (("complex64", "4"), ("complex128", "8")):
            assert getattr(xp, name)(COMPLEX.astype(given)).real.dtype == f"f{made}", name
    for name in ("rfft", "rfftn", "ihfft"):
        for given, made in (("float32", "complex64"), ("float64", "complex128")):
            assert getattr(xp, name)(REAL.astype(given)).dtype == made, name
    for name in ("fftfreq", "rfftfreq"):
        made = getattr(xp, name)(7, d=0.5, dtype=numpy.float32, device="cpu")
        assert made.dtype == numpy.float32
        numpy.testing.assert_allclose(made, getattr(numpy.fft, name)(7, 0.5), rtol=1e-6)
        with pytest.raises(ValueError, match="device"):
            getattr(xp, name)(7, device="gpu")
        with pytest.raises(ValueError, match="dtype"):
            getattr(xp, name)(7, dtype=int)
    for name in ("fftshift", "ifftshift"):
        numpy.testing.assert_array_equal(getattr(xp, name)(REAL, axes=1), getattr(numpy.fft, name)(REAL, axes=1))


def test_workers_as_scipy_has_them():
    with scipy.fft.set_workers(2):
        same("fft", COMPLEX)
    with pytest.raises(ValueError, match="out of range"):
        sixstep.fft.fft(COMPLEX, workers=-1000)
    with pytest.raises(NotImplementedError, match="plan"):
        sixstep.fft.fft(COMPLEX, plan="one")

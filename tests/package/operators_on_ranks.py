# SPDX-License-Identifier: BSD-3-Clause
"""Operators on the ranks that run this file, against NumPy and SciPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import numpy
import pytest
import scipy.fft
import scipy.signal
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS, close, filled, in_turn, whole
from operator_cases import SHAPE, SIDES, applied, drift, smooth, waves


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_products_of_functions_of_one_component(layout, dtype):
    values = whole(SHAPE, dtype=dtype)
    factors = [lambda k: 1 / (1 + k * k), lambda k: numpy.exp(-0.3j * k), lambda k: numpy.cos(k)]
    apply = sixstep.Operator(
        LAYOUTS[layout](SHAPE), factors, kinds="c2c" if "c" in dtype else "r2c", dtype=dtype, sides=SIDES
    )
    result = apply(filled(apply.empty_input(), values[apply.input_box]))
    close(result, applied(lambda k: factors[0](k[0]) * factors[1](k[1]) * factors[2](k[2]), values)[apply.output_box])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float64", "complex64", "complex128"])
def test_arrays_are_symbols(layout, dtype):
    values = whole(SHAPE, dtype="float32" if dtype == "complex64" else "float64")
    spectrum = (*SHAPE[:-1], SHAPE[-1] // 2 + 1)
    numbers = whole(spectrum, seed=3, dtype=dtype)
    there = LAYOUTS[layout](spectrum)

    def symbol(factor):
        part = sixstep.Redistribution(there, there, dtype=dtype).empty_from()
        part[...] = factor * numbers[there.box(RANK)]
        return sixstep.symbols.Array(there, part)

    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), symbol(1), kinds="r2c", dtype=values.dtype)
    part = filled(apply.empty_input(), values[apply.input_box])
    expected = numpy.fft.irfftn(numbers * numpy.fft.rfftn(values), SHAPE, range(3))[apply.output_box]
    close(apply(part), expected)
    apply.renew(symbol(2))
    close(apply(part), 2 * expected)
    apply.renew(lambda k: 3.0 + 0 * k[0])
    close(apply(part), 3 * values[apply.output_box])
    apply.renew(symbol(2))
    close(apply(part), 2 * expected)
    if RANKS == 1:
        with pytest.raises(sixstep.Error, match="symbol: an array of .* is needed for this rank's part"):
            apply.renew(sixstep.symbols.Array(there, part))
        with pytest.raises(sixstep.Error, match="symbol: an array of reals or complex numbers is needed, int"):
            apply.renew(sixstep.symbols.Array(there, numpy.ones(spectrum, int)))


@pytest.mark.parametrize("dtype", ["float64", "complex64"])
def test_results_with_other_points(dtype):
    values = whole((8, 6), dtype=dtype)
    options = {"kinds": "c2c" if dtype == "complex64" else "r2c", "dtype": dtype}
    coarse, fine, part_of_fine = (sixstep.Layout.slab(shape, RANKS) for shape in ((8, 6), (12, 9), (3, 2)))

    def ones(k):
        return 1.0 + 0 * k[0]

    finer = sixstep.Operator(coarse, ones, result=fine, **options)
    expected = scipy.signal.resample(scipy.signal.resample(values, 12, axis=0), 9, axis=1)
    part = filled(finer.empty_input(), values[finer.input_box])
    close(finer(part), expected.astype(dtype)[finer.output_box])
    later = sixstep.Operator(coarse, ones, result=part_of_fine, result_lengths=(12, 9), first=(11, 4), **options)
    picked = numpy.roll(expected, (1, -4), (0, 1))[:3, :2]
    close(later(part), picked.astype(dtype)[later.output_box])
    with pytest.raises(sixstep.Error, match="result: a Layout is needed"):
        sixstep.Operator(coarse, ones, result=(3, 2), **options)


def test_operators_are_verified():
    operator = sixstep.Operator(LAYOUTS["slab"](SHAPE), lambda k: 1 / (1 + (k**2).sum(axis=0)), verify="all")
    told = []
    operator.on_detection(told.append)
    for _ in range(2):
        operator(filled(operator.empty_input(), 1))
    assert (operator.verified().checked, operator.verified().repaired, told) == (2, 0, [])
    assert 0 <= operator.verified().largest_share < 1
    operator.on_detection(None)


def test_functions_of_one_component_that_fail():
    def broken(k):
        if k > 1:
            raise ValueError("too large")
        return k

    with pytest.raises(ValueError, match="too large"):
        sixstep.Operator(LAYOUTS["slab"](SHAPE), [broken] * 3)
    with pytest.raises(sixstep.Error, match="axes: the layout has 3, 2 were given"):
        sixstep.Operator(LAYOUTS["slab"](SHAPE), [abs] * 2)
    with pytest.raises(sixstep.Error, match="symbol: the function of axis 1 must return a number"):
        sixstep.Operator(LAYOUTS["slab"](SHAPE), [abs, str, abs])


@pytest.mark.parametrize(
    "layout, dtype, symbol",
    in_turn(LAYOUTS, ["float64", "float32", "complex128", "complex64"], [smooth, drift]),
)
def test_functions_of_k(layout, dtype, symbol):
    values = whole(SHAPE, dtype=dtype)
    kinds = "c2c" if values.dtype.kind == "c" else "r2c"
    apply = sixstep.Operator(LAYOUTS[layout](SHAPE), symbol, kinds=kinds, dtype=dtype, sides=SIDES)
    assert apply.input == apply.output == LAYOUTS[layout](SHAPE) and apply.input_box == apply.output_box
    part = apply.empty_input()
    part[...] = values[apply.input_box]
    expected = applied(symbol, values)[apply.output_box]
    result = apply(part)
    close(result, expected)
    close(part, values[apply.input_box])
    out = apply.empty_output()
    assert apply.apply(part, out) is out
    close(out, expected)
    assert apply(part, out=part) is part
    close(part, expected)


def test_a_function_is_called_while_planning_with_many_vectors():
    calls = []

    def symbol(k):
        calls.append(k.shape)
        kx, ky, kz = k
        return kx**2 + ky**2 + kz**2

    shape = (16, 12, 20)
    values = whole(shape, dtype="float64")
    apply = sixstep.Operator(LAYOUTS["slab"](shape), symbol, kinds="r2c", sides=SIDES)
    made = len(calls)
    assert calls[0] == (3, 2) and made <= 3 + numpy.prod(shape) // 512, calls
    close(apply(values[apply.input_box].copy()), applied(symbol, values)[apply.output_box])
    assert apply.passes > 0 and apply.exchanges == (2 if RANKS > 1 else 0) and apply.threads > 0
    assert "times symbol" in apply.describe() == str(apply)
    assert sum(part.seconds for part in apply.breakdown()) > 0
    calls[made:] = []
    apply(apply.empty_input() * 0)
    assert len(calls) == made


def test_between_walls_and_periodic():
    values = whole(SHAPE, dtype="float64")
    symbol = lambda k: (2 + k[1]) * smooth(k)  # noqa: E731
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), symbol, axes=(1, -1), kinds=("dct2", "r2c"))
    spectrum = scipy.fft.rfft(scipy.fft.dct(values, axis=1), axis=2)
    k = numpy.stack(numpy.meshgrid([0], range(9), range(5), indexing="ij")).astype(float)
    expected = scipy.fft.idct(scipy.fft.irfft(spectrum * symbol(k), SHAPE[2], axis=2), axis=1)
    close(apply(values[apply.input_box].copy()), expected[apply.output_box])
    with pytest.raises(sixstep.Error, match="symbol: real numbers, because all axes are between walls"):
        sixstep.Operator(LAYOUTS["slab"](SHAPE), drift, kinds="dct2")


def rotation(k):
    """A curl, and the divergence below it: 4 results of 3 fields."""
    kx, ky, kz = k
    zero = 0 * kx
    return 1j * numpy.stack(
        [
            numpy.stack([zero, -kz, ky]),
            numpy.stack([kz, zero, -kx]),
            numpy.stack([-ky, kx, zero]),
            numpy.stack([kx, ky, kz]),
        ]
    )


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("kept", [True, False])
def test_matrices(interleaved, kept):
    shape = (5, 7, 9)  # without n/2
    values = whole((3, *shape), dtype="float64")
    k = waves(shape)
    spectra = numpy.fft.fftn(values, axes=(1, 2, 3))
    matrix = rotation(k.reshape(3, -1)).reshape(4, 3, *shape)
    expected = numpy.fft.ifftn(numpy.einsum("rfxyz,fxyz->rxyz", matrix, spectra), axes=(1, 2, 3)).real

    def part_of(whole, box):
        part = whole[(slice(None), *box)]
        return numpy.ascontiguousarray(numpy.moveaxis(part, 0, -1) if interleaved else part)

    options = dict(kinds="r2c", sides=SIDES, fields=3, interleaved=interleaved, kept=kept)
    apply = sixstep.Operator(LAYOUTS["slab"](shape), rotation, **options)
    part = part_of(values, apply.input_box)
    close(apply(part), part_of(expected, apply.output_box))
    before, after = apply.empty_in_place()
    before[...] = part
    close(apply(before, after), part_of(expected, apply.output_box))
    # One result has no axis of fields, like one field.
    divergence = sixstep.Operator(LAYOUTS["slab"](shape), sixstep.symbols.divergence(3), **options)
    close(divergence(part), expected[3][divergence.output_box])
    options["fields"] = 1
    gradient = sixstep.Operator(LAYOUTS["slab"](shape), lambda k: 1j * k[:, None], **options)
    expected = numpy.fft.ifftn(1j * k * spectra[0], axes=(1, 2, 3)).real
    close(gradient(values[0][gradient.input_box].copy()), part_of(expected, gradient.output_box))


def test_another_symbol_later():
    values = whole(SHAPE, dtype="float64")
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), smooth, kinds="r2c", sides=SIDES)
    part = values[apply.input_box].copy()
    for symbol in (drift, smooth):  # complex, and real again
        apply.renew(symbol)
        close(apply(part), applied(symbol, values)[apply.output_box])

    def unlucky(k):
        if RANK == RANKS - 1:
            raise KeyError("no such wave")
        return smooth(k)

    for wrong, words in (
        (sixstep.symbols.curl(), "symbol: a number, 1 x 1, is needed as before, 3 x 3 was given"),
        (sixstep.symbols.helmholtz(0), "symbol: finite numbers are needed, at k = .0, 0, 0. it is inf"),
        (3, "symbol: a function of k, a list .* is needed, int was given"),
        (unlucky, "no such wave"),
    ):
        with pytest.raises((sixstep.Error, KeyError), match=words) as told:
            apply.renew(wrong)
        assert told.value.on_all_ranks
    close(apply(part), applied(smooth, values)[apply.output_box])


def test_without_a_table():
    values = whole(SHAPE, dtype="float64")
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), drift, kinds="r2c", sides=SIDES, kept=False, threads=2)
    for _ in range(3):
        close(apply(values[apply.input_box].copy()), applied(drift, values)[apply.output_box])

    def no_mean(k):
        if not k.any(0).all():
            raise ZeroDivisionError("no mean")
        return 1 / (k**2).sum(0)

    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), no_mean, kinds="r2c", kept=False)
    raised = 0
    try:
        apply(values[apply.input_box].copy())
    except ZeroDivisionError as error:
        assert str(error) == "no mean" and not error.on_all_ranks
        raised = 1
    assert sixstep.Ranks().all(numpy.array(raised)).sum() == 1
    apply.renew(smooth)
    apply(values[apply.input_box].copy())


def raises_on(rank, at_ones):
    def symbol(k):
        if RANK == rank and (at_ones or not (k == 1).all()):
            raise KeyError("no such wave")
        return smooth(k)

    return symbol


@pytest.mark.parametrize("at_ones", [True, False])
@pytest.mark.parametrize("rank", sorted({0, RANKS - 1}))
def test_what_a_function_raises_reaches_all_ranks(rank, at_ones):
    with pytest.raises((KeyError, sixstep.Error), match="no such wave") as told:
        sixstep.Operator(LAYOUTS["slab"](SHAPE), raises_on(rank, at_ones), kinds="r2c")
    assert told.type is (KeyError if RANK == rank else sixstep.Error) and told.value.on_all_ranks


@pytest.mark.parametrize(
    "symbol, options, words",
    [
        (smooth, {"sides": (1, 2)}, "sides: one for each of the 3 axes of the layout is needed, 2 were given"),
        (smooth, {"sides": (1, 2, 0)}, "sides: lengths above 0 are needed, 0 was given"),
        (smooth, {"output": "natural_axes"}, "output: an operator has none"),
        (smooth, {"nothing": 1}, "nothing: there is no such option"),
        (smooth, {"dtype": "int8"}, "dtype: "),
        (lambda k: numpy.where(k.any(0), 1, numpy.nan), {}, "symbol: finite numbers are needed, at k = .0, 0, 0."),
        (lambda k: k, {}, r"symbol: for k of shape .3, 2. .* return .* \(2,\), .*; one of float64 of shape .3, 2."),
        (lambda k: 1.0, {}, "symbol: .* of shape .. was returned"),
        (lambda k: numpy.array(["a", "b"]), {}, "symbol: .*; one of <U1 of shape"),
        (lambda k: numpy.emath.sqrt(k[0]), {}, "first it returned real numbers, and then complex numbers"),
        (rotation, {"fields": 2}, "symbol: a matrix with 2 columns"),
        (sixstep.symbols.derivative(3), {}, "axis: -3 to 2 are possible, 3 was given"),
        (sixstep.symbols.shift([1, 2]), {}, "axes: the layout has 3, 2 were given"),
        ("laplacian", {}, "symbol: a function of k, a list of .* is needed, str was given"),
    ],
)
def test_what_is_wrong_is_told(symbol, options, words):
    with pytest.raises(sixstep.Error, match=words) as told:
        sixstep.Operator(LAYOUTS["slab"](SHAPE), symbol, **{"kinds": "r2c", **options})
    assert told.value.on_all_ranks


def test_arrays_that_do_not_fit():
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), smooth, kinds="r2c")
    with pytest.raises(sixstep.Error, match="in: an array of float64 of shape .* is needed"):
        apply(numpy.zeros((2, 3)))
    with pytest.raises(sixstep.Error, match="out: an array of float64"):
        apply(apply.empty_input(), numpy.zeros((2, 3)))

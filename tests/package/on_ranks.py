# SPDX-License-Identifier: BSD-3-Clause
"""Plans on the ranks that run this file, against NumPy and SciPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import itertools

import numpy
import pytest
import scipy.fft
import sixstep

RANKS, RANK = sixstep.ranks(), sixstep.rank()


def whole(shape, seed=1, dtype="complex128"):
    random = numpy.random.default_rng(seed)
    values = random.normal(size=shape)
    if numpy.dtype(dtype).kind == "c":
        values = values + 1j * random.normal(size=shape)
    return values.astype(dtype)


def filled(array, values):
    array[...] = values
    return array


def close(part, expected):
    assert part.shape == expected.shape
    single = part.dtype in (numpy.float32, numpy.complex64)
    size = numpy.sqrt(numpy.mean(abs(expected) ** 2)) if expected.size else 1
    numpy.testing.assert_allclose(part, expected, rtol=0, atol=(2e-5 if single else 1e-12) * (size + 1))


CELL = numpy.dtype([("name", "S5"), ("at", "<i2", (3,)), ("value", "f8")])

LAYOUTS = {
    "slab": lambda shape: sixstep.Layout.slab(shape, RANKS),
    "last axis": lambda shape: sixstep.Layout.slab(shape, RANKS, -1),
    "brick": lambda shape: sixstep.Layout.brick(shape, RANKS),
    "fortran": lambda shape: sixstep.Layout.slab(shape, RANKS, order=range(len(shape))[::-1]),
    "cyclic": lambda shape: sixstep.Layout.grid(
        shape, [RANKS] + [1] * (len(shape) - 1), ["cyclic"] + ["block"] * (len(shape) - 1)
    ),
    "one has all": lambda shape: sixstep.Layout.boxes(
        shape, [tuple(slice(0, n if rank == RANKS - 1 else 0) for n in shape) for rank in range(RANKS)]
    ),
}


def in_turn(firsts, seconds, thirds):
    """Every first with every second, and one third with each pair, in turn: each first and each second meets all thirds
    if these are no more than the others."""
    pairs = itertools.product(enumerate(firsts), enumerate(seconds))
    return [(first, second, thirds[(i + j) % len(thirds)]) for (i, first), (j, second) in pairs]


@pytest.mark.parametrize(
    "layout, shape, dtype",
    in_turn(LAYOUTS, [(12,), (7, 5), (8, 6, 9), (3, 4, 2, 5)], ["complex128", "complex64"]),
)
def test_c2c(layout, shape, dtype):
    values = whole(shape, dtype=dtype)
    input = LAYOUTS[layout](shape)
    for output in (input, LAYOUTS["slab"](shape)):
        plan = sixstep.Plan(input, output, dtype=dtype)
        part = filled(plan.empty_input(), values[plan.input_box])
        spectrum = plan.forward(part)
        close(spectrum, numpy.fft.fftn(values)[plan.output_box])
        close(part, values[plan.input_box])
        close(plan.backward(spectrum, scale="by_n"), values[plan.input_box])
        close(
            plan.forward(part, plan.empty_output(), scale="by_sqrt_n"),
            numpy.fft.fftn(values, norm="ortho")[plan.output_box],
        )


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("axes", [None, (0, 2), (1, -1), (2, 1)])
def test_r2c(dtype, axes):
    shape = (6, 7, 10)
    values = whole(shape, dtype=dtype)
    options = {} if axes is None else {"axes": axes}
    plan = sixstep.Plan(
        LAYOUTS["slab"](shape),
        LAYOUTS["slab"](numpy.fft.rfftn(values, axes=axes).shape),
        dtype=dtype,
        kinds="r2c",
        **options,
    )
    part = filled(plan.empty_input(), values[plan.input_box])
    spectrum = plan.forward(part)
    close(spectrum, numpy.fft.rfftn(values, axes=axes)[plan.output_box])
    close(plan.backward(spectrum, scale="by_n"), values[plan.input_box])


def test_options_are_integers_of_any_kind():
    values = whole((4, 6))
    for axes in (-1, numpy.int64(1), numpy.array([1]), (-1,)):
        plan = sixstep.Plan(LAYOUTS["slab"]((4, 6)), LAYOUTS["slab"]((4, 6)), axes=axes, padded=numpy.False_)
        close(plan.forward(values[plan.input_box].copy()), numpy.fft.fft(values)[plan.output_box])


def test_cosines_and_sines():
    shape = (6, 5, 8)
    values = whole(shape, dtype="float64")
    for kind, number, transform in itertools.chain(
        ((f"dct{i}", i, scipy.fft.dctn) for i in (1, 2, 3, 4)), ((f"dst{i}", i, scipy.fft.dstn) for i in (1, 2, 3, 4))
    ):
        plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"](shape), kinds=kind)
        part = filled(plan.empty_input(), values[plan.input_box])
        close(plan.forward(part), transform(values, type=number)[plan.output_box])
        close(plan.backward(plan.forward(part), scale="by_n"), values[plan.input_box])


def test_in_place():
    shape = (8, 6, 10)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape))
    before, after = plan.empty_in_place()
    filled(before, values[plan.input_box])
    assert plan.forward(before, after) is after
    close(after, numpy.fft.fftn(values)[plan.output_box])

    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"]((8, 6, 6)), kinds="r2c", padded=True)
    before, after = plan.empty_in_place()
    filled(before, values.real[plan.input_box])
    close(plan.forward(before, after), numpy.fft.rfftn(values.real)[plan.output_box])
    close(plan.backward(after, before, scale="by_n"), values.real[plan.input_box])


def test_fields():
    shape = (8, 6, 10)
    values = whole((3, *shape), dtype="float64")
    spectra = numpy.fft.rfftn(values, axes=(1, 2, 3))
    plan = sixstep.Plan(LAYOUTS["slab"](shape), kinds="r2c", fields=3)
    part = filled(plan.empty_input(), values[(slice(None), *plan.input_box)])
    close(plan.forward(part), spectra[(slice(None), *plan.output_box)])
    plan = sixstep.Plan(LAYOUTS["slab"](shape), kinds="r2c", fields=3, interleaved=True)
    part = filled(plan.empty_input(), numpy.moveaxis(values[(slice(None), *plan.input_box)], 0, -1))
    close(plan.forward(part), numpy.moveaxis(spectra[(slice(None), *plan.output_box)], 0, -1))


def test_ghosts():
    shape = (8, 6, 10)
    values = whole(shape)
    layout = LAYOUTS["slab"](shape).with_ghosts((1, 2, 0), (2, 1, 1))
    plan = sixstep.Plan(layout, LAYOUTS["slab"](shape))
    around = filled(plan.empty_input(), 7)
    if around.size:
        around[1:-2, 2:-1, 0:-1] = values[plan.input_box]
    close(plan.forward(around), numpy.fft.fftn(values)[plan.output_box])
    if around.size:
        assert (around[0] == 7).all() and (around[:, :2] == 7).all()


def test_fewer_modes():
    shape = (12, 9, 10)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"]((8, 6, 7)), modes=(8, 6, 7))
    part = filled(plan.empty_input(), values[plan.input_box])
    rows = [numpy.r_[0 : m - m // 2, n - m // 2 : n] for n, m in zip(shape, (8, 6, 7))]
    kept = numpy.fft.fftn(values)[numpy.ix_(*rows)]
    close(plan.forward(part), kept[plan.output_box])


def test_a_sphere():
    shape, radius = (12, 9, 10), 3.5
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), sphere=radius)
    assert plan.output.shape == (179,)
    packed = plan.forward(filled(plan.empty_input(), values[plan.input_box]))
    k = numpy.stack([plan.wavenumbers(axis) for axis in range(3)]).astype(int)
    assert ((k**2).sum(axis=0) < radius**2).all()
    close(packed, numpy.fft.fftn(values)[tuple(k)])
    with pytest.raises(sixstep.Error, match="sphere: one number or several are needed, 'large' was given"):
        sixstep.Plan(LAYOUTS["slab"](shape), sphere="large")


def test_listed_columns():
    shape = (12, 9, 10)
    values = whole(shape)
    columns = numpy.array([[0, 0, -2, 3], [-4, 2, 1, 5], [1, -5, -6, -4]])
    plan = sixstep.Plan(LAYOUTS["slab"](shape), columns=columns)
    packed = plan.forward(filled(plan.empty_input(), values[plan.input_box]))
    k = numpy.stack([plan.wavenumbers(axis) for axis in range(3)]).astype(int)
    kept = {(x, y, z) for y, z, low, high in columns for x in range(low, high + 1)}
    assert plan.output.shape == (len(kept),) and set(zip(*k.tolist())) <= kept
    close(packed, numpy.fft.fftn(values)[tuple(k)])
    with pytest.raises(sixstep.Error, match="columns: wave numbers from -5 to 4 are possible along axis 2, 5 was"):
        sixstep.Plan(LAYOUTS["slab"](shape), columns=[[0, 5, 0, 0]])


def test_wave_numbers():
    shape = (8, 7, 10)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"]((8, 7, 6)), kinds="r2c")
    for axis, numbers in enumerate(
        [numpy.fft.fftfreq(8, 1 / 8), numpy.fft.fftfreq(7, 1 / 7), numpy.fft.rfftfreq(10, 1 / 10)]
    ):
        assert isinstance(plan.wavenumbers(axis), numpy.ndarray)
        assert (2 * plan.wavenumbers(axis - 3) == 2 * numbers[plan.output_box[axis]]).all()
    assert plan.wavenumber((7, 1, 5)) == (-1, 1, 5)


def test_arrays_may_be_any_that_fit():
    shape = (8, 6, 4)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["fortran"](shape))
    part = values[plan.input_box].copy()
    out = numpy.asfortranarray(numpy.zeros([s.stop - s.start for s in plan.output_box], "complex128"))
    assert plan.forward(part, out) is out
    close(out, numpy.fft.fftn(values)[plan.output_box])


def test_arrays_that_are_read_only():
    shape = (8, 6, 4)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"](shape))
    part = values[plan.input_box].copy()
    part.flags.writeable = False
    spectrum = plan.forward(part)
    close(spectrum, numpy.fft.fftn(values)[plan.output_box])
    spectrum.flags.writeable = False
    close(plan.backward(spectrum, scale="by_n"), part)
    destroys = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"](shape), preserve_input=False)
    for call, words in (
        (lambda: plan.forward(part, part), "out: a writable array is needed"),
        (lambda: destroys.forward(part), "in, with preserve_input=False: a writable array is needed"),
    ):
        with pytest.raises(sixstep.Error, match=words):
            call()
    close(destroys.forward(part.copy()), numpy.fft.fftn(values)[plan.output_box])


@pytest.mark.parametrize("dtype", [">c16", "clongdouble", "complex64", "i4", "U1"])
def test_arrays_of_other_types_are_told(dtype):
    plan = sixstep.Plan(LAYOUTS["slab"]((4 * RANKS, 6)))
    array = numpy.zeros((4, 6), dtype)
    with pytest.raises(sixstep.Error, match=f"in: an array of complex128 .*; one of {array.dtype} of shape .4, 6."):
        plan.forward(array)
    with pytest.raises(sixstep.Error, match="in: .*; list was given"):
        plan.forward(array.tolist())


def test_either_sign():
    shape = (8, 6, 5)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["slab"](shape))
    part = values[plan.input_box].copy()
    minus, plus = numpy.fft.fftn(values), numpy.fft.ifftn(values, norm="forward")
    for execute in (plan.forward, plan.backward):
        close(execute(part, sign="minus"), minus[plan.output_box])
        close(execute(part, sign="plus"), plus[plan.output_box])
    with pytest.raises(sixstep.Error, match="sign: minus or plus is needed, x was given"):
        plan.forward(part, sign="x")
    reals = sixstep.Plan(LAYOUTS["slab"](shape), kinds="r2c")
    with pytest.raises(sixstep.Error, match="sign: None is needed, as this plan has real input"):
        reals.forward(reals.empty_input(), sign="plus")

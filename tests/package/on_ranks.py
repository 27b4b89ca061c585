# SPDX-License-Identifier: BSD-3-Clause
"""Plans on the ranks that run this file, against NumPy and SciPy on the whole array.

Every rank runs every test, with the same random numbers.
"""

import gc
import itertools
import json
import pathlib
import sys
import threading
import weakref

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


@pytest.mark.parametrize("kinds, after", [("c2c", (8, 6, 10)), ("r2c", (8, 6, 6))])
def test_arrays_on_a_device(kinds, after):
    shape = (8, 6, 10)
    values = whole(shape) if kinds == "c2c" else whole(shape).real
    ghosts = LAYOUTS["slab"](shape).with_ghosts((1, 0, 0), (0, 0, 2))
    plan = sixstep.Plan(ghosts, LAYOUTS["slab"](after), kinds=kinds, device="emulated")
    inside = (slice(1, None), slice(None), slice(0, -2))
    field, spectrum = plan.empty_input(), plan.empty_output()
    assert isinstance(field, sixstep.DeviceArray) and not hasattr(field, "__cuda_array_interface__")
    around = numpy.full(field.shape, 7, field.dtype)
    if around.size:
        around[inside] = values[plan.input_box]
    field.set(around)
    assert (field.get() == around).all()
    assert plan.forward(field, spectrum) is spectrum
    transform = numpy.fft.fftn if kinds == "c2c" else numpy.fft.rfftn
    close(spectrum.get(), transform(values)[plan.output_box])
    field.set(0)
    plan.backward(spectrum, field, scale="by_n")
    if around.size:
        close(field.get()[inside], values[plan.input_box])
    for ask in (numpy.asarray, lambda array: numpy.add(array, 1)):
        with pytest.raises(TypeError, match="in a device's memory: a.get"):
            ask(field)
    with pytest.raises(sixstep.Error, match="out: an array on the device emulated is needed"):
        plan.forward(field)
    for wrong in (around, spectrum):
        with pytest.raises(sixstep.Error, match="in: an array of .* on the device emulated is needed"):
            plan.forward(wrong)
    with pytest.raises(sixstep.Error, match="in: an array of .* is needed"):
        sixstep.Plan(LAYOUTS["slab"](shape)).forward(field)
    assert all(isinstance(each, sixstep.DeviceArray) for each in plan.empty_in_place())


@pytest.mark.parametrize("kinds, after", [("c2c", (8, 6, 10)), ("r2c", (8, 6, 6)), ("dct2", (8, 6, 10))])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_executions_may_be_begun_one_behind_the_other(kinds, after, dtype):
    shape = (8, 6, 10)
    values = whole(shape) if kinds == "c2c" else whole(shape).real
    transform = {"c2c": numpy.fft.fftn, "r2c": numpy.fft.rfftn, "dct2": scipy.fft.dctn}[kinds]
    layouts = LAYOUTS["slab"](shape), LAYOUTS["last axis"](after)
    plan = sixstep.Plan(*layouts, dtype=dtype, kinds=kinds, device="emulated")
    field, spectrum = plan.empty_input(), plan.empty_output()
    field.set(values[plan.input_box])
    assert plan.forward_async(field, spectrum) is spectrum
    # Nobody but the plan has this array until all has been done.
    plan.forward_async(plan.backward_async(spectrum, plan.empty_input(), scale="by_n"), spectrum)
    plan.wait()
    close(spectrum.get(), transform(values)[plan.output_box])
    plan.wait()
    plan.backward(spectrum, field, scale="by_n")
    close(field.get(), values[plan.input_box])
    if kinds == "c2c":
        plan.forward_async(field, spectrum, sign="plus", scale="by_n")
        plan.wait()
        close(spectrum.get(), numpy.fft.ifftn(values)[plan.output_box])
    with pytest.raises(sixstep.Error, match="out: an array on the device emulated is needed"):
        plan.forward_async(field)
    with pytest.raises(sixstep.Error, match="stream: a plan on a GPU is needed"):
        plan.set_stream(0)


def test_on_the_host_nothing_is_left_to_wait_for():
    values = whole((8, 6))
    plan = sixstep.Plan(LAYOUTS["slab"]((8, 6)), LAYOUTS["slab"]((8, 6)))
    part = values[plan.input_box].copy()
    spectrum = plan.forward_async(part)
    close(spectrum, numpy.fft.fft2(values)[plan.output_box])
    close(plan.backward_async(spectrum, scale="by_n"), part)
    plan.wait()


def test_memory_that_is_lent():
    shape = (8, 6, 10)
    values = whole(shape)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), LAYOUTS["last axis"](shape), own_workspace=False)
    part = values[plan.input_box].copy()
    if plan.workspace_bytes:
        with pytest.raises(sixstep.Error, match="workspace"):
            plan.set_workspace(numpy.empty(plan.workspace_bytes - 1, "uint8"))
    fixed = numpy.zeros(plan.workspace_bytes + 63, "uint8")
    fixed.flags.writeable = False
    for wrong in (fixed, [1, 2], numpy.zeros((9, plan.workspace_bytes + 64), "uint8").T):
        with pytest.raises(sixstep.Error, match="memory: a writable NumPy array without gaps is needed"):
            plan.set_workspace(wrong)
    plan.set_workspace(numpy.empty(plan.workspace_bytes + 63, "uint8"))
    close(plan.forward(part), numpy.fft.fftn(values)[plan.output_box])


def test_a_function_is_told_of_wrong_executions(monkeypatch):
    from mpi4py import MPI

    shape = (300, 128)  # of each rank alone: no messages keep arrays apart that overlap
    plan = sixstep.Plan(sixstep.Layout.slab(shape, 1), comm=MPI.COMM_SELF, verify="all")

    def overlapping():
        memory = numpy.random.default_rng(1).random(2 * (300 * 128 + 1)).view(complex)
        return memory[:-1].reshape(shape), memory[1:].reshape(shape)

    told = []
    plan.on_detection(told.append)
    with pytest.raises(sixstep.Error, match="verify: the result of a forward transform is wrong"):
        plan.forward(*overlapping())
    (found,) = told
    assert (found.direction, found.repaired) == ("forward", False)
    assert found.difference > found.bound > 0
    assert (found.rank, found.where) in [(-1, "")] or f"rank {found.rank} has " in found.where
    printed = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: printed.append(each.exc_type))
    plan.on_detection(lambda found: 1 / 0)
    with pytest.raises(sixstep.Error, match="verify: "):
        plan.forward(*overlapping())
    assert printed == [ZeroDivisionError]
    here = weakref.ref(plan)
    plan.on_detection(lambda found, plan=plan: None)
    del plan
    gc.collect()
    assert here() is None


def test_what_a_plan_takes(tmp_path_factory):
    from mpi4py import MPI

    shape = (8, 6, 10)
    folder = MPI.COMM_WORLD.bcast(str(tmp_path_factory.mktemp("trace")) if RANK == 0 else None)
    plan = sixstep.Plan(LAYOUTS["slab"](shape), trace=f"{folder}/trace.json")
    plan.forward(filled(plan.empty_input(), 1))
    parts = plan.breakdown()
    assert parts and all(part.what and part.seconds >= 0 and part.bytes >= 0 for part in parts)
    assert sum(part.seconds for part in parts) > 0 == sum(part.seconds for part in plan.breakdown("backward"))
    assert plan.communication_seconds >= 0
    assert plan.wire_error() == 0
    assert plan.verified().checked == 0
    checked = sixstep.Plan(LAYOUTS["slab"](shape), verify="result")
    checked.forward(filled(checked.empty_input(), 1))
    assert (checked.verified().checked, checked.verified().unchecked) == (1, 0)
    assert 0 <= checked.verified().largest_share < 1
    assert checked.verified().compared == 0
    everything = sixstep.Plan(LAYOUTS["slab"](shape), verify="all")
    everything.forward(filled(everything.empty_input(), 1))
    assert everything.verified().checked == 1
    assert everything.verified().compared > 0 or MPI.COMM_WORLD.size == 1
    told = []
    everything.on_detection(told.append)
    everything.forward(filled(everything.empty_input(), 1))
    assert told == []
    everything.on_detection(None)
    with pytest.raises(sixstep.Error, match="wire: a tolerance from 0 .* to below 1 is needed, 2"):
        sixstep.Plan(LAYOUTS["slab"](shape), wire=2)
    with pytest.raises(sixstep.Error, match="direction: forward or backward is needed, up was given"):
        plan.breakdown("up")
    plan.write_trace()
    MPI.COMM_WORLD.barrier()
    with open(f"{folder}/trace.json") as file:
        assert json.load(file)["traceEvents"]
    machine = pathlib.Path(__file__).parents[2] / "machines"
    made = plan.predict(str(next(machine.glob("*.json"))))
    assert made.seconds > 0 and len(made.steps) > 0 and made.computation > 0 <= made.communication
    with pytest.raises(sixstep.Error, match="/nonexistent: a machine file is needed"):
        plan.predict("/nonexistent")


def test_outputs_lie_as_asked():
    slab = LAYOUTS["slab"]((8, 6, 10))
    fortran = LAYOUTS["fortran"]((8, 6, 10))
    assert sixstep.Plan(slab, "as_input").output == slab
    assert sixstep.Plan(slab, output="cheapest").output == sixstep.Plan(slab).output
    for layout in (slab, fortran):
        assert sixstep.Plan(layout, "natural_axes").output.order == layout.order
    with pytest.raises(sixstep.Error, match="output: cheapest, as_input, natural_axes are possible, natural was given"):
        sixstep.Plan(slab, "natural")


def test_tuned_layouts():
    layout = sixstep.Plan.tuned_layout((8, 6, 10), kinds="r2c")
    assert layout.shape == (8, 6, 10) and layout.ranks == RANKS
    assert sixstep.Plan.tuned_layout([8, 6], "as_input", dtype="complex64").shape == (8, 6)
    for wrong, words in (({"exchange": 3}, "exchange: a word is needed"), ({"axes": [5]}, "axes: 0 to 1")):
        with pytest.raises(sixstep.Error, match=words):
            sixstep.Plan.tuned_layout((8, 6), **(wrong if RANK == RANKS - 1 or "axes" in wrong else {}))


def test_communicators_of_mpi4py():
    from mpi4py import MPI

    half = MPI.COMM_WORLD.Split(RANK % 2)
    shape = (4, 6)
    values = whole(shape, seed=RANK % 2)
    plan = sixstep.Plan(sixstep.Layout.slab(shape, half.size), comm=half)
    close(plan.forward(values[plan.input_box].copy()), numpy.fft.fftn(values)[plan.output_box])


def test_a_second_thread_is_refused_while_one_executes():
    from mpi4py import MPI

    if RANKS == 1:
        return
    comm = MPI.COMM_WORLD.Dup()
    slabs, columns = LAYOUTS["slab"]((8, 6)), LAYOUTS["last axis"]((8, 6))
    plan, moves, a = sixstep.Plan(slabs, columns), sixstep.Redistribution(slabs, columns), sixstep.Array((8, 6))
    values = whole((8, 6))
    for call in (
        lambda: close(plan.forward(values[slabs.box(RANK)].copy()), numpy.fft.fft2(values)[columns.box(RANK)]),
        lambda: close(moves.forward(values.real[slabs.box(RANK)].copy()), values.real[columns.box(RANK)]),
        a.sum,
    ):
        refused = []

        def execute(call=call, refused=refused):
            try:
                call()
            except sixstep.Error as error:
                refused.append(str(error))
                comm.Barrier()  # now the other ranks may come, for whom the other thread waits

        if RANK == 0:
            threads = [threading.Thread(target=execute) for _ in range(2)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(refused) == 1 and "another thread of this rank is using it" in refused[0], refused
        else:
            comm.Barrier()
            call()
        call()  # it goes on
    comm.Free()


@pytest.mark.parametrize("tuning", ["quick", "exhaustive"])
def test_what_does_not_fit_into_memory_is_refused_before_it_is_tuned(tuning):
    shape = (10**4,) * 3
    for make in (sixstep.Plan, lambda layout, **options: sixstep.Plan.tuned_layout(layout.shape, **options)):
        with pytest.raises(sixstep.Error, match="memory: 2 arrays of .* bytes.* are needed, this machine has"):
            make(LAYOUTS["slab"](shape), tuning=tuning, tuning_seconds=1e6)

# SPDX-License-Identifier: BSD-3-Clause
"""Plans at work on the ranks that run this file: on devices, in lent memory, beside threads; what they tell.

Every rank runs every test, with the same random numbers.
"""

import gc
import json
import pathlib
import sys
import threading
import weakref

import numpy
import pytest
import scipy.fft
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS, close, filled, whole


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

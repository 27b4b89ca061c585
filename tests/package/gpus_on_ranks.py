# SPDX-License-Identifier: BSD-3-Clause
"""Plans and transforms of arrays on GPUs, on the ranks that run this file, with NumPy's and SciPy's values.

Every rank runs every test, with the same random numbers. Libraries that are not there are skipped.
"""

import numpy
import pytest
import scipy.fft
import sixstep
from gpu_arrays import SHAPE, TRANSFORMS, OfCuPy, OfJax, OfTorch, case
from on_ranks import LAYOUTS, RANKS, close, whole


@pytest.fixture(params=[OfTorch, OfCuPy, OfJax], ids=lambda of: of.name)
def of(request):
    return request.param()


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_plans_take_and_return_arrays_of_the_library(of, kinds, single):
    plan, values, expected = case(kinds, single)
    x = of.there(values[plan.input_box])
    y = plan.forward(x)
    assert isinstance(y, of.kind)
    close(of.here(y), expected[plan.output_box])
    back = plan.backward(y, scale="by_n")
    assert isinstance(back, of.kind)
    close(of.here(back), values[plan.input_box])
    close(of.here(x), values[plan.input_box])
    plan.wait()
    close(of.here(plan.forward_async(x)), expected[plan.output_box])
    plan.wait()


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_plans_write_to_arrays_of_the_library(of, kinds):
    plan, values, expected = case(kinds, False)
    x, out = of.there(values[plan.input_box]), of.there(numpy.zeros_like(expected[plan.output_box]))
    if of.name == "jax":
        with pytest.raises(sixstep.Error, match="out: a writable array is needed, an array of JAX was given"):
            plan.forward(x, out)
        return
    assert plan.forward(x, out) is out
    close(of.here(out), expected[plan.output_box])
    ours = plan.empty_output()
    assert plan.forward(x, ours) is ours
    close(ours.get(), expected[plan.output_box])


class Exported:
    """An array that is known by DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_device_arrays_are_arrays_of_the_library_without_a_copy(of, kinds):
    plan, values, expected = case(kinds, False)
    field, spectrum = plan.empty_input(), plan.empty_output()
    field.set(values[plan.input_box])
    seen = of.seen(field)
    assert isinstance(seen, of.kind) and tuple(seen.shape) == tuple(field.shape)
    close(of.here(seen), values[plan.input_box])
    if 0 not in seen.shape:
        assert of.address(seen) == field.__cuda_array_interface__["data"][0]
    plan.forward(seen, spectrum)
    del field
    plan.wait()
    close(of.here(of.seen(spectrum)), expected[plan.output_box])
    assert spectrum.__dlpack_device__()[0] == 2
    plan.backward(Exported(spectrum), seen, scale="by_n") if of.name != "jax" else None
    close(of.here(seen), values[plan.input_box])
    with pytest.raises(BufferError, match="copy: None or False is needed"):
        spectrum.__dlpack__(copy=True)
    if of.name == "torch":
        close(of.here(of.torch.from_dlpack(spectrum)), expected[plan.output_box])


def test_arrays_that_do_not_fit_are_refused(of):
    plan, values, _ = case("c2c", False)
    with pytest.raises(sixstep.Error, match="in: an array of complex128 .* on the device cuda is needed"):
        plan.forward(values[plan.input_box])
    with pytest.raises(sixstep.Error, match="in: an array of complex128 .* on the device cuda is needed"):
        plan.forward(of.there(values[plan.input_box].astype("complex64")))
    if of.name != "jax":  # whose transposed arrays are copies
        box = values[plan.input_box]
        apart = of.there(box.transpose(2, 1, 0)).transpose(*((2, 1, 0) if of.name == "cupy" else (0, 2)))
        if box.size:
            with pytest.raises(sixstep.Error, match="in: an array of .* bytes apart"):
                plan.forward(apart)
    host = sixstep.Plan(LAYOUTS["slab"](SHAPE))
    with pytest.raises(sixstep.Error, match="in: an array of complex128 .* was given"):
        host.forward(of.there(values[host.input_box]))
    if of.name == "torch":
        with pytest.raises(sixstep.Error, match="in: an array of .* on the device cuda is needed"):
            plan.forward(of.torch.from_numpy(values[plan.input_box].copy()))
        with pytest.raises(sixstep.Error, match="without a gradient"):
            plan.forward(of.there(values[plan.input_box]).requires_grad_())


def test_streams_of_the_library_are_used(of):
    plan, values, expected = case("c2c", False)
    for _ in range(3):
        with of.stream():
            x = of.there(values[plan.input_box])
            y = plan.forward_async(x)
            z = plan.backward_async(y, scale="by_n")
            del x
            close(of.here(y), expected[plan.output_box])
            close(of.here(z), values[plan.input_box])
    close(of.here(plan.forward(of.there(values[plan.input_box]))), expected[plan.output_box])
    plan.wait()


def test_streams_are_not_waited_for():
    of = OfTorch()
    slabs = sixstep.Layout.slab(SHAPE, RANKS)
    plan = sixstep.Plan(slabs, slabs, axes=(1, 2), device="cuda")
    values = whole(SHAPE)[plan.input_box]
    x = of.there(values)
    plan.forward(x)
    stream = of.torch.cuda.Stream()
    stream.wait_stream(of.torch.cuda.current_stream())
    with of.torch.cuda.stream(stream):
        sixstep.fft.fftn(x, axes=(1, 2))
        plan.forward(x)
        of.torch.cuda._sleep(500_000_000)  # a quarter of a second
        y = plan.forward_async(x) if RANKS == 1 else x
        z = sixstep.fft.fftn(x, axes=(1, 2))
        assert not stream.query(), "the stream was waited for"
    stream.synchronize()
    close(of.here(z), numpy.fft.fftn(values, axes=(1, 2)))
    if RANKS == 1:
        close(of.here(y), numpy.fft.fftn(values, axes=(1, 2)))


CALLS = {
    "fftn": lambda f, x: f.fftn(x),
    "ifft of an axis": lambda f, x: f.ifft(x, axis=1, norm="ortho"),
    "fftn of axes in another order": lambda f, x: f.fftn(x, axes=(2, 0)),
    "fftn of other lengths": lambda f, x: f.fftn(x, s=(5, 12), axes=(0, 1)),
    "rfftn": lambda f, x: f.rfftn(x.real),
    "rfft of the first axis": lambda f, x: f.rfft(x.real, axis=0),
    "irfftn": lambda f, x: f.irfftn(x, s=(8, 6, 9)),
    "hfft": lambda f, x: f.hfft(x),
    "ihfft": lambda f, x: f.ihfft(x.real),
    "dctn": lambda f, x: f.dctn(x.real),
    "idctn, orthogonal": lambda f, x: f.idctn(x.real, norm="ortho"),
    "dst of type 3": lambda f, x: f.dst(x.real, type=3, axis=0, norm="ortho"),
    "dct of complex numbers": lambda f, x: f.dct(x, axis=1),
}


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("call", CALLS)
def test_whole_arrays_are_transformed_on_the_gpu(of, call, single):
    values = whole(SHAPE, dtype="complex64" if single else "complex128")
    made = CALLS[call](sixstep.fft, of.there(values))
    assert isinstance(made, of.kind)
    expected = CALLS[call](scipy.fft, values)
    assert str(made.dtype).removeprefix("torch.") == expected.dtype.name
    close(of.here(made), expected)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_any_memory_order(of, order):
    values = whole(SHAPE)
    x = of.there(values)
    x = x.permute(*order) if of.name == "torch" else x.transpose(*order)
    for each, there in ((values.transpose(order), x), (values.transpose(order)[::2, :, 1:], x[::2, :, 1:])):
        close(of.here(sixstep.fft.fftn(there)), numpy.fft.fftn(each))
        close(of.here(sixstep.fft.fft(there, axis=0)), numpy.fft.fft(each, axis=0))


@pytest.mark.parametrize("seed", range(4))
def test_random_transforms(of, seed):
    random = numpy.random.default_rng(seed)
    for _ in range(12):
        ndim = int(random.integers(1, 5))
        shape = [int(n) for n in random.choice([1, 2, 3, 4, 5, 7, 8, 11, 12], ndim)]
        axes = [int(axis) for axis in random.permutation(ndim)[: random.integers(1, ndim + 1)]]
        order = [int(axis) for axis in random.permutation(ndim)]
        kind = random.choice(["fftn", "ifftn", "rfftn", "irfftn", "dctn", "dstn"])
        single, norm = bool(random.integers(2)), random.choice(["backward", "ortho", "forward"])
        dtype = "complex64" if single else "complex128"
        values = whole([shape[axis] for axis in order], int(random.integers(1000)), dtype)
        values = values.real.copy() if kind in ("rfftn", "dctn", "dstn") else values
        more = {} if kind in ("dctn", "dstn") else {"s": [shape[axis] for axis in axes]}
        if kind == "irfftn":
            more["s"][-1] = int(2 * (shape[axes[-1]] - 1) or 1)
        x, back = of.there(values), [order.index(axis) for axis in range(ndim)]
        x = x.permute(*back) if of.name == "torch" else x.transpose(*back)
        expected = getattr(scipy.fft, kind)(values.transpose(back), axes=axes, norm=str(norm), **more)
        close(of.here(getattr(sixstep.fft, kind)(x, axes=axes, norm=str(norm), **more)), expected)


def test_mistakes_with_whole_arrays(of):
    x = of.there(whole(SHAPE))
    with pytest.raises(TypeError, match="x must be a real sequence"):
        sixstep.fft.rfftn(x)
    with pytest.raises(TypeError, match="single or double precision are needed"):
        sixstep.fft.fftn(of.there(whole(SHAPE).real.astype("float16")))
    with pytest.raises(Exception, match="set_reproducible: an array in the host's memory is needed"):
        with sixstep.fft.set_reproducible("machine"):
            of.here(sixstep.fft.fftn(x))
    close(of.here(sixstep.fft.fftn(x)), numpy.fft.fftn(whole(SHAPE)))

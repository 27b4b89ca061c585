# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of PyTorch, CuPy and JAX on GPUs, on the ranks that run this file, with NumPy's and SciPy's values.

Every rank runs every test, with the same random numbers. Libraries that are not there are skipped. Without CuPy,
SIXSTEP_TEST_CUPY=stand-in takes arrays of cupy_stand_in.py, for which the GPU may be one of tests/cuda_on_host.
"""

import contextlib
import importlib
import os
import sys

import numpy
import pytest
import scipy.fft
import sixstep
from on_ranks import LAYOUTS, RANK, RANKS, close, whole

if os.environ.get("SIXSTEP_TEST_CUPY") == "stand-in":
    sys.modules["cupy"] = importlib.import_module("cupy_stand_in")


def has_gpu():
    try:
        sixstep.Plan(sixstep.Layout.slab((4,), RANKS), device="cuda")
    except sixstep.Error as error:
        print(error)
        return False
    return True


if not has_gpu():
    pytest.skip("a GPU and a build with CUDA are needed", allow_module_level=True)


class OfTorch:
    name = "torch"

    def __init__(self):
        self.torch = pytest.importorskip("torch")
        if not self.torch.cuda.is_available():
            pytest.skip("PyTorch has no GPU")
        self.kind = self.torch.Tensor

    def there(self, values):
        return self.torch.from_numpy(numpy.ascontiguousarray(values)).cuda()

    def here(self, array):
        assert array.is_cuda
        return array.cpu().numpy()

    def address(self, array):
        return array.data_ptr()

    def seen(self, array):
        """A DeviceArray as an array of the library."""
        return self.torch.as_tensor(array, device="cuda")

    @contextlib.contextmanager
    def stream(self):
        with self.torch.cuda.stream(self.torch.cuda.Stream()):
            yield


class OfCuPy:
    name = "cupy"

    def __init__(self):
        self.cupy = pytest.importorskip("cupy")
        try:
            self.cupy.asarray(numpy.zeros(1))
        except Exception as error:
            pytest.skip(f"CuPy has no GPU: {error}")
        self.kind = self.cupy.ndarray

    def there(self, values):
        return self.cupy.asarray(numpy.ascontiguousarray(values))

    def here(self, array):
        return array.get()

    def address(self, array):
        return array.data.ptr

    def seen(self, array):
        return self.cupy.asarray(array)

    @contextlib.contextmanager
    def stream(self):
        with self.cupy.cuda.Stream(non_blocking=True):
            yield


class OfJax:
    name = "jax"

    def __init__(self):
        self.jax = pytest.importorskip("jax")
        try:
            self.gpu = self.jax.devices("gpu")[0]
        except RuntimeError:
            pytest.skip("JAX has no GPU")
        self.jax.config.update("jax_enable_x64", True)
        self.kind = self.jax.Array

    def there(self, values):
        return self.jax.device_put(numpy.ascontiguousarray(values), self.gpu)

    def here(self, array):
        assert array.device.platform in ("gpu", "cuda")
        return numpy.asarray(array)

    def address(self, array):
        return array.unsafe_buffer_pointer()

    def seen(self, array):
        return self.jax.dlpack.from_dlpack(array)

    stream = contextlib.nullcontext


@pytest.fixture(params=[OfTorch, OfCuPy, OfJax], ids=lambda of: of.name)
def of(request):
    return request.param()


SHAPE = (8, 6, 10)
TRANSFORMS = {"c2c": numpy.fft.fftn, "r2c": numpy.fft.rfftn, "dct2": scipy.fft.dctn}


def case(kinds, single, **options):
    values = whole(SHAPE) if kinds == "c2c" else whole(SHAPE).real
    values = values.astype({"c": "complex64", "f": "float32"}[values.dtype.kind]) if single else values
    after = (*SHAPE[:-1], SHAPE[-1] // 2 + 1) if kinds == "r2c" else SHAPE
    layouts = LAYOUTS["slab"](SHAPE), sixstep.Layout.slab(after, RANKS, 1)
    plan = sixstep.Plan(*layouts, dtype="float32" if single else "float64", kinds=kinds, device="cuda", **options)
    return plan, values, TRANSFORMS[kinds](values.astype("complex128" if kinds == "c2c" else "float64"))


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


GRADIENTS = {
    "fftn": (lambda f, x: f.fftn(x), False),
    "rfftn": (lambda f, x: f.rfftn(x), True),
    "irfftn": (lambda f, x: f.irfftn(x, s=(4, 3, 5)), False),
    "dctn": (lambda f, x: f.dctn(x, norm="ortho"), True),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_tensors(name):
    of = OfTorch()
    import sixstep.torch

    call, is_real = GRADIENTS[name]
    values = whole((4, 3, 5))
    x = of.there(values.real if is_real else values).requires_grad_()
    assert of.torch.autograd.gradcheck(lambda x: call(sixstep.torch, x), x)
    if name != "dctn":
        call(sixstep.torch, x).abs().pow(4).sum().backward()
        y = x.detach().clone().requires_grad_()
        call(of.torch.fft, y).abs().pow(4).sum().backward()
        close(of.here(x.grad), of.here(y.grad))


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_gradients_of_plans_of_tensors(kinds):
    of = OfTorch()
    import sixstep.torch

    plan, values, expected = case(kinds, False)
    x = of.there(values[plan.input_box]).requires_grad_()
    y = sixstep.torch.forward(plan, x)
    close(of.here(y.detach()), expected[plan.output_box])
    y.abs().pow(2).sum().backward()
    # The gradient of the sum of squares of W F x is 2 F^H W^2 F x.
    host = sixstep.Plan(plan.input, plan.output, kinds=kinds)
    z = of.torch.from_numpy(values[plan.input_box].copy()).requires_grad_()
    sixstep.torch.forward(host, z).abs().pow(2).sum().backward()
    close(of.here(x.grad), z.grad.numpy())
    apart = of.there(numpy.ascontiguousarray(values[plan.input_box].transpose(2, 1, 0))).permute(2, 1, 0)
    close(of.here(sixstep.torch.forward(plan, apart)), expected[plan.output_box])
    with pytest.raises(sixstep.Error, match="in: an array of .* was given"):
        sixstep.torch.forward(host, x.detach())


def test_compiled_functions_of_tensors():
    of = OfTorch()
    import sixstep.torch

    x = of.there(whole(SHAPE))
    made = of.torch.compile(lambda x: sixstep.torch.fftn(x) * 2, backend="eager")(x)
    close(of.here(made), 2 * numpy.fft.fftn(whole(SHAPE)))


def test_compiled_functions_of_jax():
    of = OfJax()
    import sixstep.jax

    values = whole(SHAPE)
    x = of.there(values)
    close(of.here(of.jax.jit(sixstep.jax.fftn)(x)), numpy.fft.fftn(values))
    close(of.here(of.jax.jit(lambda x: sixstep.jax.rfftn(x.real))(x)), numpy.fft.rfftn(values.real))
    many = of.jax.jit(of.jax.vmap(lambda x: sixstep.jax.fftn(x)))(x)
    close(of.here(many), numpy.fft.fftn(values, axes=(1, 2)))

    def loss(f, x):
        return (abs(f.fftn(x)) ** 4).sum()

    mine = of.jax.grad(lambda x: loss(sixstep.jax, x))(x)
    close(of.here(mine), of.here(of.jax.grad(lambda x: loss(of.jax.numpy.fft, x))(x)))


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_plans_in_functions_of_jax(kinds):
    of = OfJax()
    import sixstep.jax

    plan, values, expected = case(kinds, False)
    x = of.there(values[plan.input_box])
    close(of.here(sixstep.jax.forward(plan, x)), expected[plan.output_box])
    there_and_back = of.jax.jit(lambda x: sixstep.jax.backward(plan, sixstep.jax.forward(plan, x) * 2, "by_n"))
    close(of.here(there_and_back(x)), 2 * values[plan.input_box])
    of.jax.effects_barrier()
    host = sixstep.Plan(plan.input, plan.output, kinds=kinds)
    with pytest.raises(sixstep.Error, match="in: an array in the memory of a GPU was given"):
        sixstep.jax.forward(host, x)


def test_gradients_of_plans_in_jax():
    of = OfJax()
    import sixstep.jax

    plan, values, _ = case("r2c", False)
    x = of.there(values[plan.input_box])
    mine = of.jax.grad(lambda x: (abs(sixstep.jax.forward(plan, x)) ** 2).sum())(x)
    weights = numpy.full(SHAPE[-1] // 2 + 1, 1.0)
    spectrum = numpy.fft.rfftn(values)
    # 2 F^T F x, where F are rows of coefficients alone: halves stand for two in the inverse transform.
    halves = numpy.where((numpy.arange(6) == 0) | (numpy.arange(6) == 5), 1.0, 0.5) * weights
    expected = 2 * numpy.fft.irfftn(spectrum * halves, SHAPE, norm="forward")
    close(of.here(mine), expected[plan.input_box])




# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of PyTorch, CuPy and JAX on GPUs, and plans for them. Without a GPU, tests that import this are skipped.

Without CuPy, SIXSTEP_TEST_CUPY=stand-in takes arrays of cupy_stand_in.py, for which the GPU may be one of
tests/cuda_on_host.
"""

import contextlib
import importlib
import os
import sys

import numpy
import pytest
import scipy.fft
import sixstep
from on_ranks import LAYOUTS, RANKS, whole

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


SHAPE = (8, 6, 10)
TRANSFORMS = {"c2c": numpy.fft.fftn, "r2c": numpy.fft.rfftn, "dct2": scipy.fft.dctn}


def case(kinds, single, **options):
    values = whole(SHAPE) if kinds == "c2c" else whole(SHAPE).real
    values = values.astype({"c": "complex64", "f": "float32"}[values.dtype.kind]) if single else values
    after = (*SHAPE[:-1], SHAPE[-1] // 2 + 1) if kinds == "r2c" else SHAPE
    layouts = LAYOUTS["slab"](SHAPE), sixstep.Layout.slab(after, RANKS, 1)
    plan = sixstep.Plan(*layouts, dtype="float32" if single else "float64", kinds=kinds, device="cuda", **options)
    return plan, values, TRANSFORMS[kinds](values.astype("complex128" if kinds == "c2c" else "float64"))

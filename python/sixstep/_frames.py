# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of PyTorch and JAX in the host's memory as NumPy's, and back, without a copy; and those of PyTorch, JAX and
CuPy on GPUs. None of these libraries is imported."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy

from ._error import Error
from ._fft_arguments import ALIGNMENT
from ._fft_calls import _LARGE
from ._jax_values import OfJax, is_of_host, is_on_gpu, is_on_several, is_traced, new_on_gpu, view_of_jax

_FLOATS = frozenset(map(numpy.dtype, ("float32", "float64", "complex64", "complex128")))


def is_tensor(array: Any) -> bool:
    """Whether this is a tensor of PyTorch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, getattr(torch, "Tensor", ()))


def is_dtensor(array: Any) -> bool:
    """Whether this is a DTensor of PyTorch, of which this process has a part."""
    module = sys.modules.get("torch.distributed.tensor")
    return module is not None and isinstance(array, module.DTensor)


def is_of_jax(array: Any) -> bool:
    """Whether this is an array of JAX, or stands for one while JAX traces a function."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(array, getattr(jax, "Array", ()))


def is_of_cupy(array: Any) -> bool:
    """Whether this is an array of CuPy."""
    cupy = sys.modules.get("cupy")
    return cupy is not None and isinstance(array, getattr(cupy, "ndarray", ()))


def _tensors() -> Any:
    found = getattr(sys.modules.get("sixstep._torch"), "Tensors", None)
    if found is None:  # an import statement takes a microsecond each time
        from ._torch import Tensors as found
    return found


def frame_of(array: Any) -> Any:
    """The calls by which sixstep.fft takes arrays of PyTorch, JAX and CuPy; None for any other array."""
    if is_tensor(array):
        _check_whole("x", array)
        return _tensors()
    if is_of_cupy(array):
        from ._cupy import Arrays as ArraysOfCuPy

        return ArraysOfCuPy
    if not is_of_jax(array):
        return None
    if not is_traced(array):
        if is_of_host(array.sharding) or not (is_on_several(array) or is_on_gpu(array)):
            return OfJax
    from ._jax_arrays import Arrays

    return Arrays


def compiles(x: Any) -> bool:
    """Whether JAX's array of values is so small that a compiled function is the fastest way to make the result."""
    return x.dtype in _FLOATS and x.size * x.dtype.itemsize < _LARGE


@functools.lru_cache(256)
def compiled(recorded: Any, before: Any, after: Any, bits: str) -> Any:
    """recorded(of, *before, x, *after), of _frame_transforms.py, as a compiled function of x."""
    import jax

    from ._jax_arrays import Arrays

    return jax.jit(lambda x: recorded(Arrays, *before, x, *after))


def viewed(name: str, array: Any, is_written: bool) -> Any:
    """A NumPy array in the memory of an array of PyTorch or JAX; any other array, or one on a device, as it is.

    Errors: there is no such view; the array is to be written and must not be.
    """
    if is_tensor(array):
        return _view_of_tensor(name, array)
    if is_of_jax(array):
        return view_of_jax(name, array, is_written)
    return array


def _check_whole(name: str, tensor: Any) -> None:
    if is_dtensor(tensor):
        raise TypeError(
            f"{name}: a tensor of this process is needed, a DTensor was given: sixstep.torch.forward(plan, x) "
            "transforms DTensors, and x.to_local() is the part of this process"
        )


def _view_of_tensor(name: str, tensor: Any) -> Any:
    import torch

    if tensor.requires_grad and torch.is_grad_enabled():
        raise Error(
            f"{name}: an array without a gradient is needed, a tensor that requires one was given: sixstep.torch has "
            "calls with gradients, and tensor.detach() is the same tensor without one"
        )
    _check_whole(name, tensor)
    if tensor.is_conj() or tensor.is_neg():
        raise Error(
            f"{name}: an array whose elements are in memory is needed, a tensor that is still to be conjugated or "
            "negated was given: tensor.resolve_conj().resolve_neg() does this"
        )
    if tensor.layout != torch.strided:
        raise Error(f"{name}: a tensor with strides is needed, one of layout {tensor.layout} was given")
    if tensor.device.type == "cpu":
        return tensor.detach().numpy()
    # This takes a tenth of the time of tensor.__dlpack__(), and keeps to the tensor's stream like it.
    return torch.utils.dlpack.to_dlpack(tensor.detach()) if tensor.is_cuda else tensor.detach()


def as_kind_of(array: Any, made: numpy.ndarray) -> Any:
    """A NumPy array as an array of the library that `array` belongs to, in the same memory where it can be: JAX takes
    memory as it is if it is aligned and in C order."""
    if is_tensor(array):
        import torch

        return torch.from_numpy(made)
    if is_of_jax(array):
        return OfJax.of_numpy(made)
    return made


def _on_gpu(array: Any) -> Any:
    """The calls by which arrays of PyTorch or CuPy on a GPU are made and used; None for any other array."""
    if is_tensor(array) and array.is_cuda:
        from ._torch import OnGpu

        return OnGpu
    if is_of_cupy(array):
        from ._cupy import OnGpu as CuPyOnGpu

        return CuPyOnGpu
    return None


def stream_of(array: Any) -> tuple[int, Any] | None:
    """The stream in which the library of an array on a GPU works now, and its owner; None for any other array."""
    of = _on_gpu(array)
    return None if of is None else of.stream(array)


def new_on_device(like: Any, shape: Any, strides: Any, dtype: str) -> Any:
    """A new array on a GPU, of the library and on the GPU of `like`, and the object by which it is written; None if
    `like` is no such array.

    Errors: the library has no arrays with these strides.
    """
    of = _on_gpu(like)
    if of is not None:
        made = of.empty(shape, strides, dtype, like)
        return made, made
    return new_on_gpu(like, shape, strides, dtype) if is_of_jax(like) and is_on_gpu(like) else None


def described(array: Any) -> str:
    """An array in words: "one of float64 of shape (4, 6), (48, 8) bytes apart,"."""
    strides = getattr(array, "strides", None)
    apart = "" if strides is None else f", {strides} bytes apart,"
    of_device = getattr(array, "device", "cpu")
    where = "" if isinstance(array, numpy.ndarray) or "cpu" in str(of_device).lower() else f" on {of_device}"
    return f"one of {array.dtype} of shape {array.shape}{where}{apart}"


def empty_bytes(count: int) -> numpy.ndarray:
    """Memory that JAX takes without a copy."""
    memory = numpy.empty(count + ALIGNMENT - 1, "uint8")
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + count]

# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of PyTorch and JAX in the host's memory as NumPy's, and back, without a copy. Neither is imported."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from ._error import Error
from ._fft_arguments import ALIGNMENT
from ._jax_values import OfJax, is_on_several, is_traced, view_of_jax


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


def frame_of(array: Any) -> Any:
    """The calls by which sixstep.fft takes arrays of PyTorch and JAX; None for any other array."""
    if is_tensor(array):
        from ._torch import Tensors

        _check_whole("x", array)

        return Tensors
    if not is_of_jax(array):
        return None
    if is_traced(array) or is_on_several(array):
        from ._jax import Arrays

        return Arrays
    return OfJax


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
    return tensor.detach().numpy() if tensor.device.type == "cpu" else tensor.detach()


def as_kind_of(array: Any, made: numpy.ndarray) -> Any:
    """A NumPy array as an array of the library that `array` belongs to, in the same memory where it can be: JAX takes
    memory as it is if it is aligned and in C order."""
    if is_tensor(array):
        import torch

        return torch.from_numpy(made)
    if is_of_jax(array):
        return OfJax.of_numpy(made)
    return made


def empty_bytes(count: int) -> numpy.ndarray:
    """Memory that JAX takes without a copy."""
    memory = numpy.empty(count + ALIGNMENT - 1, "uint8")
    first = -memory.ctypes.data % ALIGNMENT
    return memory[first : first + count]

# SPDX-License-Identifier: BSD-3-Clause
"""Linear maps of PyTorch's tensors with gradients, and sixstep.fft's operations on tensors.

A map is an object `made` with these members:

    made(x)                  the result for a NumPy array
    made.on_gpu(of, x)       the result for an array on a GPU, of the library that _gpu.py has as `of`
    made.opposite(shape)     the map in the other direction, for arrays of this shape before it
    made.weights(shape)      the weights with which the opposite map is the adjoint, as _linear.py has it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import torch
from torch.autograd import forward_ad

from . import _gpu
from ._fft_arguments import workers_of
from ._linear import Transform

_TYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "complex64": torch.complex64,
    "complex128": torch.complex128,
}
_TYPE_SET = frozenset(_TYPES.values())
_SINGLE = (torch.float32, torch.complex64)


class OnGpu:
    """Tensors on GPUs, as _gpu.py needs them."""

    @staticmethod
    def stream(x: torch.Tensor) -> tuple[int, Any]:
        # torch.cuda.current_stream() takes as long as the rest of a call. PyTorch destroys none of its streams.
        return torch._C._cuda_getCurrentRawStream(x.device.index), None

    @staticmethod
    def address(x: torch.Tensor) -> int:
        return x.data_ptr()

    @staticmethod
    def strides(x: torch.Tensor) -> tuple[int, ...]:
        size = x.element_size()
        return tuple(step * size for step in x.stride())

    @staticmethod
    def dtype_name(x: torch.Tensor) -> str:
        return str(x.dtype).removeprefix("torch.")

    @staticmethod
    def empty(shape: Any, strides: Any, dtype: str, like: torch.Tensor) -> torch.Tensor:
        size = _TYPES[dtype].itemsize
        return torch.empty_strided(shape, [step // size for step in strides], dtype=_TYPES[dtype], device=like.device)

    @staticmethod
    def assign(x: torch.Tensor, y: torch.Tensor) -> None:
        x.copy_(y)


def applied(made: Any, x: torch.Tensor) -> torch.Tensor:
    """Applies a map to a tensor, with gradients where they are asked for."""
    if torch.compiler.is_compiling():
        return made.compiled(x)
    return _Applied.apply(x, made) if _is_recorded(x) else run(made, x)


def _is_recorded(x: torch.Tensor) -> bool:
    """Whether more than values is asked for. PyTorch's own way to find out takes as long as a small transform."""
    return (
        (x.requires_grad and torch.is_grad_enabled())
        or torch._C._are_functorch_transforms_active()
        or forward_ad._current_level >= 0
    )


def run(made: Any, x: torch.Tensor) -> torch.Tensor:
    """The map of a tensor, of values alone."""
    if x.is_conj() or x.is_neg():
        x = x.resolve_conj().resolve_neg()
    if x.is_cuda:
        return made.on_gpu(OnGpu, x.detach())
    return torch.from_numpy(made(x.detach().numpy()))


def _weighted(x: torch.Tensor, vectors: Any) -> torch.Tensor:
    """x times vectors along some of its axes."""
    for axis, vector in vectors:
        x = x * torch.from_numpy(vector).to(x.device, x.real.dtype).reshape(-1, *[1] * (x.ndim - axis - 1))
    return x


def adjoint_run(made: Any, shape: torch.Size, x: torch.Tensor) -> torch.Tensor:
    """The adjoint of a map of tensors of this shape, of values alone."""
    before, after = made.weights(shape)
    return _weighted(run(made.opposite(shape), _weighted(x, before)), after)


class _Applied(torch.autograd.Function):
    generate_vmap_rule = False

    @staticmethod
    def forward(x, made):
        return run(made, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.made, ctx.shape = inputs[1], inputs[0].shape

    @staticmethod
    def backward(ctx, g):
        before, after = ctx.made.weights(ctx.shape)
        return _weighted(applied(ctx.made.opposite(ctx.shape), _weighted(g, before)), after), None

    @staticmethod
    def jvp(ctx, x, _):
        return applied(ctx.made, x)

    @staticmethod
    def vmap(info, in_dims, x, made):
        x = x.movedim(in_dims[0], 0)
        return applied(made.behind(1), x) if isinstance(made, Whole) else torch.stack([applied(made, y) for y in x]), 0


class Whole(Transform):
    """A transform of whole tensors."""

    __slots__ = ()

    def __call__(self, x: numpy.ndarray) -> numpy.ndarray:
        made = self if self.workers else self._replace(workers=torch.get_num_threads())
        return Transform.__call__(made, x)

    def on_gpu(self, of: Any, x: torch.Tensor) -> torch.Tensor:
        return _gpu.transformed(of, self, x)

    def compiled(self, x: torch.Tensor) -> torch.Tensor:
        return _transform(x, *self.words())

    def words(self) -> tuple[Any, ...]:
        """The members as a custom operation takes them."""
        return ",".join(self.kinds), list(self.axes), *self[2:]


def _whole(kinds: str, axes: Sequence[int], *others: Any) -> Whole:
    return Whole(tuple(kinds.split(",")), tuple(axes), *others)


def _transform_of(x, *words):
    return run(_whole(*words), x).contiguous()


# torch.compile keeps this operation as it is. Other calls go through _Applied, which takes less time and has
# forward mode.
_transform = torch.library.custom_op(
    "sixstep::transform",
    _transform_of,
    mutates_args=(),
    device_types=("cpu", "cuda"),
    schema="(Tensor x, str kinds, int[] axes, bool forward, str scale, SymInt real_length, int workers) -> Tensor",
)


@_transform.register_fake
def _fake(x, *words):
    made = _whole(*words)
    return x.new_empty(made.shape(x.shape), dtype=_TYPES[made.dtype_name(x.dtype in _SINGLE)])


def _keep(ctx, inputs, output):
    ctx.made, ctx.shape = _whole(*inputs[1:]), inputs[0].shape


def _gradient(ctx, g):
    before, after = ctx.made.weights(ctx.shape)
    made = _transform(_weighted(g, before), *ctx.made.opposite(ctx.shape).words())
    return _weighted(made, after), *[None] * 6


_transform.register_autograd(_gradient, setup_context=_keep)


class Tensors:
    """PyTorch, as the functions of sixstep.fft need it."""

    @staticmethod
    def view(x: torch.Tensor) -> numpy.ndarray | None:
        """A NumPy view of a tensor of which nothing but the values is asked for; None of any other."""
        if torch.compiler.is_compiling() or _is_recorded(x) or x.is_conj() or x.is_neg():
            return None
        if x.dtype not in _TYPE_SET or x.device.type != "cpu":
            return None
        return (x.detach() if x.requires_grad else x).numpy()

    of_numpy = staticmethod(torch.from_numpy)

    @staticmethod
    def workers_now(given: int | None) -> int:
        return torch.get_num_threads() if given is None else workers_of(given)

    @staticmethod
    def floats(x: torch.Tensor, real: bool) -> torch.Tensor:
        if x.device.type not in ("cpu", "cuda", "meta"):
            raise TypeError(f"x: a tensor in the memory of the host or of a GPU is needed, one on {x.device} was given")
        if real and x.is_complex():
            raise TypeError(f"x: x must be a real sequence, {x.dtype} was given")
        if x.dtype in _TYPE_SET:
            return x
        if x.is_floating_point() or x.is_complex():
            raise TypeError(f"x: numbers of single or double precision are needed, {x.dtype} was given")
        return x.to(torch.get_default_dtype())

    @staticmethod
    def complexes(x: torch.Tensor) -> torch.Tensor:
        return x if x.is_complex() else x.to(torch.complex64 if x.dtype == torch.float32 else torch.complex128)

    @staticmethod
    def resized(x: torch.Tensor, axes: Sequence[int], lengths: Sequence[int]) -> torch.Tensor:
        for axis, n in zip(axes, lengths):
            if n < x.shape[axis]:
                x = x.narrow(axis, 0, n)
            elif n > x.shape[axis]:
                behind = list(x.shape)
                behind[axis] = n - x.shape[axis]
                x = torch.cat((x, x.new_zeros(behind)), axis)
        return x

    @staticmethod
    def multiplied(x: torch.Tensor, axis: int, places: Sequence[int], factor: float) -> torch.Tensor:
        vector = torch.ones(x.shape[axis], dtype=x.dtype)
        vector[list(places)] = factor
        vector = vector.to(x.device)
        return x * vector.reshape(-1, *[1] * (x.ndim - axis - 1))

    @staticmethod
    def conjugate(x: torch.Tensor) -> torch.Tensor:
        return x.conj()

    @staticmethod
    def is_complex(x: torch.Tensor) -> bool:
        return x.is_complex()

    @staticmethod
    def parts(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return x.real, x.imag

    @staticmethod
    def joined(real: torch.Tensor, imaginary: torch.Tensor) -> torch.Tensor:
        return torch.complex(real, imaginary)

    @staticmethod
    def workers(given: int | None) -> int:
        return 0 if given is None else workers_of(given)

    @staticmethod
    def nothing(x: torch.Tensor, transform: Transform) -> torch.Tensor:
        return x.new_zeros(transform.shape(x.shape), dtype=_TYPES[transform.dtype_name(x.dtype in _SINGLE)])

    @staticmethod
    def apply(transform: Transform, x: torch.Tensor) -> torch.Tensor:
        return applied(Whole(*transform), x)

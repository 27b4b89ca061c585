# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of PyTorch's tensors, with gradients.

    import sixstep.torch
    spectrum = sixstep.torch.rfftn(field)          # sixstep.fft.rfftn, which takes tensors too
    spectrum = sixstep.torch.forward(plan, field)  # this rank's part, in the plan's layouts
    u = sixstep.torch.apply(solve, f)              # a sixstep.Operator

Gradients of any order, forward mode, torch.func's transformations and torch.compile work. Functions of whole tensors
use torch.get_num_threads() threads unless `workers` is given.

forward(), backward(), apply() and move() are collective, and so are their gradients: all ranks need the same calls in
the same order. PyTorch goes back through the calls in reverse order, so the ranks of one program have it. Each rank
calls backward() of its own part of a loss: the gradients are those of the sum over all ranks. torch.compile leaves them
to Python.

These functions need MPI, so mpiexec starts the program; torchrun starts processes that do not know each other.
init_process_group() begins torch.distributed among the ranks. The functions also take and return DTensors, whose
placements on a mesh of all ranks are the layouts of the plan: layout() makes them. A loss of DTensors is one number of
all ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch as _torch_itself

from ._frames import is_dtensor as _is_dtensor
from ._torch import applied as _applied
from .fft import dct, dctn, dst, dstn, fft, fft2, fftn, hfft, hfft2, hfftn, idct, idctn, idst, idstn, ifft, ifft2
from .fft import ifftn, ihfft, ihfft2, ihfftn, irfft, irfft2, irfftn, rfft, rfft2, rfftn

if TYPE_CHECKING:
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor.placement_types import Placement

    from ._core import Layout
    from .operator import Operator
    from .plan import Plan
    from .redistribution import Redistribution

__all__ = [
    *("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"),
    *("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn", "dct", "idct", "dst", "idst"),
    *("dctn", "idctn", "dstn", "idstn", "forward", "backward", "apply", "move"),
    *("init_process_group", "layout"),
]


def _collective(made: Any, x: Any) -> Any:
    if not _is_dtensor(x):
        return _applied(made, x)
    from ._torch_mesh import applied_to_parts

    return applied_to_parts(made, x)


def init_process_group(backend: str | None = None, comm: Any = None) -> None:
    """torch.distributed.init_process_group() among the ranks of MPI, for programs that mpiexec has started. Collective.

    Parameters
    ----------
    backend : str, optional
        PyTorch's name of it, for example "gloo". None: PyTorch's choice.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.

    Errors: the program has a process group already.
    """
    from ._torch_mesh import start_processes

    start_processes(backend, comm)


def layout(shape: Sequence[int], mesh: DeviceMesh, placements: Sequence[Placement], comm: Any = None) -> Layout:
    """The layout of DTensors of this shape with these placements, for plans, operators and redistributions that take
    and return them. Collective.

    Parameters
    ----------
    mesh : DeviceMesh
        A mesh of all ranks.
    placements : sequence of Placement
        Shard for each axis of the mesh; an axis with one process may have any.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program. They have the same numbers in torch.distributed.

    Errors: another placement; the mesh has not all ranks; the numbers differ.
    """
    from ._torch_mesh import layout_on

    return layout_on(tuple(shape), mesh, placements, comm)


@_torch_itself.compiler.disable
def forward(plan: Plan, x: _torch_itself.Tensor, scale: str = "none", sign: str | None = None) -> _torch_itself.Tensor:
    """plan.forward() of this rank's part of the input. A tensor with other strides than the plan's input is copied.
    Collective.

    Errors: those of plan.forward(); the plan has the option preserve_input=False, interleaved, twiddle or device, or
    both reals and a list of waves (sphere, columns).
    """
    from ._planned import planned

    return _collective(planned(plan, True, scale, sign), x)


@_torch_itself.compiler.disable
def backward(plan: Plan, x: _torch_itself.Tensor, scale: str = "none", sign: str | None = None) -> _torch_itself.Tensor:
    """plan.backward() of this rank's part of the output; as forward()."""
    from ._planned import planned

    return _collective(planned(plan, False, scale, sign), x)


@_torch_itself.compiler.disable
def apply(operator: Operator, x: _torch_itself.Tensor) -> _torch_itself.Tensor:
    """operator.apply() of this rank's part of the input. Gradients use operator.adjoint(), which they make when they
    first need it. Collective.

    The symbol has no gradient here. Numbers that are to be learned are factors between two transforms:

        backward(plan, numbers * forward(plan, x), "by_n")
    """
    from ._planned import operated

    return _collective(operated(operator), x)


@_torch_itself.compiler.disable
def move(moves: Redistribution, x: _torch_itself.Tensor, forward: bool = True) -> _torch_itself.Tensor:
    """moves.forward(), or moves.backward(), of this rank's part. Collective."""
    from ._planned import Moved

    return _collective(Moved(moves, forward), x)

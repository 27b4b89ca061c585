# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's DTensors: the layouts that their placements are, and processes of torch.distributed among ranks of MPI."""

from __future__ import annotations

import itertools
import math
import socket
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import torch
from torch import distributed
from torch.distributed.tensor import DTensor, Replicate, Shard

from ._core import Layout
from ._error import Error
from ._ranks import ranks_of
from ._torch import adjoint_run, run


def start_processes(backend: str | None, comm: Any) -> None:
    """torch.distributed among the ranks of a communicator, which has no launcher of its own."""
    ranks = ranks_of(comm)
    with ranks.together("init_process_group", backend):
        if distributed.is_initialized():
            raise Error("torch.distributed: a program without a process group is needed, it has one already")
        names = ranks.all(numpy.array([*socket.gethostname().encode().ljust(256)], "uint8"))
        host = "localhost" if (names == names[0]).all() else names[0].tobytes().decode().strip()
        is_first = ranks.rank == 0
        store = distributed.TCPStore(host, 0, ranks.size, True, wait_for_workers=False) if is_first else None
    port = ranks.told(store.port if store is not None else 0, 0)
    store = store or distributed.TCPStore(host, port, ranks.size, False)
    distributed.init_process_group(backend, store=store, rank=ranks.rank, world_size=ranks.size)


def _ranges(shape: Sequence[int], mesh: Any, axes: Sequence[int | None], place: Sequence[int]) -> list[slice]:
    """The box of the process at a place of the mesh: PyTorch's blocks are as large as the first one, until nothing is
    left."""
    box = [(0, n) for n in shape]
    for axis, parts, at in zip(axes, mesh.shape, place):
        if axis is not None:
            lo, hi = box[axis]
            block = -(-(hi - lo) // parts)
            box[axis] = min(hi, lo + at * block), min(hi, lo + (at + 1) * block)
    return [slice(lo, hi) for lo, hi in box]


def _axes_of(placements: Sequence[Any], mesh: Any, ndim: int) -> list[int | None]:
    """The axis that each axis of the mesh divides; None where the mesh has one process along it."""
    axes: list[int | None] = []
    for placement, parts in zip(placements, mesh.shape):
        if type(placement) is Shard:
            axes.append(placement.dim % ndim)
        elif parts == 1:
            axes.append(None)
        else:
            raise Error(f"placements: Shard is needed along each axis of the mesh, {placement} was given")
    return axes


def _places(mesh: Any) -> dict[int, tuple[int, ...]]:
    """The place of each rank in the mesh."""
    numbers = mesh.mesh.tolist()
    found = {}
    for place in itertools.product(*map(range, mesh.shape)):
        number = numbers
        for at in place:
            number = number[at]
        found[number] = place
    return found


def _layout_of(shape: Sequence[int], mesh: Any, placements: Sequence[Any]) -> Layout:
    axes, places = _axes_of(placements, mesh, len(shape)), _places(mesh)
    if sorted(places) != list(range(len(places))):
        raise Error(f"mesh: one of all ranks is needed, one of the ranks {sorted(places)} was given")
    return Layout.boxes(shape, [tuple(_ranges(shape, mesh, axes, places[rank])) for rank in range(len(places))])


def layout_on(shape: Sequence[int], mesh: Any, placements: Sequence[Any], comm: Any) -> Layout:
    """The layout of DTensors with these placements. Collective, as ranks compare their numbers."""
    ranks = ranks_of(comm)
    with ranks.together("layout"):
        given = ranks.all(numpy.array([distributed.get_rank()]))[:, 0].tolist()
        if given != list(range(ranks.size)):
            raise Error(
                f"mesh: one of the {ranks.size} ranks of MPI in their order is needed, they have the numbers {given} "
                "of torch.distributed; sixstep.torch.init_process_group() gives them the same"
            )
        return _layout_of(shape, mesh, placements)


def axes_of_layout(layout: Layout, mesh: Any, first: Sequence[int | None]) -> Sequence[int | None]:
    """The axes that those of a mesh divide in this layout, `first` if possible. Errors: there are none."""
    shape, places = layout.shape, _places(mesh)
    others = itertools.product(range(len(shape)), repeat=len(mesh.shape))
    for axes in itertools.chain([first], others):
        in_shape = all(axis is None or 0 <= axis < len(shape) for axis in axes)
        if in_shape and all(
            _is_box(layout.box(rank), _ranges(shape, mesh, axes, place)) for rank, place in places.items()
        ):
            return axes
    raise Error(
        f"output: a layout that placements on {mesh} describe is needed, {layout} was given; "
        "sixstep.torch.layout(shape, mesh, placements) makes one"
    )


def _is_box(box: Sequence[slice], ranges: Sequence[slice]) -> bool:
    return [(each.start, each.stop) for each in box] == [(each.start, each.stop) for each in ranges]


class _Parts(NamedTuple):
    """How a DTensor is divided."""

    mesh: Any
    placements: tuple[Any, ...]
    shape: tuple[int, ...]

    def joined(self, part: torch.Tensor) -> Any:
        """The DTensor of which this process has this part."""
        strides = tuple(math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        shape = torch.Size(self.shape)
        return DTensor.from_local(part.contiguous(), self.mesh, self.placements, shape=shape, stride=strides)


class _Map(NamedTuple):
    """A map of the parts of a DTensor, or its adjoint."""

    made: Any
    part: torch.Size  # the shape of the part that the map itself takes
    before: _Parts
    after: _Parts
    is_adjoint: bool

    def adjoint(self) -> _Map:
        return self._replace(before=self.after, after=self.before, is_adjoint=not self.is_adjoint)

    def __call__(self, part: torch.Tensor) -> torch.Tensor:
        return adjoint_run(self.made, self.part, part) if self.is_adjoint else run(self.made, part)


class _Applied(torch.autograd.Function):
    """PyTorch's own way from parts to DTensors and back has no second derivative where blocks are uneven."""

    @staticmethod
    def forward(ctx, x, made):
        ctx.made = made
        return made.after.joined(made(x.to_local()))

    @staticmethod
    def backward(ctx, g):
        adjoint = ctx.made.adjoint()
        return _Applied.apply(g.redistribute(adjoint.before.mesh, adjoint.before.placements), adjoint), None

    @staticmethod
    def jvp(ctx, x, _):
        return _Applied.apply(x, ctx.made)


def applied_to_parts(made: Any, x: Any) -> Any:
    """A map of the parts of a DTensor, as a DTensor. Fields are axes in front of those of layouts."""
    mesh, placements = x.device_mesh, x.placements
    before, after = made.layout(True), made.layout(False)
    behind = x.ndim - len(before.shape)
    _check(before, _layout_of(x.shape, mesh, placements), behind, x)
    first = [None if axis is None else axis - behind for axis in _axes_of(placements, mesh, x.ndim)]
    axes = axes_of_layout(after, mesh, first)
    there = tuple(Replicate() if axis is None else Shard(axis + behind) for axis in axes)
    fields = made.form(False)[0][: len(made.form(False)[0]) - len(after.shape)]
    results = _Parts(mesh, there, (*fields, *after.shape))
    arguments = _Parts(mesh, placements, tuple(x.shape))
    return _Applied.apply(x, _Map(made, x.to_local().shape, arguments, results, False))


def _check(layout: Layout, given: Layout, behind: int, x: Any) -> None:
    """Errors, the same on all ranks: the tensor has another layout than the map's."""
    same = behind >= 0 and given.ranks == layout.ranks and given.shape[behind:] == layout.shape
    whole = [slice(0, n) for n in given.shape[: max(behind, 0)]]
    boxes = zip(map(layout.box, range(layout.ranks)), map(given.box, range(given.ranks)))
    if not same or not all(_is_box([*whole, *mine], list(theirs)) for mine, theirs in boxes):
        raise Error(
            f"x: a DTensor with the layout {layout} is needed, one of shape {tuple(x.shape)} with {x.placements} on "
            f"{x.device_mesh} was given; sixstep.torch.layout(shape, mesh, placements) is its layout"
        )

# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's DTensors in plans, operators and redistributions, and their gradients, on the ranks that run this file,
against torch.fft of whole tensors."""

import numpy
import pytest
import sixstep
import sixstep.torch
import torch
from on_ranks import RANKS, whole
from torch import distributed
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, init_device_mesh

SHAPE = (5, 6, 7)
sixstep.torch.init_process_group("gloo")
LINE = init_device_mesh("cpu", (RANKS,))
GRID = init_device_mesh("cpu", (2, 2) if RANKS == 4 else (1, RANKS))
# A mesh, and placements before and after.
PLACED = {
    "slabs": (LINE, [Shard(0)], [Shard(1)]),
    "slabs that stay": (LINE, [Shard(2)], [Shard(2)]),
    "pencils": (GRID, [Shard(0), Shard(1)], [Shard(1), Shard(2)]),
    "one axis twice": (GRID, [Shard(1), Shard(1)], [Shard(2), Shard(0)]),
    "whole along one": (GRID, [Replicate() if RANKS != 4 else Shard(2), Shard(0)], [Shard(0), Shard(2)]),
}


def power(x):
    """The fourth power of the absolute value. PyTorch's abs() of real DTensors has no second derivative."""
    return x.abs() ** 4 if x.is_complex() else x**4


def check(mine, theirs, values, mesh, placements, expected_placements):
    """Values and gradients, of the first and second order, of a loss of a DTensor."""
    x = distribute_tensor(torch.from_numpy(values), mesh, placements).requires_grad_()
    t = torch.from_numpy(values).requires_grad_()
    made, expected = mine(x), theirs(t)
    assert isinstance(made, DTensor) and made.shape == expected.shape and made.is_contiguous()
    same = [a == b or n == 1 for a, b, n in zip(made.placements, expected_placements, mesh.shape)]
    assert all(same), (made.placements, expected_placements)
    torch.testing.assert_close(made.full_tensor(), expected)
    weights = torch.cos(torch.arange(expected.numel(), dtype=torch.float64)).reshape(expected.shape)
    w = distribute_tensor(weights, mesh, list(made.placements))
    losses = (w * power(made)).sum().full_tensor(), (weights * power(expected)).sum()
    torch.testing.assert_close(*losses)
    found, right = (torch.autograd.grad(loss, y, create_graph=True)[0] for loss, y in zip(losses, (x, t)))
    assert found.placements == x.placements
    torch.testing.assert_close(found.full_tensor(), right)
    totals = power(found).sum().full_tensor(), power(right).sum()
    second = [torch.autograd.grad(total, y)[0] for total, y in zip(totals, (x, t))]
    torch.testing.assert_close(second[0].full_tensor(), second[1])


@pytest.mark.parametrize("placed", PLACED)
@pytest.mark.parametrize("kinds", ["c2c", "r2c"])
def test_plans(kinds, placed):
    mesh, before, after = PLACED[placed]
    there = SHAPE if kinds == "c2c" else (5, 6, 4)
    layouts = sixstep.torch.layout(SHAPE, mesh, before), sixstep.torch.layout(there, mesh, after)
    plan = sixstep.Plan(*layouts, kinds=kinds)
    ahead, back = (torch.fft.fftn, torch.fft.ifftn) if kinds == "c2c" else (torch.fft.rfftn, torch.fft.irfftn)
    values = whole(SHAPE, dtype="complex128" if kinds == "c2c" else "float64")
    check(lambda x: sixstep.torch.forward(plan, x), ahead, values, mesh, before, after)
    inverse = whole(there), mesh, after, before
    check(lambda x: sixstep.torch.backward(plan, x, "by_n"), lambda x: back(x, SHAPE), *inverse)


def test_fields():
    shape = (4 * RANKS, 6, 4)
    plan = sixstep.Plan(sixstep.torch.layout(shape, LINE, [Shard(0)]), "as_input", kinds="c2c", fields=2)
    values = whole((2, *shape))
    check(
        lambda x: sixstep.torch.forward(plan, x),
        lambda x: torch.fft.fftn(x, dim=(1, 2, 3)),
        values,
        LINE,
        [Shard(1)],
        [Shard(1)],
    )


def test_operators_and_redistributions():
    before, after = sixstep.torch.layout(SHAPE, LINE, [Shard(0)]), sixstep.torch.layout(SHAPE, LINE, [Shard(2)])
    solve = sixstep.Operator(before, sixstep.symbols.helmholtz(2.0), kinds="r2c")
    k = torch.from_numpy(sum(numpy.meshgrid(*((numpy.fft.fftfreq(n, 1 / n)) ** 2 for n in SHAPE), indexing="ij")))
    check(
        lambda x: sixstep.torch.apply(solve, x),
        lambda x: torch.fft.ifftn(torch.fft.fftn(x) / (2 + k)).real,
        whole(SHAPE, dtype="float64"),
        LINE,
        [Shard(0)],
        [Shard(0)],
    )
    moves = sixstep.Redistribution(before, after, dtype="complex128")
    check(lambda x: sixstep.torch.move(moves, x), lambda x: 1 * x, whole(SHAPE), LINE, [Shard(0)], [Shard(2)])
    check(lambda x: sixstep.torch.move(moves, x, False), lambda x: 1 * x, whole(SHAPE), LINE, [Shard(2)], [Shard(0)])


def test_memory_order_of_a_plan_is_not_that_of_its_tensors():
    plan = sixstep.Plan(sixstep.torch.layout(SHAPE, LINE, [Shard(0)]), sixstep.torch.layout(SHAPE, LINE, [Shard(1)]))
    lying_otherwise = torch.from_numpy(whole(SHAPE)).permute(2, 1, 0).contiguous().permute(2, 1, 0)
    x = distribute_tensor(lying_otherwise, LINE, [Shard(0)])
    made = sixstep.torch.forward(plan, x)
    numpy.testing.assert_allclose(made.full_tensor().numpy(), numpy.fft.fftn(whole(SHAPE)), atol=1e-10)


def test_mistakes():
    """All ranks raise the same errors, and go on."""
    slabs = sixstep.torch.layout(SHAPE, LINE, [Shard(0)])
    plan = sixstep.Plan(slabs, sixstep.torch.layout(SHAPE, LINE, [Shard(1)]))
    x = torch.from_numpy(whole(SHAPE))
    with pytest.raises(sixstep.Error, match="it has one already"):
        sixstep.torch.init_process_group("gloo")
    with pytest.raises(TypeError, match="a DTensor was given"):
        sixstep.fft.fftn(distribute_tensor(x, LINE, [Shard(0)]))
    with pytest.raises(TypeError, match="a DTensor was given"):
        plan.forward(distribute_tensor(x, LINE, [Shard(0)]))
    with pytest.raises(sixstep.Error, match="x: a DTensor with the layout"):
        sixstep.torch.forward(plan, distribute_tensor(x[:, :, :6], LINE, [Shard(0)]))
    if RANKS > 1:
        with pytest.raises(sixstep.Error, match="x: a DTensor with the layout"):
            sixstep.torch.forward(plan, distribute_tensor(x, LINE, [Shard(1)]))
        with pytest.raises(sixstep.Error, match="placements: Shard is needed"):
            sixstep.torch.forward(plan, distribute_tensor(x, LINE, [Replicate()]))
        # Two rows a rank: cyclic and block layouts of at most one row a rank are the same.
        rows = torch.from_numpy(whole((2 * RANKS, 6, 7)))
        cyclic = sixstep.Layout.grid(tuple(rows.shape), [RANKS, 1, 1], ["cyclic", "block", "block"])
        into_cyclic = sixstep.Plan(sixstep.torch.layout(tuple(rows.shape), LINE, [Shard(0)]), cyclic)
        with pytest.raises(sixstep.Error, match="output: a layout that placements on"):
            sixstep.torch.forward(into_cyclic, distribute_tensor(rows, LINE, [Shard(0)]))
    made = sixstep.torch.forward(plan, distribute_tensor(x, LINE, [Shard(0)]))
    numpy.testing.assert_allclose(made.full_tensor().numpy(), numpy.fft.fftn(whole(SHAPE)), atol=1e-10)


def test_the_end():
    distributed.destroy_process_group()

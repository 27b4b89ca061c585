# SPDX-License-Identifier: BSD-3-Clause
"""Fits a field to data through a Poisson solve and a nonlinear step, with PyTorch's gradients, on any number of ranks:

    mpiexec -n 4 python fit.py [points an axis]

The data is tanh(u), where laplacian u = f. The program finds f, which it does not know, from the data.
"""

import sys

import numpy
import sixstep
import sixstep.torch
import torch

points = int(sys.argv[1]) if len(sys.argv) > 1 else 16
ranks = sixstep.Ranks()
layout = sixstep.Layout.slab((points,) * 3, ranks.size)
solve = sixstep.Operator(layout, sixstep.symbols.inverse_laplacian(), kinds="r2c")


# [model]
def model(f):
    """This rank's part of the data that f would give."""
    return torch.tanh(sixstep.torch.apply(solve, f))  # laplacian u = f


def fitted(f, data, steps):
    """f after some steps of gradient descent with momentum."""
    change = torch.zeros_like(f)
    for _ in range(steps):
        f.grad = None
        (model(f) - data).square().sum().backward()  # this rank's part of the loss
        change = 0.9 * change - f.grad
        f = (f + change).detach().requires_grad_()
    return f


# [model]

x, y, z = (2 * numpy.pi * numpy.arange(points)[rows] / points for rows in layout.box(ranks.rank))
x, y, z = x[:, None, None], y[None, :, None], z[None, None, :]
true = torch.from_numpy(numpy.sin(x) * numpy.cos(y) + numpy.cos(z + x) + 0 * (x + y + z))
data = model(true)
found = fitted(torch.zeros_like(true).requires_grad_(), data, 200)
misfit = (model(found.detach()) - data).abs().reshape(-1).tolist()
largest = ranks.all(numpy.array([max(misfit, default=0)])).max()
if ranks.rank == 0:
    print(f"{points} points an axis on {ranks.size} ranks: the largest misfit is {largest:.1e}")
assert largest < 1e-3

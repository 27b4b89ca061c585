# SPDX-License-Identifier: BSD-3-Clause
"""Fits a field to data through a Poisson solve and a nonlinear step, with JAX's gradients, on any number of ranks:

    mpiexec -n 4 python fit_jax.py [points an axis]

The data is tanh(u), where laplacian u = f. The program finds f, which it does not know, from the data.
"""

import sys

import jax
import numpy
import sixstep
import sixstep.jax
from jax import numpy as jnp

jax.config.update("jax_enable_x64", True)
points = int(sys.argv[1]) if len(sys.argv) > 1 else 16
ranks = sixstep.Ranks()
layout = sixstep.Layout.slab((points,) * 3, ranks.size)
solve = sixstep.Operator(layout, sixstep.symbols.inverse_laplacian(), kinds="r2c")


# [model]
def model(f):
    """This rank's part of the data that f would give."""
    return jnp.tanh(sixstep.jax.apply(solve, f))  # laplacian u = f


def loss(f, data):
    """This rank's part of the loss."""
    return ((model(f) - data) ** 2).sum()


@jax.jit
def fitted(f, data):
    """f after 200 steps of gradient descent with momentum."""

    def step(_, state):
        f, change = state
        change = 0.9 * change - jax.grad(loss)(f, data)
        return f + change, change

    return jax.lax.fori_loop(0, 200, step, (f, jnp.zeros_like(f)))[0]


# [model]

x, y, z = (2 * numpy.pi * numpy.arange(points)[rows] / points for rows in layout.box(ranks.rank))
x, y, z = x[:, None, None], y[None, :, None], z[None, None, :]
true = jnp.asarray(numpy.sin(x) * numpy.cos(y) + numpy.cos(z + x) + 0 * (x + y + z))
data = model(true)
misfit = jnp.abs(model(fitted(jnp.zeros_like(true), data)) - data).max(initial=0)
jax.effects_barrier()  # the calls of compiled functions come before this one
largest = ranks.all(numpy.array([float(misfit)])).max()
if ranks.rank == 0:
    print(f"{points} points an axis on {ranks.size} ranks: the largest misfit is {largest:.1e}")
assert largest < 1e-3

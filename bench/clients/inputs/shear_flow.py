# SPDX-License-Identifier: BSD-3-Clause
"""A shear flow and a dye in a periodic box, by Dedalus: the energy and the dye after some steps."""

import logging

import dedalus.public as d3
import numpy as np

logging.disable(logging.INFO)

coords = d3.CartesianCoordinates("x", "z")
dist = d3.Distributor(coords, dtype=np.float64)
xbasis = d3.RealFourier(coords["x"], size=256, bounds=(0, 1), dealias=3 / 2)
zbasis = d3.RealFourier(coords["z"], size=512, bounds=(-1, 1), dealias=3 / 2)
p = dist.Field(name="p", bases=(xbasis, zbasis))
s = dist.Field(name="s", bases=(xbasis, zbasis))
u = dist.VectorField(coords, name="u", bases=(xbasis, zbasis))
tau_p = dist.Field(name="tau_p")
nu, D = 1 / 50000, 1 / 50000
x, z = dist.local_grids(xbasis, zbasis)
ex, ez = coords.unit_vector_fields(dist)
problem = d3.IVP([u, s, p, tau_p], namespace=locals())
problem.add_equation("dt(u) + grad(p) - nu*lap(u) = - u@grad(u)")
problem.add_equation("dt(s) - D*lap(s) = - u@grad(s)")
problem.add_equation("div(u) + tau_p = 0")
problem.add_equation("integ(p) = 0")
solver = problem.build_solver(d3.RK222)
u["g"][0] = 1 / 2 + 1 / 2 * (np.tanh((z - 0.5) / 0.1) - np.tanh((z + 0.5) / 0.1))
s["g"] = u["g"][0]
u["g"][1] += 0.1 * np.sin(2 * np.pi * x) * np.exp(-((z - 0.5) ** 2) / 0.01)
u["g"][1] += 0.1 * np.sin(2 * np.pi * x) * np.exp(-((z + 0.5) ** 2) / 0.01)
for _ in range(40):
    solver.step(1e-3)
energy = d3.Integrate(u @ u).evaluate()
dye = d3.Integrate(s * s).evaluate()
if dist.comm.rank == 0:
    print("energy", repr(float(energy["g"].ravel()[0])))
    print("dye", repr(float(dye["g"].ravel()[0])))

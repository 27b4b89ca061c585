# SPDX-License-Identifier: BSD-3-Clause
"""The Navier-Stokes equations of an incompressible fluid in a periodic box, pseudo-spectral and dealiased.

    mpiexec -n 4 python navier_stokes.py [modes] [steps]

A wind carries vortices of Taylor and Green (1937), which decay by viscosity. The program compares its result with the
exact solution of this flow. Velocities are kept as modes; products are formed at 3/2 as many points (Orszag 1971). The
modes that are not kept are neither stored nor sent between the ranks.
"""

import sys

import numpy
import sixstep

WIND = numpy.array([0.3, -0.5, 0.2]).reshape(3, 1, 1, 1)
VISCOSITY = 0.05


# [solver]
class NavierStokes:
    """du/dt = P(u x curl u) - viscosity k^2 u, for the modes of three velocities; P projects on divergence 0."""

    def __init__(self, modes, viscosity):
        points = 3 * modes // 2
        self.plan = sixstep.Plan(
            sixstep.Layout.slab((points,) * 3, sixstep.ranks()), kinds="r2c", modes=(modes,) * 3, fields=3
        )
        # The wave number along each axis, of the modes that this rank has.
        self.k = numpy.meshgrid(*(self.plan.wavenumbers(axis) for axis in range(3)), indexing="ij", sparse=True)
        self.k_squared = sum(k**2 for k in self.k)
        self.kept = sum(2 * abs(k) == modes for k in self.k) == 0  # the wave modes/2 has no sign and is left out
        self.viscosity = viscosity
        # Memory that the ranks of a node share: the plan needs no other copy of these arrays.
        self.points, self.modes = self.plan.empty_input(), self.plan.empty_output()

    def to_points(self, modes):
        self.modes[...] = modes
        return self.plan.backward(self.modes)

    def to_modes(self, points):
        self.points[...] = points
        return self.plan.forward(self.points, scale="by_n") * self.kept

    def curl(self, u):
        kx, ky, kz = self.k
        return 1j * numpy.stack([ky * u[2] - kz * u[1], kz * u[0] - kx * u[2], kx * u[1] - ky * u[0]])

    def project(self, u):
        divergence = sum(k * u_k for k, u_k in zip(self.k, u)) / numpy.maximum(self.k_squared, 1)
        return u - numpy.stack([k * divergence for k in self.k])

    def rate(self, u):
        """du/dt without viscosity, which step() integrates exactly."""
        velocity, vorticity = self.to_points(u), self.to_points(self.curl(u))
        return self.project(self.to_modes(numpy.cross(velocity, vorticity, axis=0)))

    def step(self, u, dt):
        """A Runge-Kutta step of fourth order, in variables in which viscosity has no effect."""
        half = numpy.exp(-0.5 * dt * self.viscosity * self.k_squared)
        a = self.rate(u)
        b = self.rate(half * (u + 0.5 * dt * a))
        c = self.rate(half * u + 0.5 * dt * b)
        d = self.rate(half * (half * u + dt * c))
        return half * half * (u + dt / 6 * a) + half * (dt / 3) * (b + c) + dt / 6 * d
        # [solver]


def exact(solver, t):
    """The vortices at time t, at this rank's points."""
    n = solver.plan.input.shape[0]
    box = solver.plan.input_box
    x, y, z = (2 * numpy.pi * numpy.arange(b.start, b.stop) / n - w * t for b, w in zip(box, WIND.ravel()))
    x, y, z = x[:, None, None], y[None, :, None], z[None, None, :]
    u = numpy.sin(x) * numpy.cos(y) + 0 * z, -numpy.cos(x) * numpy.sin(y) + 0 * z
    decay = numpy.exp(-2 * VISCOSITY * t)
    return decay * numpy.stack([*u, 0 * u[0]]) + WIND


def main(modes=24, steps=40):
    solver = NavierStokes(modes, VISCOSITY)
    dt = 1 / steps
    u = solver.to_modes(exact(solver, 0))
    for _ in range(steps):
        u = solver.step(u, dt)
    mine = abs(solver.to_points(u) - exact(solver, 1)).max(initial=0)
    error = sixstep.Ranks().all(numpy.array(mine)).max()
    if sixstep.rank() == 0:
        print(f"{modes} modes an axis, {steps} steps on {sixstep.ranks()} ranks: largest error {error:.1e}")
    return error < dt**4


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)

# SPDX-License-Identifier: BSD-3-Clause
"""The code of README.md and docs/python.md: global arrays, a plan, a redistribution, and operators.

    mpiexec -n 4 python arrays.py
"""

# [plan]
import numpy, sixstep

layout = sixstep.Layout.slab((64, 64, 64), sixstep.ranks())
plan = sixstep.Plan(layout, kinds="r2c")
field = plan.empty_input()  # this rank's part, in memory that ranks of a node share
field[...] = numpy.random.rand(*field.shape)
spectrum = plan.forward(field)
k = plan.wavenumbers(0)
back = plan.backward(spectrum, scale="by_n")
# [plan]
assert abs(back - field).max(initial=0) < 1e-14
assert len(k) == spectrum.shape[0]

# [volume]
import sixstep

volume = sixstep.Array.from_function(lambda i, j, k: i / 64 + j * k, (64, 60, 50))  # distributed over all ranks
waves = volume.rfftn()  # numpy.fft.rfftn of the whole array; waves.local() is the part of this rank
again = waves.irfftn(volume.shape)
# [volume]
assert abs(again - volume).max() < 1e-10

# [array]
x = sixstep.Array.from_function(lambda i, j: numpy.cos(i) * j, (96, 80))
work = sixstep.Array((80, 96), complex)
x.astype(complex).T.fft(out=work)  # one plan
k, l = work.wavenumbers()  # of this rank's part
work.local()[...] *= numpy.exp(-(k**2 + l**2))
total, largest, row = work.sum(), abs(work).max(), x[3].gather()
# [array]
assert numpy.allclose(row, numpy.cos(3) * numpy.arange(80))
assert largest > 0 and numpy.isfinite(total)

# [redistribution]
slabs, pencils = (make((12, 10, 8), sixstep.ranks()) for make in (sixstep.Layout.slab, sixstep.Layout.pencil))
moves = sixstep.Redistribution(slabs, pencils, dtype="int32")
cells = numpy.arange(12 * 10 * 8, dtype="int32").reshape(12, 10, 8)  # all of them, to take a part of
there = moves.forward(numpy.ascontiguousarray(cells[slabs.box(sixstep.rank())]))
# [redistribution]
assert (there == cells[pencils.box(sixstep.rank())]).all()

# [operator]
layout = sixstep.Layout.slab((64, 48, 40), sixstep.ranks())
solve = sixstep.Operator(layout, sixstep.symbols.helmholtz(2.0), kinds="r2c", sides=(1, 1, 2))
f = solve.empty_input()
f[...] = numpy.random.rand(*f.shape)
u = solve(f)  # 2 u - laplacian u = f
smooth = sixstep.Operator(layout, lambda k: numpy.exp(-1e-3 * (k**2).sum(0)), kinds="r2c", sides=(1, 1, 2))
smooth(u, out=u)
# [operator]
sums = [sixstep.Array.from_local(part, layout).sum() for part in (u, f)]
assert numpy.isclose(2 * sums[0], sums[1])

# [map]
cube = sixstep.Layout.slab((48, 48, 48), sixstep.ranks())
advection = sixstep.Map(
    cube,
    (lambda v: v[:1] * v[1:2] + v[2:3] * v[3:4], 1),  # u dc/dx + v dc/dy at points
    before=(lambda c, k: numpy.concatenate([c[:1], 1j * k[:1] * c[2:], c[1:2], 1j * k[1:2] * c[2:]]), 4),
    kinds="r2c",
    modes=(32, 32, 32),
    fields=3,
)
fluid = advection.empty_input()  # the coefficients of u, v and c
fluid[...] = 0
change = advection(fluid)
# [map]
assert change.shape == fluid.shape[1:]

# [fields]
from sixstep import fields

h = 2 * numpy.pi / 64  # a periodic box of length 2 pi, with 64 points along each axis
psi = sixstep.Array.from_function(lambda i, j: numpy.sin(h * i) * numpy.cos(2 * h * j), (64, 64))
slope_x, slope_y = fields.gradient(psi)
flow = slope_y, -1 * slope_x  # along the contours of psi
vorticity = fields.derivative(flow[1], 0) - fields.derivative(flow[0], 1)
again = fields.inverse_laplacian(-1 * vorticity)  # psi
k, power, modes = fields.power_spectrum(flow[0])
finer = fields.interpolate(fields.gaussian(flow[0], sigma=0.1), (96, 96))
# [fields]
assert abs(again - psi).max() < 1e-13 and abs(fields.divergence(flow)).max() < 1e-12
assert power.argmax() == 2 and finer.shape == (96, 96)
print("array:", x.shape, "on", sixstep.ranks(), "ranks")

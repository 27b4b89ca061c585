# SPDX-License-Identifier: BSD-3-Clause
"""Imports the modules that are its arguments, in this order, transforms on all ranks, and prints over which MPI."""

import importlib
import pathlib
import sys

for name in sys.argv[1:]:
    importlib.import_module(name)

import numpy
import sixstep
from sixstep import _core

SHAPE = (12, 10, 7)
random = numpy.random.default_rng(1)
values = random.normal(size=SHAPE) + 1j * random.normal(size=SHAPE)


def transform(comm=None):
    ranks, rank = sixstep.ranks(comm), sixstep.rank(comm)
    layouts = [sixstep.Layout.slab(SHAPE, ranks, axis) for axis in (0, -1)]
    for exchange in ("shared", "collective", "pairwise", "persistent", "one_sided"):
        plan = sixstep.Plan(*layouts, comm=comm, exchange=exchange)
        field = plan.empty_input()
        field[...] = values[plan.input_box]
        spectrum = plan.forward(field)
        numpy.testing.assert_allclose(spectrum, numpy.fft.fftn(values)[plan.output_box], atol=1e-11)
        numpy.testing.assert_allclose(plan.backward(spectrum, scale="by_n"), values[layouts[0].box(rank)], atol=1e-11)


transform()
total = sixstep.Array.from_numpy(values).sum()
numpy.testing.assert_allclose(total, values.sum(), atol=1e-11)
numpy.testing.assert_allclose(sixstep.fft.fftn(values, workers=2), numpy.fft.fftn(values), atol=1e-11)
layout = sixstep.Layout.slab(SHAPE, sixstep.ranks())
plan = sixstep.Plan(layout, device="emulated")  # whose file is part of the wheel
field, spectrum = plan.empty_input(), plan.empty_output()
field.set(values[plan.input_box])
numpy.testing.assert_allclose(plan.forward(field, spectrum).get(), numpy.fft.fftn(values)[plan.output_box], atol=1e-11)
# Errors of the library, which each module turns into exceptions.
numpy.testing.assert_raises_regex(ValueError, "workers", sixstep.fft.fft, values, workers=0)
numpy.testing.assert_raises_regex(ValueError, "axes", sixstep.Plan, layout, axes=(7,))
MPI = sys.modules.get("mpi4py.MPI")
if MPI is not None:
    transform(MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.rank))
print(
    f"{sixstep.rank()} of {sixstep.ranks()} {pathlib.Path(_core.__file__).parent.name} {_core.mpi_library().split()[0]}"
)

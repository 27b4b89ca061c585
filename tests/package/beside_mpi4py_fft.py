# SPDX-License-Identifier: BSD-3-Clause
"""mpi4py-fft's calls and ours side by side, row by row of docs/from-others.md: the numbers agree.

Every rank runs every test.
"""

import numpy
import pytest
import sixstep
from mpi4py import MPI
from mpi4py_fft import PFFT, DistArray, newDistArray

comm = MPI.COMM_WORLD
SHAPES = [(8, 12, 6), (7, 5, 9), (9, 6, 5)]


def values(N, dtype=float):
    """A whole array of random numbers, the same on all ranks."""
    random = numpy.random.default_rng(7)
    whole = random.normal(size=N)
    if numpy.dtype(dtype).kind == "c":
        whole = whole + 1j * random.normal(size=N)
    return whole.astype(dtype)


def agree(ours, layout, theirs, where):
    """Our part of an array of `layout`, and theirs, which is at `where` of the whole array."""
    whole = sixstep.Array.from_local(ours, layout).gather()
    single = ours.dtype in (numpy.float32, numpy.complex64)
    numpy.testing.assert_allclose(theirs.view(numpy.ndarray), whole[where], rtol=0, atol=1e-4 if single else 1e-12)


@pytest.mark.parametrize("N", SHAPES)
def test_real_transforms(N):
    fft = PFFT(comm, N, dtype=float)
    u = newDistArray(fft, forward_output=False)
    u_hat = newDistArray(fft, forward_output=True)
    u[...] = values(N)[fft.local_slice(False)]
    fft.forward(u, u_hat)

    plan = sixstep.Plan(sixstep.Layout.slab(N, comm.size), kinds="r2c", comm=comm)
    v, v_hat = plan.empty_input(), plan.empty_output()
    v[...] = values(N)[plan.input_box]
    plan.forward(v, v_hat, scale="by_n")
    assert plan.output.shape == tuple(fft.global_shape(True))
    assert v_hat.shape == tuple(len(range(s.start, s.stop, s.step or 1)) for s in plan.output_box)
    agree(v_hat, plan.output, u_hat, fft.local_slice(True))

    fft.backward(u_hat, u)
    plan.backward(v_hat, v)
    agree(v, plan.input, u, fft.local_slice(False))
    numpy.testing.assert_allclose(v, values(N)[plan.input_box], rtol=0, atol=1e-12)


@pytest.mark.parametrize("N", SHAPES)
def test_some_axes_in_single_precision(N):
    fft = PFFT(comm, N, axes=(1, 2), dtype=numpy.float32)
    u, u_hat = newDistArray(fft, forward_output=False), newDistArray(fft, forward_output=True)
    u[...] = values(N)[fft.local_slice(False)]
    fft.forward(u, u_hat)
    layout = sixstep.Layout.slab(N, comm.size)
    plan = sixstep.Plan(layout, kinds="r2c", comm=comm, axes=[1, 2], dtype="float32")
    v = plan.empty_input()
    v[...] = values(N)[plan.input_box]
    agree(plan.forward(v, scale="by_n"), plan.output, u_hat, fft.local_slice(True))


@pytest.mark.parametrize("modes", [(9, 7, 5), (5, 7, 11)])
def test_padding(modes):
    """Of odd numbers of modes: of an even number mpi4py-fft has another highest wave."""
    fft = PFFT(comm, modes, padding=[1.5, 1.5, 1.5], dtype=complex)
    N = tuple(fft.global_shape(False))
    u, u_hat = newDistArray(fft, forward_output=False), newDistArray(fft, forward_output=True)
    u[...] = values(N, complex)[fft.local_slice(False)]
    fft.forward(u, u_hat)
    plan = sixstep.Plan(sixstep.Layout.slab(N, comm.size), comm=comm, modes=modes)
    v = plan.empty_input()
    v[...] = values(N, complex)[plan.input_box]
    v_hat = plan.forward(v, scale="by_n")
    agree(v_hat, plan.output, u_hat, fft.local_slice(True))
    fft.backward(u_hat, u)
    agree(plan.backward(v_hat), plan.input, u, fft.local_slice(False))


@pytest.mark.parametrize("N", SHAPES)
def test_redistribution(N):
    axis = 0
    u_hat = DistArray(N, subcomm=[1, 0, 1], dtype=float)
    u_hat[...] = values(N)[u_hat.local_slice()]
    moved = u_hat.redistribute(axis)
    a = sixstep.Array(sixstep.Layout.slab(N, comm.size, axis=1))
    a.local()[...] = values(N)[a.box]
    b = sixstep.Array(sixstep.Layout.slab(N, comm.size, axis=2))
    b[...] = a
    agree(b.local(), b.layout, moved, moved.local_slice())

# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of JAX in sixstep.fft, plans and redistributions: their memory is read, and results are arrays of JAX."""

import numpy
import pytest
import sixstep

jax = pytest.importorskip("jax", reason="JAX is not installed: scripts/test --frameworks installs it")


def array(shape, dtype="complex64", seed=1):
    random = numpy.random.default_rng(seed)
    return jax.numpy.asarray((random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "irfftn"])
def test_transforms_of_arrays(name):
    x = array((6, 5, 4))
    made, expected = getattr(sixstep.fft, name)(x), getattr(jax.numpy.fft, name)(x)
    assert isinstance(made, jax.Array) and made.dtype == expected.dtype
    numpy.testing.assert_allclose(made, expected, atol=1e-4)


def test_transforms_of_reals():
    x = array((6, 5), "complex64").real
    numpy.testing.assert_allclose(sixstep.fft.rfftn(x), jax.numpy.fft.rfftn(x), atol=1e-4)
    numpy.testing.assert_allclose(sixstep.fft.idctn(sixstep.fft.dctn(x)), x, atol=1e-5)


def test_large_results_are_not_copied(monkeypatch):
    from sixstep import _fft_calls

    seen = []

    def counted(self, x, out=None, call=_fft_calls._Call.__call__):
        made = call(self, x, out)
        seen.append((x.ctypes.data, made.ctypes.data))
        return made

    monkeypatch.setattr(_fft_calls._Call, "__call__", counted)
    x = array((96, 96, 96))
    kept = [sixstep.fft.fftn(x, norm="ortho") for _ in range(6)]
    assert seen == [(x.unsafe_buffer_pointer(), made.unsafe_buffer_pointer()) for made in kept]
    assert len({after for _, after in seen}) == 6  # memory of a result is not used again while JAX has it
    for made in kept:
        numpy.testing.assert_array_equal(made, kept[0])


def test_plans():
    layout = sixstep.Layout.slab((4, 6), 1)
    plan = sixstep.Plan(layout, dtype="complex64")
    x = array((4, 6))
    made = plan.forward(x)
    assert isinstance(made, jax.Array)
    numpy.testing.assert_allclose(made, jax.numpy.fft.fftn(x), atol=1e-5)
    with pytest.raises(sixstep.Error, match="nobody may write"):
        plan.forward(x, array((4, 6)))
    with pytest.raises(sixstep.Error, match="nobody may write"):
        sixstep.Plan(layout, dtype="complex64", preserve_input=False).forward(x)
    with pytest.raises(sixstep.Error, match="complex64.*int32"):
        plan.forward(x.real.astype("int32"))
    moves = sixstep.Redistribution(layout, sixstep.Layout.slab((4, 6), 1, order=(1, 0)), dtype="complex64")
    moved = moves.forward(x)
    assert isinstance(moved, jax.Array)
    numpy.testing.assert_array_equal(moved, x)
    with pytest.raises(sixstep.Error, match="nobody may write"):
        moves.forward(x, array((4, 6)))


def test_half_precision_and_traced_arrays_are_refused():
    for dtype in ("float16", "bfloat16"):
        with pytest.raises(TypeError, match="single or double precision"):
            sixstep.fft.rfft(jax.numpy.ones(4, dtype))
    with pytest.raises(sixstep.Error, match="JAX traces"):
        jax.jit(sixstep.fft.fft)(array((4,)))

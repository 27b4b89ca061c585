# SPDX-License-Identifier: BSD-3-Clause
"""Gradients and compiled functions of arrays on GPUs, on the ranks that run this file."""

import numpy
import pytest
from gpu_arrays import SHAPE, TRANSFORMS, OfJax, OfTorch, case
from on_ranks import close, whole

GRADIENTS = {
    "fftn": (lambda f, x: f.fftn(x), False),
    "rfftn": (lambda f, x: f.rfftn(x), True),
    "irfftn": (lambda f, x: f.irfftn(x, s=(4, 3, 5)), False),
    "dctn": (lambda f, x: f.dctn(x, norm="ortho"), True),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_tensors(name):
    of = OfTorch()
    import sixstep.torch

    call, is_real = GRADIENTS[name]
    values = whole((4, 3, 5))
    x = of.there(values.real if is_real else values).requires_grad_()
    assert of.torch.autograd.gradcheck(lambda x: call(sixstep.torch, x), x)
    if name != "dctn":
        call(sixstep.torch, x).abs().pow(4).sum().backward()
        y = x.detach().clone().requires_grad_()
        call(of.torch.fft, y).abs().pow(4).sum().backward()
        close(of.here(x.grad), of.here(y.grad))


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_gradients_of_plans_of_tensors(kinds):
    of = OfTorch()
    import sixstep.torch

    plan, values, expected = case(kinds, False)
    x = of.there(values[plan.input_box]).requires_grad_()
    y = sixstep.torch.forward(plan, x)
    close(of.here(y.detach()), expected[plan.output_box])
    y.abs().pow(2).sum().backward()
    # The gradient of the sum of squares of W F x is 2 F^H W^2 F x.
    host = sixstep.Plan(plan.input, plan.output, kinds=kinds)
    z = of.torch.from_numpy(values[plan.input_box].copy()).requires_grad_()
    sixstep.torch.forward(host, z).abs().pow(2).sum().backward()
    close(of.here(x.grad), z.grad.numpy())
    apart = of.there(numpy.ascontiguousarray(values[plan.input_box].transpose(2, 1, 0))).permute(2, 1, 0)
    close(of.here(sixstep.torch.forward(plan, apart)), expected[plan.output_box])
    with pytest.raises(sixstep.Error, match="in: an array of .* was given"):
        sixstep.torch.forward(host, x.detach())


def test_compiled_functions_of_tensors():
    of = OfTorch()
    import sixstep.torch

    x = of.there(whole(SHAPE))
    made = of.torch.compile(lambda x: sixstep.torch.fftn(x) * 2, backend="eager")(x)
    close(of.here(made), 2 * numpy.fft.fftn(whole(SHAPE)))


def test_compiled_functions_of_jax():
    of = OfJax()
    import sixstep.jax

    values = whole(SHAPE)
    x = of.there(values)
    close(of.here(of.jax.jit(sixstep.jax.fftn)(x)), numpy.fft.fftn(values))
    close(of.here(of.jax.jit(lambda x: sixstep.jax.rfftn(x.real))(x)), numpy.fft.rfftn(values.real))
    many = of.jax.jit(of.jax.vmap(lambda x: sixstep.jax.fftn(x)))(x)
    close(of.here(many), numpy.fft.fftn(values, axes=(1, 2)))

    def loss(f, x):
        return (abs(f.fftn(x)) ** 4).sum()

    mine = of.jax.grad(lambda x: loss(sixstep.jax, x))(x)
    close(of.here(mine), of.here(of.jax.grad(lambda x: loss(of.jax.numpy.fft, x))(x)))


@pytest.mark.parametrize("kinds", TRANSFORMS)
def test_plans_in_functions_of_jax(kinds):
    of = OfJax()
    import sixstep.jax

    plan, values, expected = case(kinds, False)
    x = of.there(values[plan.input_box])
    close(of.here(sixstep.jax.forward(plan, x)), expected[plan.output_box])
    there_and_back = of.jax.jit(lambda x: sixstep.jax.backward(plan, sixstep.jax.forward(plan, x) * 2, "by_n"))
    close(of.here(there_and_back(x)), 2 * values[plan.input_box])
    of.jax.effects_barrier()
    host = sixstep.Plan(plan.input, plan.output, kinds=kinds)
    with pytest.raises(sixstep.Error, match="in: an array in the memory of a GPU was given"):
        sixstep.jax.forward(host, x)


def test_gradients_of_plans_in_jax():
    of = OfJax()
    import sixstep.jax

    plan, values, _ = case("r2c", False)
    x = of.there(values[plan.input_box])
    mine = of.jax.grad(lambda x: (abs(sixstep.jax.forward(plan, x)) ** 2).sum())(x)
    weights = numpy.full(SHAPE[-1] // 2 + 1, 1.0)
    spectrum = numpy.fft.rfftn(values)
    # 2 F^T F x, where F are rows of coefficients alone: halves stand for two in the inverse transform.
    halves = numpy.where((numpy.arange(6) == 0) | (numpy.arange(6) == 5), 1.0, 0.5) * weights
    expected = 2 * numpy.fft.irfftn(spectrum * halves, SHAPE, norm="forward")
    close(of.here(mine), expected[plan.input_box])

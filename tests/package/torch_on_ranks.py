# SPDX-License-Identifier: BSD-3-Clause
"""Gradients of plans, operators and redistributions of PyTorch's tensors, on the ranks that run this file.

Every rank runs every test, with the same random numbers. Derivatives are compared with differences over the global
indices of the input, which all ranks take in lock step.
"""

import numpy
import pytest
import sixstep
import sixstep.torch
import torch
from differentiable_cases import CASES, KINDS, SCALES, SHAPE, SYMBOLS
from on_ranks import LAYOUTS, RANK, RANKS, whole

ALL = sixstep.Ranks()


def summed(number):
    """The sum over ranks."""
    return float(ALL.all(numpy.array([float(number)])).sum())


def part(values, box, behind=0):
    return torch.from_numpy(numpy.ascontiguousarray(values[(slice(None),) * behind + tuple(box)]))


def check_gradient(function, values, box, behind=0, step=1e-6):
    """Compares the gradient of a real function of this rank's part, summed over ranks, with differences."""
    x = part(values, box, behind).requires_grad_()
    (mine,) = torch.autograd.grad(function(x), x)
    where = numpy.arange(values.size).reshape(values.shape)[(slice(None),) * behind + tuple(box)].reshape(-1).tolist()
    found = [float(function(x.detach()))]
    for index in numpy.random.default_rng(2).permutation(values.size)[:6]:
        for unit in (1, 1j) if values.dtype.kind == "c" else (1,):
            for sign in (1, -1):
                moved = values.reshape(-1).copy()
                moved[index] += sign * step * unit
                found.append(float(function(part(moved.reshape(values.shape), box, behind))))
            here = mine.reshape(-1)[where.index(index)].item() if index in where else 0
            found.append(float((here * numpy.conj(unit)).real))
    first, *triples = ALL.all(numpy.array(found)).sum(0).tolist()
    for above, below, derivative in zip(*[iter(triples)] * 3):
        assert abs((above - below) / (2 * step) - derivative) < 1e-6 * (abs(first) + 1)


def check_linear(call, values, box, behind=0):
    """The gradient of the sum of w times the result, with random w, and that of the result's fourth power."""
    result = call(part(values, box, behind))
    w = torch.from_numpy(whole(tuple(result.shape), seed=5 + RANK, dtype=str(result.dtype).removeprefix("torch.")))

    def product(x):
        return (call(x) * w.conj()).real.sum()

    def power(x):
        return (call(x).abs() ** 4).sum() * 1e-3

    check_gradient(product, values, box, behind)
    check_gradient(power, values, box, behind)


def check_second(call, values, box, behind=0):
    """The derivative of a gradient along a direction, by differences, and forward mode, which is linear."""
    x, d = part(values, box, behind), part(whole(values.shape, seed=9, dtype=values.dtype), box, behind)

    def gradient(x):
        x = x.detach().requires_grad_()
        return torch.autograd.grad((call(x).abs() ** 4).sum(), x, create_graph=True)[0], x

    g, at = gradient(x)
    (second,) = torch.autograd.grad((g * d.conj()).real.sum(), at)
    step = 1e-5
    expected = (gradient(x + step * d)[0] - gradient(x - step * d)[0]) / (2 * step)
    expected = expected.detach()
    # The second derivative is symmetric as a real matrix.
    e = part(whole(values.shape, seed=10, dtype=values.dtype), box, behind)
    (other,) = torch.autograd.grad((gradient_of(gradient, x)[0] * e.conj()).real.sum(), gradient_of.at)
    left, right = summed((expected * e.conj()).real.sum()), summed((other * d.conj()).real.sum())
    assert abs(left - right) < 1e-5 * (abs(left) + 1)
    _, tangent = torch.func.jvp(call, (x,), (d,))
    torch.testing.assert_close(tangent, call(d))
    assert second.shape == x.shape


def gradient_of(gradient, x):
    g, gradient_of.at = gradient(x)
    return g, gradient_of.at


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", CASES)
def test_plans(case, layout):
    options = CASES[case]
    behind = int("fields" in options)
    plan = sixstep.Plan(LAYOUTS[layout](SHAPE), **options)
    shape, _, dtype = plan.form(True)
    values = whole(SHAPE if not behind else (2, *SHAPE), dtype=dtype)
    for scale in ("none", "by_sqrt_n"):
        check_linear(lambda x, s=scale: sixstep.torch.forward(plan, x, s), values, plan.input_box, behind)
    check_second(lambda x: sixstep.torch.forward(plan, x, "by_sqrt_n"), values, plan.input_box, behind)
    back = whole((*(2,) * behind, *plan.output.shape), dtype=plan.form(False)[2])
    check_linear(lambda x: sixstep.torch.backward(plan, x, "by_n"), back, plan.output_box, behind)
    check_second(lambda x: sixstep.torch.backward(plan, x, "by_n"), back, plan.output_box, behind)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_with_each_scale(kind, scale):
    kinds = kind if kind == "r2c" else (kind,) * 3
    plan = sixstep.Plan(LAYOUTS["last axis"](SHAPE), kinds=kinds)
    for forward, call in ((True, sixstep.torch.forward), (False, sixstep.torch.backward)):
        box = plan.input_box if forward else plan.output_box
        values = whole((plan.input if forward else plan.output).shape, dtype=plan.form(forward)[2])
        check_linear(lambda x, call=call: call(plan, x, scale), values, box)
        check_second(lambda x, call=call: call(plan, x, scale), values, box)


def test_signs():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE))
    values = whole(SHAPE)
    check_linear(lambda x: sixstep.torch.forward(plan, x, sign="plus"), values, plan.input_box)


@pytest.mark.parametrize("kinds", ["c2c", "r2c"])
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_operators(symbol, kinds):
    given, options = SYMBOLS[symbol]
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), given, kinds=kinds, sides=(1.5, 2, 3), **options)
    behind = int("fields" in options)
    values = whole((options["fields"], *SHAPE) if behind else SHAPE, dtype=apply.form(True)[2])
    check_linear(lambda x: sixstep.torch.apply(apply, x), values, apply.input_box, behind)
    check_second(lambda x: sixstep.torch.apply(apply, x), values, apply.input_box, behind)


@pytest.mark.parametrize("kinds", [("dct2", "dst2", "dct2"), ("dct1", "dct3", "c2c"), ("dst1", "dct4", "r2c")])
def test_operators_between_walls(kinds):
    apply = sixstep.Operator(LAYOUTS["brick"](SHAPE), lambda k: 1 / (1 + (k**2).sum(0)), kinds=kinds)
    values = whole(SHAPE, dtype=apply.form(True)[2])
    check_linear(lambda x: sixstep.torch.apply(apply, x), values, apply.input_box)


def test_renewed_operators_have_the_adjoint_of_the_new_symbol():
    apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), sixstep.symbols.shift((0.1, 0.2, 0.3)), kinds="r2c")
    values = whole(SHAPE, dtype="float64")
    check_linear(lambda x: sixstep.torch.apply(apply, x), values, apply.input_box)
    apply.renew(sixstep.symbols.shift((1.0, 0.5, 0.3)))
    check_linear(lambda x: sixstep.torch.apply(apply, x), values, apply.input_box)


def test_numbers_of_a_symbol_are_learned():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c")
    x = part(whole(SHAPE, dtype="float64"), plan.input_box)
    numbers = whole(plan.output.shape, seed=3)

    def loss(s):
        return (sixstep.torch.backward(plan, s * sixstep.torch.forward(plan, x), "by_n") ** 2).sum()

    check_gradient(loss, numbers, plan.output_box)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_redistributions(dtype):
    moves = sixstep.Redistribution(LAYOUTS["slab"](SHAPE), LAYOUTS["fortran"](SHAPE), dtype=dtype)
    values, box = whole(SHAPE, dtype=dtype), moves.from_.box(RANK)
    check_linear(lambda x: sixstep.torch.move(moves, x), values, box)
    check_linear(lambda x: sixstep.torch.move(moves, x, forward=False), values, moves.to.box(RANK))


def test_two_transforms_in_one_backward():
    """All ranks go back through both in the same order, though neither needs the other."""
    plans = [sixstep.Plan(LAYOUTS[name](SHAPE)) for name in ("slab", "slab")]
    values = whole(SHAPE)

    def loss(x):
        a, b = (sixstep.torch.forward(plan, x * x) for plan in plans)
        return (a.abs() ** 2).sum() * 1e-3 + b.real.sum()

    check_gradient(loss, values, plans[0].input_box)


@pytest.mark.parametrize("axis", [0, 1])
def test_vmap_of_values_and_gradients(axis):
    """Of plans, operators and redistributions, along an axis before that of the first and along the next one."""
    layout = LAYOUTS["slab"](SHAPE)
    plan = sixstep.Plan(layout, kinds=("dct2", "c2c", "r2c"))
    operator = sixstep.Operator(layout, sixstep.symbols.helmholtz(2.0), kinds="r2c")
    moves = sixstep.Redistribution(layout, LAYOUTS["fortran"](SHAPE), dtype="float64")
    fields = part(whole((3, *SHAPE), dtype="float64"), plan.input_box, 1)
    for call in (
        lambda x: sixstep.torch.forward(plan, x, "by_sqrt_n"),
        lambda x: sixstep.torch.apply(operator, x),
        lambda x: sixstep.torch.move(moves, x),
    ):
        slope = torch.func.grad(lambda x, call=call: (call(x).abs() ** 4).sum())
        for function in (call, slope):
            made = torch.func.vmap(function, in_dims=axis)(fields.movedim(0, axis))
            torch.testing.assert_close(made, torch.stack([function(x) for x in fields]))


def test_single_precision():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c", dtype="float32")
    x = part(whole(SHAPE, dtype="float32"), plan.input_box).requires_grad_()
    (g,) = torch.autograd.grad(sixstep.torch.forward(plan, x).real.sum(), x)
    double = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c")
    y = x.detach().double().requires_grad_()
    (h,) = torch.autograd.grad(sixstep.torch.forward(double, y).real.sum(), y)
    assert g.dtype == torch.float32
    torch.testing.assert_close(g.double(), h, rtol=1e-4, atol=1e-4)


def test_what_cannot_have_gradients():
    layout = sixstep.Layout.slab(SHAPE, RANKS)
    x = part(whole(SHAPE), layout.box(RANK))
    for name, value in (("preserve_input", False), ("fields", 2)):
        plan = sixstep.Plan(layout, interleaved=name == "fields", **{name: value})
        with pytest.raises(sixstep.Error, match="needed for gradients"):
            sixstep.torch.forward(plan, x)
    plan = sixstep.Plan(layout)
    with pytest.raises(sixstep.Error, match="complex128.*complex64"):
        sixstep.torch.forward(plan, x.to(torch.complex64))
    there = sixstep.Operator(layout, sixstep.symbols.shift((0, 0, 1)), result=layout, kinds="r2c")
    with pytest.raises(sixstep.Error, match="result"):
        there.adjoint()


def test_plans_take_tensors_and_return_tensors():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE))
    values = whole(SHAPE)
    x, out = part(values, plan.input_box), torch.empty(plan.form(False)[0], dtype=torch.complex128)
    made = plan.forward(x)
    assert isinstance(made, torch.Tensor)
    numpy.testing.assert_allclose(made.numpy(), numpy.fft.fftn(values)[plan.output_box], atol=1e-10)
    assert plan.forward(x, plan.empty_output()).dtype == numpy.complex128
    if plan.form(False)[1] == tuple(16 * step for step in out.stride()):
        assert plan.forward(x, out) is out
        torch.testing.assert_close(out, made)
    with pytest.raises(sixstep.Error, match="without a gradient"):
        plan.forward(x.clone().requires_grad_())
    with pytest.raises(sixstep.Error, match="still to be conjugated"):
        plan.forward(x.conj())

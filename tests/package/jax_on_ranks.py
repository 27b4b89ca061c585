# SPDX-License-Identifier: BSD-3-Clause
"""Plans, operators and redistributions in functions that JAX compiles and differentiates, on the ranks that run this
file.

Every rank runs every test, with the same random numbers. Values are compared with those of NumPy arrays, derivatives
with differences over the global indices of the input, which all ranks take in lock step.
"""

import functools

import jax
import numpy
import pytest
import sixstep
import sixstep.jax
from differentiable_cases import CASES, KINDS, SCALES, SHAPE, SYMBOLS
from jax import numpy as jnp
from on_ranks import LAYOUTS, RANK, RANKS, whole

jax.config.update("jax_enable_x64", True)
ALL = sixstep.Ranks()


def part(values, box, behind=0):
    return jnp.asarray(numpy.ascontiguousarray(values[(slice(None),) * behind + tuple(box)]))


def of_all(numbers):
    """The sums over ranks. Calls of compiled functions that still run come first."""
    jax.effects_barrier()
    return ALL.all(numpy.array(numbers)).sum(0).tolist()


def check_linear(call, of_numpy, values, box, behind=0, step=1e-6):
    """Compares values of a linear function of this rank's part with those for NumPy arrays, and the derivative of their
    fourth power and their products with random numbers, summed over ranks, with differences over global indices. JAX's
    gradient is the conjugate of PyTorch's."""
    x = part(values, box, behind)
    expected = numpy.asarray(of_numpy(numpy.asarray(x)))
    w = jnp.asarray(whole(expected.shape, seed=5 + RANK, dtype=str(expected.dtype)))

    @jax.jit
    @functools.partial(jax.value_and_grad, has_aux=True)
    def loss(x):
        made = call(x)
        return (made * w).real.sum() + (abs(made) ** 4).sum() * 1e-3, made

    (value, made), gradient = loss(x)
    for mine in (made, call(x)):
        assert mine.dtype == expected.dtype
        numpy.testing.assert_allclose(mine, expected, atol=1e-10)
    gradient = numpy.asarray(gradient).reshape(-1)
    where = numpy.arange(values.size).reshape(values.shape)[(slice(None),) * behind + tuple(box)].reshape(-1).tolist()
    found = [float(value)]
    for index in numpy.random.default_rng(2).permutation(values.size)[:4]:
        for unit in (1, 1j) if values.dtype.kind == "c" else (1,):
            for sign in (1, -1):
                moved = values.reshape(-1).copy()
                moved[index] += sign * step * unit
                found.append(float(loss(part(moved.reshape(values.shape), box, behind))[0][0]))
            here = gradient[where.index(index)] if index in where else 0
            found.append(float((here * unit).real))
    first, *triples = of_all(found)
    for above, below, derivative in zip(*[iter(triples)] * 3):
        assert abs((above - below) / (2 * step) - derivative) < 1e-6 * (abs(first) + 1)


def check_second(call, values, box, behind=0):
    """The second derivative is symmetric as a real matrix, in forward and in reverse mode, and is that of differences
    of the gradient."""
    x = part(values, box, behind)
    d, e = (part(whole(values.shape, seed=seed, dtype=values.dtype), box, behind) for seed in (9, 10))
    gradient = jax.grad(lambda x: (abs(call(x)) ** 4).sum())
    step = 1e-5

    @jax.jit
    def products(x):
        along = [jax.jvp(gradient, (x,), (direction,))[1] for direction in (d, e)]
        back = jax.grad(lambda x: (gradient(x) * e).real.sum())(x)
        apart = (gradient(x + step * d) - gradient(x - step * d)) / (2 * step)
        return [(a * b).real.sum() for a, b in ((along[0], e), (along[1], d), (back, d), (apart, e))]

    first, *others = of_all([float(product) for product in products(x)])
    for other in others:
        assert abs(first - other) < 1e-5 * (abs(first) + 1)


# A third of all pairs with these layouts, since each pair takes JAX seconds to compile.
PAIRS = [(case, ("last axis", "brick", "one has all")[place % 3]) for place, case in enumerate(CASES)]


@pytest.mark.parametrize("case, layout", [*PAIRS, ("c2c", "brick"), ("r2c", "last axis"), ("mixed", "last axis")])
def test_plans(case, layout):
    options = CASES[case]
    behind = int("fields" in options)
    plan = sixstep.Plan(LAYOUTS[layout](SHAPE), **options)
    values = whole(SHAPE if not behind else (2, *SHAPE), dtype=plan.form(True)[2])

    def forward(x):
        return sixstep.jax.forward(plan, x, "by_sqrt_n")

    def backward(x):
        return sixstep.jax.backward(plan, x, "by_n")

    def of_numpy(x):
        return placed(plan.forward, x, plan.form(True), "by_sqrt_n")

    check_linear(forward, of_numpy, values, plan.input_box, behind)
    back = whole((*(2,) * behind, *plan.output.shape), dtype=plan.form(False)[2])
    check_linear(backward, lambda x: placed(plan.backward, x, plan.form(False), "by_n"), back, plan.output_box, behind)
    check_second(forward, values, plan.input_box, behind)


# A scale for each kind and direction, in turn.
@pytest.mark.parametrize("kind, scale", [(kind, SCALES[place % 3]) for place, kind in enumerate(KINDS)])
def test_each_kind(kind, scale):
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds=kind if kind == "r2c" else (kind,) * 3)
    back = SCALES[(SCALES.index(scale) + 1) % 3]
    values = whole(SHAPE, dtype=plan.form(True)[2])
    check_linear(
        lambda x: sixstep.jax.forward(plan, x, scale),
        lambda x: placed(plan.forward, x, plan.form(True), scale),
        values,
        plan.input_box,
    )
    check_second(lambda x: sixstep.jax.forward(plan, x, scale), values, plan.input_box)
    values = whole(plan.output.shape, dtype=plan.form(False)[2])
    check_linear(
        lambda x: sixstep.jax.backward(plan, x, back),
        lambda x: placed(plan.backward, x, plan.form(False), back),
        values,
        plan.output_box,
    )
    check_second(lambda x: sixstep.jax.backward(plan, x, back), values, plan.output_box)


def placed(call, x, form, *others):
    """The call of a NumPy array with the strides of the plan."""
    shape, strides, dtype = form
    bytes = sum((n - 1) * step for n, step in zip(shape, strides)) + numpy.dtype(dtype).itemsize if x.size else 0
    lying = numpy.ndarray(shape, dtype, numpy.zeros(bytes, "uint8"), 0, strides)
    lying[...] = x
    return call(lying, None, *others)


def test_signs():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE))

    def forward(x):
        return sixstep.jax.forward(plan, x, sign="plus")

    check_linear(forward, lambda x: plan.forward(x, sign="plus"), whole(SHAPE), plan.input_box)


@pytest.mark.parametrize("kinds", ["c2c", "r2c"])
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_operators(symbol, kinds):
    given, options = SYMBOLS[symbol]
    operator = sixstep.Operator(LAYOUTS["slab"](SHAPE), given, kinds=kinds, sides=(1.5, 2, 3), **options)
    behind = int("fields" in options)
    values = whole((options["fields"], *SHAPE) if behind else SHAPE, dtype=operator.form(True)[2])

    def apply(x):
        return sixstep.jax.apply(operator, x)

    check_linear(apply, operator.apply, values, operator.input_box, behind)
    check_second(apply, values, operator.input_box, behind)


@pytest.mark.parametrize("kinds", [("dct2", "dst2", "dct2"), ("dct1", "dct3", "c2c"), ("dst1", "dct4", "r2c")])
def test_operators_between_walls(kinds):
    operator = sixstep.Operator(LAYOUTS["slab"](SHAPE), lambda k: 1 / (1 + (k**2).sum(0)), kinds=kinds)
    values = whole(SHAPE, dtype=operator.form(True)[2])
    check_linear(lambda x: sixstep.jax.apply(operator, x), operator.apply, values, operator.input_box)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_redistributions(dtype):
    moves = sixstep.Redistribution(LAYOUTS["slab"](SHAPE), LAYOUTS["fortran"](SHAPE), dtype=dtype)
    values, box, there = whole(SHAPE, dtype=dtype), moves.from_.box(RANK), moves.to.box(RANK)
    check_linear(lambda x: sixstep.jax.move(moves, x), lambda _: values[there], values, box)
    check_linear(lambda x: sixstep.jax.move(moves, x, forward=False), lambda _: values[box], values, there)


def test_calls_that_do_not_need_each_other_are_made_in_the_order_of_the_program(monkeypatch):
    """In one compiled function, in one way back, in two compiled functions, and between the turns of a loop. The parts
    of ranks differ, so that XLA would have reasons for other orders on other ranks."""
    from sixstep import _planned

    made = []

    def noted(self, x, out=None, call=_planned.Planned.__call__):
        made.append(numbers[id(self.plan), self.forward])
        return call(self, x, out)

    monkeypatch.setattr(_planned.Planned, "__call__", noted)
    plans = [sixstep.Plan(LAYOUTS["slab"]((5, 4 + i, 3))) for i in range(6)]
    numbers = {(id(plan), forward): (i, forward) for i, plan in enumerate(plans) for forward in (True, False)}
    parts = [part(whole((5, 4 + i, 3)), plan.input_box) for i, plan in enumerate(plans)]

    def loss(parts):
        return sum((abs(sixstep.jax.forward(plan, x)) ** 2).sum() for plan, x in zip(plans, parts))

    ahead = [(i, True) for i in range(6)]
    for _ in range(5):
        first, second = jax.jit(loss)(parts), jax.jit(lambda parts: 2 * loss(parts))(parts)
        jax.effects_barrier()
        assert made == 2 * ahead and abs(second - 2 * first) < 1e-10 * abs(first)
        made.clear()
        gradients = jax.jit(jax.grad(loss))(parts)
        jax.effects_barrier()
        assert sorted(made[6:]) == sorted((i, False) for i in range(6)) and made[:6] == ahead
        numbered = numpy.array([float(i) for i, _ in made])
        assert (ALL.all(numbered) == numbered).all()
        made.clear()
        for g, x, plan in zip(gradients, parts, plans):
            numpy.testing.assert_allclose(g, 2 * x.conj() * numpy.prod(plan.input.shape), rtol=1e-10)

    def turn(x, _):
        return x + 1, (abs(sixstep.jax.forward(plans[0], x)).sum(), abs(sixstep.jax.forward(plans[0], 2 * x)).sum())

    jax.jit(lambda x: jax.lax.scan(turn, x, length=3))(parts[0])
    jax.effects_barrier()
    assert made == 6 * ahead[:1]


def test_calls_whose_results_nobody_needs_are_made_on_all_ranks():
    """A rank without elements would else have no reason to call."""
    plan = sixstep.Plan(LAYOUTS["slab"]((2, 3, 5)))
    x = part(whole((2, 3, 5)), plan.input_box)

    @jax.jit
    def twice(x):
        sixstep.jax.forward(plan, x)
        return sixstep.jax.forward(plan, 2 * x).sum()

    total = of_all([complex(twice(x))])[0]
    assert abs(total - 60 * whole((2, 3, 5))[0, 0, 0]) < 1e-10


def test_vmap_of_values_and_gradients():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c")
    values = whole((3, *SHAPE), dtype="float64")
    x = part(values, plan.input_box, 1)
    for wrapped in (jax.vmap, lambda f: jax.jit(jax.vmap(f))):
        made = wrapped(lambda x: sixstep.jax.forward(plan, x))(x)
        for mine, field in zip(made, values):
            numpy.testing.assert_allclose(mine, numpy.fft.rfftn(field)[plan.output_box], atol=1e-10)
    operator = sixstep.Operator(LAYOUTS["slab"](SHAPE), sixstep.symbols.helmholtz(2.0), kinds="r2c")
    for call in (lambda x: sixstep.jax.forward(plan, x), lambda x: sixstep.jax.apply(operator, x)):
        slope = jax.grad(lambda x, call=call: (abs(call(x)) ** 4).sum())
        made = jax.jit(jax.vmap(slope))(x)
        for mine, field in zip(made, x):
            numpy.testing.assert_allclose(mine, slope(field), rtol=1e-10, atol=1e-8)


def test_single_precision():
    plan = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c", dtype="float32")
    x = part(whole(SHAPE, dtype="float32"), plan.input_box)
    g = jax.jit(jax.grad(lambda x: sixstep.jax.forward(plan, x).real.sum()))(x)
    double = sixstep.Plan(LAYOUTS["slab"](SHAPE), kinds="r2c")
    h = jax.jit(jax.grad(lambda x: sixstep.jax.forward(double, x).real.sum()))(x.astype("float64"))
    assert g.dtype == "float32"
    numpy.testing.assert_allclose(g, h, rtol=1e-4, atol=1e-4)


def test_mistakes():
    layout = sixstep.Layout.slab(SHAPE, RANKS)
    x = part(whole(SHAPE), layout.box(RANK))
    with pytest.raises(sixstep.Error, match="needed for gradients"):
        sixstep.jax.forward(sixstep.Plan(layout, preserve_input=False), x)
    plan = sixstep.Plan(layout)
    with pytest.raises(sixstep.Error, match="complex128.*complex64"):
        sixstep.jax.forward(plan, x.astype("complex64"))
    forward = jax.jit(lambda x: sixstep.jax.forward(plan, x))
    with pytest.raises(jax.errors.JaxRuntimeError, match="complex128.*complex64"):
        forward(x.astype("complex64")).block_until_ready()
    made = forward(x)
    jax.effects_barrier()
    numpy.testing.assert_allclose(made, plan.forward(numpy.asarray(x)), atol=1e-10)

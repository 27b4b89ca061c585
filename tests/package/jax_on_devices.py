# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of JAX's arrays whose parts lie on four devices of this process, with NumPy's and SciPy's values and the
gradients of jax.numpy.fft on one device."""

import functools
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax  # noqa: E402
import numpy  # noqa: E402
import pytest  # noqa: E402
import scipy.fft  # noqa: E402
import sixstep.jax  # noqa: E402
from jax import lax  # noqa: E402
from jax import numpy as jnp  # noqa: E402
from jax.sharding import AxisType, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

jax.config.update("jax_enable_x64", True)
TYPES = {"auto": AxisType.Auto, "explicit": AxisType.Explicit}


def mesh_of(kind, shape=(4,)):
    return jax.make_mesh(shape, tuple("xyz"[: len(shape)]), axis_types=(TYPES[kind],) * len(shape))


def values(shape, is_complex=True, seed=1):
    random = numpy.random.default_rng(seed)
    made = random.normal(size=shape)
    return made + 1j * random.normal(size=shape) if is_complex else made


def weights(made):
    """Different numbers for all elements, so that the gradient sees where each of them lies."""
    return jnp.cos(jnp.arange(made.size, dtype=float)).reshape(made.shape)


def check(mine, theirs, x, sharding):
    """Values and gradients of a function of an array on devices, compiled or not, against one on a single device."""
    there = jax.device_put(x, sharding)
    expected = numpy.asarray(theirs(jnp.asarray(x)))
    w = numpy.asarray(weights(expected))

    def loss(of):
        return lambda x: (w * abs(of(x)) ** 2).sum() + (w * of(x).real).sum()

    right = numpy.asarray(jax.grad(loss(theirs))(jnp.asarray(x)))
    with jax.set_mesh(sharding.mesh):
        for made in (mine(there), jax.jit(mine)(there)):
            numpy.testing.assert_allclose(made, expected, atol=1e-12 * numpy.sqrt(x.size) * abs(x).max())
        gradient = jax.jit(jax.grad(loss(mine)))(there)
    assert gradient.shape == right.shape
    numpy.testing.assert_allclose(gradient, right, atol=1e-12 * abs(right).max())


SHARDINGS = {
    "slabs": ((4,), P("x")),
    "slabs of the last axis": ((4,), P(None, None, "x")),
    "pencils": ((2, 2), P("x", "y")),
    "pencils of the ends": ((2, 2), P("y", None, "x")),
    "one axis of both": ((2, 2), P(None, ("x", "y"))),
    "parts of two devices": ((2, 2), P("x")),
    "bricks": ((2, 2, 1), P("x", "y", "z")),
}


NAMES = ["fftn", "ifftn", "rfftn", "irfftn"]
# Each with one kind of mesh, in turn, since each takes JAX seconds to compile.
CASES = [
    (name, sharding, list(TYPES)[(i + j) % 2]) for i, name in enumerate(NAMES) for j, sharding in enumerate(SHARDINGS)
]


@pytest.mark.parametrize("name, sharding, kind", [*CASES, ("rfftn", "slabs", "auto"), ("rfftn", "slabs", "explicit")])
def test_parts_of_any_form(name, sharding, kind):
    of_mesh, spec = SHARDINGS[sharding]
    mesh = mesh_of(kind, of_mesh)
    x = values((8, 12, 4), name != "rfftn")
    for axes, norm in ((None, None), ((1, 2), "ortho"), ((2, 0), None), ((0,), "forward")):
        arguments = dict(axes=axes, norm=norm)
        if sharding != "slabs" and axes == (2, 0):
            continue
        mine, theirs = (functools.partial(getattr(of, name), **arguments) for of in (sixstep.jax, jnp.fft))
        shape = theirs(jnp.asarray(x)).shape
        if name == "irfftn" and any(n % 4 and each for n, each in zip(shape, spec)):
            continue
        check(mine, theirs, x, NamedSharding(mesh, spec))


@pytest.mark.parametrize("kind", TYPES)
def test_columns_that_cannot_be_dealt_out_evenly(kind):
    mesh = mesh_of(kind)
    for shape in ((8, 3, 5), (4, 1)):
        check(sixstep.jax.fftn, jnp.fft.fftn, values(shape), NamedSharding(mesh, P("x")))
    for shape in ((12, 7), (4, 2, 1)):
        check(sixstep.jax.rfftn, jnp.fft.rfftn, values(shape, False), NamedSharding(mesh, P("x")))


def test_arrays_of_one_axis():
    cases = ((12, "fft", None), (16, "fft", None), (48, "ifft", None), (112, "fft", "ortho"), (576, "ifft", "forward"))
    for i, (n, name, norm) in enumerate(cases):
        mine, theirs = (functools.partial(getattr(of, name), norm=norm) for of in (sixstep.jax, jnp.fft))
        check(mine, theirs, values((n,)), NamedSharding(mesh_of(list(TYPES)[i % 2]), P("x")))
    check(sixstep.jax.rfft, jnp.fft.rfft, values((16,), False), NamedSharding(mesh_of("explicit"), P("x")))


@pytest.mark.parametrize(
    "shape, of_mesh, spec",
    [
        ((3, 32), (4,), P(None, "x")),
        ((32, 3), (4,), P("x")),
        ((2, 48, 3), (4,), P(None, "x")),
        ((64,), (2, 2), P(("x", "y"))),
        ((64,), (2, 2), P(("y", "x"))),
        ((20,), (2, 2), P("y")),
    ],
)
def test_divided_axes_beside_short_ones(shape, of_mesh, spec):
    axis = max(range(len(shape)), key=lambda place: shape[place])
    x, sharding = values(shape), NamedSharding(mesh_of("auto", of_mesh), spec)
    mine, theirs = (functools.partial(of.ifft, axis=axis) for of in (sixstep.jax, jnp.fft))
    check(mine, theirs, x, sharding)
    there = jax.device_put(x, sharding)
    assert "all-gather" not in instructions(mine, there)
    assert jax.jit(mine)(there).sharding.is_equivalent_to(sharding, x.ndim)


def test_single_precision_of_one_axis():
    x = values((2**16,)).astype("complex64")
    there = jax.device_put(x, NamedSharding(mesh_of("auto"), P("x")))
    expected = numpy.fft.fft(x.astype(complex))
    made = jax.jit(sixstep.jax.fft)(there)
    assert made.dtype == numpy.complex64
    assert numpy.linalg.norm(made - expected) < 4e-7 * numpy.linalg.norm(expected)


@pytest.mark.parametrize("type", [1, 2, 3, 4])
def test_cosines_and_sines(type):
    there = jax.device_put(values((8, 6, 4), False), NamedSharding(mesh_of("auto"), P("x")))
    for name in ("dctn", "idstn"):
        for norm in ("ortho", None):
            made = jax.jit(functools.partial(getattr(sixstep.jax, name), type=type, norm=norm))(there)
            numpy.testing.assert_allclose(
                made, getattr(scipy.fft, name)(numpy.asarray(there), type, norm=norm), atol=1e-12
            )
            assert made.sharding.is_equivalent_to(there.sharding, 3)


def test_functions_of_numpy_arrays_take_arrays_on_devices():
    there = jax.device_put(values((8, 6)), NamedSharding(mesh_of("auto"), P("x")))
    made = sixstep.fft.fftn(there)
    assert made.sharding.is_equivalent_to(there.sharding, 2)
    numpy.testing.assert_allclose(made, numpy.fft.fftn(numpy.asarray(there)), atol=1e-12)


def instructions(function, x):
    """The instructions of a compiled function by which devices exchange data, with what each device gives them."""
    text = jax.jit(function).lower(x).compile().as_text()
    words = ("all-gather", "all-to-all", "all-reduce", "collective-permute", "dynamic-slice")
    return [word for line in text.splitlines() for word in words if f" {word}(" in line]


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("differentiated", [False, True])
def test_nothing_is_gathered(kind, differentiated):
    mesh = mesh_of(kind)
    x = jax.device_put(values((16, 8, 12)), NamedSharding(mesh, P("x")))
    real = jax.device_put(values((16, 8, 12), False), NamedSharding(mesh, P("x")))

    def of(function):
        return jax.grad(lambda x: (abs(function(x)) ** 4).sum()) if differentiated else function

    def whole(x):
        return sixstep.jax.fftn(x, axes=(1, 2))

    with jax.set_mesh(mesh):
        sums = ["all-reduce"] * (instructions(of(abs), x).count("all-reduce"))
        assert instructions(of(whole), x) == sums
        assert instructions(of(lambda x: sixstep.jax.rfftn(x, axes=(1, 2))), real) == sums
        assert instructions(of(lambda x: sixstep.jax.dctn(x, axes=(2,))), real) == sums
        times = 2 if differentiated else 1
        assert instructions(of(sixstep.jax.fftn), x) == 2 * times * ["all-to-all"] + sums
        one_axis = jax.device_put(values((96,)), NamedSharding(mesh, P("x")))
        assert "all-gather" not in instructions(of(sixstep.jax.fft), one_axis)
        assert "all-gather" not in instructions(of(sixstep.jax.rfftn), real)
        assert jax.jit(whole)(x).sharding.is_equivalent_to(x.sharding, 3)


def of_slabs(of, x):
    """The transform of slabs along axis 0, as slabs along axis 1."""
    x = of.rfftn(x, axes=(1, 2))
    return of.fft(lax.all_to_all(x, "x", 1, 0, tiled=True), axis=0)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("checked", [True, False])
def test_shard_map(kind, checked):
    mesh = mesh_of(kind)
    shard_map = functools.partial(jax.shard_map, mesh=mesh, check_vma=checked)
    mine = shard_map(functools.partial(of_slabs, sixstep.jax), in_specs=P("x"), out_specs=P(None, "x"))
    x = values((8, 12, 6), False)
    check(mine, lambda x: jnp.fft.rfftn(x, axes=(0, 1, 2)), x, NamedSharding(mesh, P("x")))


@pytest.mark.parametrize("kind", TYPES)
def test_sums_and_common_numbers_in_shard_map(kind):
    """The gradient of numbers that all devices have is summed over devices, once."""
    mesh = mesh_of(kind)
    x, kernel = values((8, 6), False), values((6,), False, 2)

    def loss(of, total):
        def found(x, kernel):
            made = of.rfft(x) * of.rfft(kernel)
            return total((abs(of.irfft(made, n=6)) ** 4).sum() + made.imag.sum())

        return found

    divided = jax.shard_map(
        loss(sixstep.jax, lambda x: lax.psum(x, "x")), mesh=mesh, in_specs=(P("x"), P()), out_specs=P()
    )
    mine = jax.jit(jax.value_and_grad(divided, (0, 1)))(jax.device_put(x, NamedSharding(mesh, P("x"))), kernel)
    theirs = jax.value_and_grad(loss(jnp.fft, lambda x: x), (0, 1))(jnp.asarray(x), jnp.asarray(kernel))
    for a, b in zip(jax.tree.leaves(mine), jax.tree.leaves(theirs)):
        numpy.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-8)


def test_other_transformations_in_shard_map():
    mesh = mesh_of("auto")
    x, d = (jax.device_put(values((8, 12, 6), False, seed), NamedSharding(mesh, P("x"))) for seed in (1, 2))
    mine = jax.shard_map(functools.partial(of_slabs, sixstep.jax), mesh=mesh, in_specs=P("x"), out_specs=P(None, "x"))
    _, tangent = jax.jit(lambda x, d: jax.jvp(mine, (x,), (d,)))(x, d)
    numpy.testing.assert_allclose(tangent, numpy.fft.rfftn(numpy.asarray(d), axes=(0, 1, 2)), atol=1e-12)
    many = jax.jit(jax.vmap(mine))(jnp.stack([x, d]))
    expected = numpy.fft.rfftn(numpy.stack([x, d]), axes=(1, 2, 3))
    numpy.testing.assert_allclose(many, expected, atol=1e-12)


def test_plans_are_refused_on_several_devices():
    plan = sixstep.Plan(sixstep.Layout.slab((8, 6), 1))
    there = jax.device_put(values((8, 6)), NamedSharding(mesh_of("auto"), P("x")))
    with pytest.raises(ValueError, match="not supported for more than 1 device.*plans of sixstep"):
        jax.jit(lambda x: sixstep.jax.forward(plan, x))(there)
    with pytest.raises(sixstep.Error, match="one device of this process is needed"):
        plan.forward(there)

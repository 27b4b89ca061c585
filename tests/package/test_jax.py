# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of JAX in sixstep.fft, plans and redistributions: their memory is read, and results are arrays of JAX. With
sixstep.jax, JAX's transformations of functions, against jax.numpy.fft, SciPy and differences."""

import functools
import pathlib
import re
import sys

import numpy
import pytest
import scipy.fft
import sixstep
from test_ranks import MPIEXEC, run

jax = pytest.importorskip("jax", reason="JAX is not installed: scripts/test --frameworks installs it")
import jax.export  # noqa: E402
import sixstep.jax  # noqa: E402
from jax.test_util import check_grads  # noqa: E402


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
        with pytest.raises(TypeError, match="single or double precision"):
            jax.jit(sixstep.jax.rfft)(jax.numpy.ones(4, dtype))
    plan = sixstep.Plan(sixstep.Layout.slab((4,), 1), dtype="complex64")
    with pytest.raises(sixstep.Error, match="JAX traces.*sixstep.jax"):
        jax.jit(lambda x: plan.forward(x))(array((4,)))
    double = sixstep.Plan(sixstep.Layout.slab((4,), 1))
    with pytest.raises(sixstep.Error, match="jax_enable_x64"):
        sixstep.jax.forward(double, array((4,)))


REAL_INPUT = ("rfftn", "ihfftn")
ARGUMENTS = [(None, None), (None, (2, 0)), ((3, 6), (1, 2)), ((1,), (1,))]


@pytest.fixture
def double():
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", False)


def power(function):
    return lambda x: (abs(function(x)) ** 4).sum()


def values_and_gradients(function):
    """A compiled function that returns function(x) and the gradient of power(function)."""

    def both(x):
        made = function(x)
        return (abs(made) ** 4).sum(), made

    return jax.jit(jax.grad(both, has_aux=True))


def reference(name, x, s, axes, norm):
    """JAX has no hfftn: it is irfftn of conjugates, scaled the other way, and ihfftn the conjugate of rfftn."""
    other = {None: "forward", "forward": None, "ortho": "ortho"}[norm]
    if name == "hfftn":
        return jax.numpy.fft.irfftn(x.conj(), s, axes, other)
    if name == "ihfftn":
        return jax.numpy.fft.rfftn(x, s, axes, other).conj()
    return getattr(jax.numpy.fft, name)(x, s, axes, norm)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"])
def test_transforms_that_are_compiled(name, norm, double):
    x = array((3, 4, 5), "complex128")
    x = x.real if name in REAL_INPUT else x
    for s, axes in ARGUMENTS:
        mine = functools.partial(getattr(sixstep.jax, name), s=s, axes=axes, norm=norm)
        theirs = functools.partial(reference, name, s=s, axes=axes, norm=norm)
        (mine, made), (theirs, expected) = values_and_gradients(mine)(x), values_and_gradients(theirs)(x)
        assert made.dtype == expected.dtype
        numpy.testing.assert_allclose(made, expected, atol=1e-12)
        numpy.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-10)
    check_grads(jax.jit(getattr(sixstep.jax, name)), (x,), 2)


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dctn", "idctn", "dstn", "idstn"])
def test_cosines_and_sines(name, type, double):
    x = array((3, 4, 2), "complex128").real
    for norm, orthogonalize, s, axes in (
        (None, None, None, None),
        ("ortho", None, (3, 6), (1, 2)),
        ("ortho", False, (2,), (0,)),
        ("forward", True, None, None),
    ):
        arguments = dict(type=type, s=s, axes=axes, norm=norm, orthogonalize=orthogonalize)
        mine = jax.jit(functools.partial(getattr(sixstep.jax, name), **arguments))
        numpy.testing.assert_allclose(mine(x), getattr(scipy.fft, name)(x, **arguments), atol=1e-12)
        check_grads(mine, (x,), 1)
    made = jax.jit(functools.partial(getattr(sixstep.jax, name), type=type))(x + 1j * x[::-1])
    numpy.testing.assert_allclose(made, getattr(scipy.fft, name)(x + 1j * x[::-1], type), atol=1e-12)


def test_single_precision_and_integers():
    for x in (array((4, 6)), array((4, 6)).real, jax.numpy.arange(12).reshape(3, 4), numpy.ones((3, 4), "float32")):
        made, expected = jax.jit(sixstep.jax.fftn)(x), jax.numpy.fft.fftn(x)
        assert made.dtype == expected.dtype
        numpy.testing.assert_allclose(made, expected, atol=1e-4)


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 1), (0, 4), (7,), (2,) * 10])
@pytest.mark.parametrize("name", ["fftn", "rfftn"])
def test_shapes(name, shape, double):
    x = array(shape, "complex128").real
    axes = range(len(shape)) if 0 not in shape else (1,)
    mine, theirs = (functools.partial(getattr(of, name), axes=axes) for of in (sixstep.jax, numpy.fft))
    numpy.testing.assert_allclose(jax.jit(mine)(x), theirs(numpy.asarray(x)), atol=1e-10)


def test_vmap(double):
    x = array((4, 3, 5), "complex128").real
    for axis in range(3):
        for wrapped in (jax.vmap, lambda f, axis: jax.jit(jax.vmap(f, axis))):
            made = wrapped(sixstep.jax.rfftn, axis)(x)
            numpy.testing.assert_allclose(made, jax.vmap(jax.numpy.fft.rfftn, axis)(x), atol=1e-12)
    mine, theirs = (jax.vmap(jax.grad(power(of.rfftn)), 1) for of in (sixstep.jax, jax.numpy.fft))
    numpy.testing.assert_allclose(mine(x), theirs(x), atol=1e-9)


def test_derivatives_of_second_order(double):
    x = array((2, 3), "complex128").real

    def loss(of):
        return lambda x: power(of.rfftn)(x) + (of.fftn(x * x).real ** 3).sum()

    for first in (jax.jacrev, jax.jacfwd):
        for second in (jax.jacrev, jax.jacfwd):
            mine, theirs = (jax.jit(first(second(loss(of))))(x) for of in (sixstep.jax, jax.numpy.fft))
            numpy.testing.assert_allclose(mine, theirs, atol=1e-8)
    _, tangent = jax.jvp(sixstep.jax.rfftn, (x,), (2 * x,))
    numpy.testing.assert_allclose(tangent, 2 * jax.numpy.fft.rfftn(x), atol=1e-12)


def test_control_flow(double):
    x = array((3, 4), "complex128")

    def steps(of):
        return lambda x: jax.lax.scan(lambda c, _: (of.fftn(c * c, norm="ortho"), None), x, length=3)[0]

    numpy.testing.assert_allclose(jax.jit(steps(sixstep.jax))(x), steps(jax.numpy.fft)(x), atol=1e-10)
    mine, theirs = (jax.grad(lambda x, of=of: (abs(steps(of)(x)) ** 2).sum()) for of in (sixstep.jax, jax.numpy.fft))
    numpy.testing.assert_allclose(mine(x), theirs(x), rtol=1e-9, atol=1e-9)
    remat = jax.grad(jax.checkpoint(lambda x: (abs(steps(sixstep.jax)(x)) ** 2).sum()))
    numpy.testing.assert_allclose(remat(x), theirs(x), rtol=1e-9, atol=1e-9)


def test_compiled_functions_copy_nothing(monkeypatch):
    """The transform reads XLA's memory and writes to it."""
    from sixstep import _fft_calls

    seen = []

    def counted(self, x, out=None, call=_fft_calls._Call.__call__):
        seen.append((x.ctypes.data, out is not None))
        return call(self, x, out)

    monkeypatch.setattr(_fft_calls._Call, "__call__", counted)
    for function, x in ((sixstep.jax.fftn, array((8, 8))), (sixstep.jax.rfft, array((8, 8)).real)):
        jax.jit(function)(x).block_until_ready()
        assert seen.pop() == (x.unsafe_buffer_pointer(), True) and not seen


def test_small_results_are_not_copied(monkeypatch):
    from sixstep import _fft_calls

    seen = []

    def counted(self, x, out=None, call=_fft_calls._Call.__call__):
        seen.append((x.ctypes.data, out.ctypes.data))
        return call(self, x, out)

    monkeypatch.setattr(_fft_calls._Call, "__call__", counted)
    for name, x in (("fftn", array((8, 11))), ("rfftn", array((8, 11)).real), ("dctn", array((8, 11)).real)):
        made = getattr(sixstep.fft, name)(x)
        assert seen.pop() == (x.unsafe_buffer_pointer(), made.unsafe_buffer_pointer()) and not seen
        again = getattr(sixstep.fft, name)(-x)  # which runs without Python
        assert not seen
        numpy.testing.assert_array_equal(again, -made)


@pytest.mark.parametrize("bits", ["none", "machine"])
def test_small_arrays_have_the_results_of_numpys(bits):
    def results(x):
        return [
            *(sixstep.fft.fftn(x), sixstep.fft.irfftn(x, norm="ortho"), sixstep.fft.hfftn(x, (4, 6))),
            *(sixstep.fft.dctn(x.real, 1), sixstep.fft.idst(x.real, norm="ortho", orthogonalize=False)),
        ]

    x = array((8, 6, 4))
    with sixstep.fft.set_reproducible(bits):
        expected = results(numpy.asarray(x))
        for made in (results(x), results(x)):
            for one, other in zip(made, expected):
                assert isinstance(one, jax.Array) and one.dtype == other.dtype
                numpy.testing.assert_array_equal(one, other)
        with jax.disable_jit():
            for one, other in zip(results(x), expected):
                numpy.testing.assert_allclose(one, other, atol=1e-4)


def test_large_results_of_compiled_functions_are_in_huge_pages():
    if not pathlib.Path("/sys/kernel/mm/transparent_hugepage").exists():
        return
    made = jax.jit(sixstep.jax.fftn)(array((128, 128, 128))).block_until_ready()
    middle = made.unsafe_buffer_pointer() + made.nbytes // 2
    for area in re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", pathlib.Path("/proc/self/smaps").read_text()):
        found = re.match("([0-9a-f]+)-([0-9a-f]+) ", area)
        if found and int(found[1], 16) <= middle < int(found[2], 16):
            assert " hg" in re.search("VmFlags:.*", area)[0]
            return
    raise AssertionError("the memory of the result is not listed")


def test_reproducible_bits_are_those_of_the_traced_call():
    x = array((64, 96))
    with sixstep.fft.set_reproducible("machine"):
        expected = sixstep.fft.fftn(numpy.asarray(x))
        made = jax.jit(sixstep.jax.fftn)(x)
    numpy.testing.assert_array_equal(made, expected)


def test_errors_in_compiled_functions_are_errors_of_jax(monkeypatch):
    from sixstep import _fft_calls

    def broken(*_):
        raise ValueError("broken in here")

    monkeypatch.setattr(_fft_calls._Call, "__call__", broken)
    with pytest.raises(jax.errors.JaxRuntimeError, match="broken in here"):
        jax.jit(sixstep.jax.fftn)(array((3, 5))).block_until_ready()


def test_nothing_is_said_at_the_end():
    program = "import jax, sixstep.jax, numpy; jax.jit(sixstep.jax.fft)(numpy.ones(4)).block_until_ready()"
    assert run([sys.executable, "-W", "ignore", "-c", program]) == (0, "")


EXPORTED = """
import sys, jax, numpy, sixstep.jax
from jax import export
jax.config.update("jax_enable_x64", True)
def loss(x):
    return (abs(sixstep.jax.rfftn(x, norm="ortho")) ** 4).sum() + sixstep.jax.dctn(x).sum()
x = jax.numpy.asarray(numpy.random.default_rng(1).normal(size=(4, 5, 6)))
unknown = [export.DisabledSafetyCheck.custom_call("sixstep_call")]
if sys.argv[2] == "write":
    made = export.export(jax.jit(loss), disabled_checks=unknown)(x)
    open(sys.argv[1], "wb").write(made.serialize(vjp_order=1))
else:
    loss = export.deserialize(bytearray(open(sys.argv[1], "rb").read())).call
print(float(loss(x)), jax.grad(loss)(x).tolist())
"""


def test_functions_are_exported_to_other_processes(tmp_path):
    written, read = (
        run([sys.executable, "-W", "ignore", "-c", EXPORTED, tmp_path / "loss", how]) for how in ("write", "read")
    )
    assert written[0] == 0, written[1]
    assert read == written


def test_what_cannot_be_exported():
    unknown = [jax.export.DisabledSafetyCheck.custom_call("sixstep_call")]
    plan = sixstep.Plan(sixstep.Layout.slab((4, 6), 1), dtype="complex64")
    with pytest.raises(sixstep.Error, match="jax.export.*a plan was given"):
        jax.export.export(jax.jit(lambda x: sixstep.jax.forward(plan, x)), disabled_checks=unknown)(array((4, 6)))
    (n,) = jax.export.symbolic_shape("n")
    with pytest.raises(sixstep.Error, match="lengths of axes are needed"):
        jax.export.export(jax.jit(sixstep.jax.fft), disabled_checks=unknown)(jax.ShapeDtypeStruct((4, n), "complex64"))


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_the_example_checks_itself(ranks):
    path = pathlib.Path(__file__).parents[2] / "examples" / "fit_jax.py"
    status, words = run([*MPIEXEC, "-n", str(ranks), sys.executable, path])
    assert status == 0 and f"on {ranks} ranks" in words, words


def test_on_devices():
    status, words = run([sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "jax_on_devices.py"])
    assert status == 0, words
    assert " passed" in words and "skipped" not in words


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_on_ranks(ranks):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "jax_on_ranks.py"]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words and "skipped" not in words

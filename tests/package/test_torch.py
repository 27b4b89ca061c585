# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch's tensors in sixstep.fft and sixstep.torch, against torch.fft and SciPy, and gradients of all of them."""

import pathlib
import sys

import numpy
import pytest
import scipy.fft
import sixstep.fft
from test_ranks import MPIEXEC, run

torch = pytest.importorskip("torch", reason="PyTorch is not installed: scripts/test --frameworks installs it")
import sixstep.torch  # noqa: E402

REAL_INPUT = ("rfftn", "ihfftn")
ARGUMENTS = [(None, None), (None, (2, 0)), ((3, 6), (1, 2)), ((5,), (0,)), ((1,), (1,)), ((2,), (1,))]


def tensor(shape, is_complex, seed=1):
    torch.manual_seed(seed)
    return torch.randn(shape, dtype=torch.complex128 if is_complex else torch.float64, requires_grad=True)


def check_gradients(function, x):
    assert torch.autograd.gradcheck(function, x, check_forward_ad=True, fast_mode=True)
    assert torch.autograd.gradgradcheck(function, x, fast_mode=True)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"])
def test_fourier_transforms(name, norm):
    x = tensor((3, 4, 5), name not in REAL_INPUT)
    for s, axes in ARGUMENTS:
        mine = getattr(sixstep.torch, name)(x, s, axes, norm)
        theirs = getattr(torch.fft, name)(x, s, axes, norm)
        torch.testing.assert_close(mine, theirs)
        w = torch.randn_like(mine)
        torch.testing.assert_close(torch.autograd.grad(mine, x, w), torch.autograd.grad(theirs, x, w))
        check_gradients(lambda x, a=(s, axes, norm): getattr(sixstep.torch, name)(x, *a), x)


@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dctn", "idctn", "dstn", "idstn"])
def test_cosines_and_sines(name, type):
    x = tensor((3, 4, 2), False)
    for norm, orthogonalize in ((None, None), ("ortho", None), ("ortho", False), ("forward", True)):
        for s, axes in ((None, None), ((3, 6), (1, 2)), ((2,), (0,))):
            arguments = dict(type=type, s=s, axes=axes, norm=norm, orthogonalize=orthogonalize)
            made = getattr(sixstep.torch, name)(x, **arguments)
            expected = getattr(scipy.fft, name)(x.detach().numpy(), **arguments)
            numpy.testing.assert_allclose(made.detach().numpy(), expected, atol=1e-12)
            check_gradients(lambda x, a=arguments: getattr(sixstep.torch, name)(x, **a), x)
    check_gradients(lambda x: getattr(sixstep.torch, name)(x, type), tensor((3, 2), True))


def test_one_axis():
    x = tensor((3, 6), True)
    for name in ("fft", "ifft", "irfft", "hfft"):
        for n in (None, 4, 9):
            mine = getattr(sixstep.torch, name)(x, n, 0)
            torch.testing.assert_close(mine, getattr(torch.fft, name)(x, n, 0))


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64, torch.int32])
def test_types(dtype):
    x = torch.ones(4, 6, dtype=dtype)
    made, expected = sixstep.fft.fftn(x), torch.fft.fftn(x)
    assert made.dtype == expected.dtype
    torch.testing.assert_close(made, expected)


def test_tensors_that_lie_in_any_way():
    x = tensor((4, 6, 5), True).detach()
    for given in (x.permute(2, 0, 1), x[::2], x.conj(), x[:, :, 0].expand(3, 4, 6), x[:0]):
        torch.testing.assert_close(sixstep.fft.fftn(given, axes=(1,)), torch.fft.fftn(given, dim=(1,)))
    many = torch.ones([2] * 10, dtype=torch.complex128)
    numpy.testing.assert_allclose(sixstep.fft.fftn(many).numpy(), numpy.fft.fftn(many.numpy()), atol=1e-9)


def test_nothing_is_copied(monkeypatch):
    """The transform reads the tensor's memory, and the result is a tensor of the memory that was written."""
    from sixstep import _fft_calls

    seen = []

    def counted(self, x, out=None, call=_fft_calls._Call.__call__):
        made = call(self, x, out)
        seen.append((x.ctypes.data, made.ctypes.data))
        return made

    monkeypatch.setattr(_fft_calls._Call, "__call__", counted)
    for name, is_complex in (("fftn", True), ("rfftn", False), ("dctn", False)):
        x = tensor((8, 8, 8), is_complex).detach()
        made = getattr(sixstep.torch, name)(x)
        assert seen.pop() == (x.data_ptr(), made.data_ptr()) and not seen


def energy(x):
    return (sixstep.torch.rfftn(x).abs() ** 4).sum() + sixstep.torch.dctn(x, norm="ortho").sum()


def energy_of_torch(x):
    weights = torch.from_numpy(scipy.fft.idctn(numpy.ones(x.shape), norm="ortho"))
    return (torch.fft.rfftn(x).abs() ** 4).sum() + (weights * x).sum()


def test_transformations_of_functions():
    x = tensor((2, 3), False).detach()
    hessians = (
        torch.func.hessian,
        lambda f: torch.func.jacrev(torch.func.jacrev(f)),
        lambda f: torch.func.jacfwd(torch.func.jacfwd(f)),
    )
    for hessian in hessians:
        torch.testing.assert_close(hessian(energy)(x), hessian(energy_of_torch)(x))
    many = tensor((4, 3, 5), False).detach()
    made = torch.func.vmap(sixstep.torch.rfftn, in_dims=1)(many)
    torch.testing.assert_close(made, torch.stack([torch.fft.rfftn(many[:, i]) for i in range(3)]))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_functions(dynamic):
    def loss(x):
        return (sixstep.torch.irfftn(2 * sixstep.torch.rfftn(x), x.shape) ** 2).sum() + energy(x)

    torch._dynamo.reset()
    compiled = torch.compile(loss, fullgraph=True, dynamic=dynamic, backend="aot_eager")
    for shape in ((3, 4, 5), (3, 4, 6), (7, 2, 5))[: 3 if dynamic else 1]:
        x = tensor(shape, False)
        torch.testing.assert_close(compiled(x), loss(x))
        torch.testing.assert_close(torch.autograd.grad(compiled(x), x), torch.autograd.grad(loss(x), x))


def test_the_custom_operation():
    for x, kinds, axes in ((tensor((3, 4, 5), True), "c2c,c2c", [0, 1]), (tensor((3, 4), False), "c2c,r2c", [0, 1])):
        torch.library.opcheck(torch.ops.sixstep.transform, (x, kinds, axes, True, "none", 0, 2))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_refused(dtype):
    with pytest.raises(TypeError, match="single or double precision"):
        sixstep.fft.fftn(torch.ones(4, dtype=dtype))


def test_mistakes():
    x = torch.ones(4, 4, dtype=torch.complex128)
    with pytest.raises(TypeError, match="must be a real sequence"):
        sixstep.fft.rfft(x)
    with pytest.raises(TypeError, match="out: "):
        sixstep.fft.fft(x, out=x)
    with pytest.raises(ValueError, match="axes"):
        sixstep.fft.fftn(x, axes=(2,))


def test_nothing_is_said_at_the_end():
    program = "import torch, sixstep, numpy; sixstep.fft.fft(numpy.ones(4)); sixstep.fft.fft(torch.ones(4))"
    assert run([sys.executable, "-W", "ignore", "-c", program]) == (0, "")


@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_the_example_checks_itself(ranks):
    path = pathlib.Path(__file__).parents[2] / "examples" / "fit.py"
    status, words = run([*MPIEXEC, "-n", str(ranks), sys.executable, path])
    assert status == 0 and f"on {ranks} ranks" in words, words


@pytest.mark.parametrize("mpi", ["sixstep", "mpi4py.MPI, sixstep"])
def test_processes_of_torchrun_are_told_how_to_start(mpi):
    program = f"import {mpi}\ntry: sixstep.Plan(sixstep.Layout.slab((4,), 2))\nexcept sixstep.Error as e: print(e)"
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2", "--no-python"]
    status, words = run([*torchrun, sys.executable, "-c", program])
    assert status == 0, words
    assert words.count("torchrun has started 2 processes") == 2 and "mpiexec -n 2 python" in words, words
    assert run([*torchrun[:3], "--nproc-per-node", "1", "--no-python", sys.executable, "-c", program])[0] == 0


def test_processes_with_other_numbers_are_refused():
    program = """
from mpi4py import MPI
import sixstep.torch
from torch.distributed.tensor import Shard, init_device_mesh
sixstep.torch.init_process_group("gloo", comm=MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.rank))
try:
    sixstep.torch.layout((4, 4), init_device_mesh("cpu", (2,)), [Shard(0)])
except sixstep.Error as error:
    print(error)
"""
    status, words = run([*MPIEXEC, "-n", "2", sys.executable, "-c", program], SIXSTEP_TIMEOUT="60")
    assert status == 0 and words.count("they have the numbers [1, 0] of torch.distributed") == 2, words


@pytest.mark.parametrize("tests", ["torch_on_ranks.py", "dtensors_on_ranks.py"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_on_ranks(ranks, tests):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], SIXSTEP_TIMEOUT="60")
    assert status == 0, words
    assert " passed" in words and "skipped" not in words

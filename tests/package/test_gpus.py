# SPDX-License-Identifier: BSD-3-Clause
"""Arrays on GPUs, which are those of tests/cuda_on_host: of CuPy's stand-in, through a package that is built with CUDA;
and what XLA calls for arrays on GPUs."""

import ctypes
import os
import sys

import pytest
from sixstep import _serial
from test_ranks import HERE, MPIEXEC, run

ON_HOST = HERE.parent.parent / "build" / "mpich" / "tests" / "cuda_on_host"


def is_built_with_cuda():
    made = run([sys.executable, "-c", "import sixstep; sixstep.Plan(sixstep.Layout.slab((4,), 1), device='cuda')"])
    return "built without CUDA" not in made[1]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_on_ranks(ranks):
    if not (ON_HOST / "libcudart.so").exists() or "openmpi" in MPIEXEC[0] or not is_built_with_cuda():
        pytest.skip("a package for MPICH with CUDA and the libraries of build/mpich/tests/cuda_on_host are needed")
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "gpus_on_ranks.py"]
    status, words = run(
        [*MPIEXEC, "-n", str(ranks), *pytest_here, "-k", "cupy"],
        SIXSTEP_TIMEOUT="60",
        SIXSTEP_TEST_CUPY="stand-in",
        CUDA_ON_HOST_GPUS="2",
        LD_LIBRARY_PATH=f"{ON_HOST}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    )
    assert status == 0 and " passed" in words and "skipped" not in words, words


def struct(name, **fields):
    """An object of XLA's C interface, where the size and a list of extensions come first."""
    first = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p)]
    kind = type(name, (ctypes.Structure,), {"_fields_": first + [(key, type(value)) for key, value in fields.items()]})
    return kind(ctypes.sizeof(kind), None, *fields.values())


def address(thing):
    return ctypes.c_void_p(ctypes.addressof(thing))


def addresses(*things):
    return (ctypes.c_void_p * len(things))(*(ctypes.addressof(each) for each in things))


class StreamArguments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("size", "extensions", "context", "stream")]


class ErrorArguments(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p), ("message", ctypes.c_char_p)]


def test_xla_gives_addresses_and_its_stream():
    calls, errors = [], []

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(StreamArguments))
    def find_stream(asked):
        assert asked.contents.context == 77
        asked.contents.stream = 99
        return None

    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ErrorArguments))
    def make_error(given):
        errors.append(given.contents.message)
        return 5

    def called(*arguments):
        calls.append(arguments)
        if arguments[0] == "wrong":
            raise RuntimeError("it was wrong")

    version = struct("Version", major=ctypes.c_int(0), minor=ctypes.c_int(1))
    none = ctypes.c_void_p()
    functions = [ctypes.cast(each, ctypes.c_void_p) for each in (make_error, find_stream)]
    members = dict(version=version, internal=none, make=functions[0], a=none, b=none, c=none, stream=functions[1])
    interface = struct("Interface", **members)
    frames = []
    for word in (b"right", b"wrong"):
        buffers = []
        for at in (1000, 2000):
            extents = (ctypes.c_int64 * 1)(4)
            made = struct("Buffer", type=ctypes.c_int(12), data=ctypes.c_void_p(at), rank=ctypes.c_int64(1),
                          extents=address(extents))  # fmt: skip
            kinds, values = (ctypes.c_int * 1)(1), addresses(made)
            sides = struct("Buffers", count=ctypes.c_int64(1), kinds=address(kinds), values=address(values))
            buffers.append((sides, extents, made, kinds, values))
        spans = []
        for text in (b"call", word):
            kept = ctypes.create_string_buffer(text)
            span = (ctypes.c_void_p * 2)(ctypes.addressof(kept), len(text))
            spans.append((span, kept))
        names, values = (addresses(span) for span, _ in spans)
        kinds = (ctypes.c_int * 1)(4)
        words = struct("Attributes", count=ctypes.c_int64(1), kinds=address(kinds), names=address(names),
                       values=address(values))  # fmt: skip
        frame = struct("Frame", interface=address(interface), context=ctypes.c_void_p(77), stage=ctypes.c_int(3),
                       before=buffers[0][0], after=buffers[1][0], attributes=words)  # fmt: skip
        frames.append((frame, buffers, spans, names, values, kinds, words))
    capsule = _serial.xla_gpu_handler(called)
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    handler = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(pointer_of(capsule, None))
    assert [handler(address(frame[0])) for frame in frames] == [None, 5]
    assert calls == [("right", 1000, 2000, 99), ("wrong", 1000, 2000, 99)] and errors == [b"it was wrong"]

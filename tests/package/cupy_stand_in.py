# SPDX-License-Identifier: BSD-3-Clause
"""The few calls of CuPy that sixstep needs, over CUDA's runtime by ctypes, for tests where CuPy or a GPU is missing.

Arithmetic is NumPy's, on copies in the host's memory.
"""

import contextlib
import ctypes
import types

import numpy

__version__ = "stand-in"
_runtime = ctypes.CDLL("libcudart.so.13")
_to_device, _to_host = 1, 2  # cudaMemcpyKind


def _checked(status):
    if status != 0:
        raise RuntimeError(f"CUDA's error {status}")


class _Memory:
    def __init__(self, count):
        memory = ctypes.c_void_p()
        _checked(_runtime.cudaMalloc(ctypes.byref(memory), ctypes.c_size_t(max(count, 1))))
        self.ptr, self.bytes = memory.value, count

    def __del__(self):
        for stream in Stream._all:  # CuPy keeps memory until its stream has no more use of it
            _runtime.cudaStreamSynchronize(ctypes.c_void_p(stream))
        _runtime.cudaFree(ctypes.c_void_p(self.ptr))


class _Part(types.SimpleNamespace):
    """An address in memory, which it keeps."""


class _Device(contextlib.nullcontext):
    id = 0

    def __str__(self):
        return "<CUDA Device 0>"


class Stream:
    """A stream that ends with the object, as CuPy's does."""

    _current: list = []
    _all: set = {0}

    def __init__(self, non_blocking=False):
        made = ctypes.c_void_p()
        _checked(_runtime.cudaStreamCreateWithFlags(ctypes.byref(made), int(non_blocking)))
        self.ptr = made.value
        Stream._all.add(self.ptr)

    def __del__(self):
        Stream._all.discard(self.ptr)
        _checked(_runtime.cudaStreamDestroy(ctypes.c_void_p(self.ptr)))

    def __enter__(self):
        Stream._current.append(self)
        return self

    def __exit__(self, *_):
        Stream._current.pop()


_default = types.SimpleNamespace(ptr=0)


def _current_stream(device=None):
    return Stream._current[-1] if Stream._current else _default


def _alloc(count):
    memory = _Memory(count)
    return _Part(ptr=memory.ptr, memory=memory)


cuda = types.SimpleNamespace(Stream=Stream, alloc=_alloc, get_current_stream=_current_stream)


def _copy(to, from_, count, kind):
    stream = ctypes.c_void_p(_current_stream().ptr)
    pointers = ctypes.c_void_p(to), ctypes.c_void_p(from_)
    _checked(_runtime.cudaMemcpyAsync(*pointers, ctypes.c_size_t(count), kind, stream))
    _checked(_runtime.cudaStreamSynchronize(stream))


class _DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("dtype", _DType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]
_exported = {}


@_Deleter
def _delete(managed):
    _exported.pop(ctypes.addressof(managed.contents), None)


_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)


class ndarray:
    device = _Device()

    def __init__(self, shape, dtype=float, memptr=None, strides=None):
        assert memptr is not None or strides is None, "memptr is required if strides is given."
        self.shape, self.dtype = tuple(shape), numpy.dtype(dtype)
        self.size, self.ndim, self.itemsize = int(numpy.prod(self.shape)), len(self.shape), self.dtype.itemsize
        self.data = memptr or _alloc(self.size * self.itemsize)
        dense = numpy.empty(self.shape, self.dtype).strides
        self.strides = dense if strides is None else tuple(strides)

    @property
    def _bytes(self):
        if self.size == 0:
            return 0
        return sum((n - 1) * step for n, step in zip(self.shape, self.strides)) + self.itemsize

    def _host(self):
        """A NumPy array with the strides of this one, with its elements."""
        memory = numpy.empty(max(self._bytes, 1), "uint8")
        if self.size:
            _copy(memory.ctypes.data, self.data.ptr, self._bytes, _to_host)
        return numpy.ndarray(self.shape, self.dtype, memory, 0, self.strides)

    def get(self):
        return self._host().copy()

    def __setitem__(self, where, values):
        host = self._host()
        host[where] = values.get() if isinstance(values, ndarray) else values
        if self.size:
            _copy(self.data.ptr, host.__array_interface__["data"][0], self._bytes, _to_device)

    def _viewed(self, change):
        """A view, found by what NumPy does with an array that lies likewise."""
        like = numpy.ndarray(self.shape, self.dtype, numpy.empty(max(self._bytes, 1), "uint8"), 0, self.strides)
        view = change(like)
        offset = view.__array_interface__["data"][0] - like.__array_interface__["data"][0]
        return ndarray(view.shape, view.dtype, _Part(ptr=self.data.ptr + offset, memory=self.data), view.strides)

    def __getitem__(self, where):
        return self._viewed(lambda x: x[where])

    def transpose(self, *axes):
        return self._viewed(lambda x: x.transpose(*axes))

    def reshape(self, *shape):
        return asarray(self.get().reshape(*shape))

    real = property(lambda self: self._viewed(lambda x: x.real), lambda self, x: self.real.__setitem__(..., x))
    imag = property(lambda self: self._viewed(lambda x: x.imag), lambda self, x: self.imag.__setitem__(..., x))

    def astype(self, dtype):
        return asarray(self.get().astype(dtype))

    def __mul__(self, other):
        return asarray(self.get() * other.get())

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None, max_version=None, dl_device=None, copy=None):
        code = {"i": 0, "u": 1, "f": 2, "c": 5}[self.dtype.kind]
        counts = (ctypes.c_int64 * self.ndim)
        shape, strides = counts(*self.shape), counts(*(step // self.itemsize for step in self.strides))
        dtype = _DType(code, 8 * self.itemsize, 1)
        tensor = _Tensor(self.data.ptr, 2, 0, self.ndim, dtype, shape, strides, 0)
        managed = _Managed(tensor, None, _delete)
        _exported[ctypes.addressof(managed)] = managed, self, shape, strides
        return _new_capsule(ctypes.addressof(managed), b"dltensor", None)


def asarray(values):
    if isinstance(values, ndarray):
        return values
    seen = getattr(values, "__cuda_array_interface__", None)
    if seen is not None:
        memory = _Part(ptr=seen["data"][0], memory=values)
        return ndarray(seen["shape"], seen["typestr"], memory, seen["strides"])
    values = numpy.asarray(values)
    made = ndarray(values.shape, values.dtype)
    made[...] = values
    return made


def empty(shape, dtype=float):
    return ndarray(shape, dtype)


def zeros(shape, dtype=float):
    return asarray(numpy.zeros(shape, dtype))


def conj(x):
    return asarray(x.get().conj())

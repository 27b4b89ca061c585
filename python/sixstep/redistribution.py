# SPDX-License-Identifier: BSD-3-Clause
"""Moves arrays from one layout to another, and back."""

from __future__ import annotations

import weakref
from collections.abc import Callable

import numpy

from . import _core, _mpi
from ._core import Layout
from ._error import Error
from ._frames import as_kind_of, empty_bytes, viewed
from ._side import Side, check_layout, plain


class Redistribution:
    """A redistribution of an array that is spread over the ranks of a communicator.

    It moves every element from its place in the layout `from_` to its place in the layout `to`. All ranks make it once,
    together, and execute it any number of times.

        moves = sixstep.Redistribution(slabs, pencils, dtype="int32")
        part = moves.empty_from()
        part[...] = numpy.arange(1000, dtype="int32").reshape(10, 10, 10)[slabs.box(sixstep.rank())]
        there = moves.forward(part)

    Parameters
    ----------
    from_, to : Layout
        The layouts before and after `forward`, of the same shape.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    dtype : numpy dtype
        Any type whose elements are plain bytes, records included.
    fields : int
        The number of arrays that are moved together, with one message a pair of ranks; they are the first axis.
    exchange : str
        "shared", "collective", "pairwise", "persistent" or "one_sided".
    threads : int
        0: OMP_NUM_THREADS, or else the cores that this rank may use divided by the ranks that share them.
    preserve_input : bool
        False: the input may be overwritten, which may save work memory.
    verify : str
        "none", "result" or "all": whether the bits of all elements are compared before and after each call. "all" tells
        which rank has read other bits than which one has given.

    Raises
    ------
    Error
        The same on every rank. It names the argument, its value and what is needed.
    """

    def __init__(
        self,
        from_: Layout,
        to: Layout,
        *,
        comm=None,
        dtype="float64",
        fields: int = 1,
        exchange: str = "shared",
        threads: int = 0,
        preserve_input: bool = True,
        verify: str = "none",
    ):
        options = dict(
            fields=fields, exchange=exchange, threads=threads, preserve_input=preserve_input, verify=verify
        )
        handle = _mpi.handle(comm)
        with _mpi.together(handle):
            dtype = plain(dtype)
            check_layout("from_", from_)
            check_layout("to", to)
        self._moves = _core.Redistribution(from_, to, handle, dtype.itemsize, options)
        rank = _mpi.rank(comm)
        self._from, self._to = Side(from_, rank, dtype, fields), Side(to, rank, dtype, fields)

    def forward(self, in_: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        """Moves this rank's part from the layout `from_` to `out`, in the layout `to`. Returns `out`, or a new array.
        Collective.

        Errors, on this rank only: an array has another type or shape, or its elements lie in another order.
        """
        return self._execute(self._from, in_, self._to, out, True)

    def backward(self, in_: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        """Moves in the opposite direction, from the layout `to` to `from_`. Collective."""
        return self._execute(self._to, in_, self._from, out, False)

    def empty_from(self) -> numpy.ndarray:
        """An uninitialised array for this rank's part before `forward`, in memory that the ranks of a node share, which
        is the fastest. Collective."""
        return self._from.over(self._moves.allocate(self._from.bytes))

    def empty_to(self) -> numpy.ndarray:
        """Works like empty_from(), for this rank's part after `forward`."""
        return self._to.over(self._moves.allocate(self._to.bytes))

    def empty_in_place(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Two arrays in the same memory, for the parts before and after `forward`, to redistribute in place."""
        memory = self._moves.allocate(max(self._from.bytes, self._to.bytes))
        return self._from.over(memory), self._to.over(memory)

    from_ = property(lambda self: self._moves.from_, doc="The layout before `forward`.")
    to = property(lambda self: self._moves.to, doc="The layout after `forward`.")
    passes = property(lambda self: self._moves.passes, doc="Full passes over this rank's arrays, without the exchange.")
    exchanges = property(lambda self: self._moves.exchanges, doc="Exchanges between ranks, 0 or 1.")

    def verified(self) -> _core.Verified:
        """Returns what the option verify has found so far."""
        return self._moves.verified()

    def on_detection(self, told: Callable[[_core.Detection], object] | None) -> None:
        """Calls `told` with a Detection on every rank whenever the option verify finds other bits, before the call
        returns or raises. `told` must not use the redistribution; what it raises is printed. None: calls nobody."""
        self._told = told  # which may refer to this object, so that the extension module must not hold it
        here = weakref.ref(self)
        self._moves.on_detection(None if told is None else lambda found: here()._told(found))

    def describe(self) -> str:
        """The redistribution in words: layouts, passes over memory, messages, bytes sent."""
        return self._moves.describe()

    __str__ = describe

    def _execute(self, source, in_, target, out, forward):
        read = viewed("in", in_, is_written=False)
        source.check("in", read)
        written = target.over(empty_bytes(target.bytes)) if out is None else viewed("out", out, is_written=True)
        target.check("out", written)
        if not written.flags.writeable:
            raise Error("out: a writable array is needed, a read-only one was given")
        self._moves.execute(read.ctypes.data, written.ctypes.data, forward)
        return as_kind_of(in_, written) if out is None else out

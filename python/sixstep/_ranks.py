# SPDX-License-Identifier: BSD-3-Clause
"""Ranks, and collective calls in which an error on one rank is raised on all."""

from __future__ import annotations

import contextlib
import functools
import operator
import pickle
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import _core, _mpi


def _in_words(arguments, keywords=None) -> str:
    """Arguments in words, for ranks to compare: arrays by type and shape only, floats and functions by kind."""

    def of(value):
        if isinstance(value, (numpy.ndarray, NDArrayOperatorsMixin)):
            return f"{type(value).__name__} of {value.dtype}, {value.shape}"
        if isinstance(value, (tuple, list)):
            return _in_words(value)
        if value is None or isinstance(value, (str, slice, numpy.dtype)):
            return repr(value)
        try:
            return str(operator.index(value))
        except TypeError:
            return getattr(value, "__name__", type(value).__name__)

    words = [of(value) for value in arguments] + [f"{name}={of(value)}" for name, value in (keywords or {}).items()]
    return f"({', '.join(words)})"


class Ranks(_core.Ranks):
    """A duplicate of a communicator, with the plans and redistributions that arrays on it have used.

    The last 32 of each are kept, and the last 8 operators of `sixstep.fields`. One thread at a time may use it.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    """

    def __init__(self, comm: Any = None) -> None:
        super().__init__(_mpi.handle(comm))
        self._is_calling = False
        self._kept: dict[Any, Any] = {}  # the last used last

    @contextlib.contextmanager
    def together(self, call: str, *arguments, **keywords):
        """A context for the body of a collective call: an exception on one rank is raised on all. If ranks give
        different arguments, all raise too; arguments are compared when the body first communicates."""
        if self._is_calling:  # the outer call does this
            yield
            return
        self._is_calling = True
        try:
            self.note(call, _in_words(arguments, keywords))
            yield
        except Exception as error:
            if not getattr(error, "on_all_ranks", False):
                _mpi.raise_on_all(self.fail, error)
            raise
        finally:
            self._is_calling = False

    def kept(self, key: Any, make: Callable[[], Any], most: int) -> Any:
        """Returns the object that make() has made for this key, and keeps the last `most`. All ranks need the same
        keys in the same order."""
        made = self._kept.pop(key) if key in self._kept else make()
        self._kept[key] = made
        if len(self._kept) > most:
            del self._kept[next(iter(self._kept))]
        return made

    def all(self, value: numpy.ndarray) -> numpy.ndarray:
        """The values of all ranks, in the order of ranks, on every rank. They have one type and shape."""
        with self.together("all"):
            mine = numpy.ascontiguousarray(value)
            table = numpy.empty((self.size, *numpy.shape(value)), mine.dtype)
            self.gather_to_all(mine.reshape(-1).view("uint8"), table.reshape(-1).view("uint8"))
            return table

    def told(self, value, root: int):
        """The value of rank `root`, on all ranks: any object that can be pickled."""
        with self.together("told", root):
            mine = numpy.frombuffer(pickle.dumps(value) if self.rank == root else b"", "uint8")
            words = numpy.zeros(self.all(numpy.array([mine.size]))[root, 0], "uint8")
            words[: mine.size] = mine
            self.broadcast(words, root)
            return pickle.loads(words.tobytes())


_Method = TypeVar("_Method", bound=Callable[..., Any])


def collective(method: _Method) -> _Method:
    """Makes a method of Array a collective call: see Ranks.together()."""

    @functools.wraps(method)
    def call(self, *arguments, **keywords):
        with self._ranks.together(method.__name__.strip("_"), *arguments, **keywords):
            return method(self, *arguments, **keywords)

    return cast(_Method, call)


_world = None


def ranks_of(comm) -> Ranks:
    """The Ranks of a communicator; without one, of the whole program."""
    global _world
    if isinstance(comm, Ranks):
        return comm
    if comm is not None:
        return Ranks(comm)
    if _world is None:
        _world = Ranks()
    return _world

# SPDX-License-Identifier: BSD-3-Clause
"""Ranks, and calls that they make together: what is wrong on one of them, all are told."""

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
    """Arguments as ranks compare them. Arrays are compared by type and shape alone, floats and functions by kind."""

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
    """A communicator, duplicated, with the plans and redistributions that arrays on it have needed.

    The last 32 of each are kept. It may be used by one thread at a time.

    Parameters
    ----------
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    """

    def __init__(self, comm: Any = None) -> None:
        super().__init__(_mpi.handle(comm))
        self._is_calling = False

    @contextlib.contextmanager
    def together(self, call: str, *arguments, **keywords):
        """For the body of a collective call: what one rank raises in it, all ranks raise. So they do if they give
        different arguments, which are compared when the body first communicates."""
        if self._is_calling:  # as a part of another call, which does that
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

    def all(self, value: numpy.ndarray) -> numpy.ndarray:
        """What each rank has, in the order of ranks, on all of them; of one type and shape."""
        with self.together("all"):
            mine = numpy.ascontiguousarray(value)
            table = numpy.empty((self.size, *numpy.shape(value)), mine.dtype)
            self.gather_to_all(mine.reshape(-1).view("uint8"), table.reshape(-1).view("uint8"))
            return table

    def told(self, value, root: int):
        """What `root` has, on all ranks: any object that can be pickled."""
        with self.together("told", root):
            mine = numpy.frombuffer(pickle.dumps(value) if self.rank == root else b"", "uint8")
            words = numpy.zeros(self.all(numpy.array([mine.size]))[root, 0], "uint8")
            words[: mine.size] = mine
            self.broadcast(words, root)
            return pickle.loads(words.tobytes())


_Method = TypeVar("_Method", bound=Callable[..., Any])


def collective(method: _Method) -> _Method:
    """Makes a method of Array a collective call, as Ranks.together() describes it."""

    @functools.wraps(method)
    def call(self, *arguments, **keywords):
        with self._ranks.together(method.__name__.strip("_"), *arguments, **keywords):
            return method(self, *arguments, **keywords)

    return cast(_Method, call)


_world = None


def ranks_of(comm) -> Ranks:
    """Those of a communicator; without one, of the program."""
    global _world
    if isinstance(comm, Ranks):
        return comm
    if comm is not None:
        return Ranks(comm)
    if _world is None:
        _world = Ranks()
    return _world

# SPDX-License-Identifier: BSD-3-Clause
"""Operators: a transform, a product with a symbol and the transform back, in one call."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import DTypeLike, NDArray

from . import _core, _mpi
from ._core import Layout, Symbol
from ._error import Error
from ._shown import Shown
from ._side import check_layout
from .symbols import Array

_Function = Callable[[NDArray[numpy.float64]], Any]
_Given = Symbol | Array | _Function | Sequence[Callable[[float], complex]]


class _Calls:
    """Calls functions of the user's, and keeps what they raise on this rank."""

    raised: BaseException | None = None

    def cause(self, error: Error) -> BaseException:
        """Returns the exception of the user's function that led to this error on this rank, or else the error."""
        raised, self.raised = self.raised, None
        if raised is None:
            return error
        raised.on_all_ranks = error.on_all_ranks  # type: ignore[attr-defined]
        return raised

    def keep(self, error: BaseException) -> Error:
        """Keeps what a function has raised. Returns it in words."""
        self.raised = self.raised or error
        return Error(str(error) if isinstance(error, Error) else f"symbol: {type(error).__name__}: {error}")


class _Factors(_Calls):
    """A function for each axis, of one component of k, as the factors of a symbol.

    Each is called once with 1, which tells whether all numbers are real.
    """

    def __init__(self, functions: Sequence[Callable[[float], complex]]):
        self.functions = tuple(functions)
        self.is_real = not any(numpy.iscomplexobj(self._number(axis, 1.0)) for axis in range(len(self.functions)))

    def symbol(self) -> Symbol:
        factors = weakref.ref(self)  # as _Called has it
        return Symbol.product(lambda axis, k: factors()._factor(axis, k), len(self.functions), self.is_real)

    def _factor(self, axis: int, k: float) -> complex:
        try:
            return complex(self._number(axis, k))
        except BaseException as error:
            raise self.keep(error) from None

    def _number(self, axis: int, k: float) -> Any:
        number = numpy.asarray(self.functions[axis](k))
        if number.dtype.kind not in "biufc" or number.size != 1:
            raise Error(
                f"symbol: the function of axis {axis} must return a number for a number k, "
                f"{number.dtype} of shape {number.shape} was returned"
            )
        return number.reshape(())[()]


class _Called(_Calls):
    """A user's function as the numbers of a symbol.

    It is called once with wave vectors of ones, which tells its kind: real or complex numbers, or a matrix.
    """

    def __init__(self, function: _Function, axes: int):
        self.function = function
        numbers = self._numbers(numpy.ones((axes, 2)))
        self.shape = numbers.shape[:-1]
        self.is_real = numbers.dtype.kind != "c"

    def symbol(self) -> Symbol:
        # The library's reference is weak, because Python cannot find cycles through it: a function refers to its
        # module, and the module to the operator.
        called = weakref.ref(self)
        return Symbol.function(lambda k, numbers: called()._fill(k, numbers), *(self.shape or (0, 0)), self.is_real)

    def _fill(self, k, numbers) -> None:
        try:
            found = self._numbers(k)
            kind = found.shape[:-1], found.dtype.kind != "c" or not self.is_real
            if kind != (self.shape, True):
                raise Error(
                    "symbol: the function must return numbers of one kind, "
                    f"first it returned {self._in_words(self.shape, self.is_real)}, "
                    f"and then {self._in_words(found.shape[:-1], found.dtype.kind != 'c')}"
                )
            numbers[...] = found.reshape(numbers.shape[::-1]).T
        except BaseException as error:
            raise self.keep(error) from None

    def _numbers(self, k) -> numpy.ndarray:
        numbers = numpy.asarray(self.function(k))
        fits = numbers.dtype.kind in "biufc" and numbers.ndim in (1, 3) and numbers.shape[-1] == k.shape[1]
        if not fits:
            raise Error(
                f"symbol: for k of shape {k.shape} the function must return an array of numbers of shape "
                f"({k.shape[1]},), or (results, fields, {k.shape[1]}) for a matrix; "
                f"one of {numbers.dtype} of shape {numbers.shape} was returned"
            )
        return numbers

    @staticmethod
    def _in_words(shape, is_real) -> str:
        numbers = "real numbers" if is_real else "complex numbers"
        return f"{shape[0]} x {shape[1]} {numbers}" if shape else numbers


class _Made(_Calls):
    """A symbol that calls nothing."""

    def __init__(self, symbol: Symbol):
        self.symbol = lambda: symbol


def _checked(symbol: _Given, axes: int, rank: int) -> _Called | _Factors | _Made:
    if isinstance(symbol, Symbol):
        return _Made(symbol)
    if isinstance(symbol, Array):
        return _Made(symbol.on_rank(rank))
    if isinstance(symbol, (list, tuple)) and all(map(callable, symbol)):
        return _Factors(symbol)
    if not callable(symbol):
        raise Error(
            "symbol: a function of k, a list of one function for each axis, or one of sixstep.symbols is needed, "
            f"{type(symbol).__name__} was given"
        )
    return _Called(symbol, axes)


def _adjoint_of(symbol: Any, axes: int) -> Any:
    """The symbol of the adjoint; the same if that is known."""
    if isinstance(symbol, Symbol):
        return symbol if symbol.is_self_adjoint else symbol.adjoint(axes)
    if isinstance(symbol, Array):
        return Array(symbol.layout, symbol.numbers.conj()) if numpy.iscomplexobj(symbol.numbers) else symbol
    if isinstance(symbol, (list, tuple)):
        return [lambda k, factor=factor: numpy.conj(factor(k)) for factor in symbol]

    def conjugates(k):
        numbers = numpy.conj(symbol(k))
        return numbers.swapaxes(0, 1) if numbers.ndim == 3 else numbers

    return conjugates


class Operator(Shown, _core.Operator):
    """A linear operator that a symbol describes: the array is transformed, each wave is multiplied by symbol(k), and
    transformed back.

    The result is scaled, and lies as the input does, or in a layout of its own. All ranks make an operator once,
    together, and apply it any number of times.

        solve = sixstep.Operator(layout, sixstep.symbols.inverse_laplacian(), kinds="r2c")
        u = solve(f)
        smooth = sixstep.Operator(layout, lambda k: numpy.exp(-0.1 * (k**4).sum(0)), kinds="r2c")

    Parameters
    ----------
    layout : Layout
        The layout of the input and of the output.
    symbol : function, list of functions, or one of sixstep.symbols
        A function is called with an array k of shape (axes, n): the components of n wave vectors. It returns n numbers,
        real or complex, or, for a matrix between fields, an array of shape (results, fields, n). A first call with k of
        ones shows whether the numbers are real and whether there is a matrix. One result has no axis of fields.
        A list has one function for each axis, of the component k along it, a float: numbers are their product. A table
        for each axis keeps them, n0 + n1 + n2 numbers in all.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    dtype : numpy dtype
        "float64" or "complex128": double precision; "float32" or "complex64": single.
    sides : sequence of float, optional
        The length of the domain along each axis. None: 2 pi along periodic axes, pi between walls (cosines and sines),
        so that k is the wave number.
    kept : bool
        True: the function is called while the operator is made, for about a thousand wave vectors at a time, and a
        table keeps the numbers. False: it is called at each execution, for a few wave vectors at a time and from
        different threads, one after the other, which is slow.
    result : Layout, optional
        The layout of a result that does not lie as the input does. If it has another number of points, the result
        is interpolated: a symbol of ones leaves the waves as they are.
    result_lengths, first : sequence of int
        The length of the transform back and the first point of the result along each of the transformed axes. Empty:
        the length of the transform or the points of the result, and 0.
    **options
        Those of a `Plan`, except output, transform, twiddle and device.

    Raises
    ------
    Error
        The same on every rank. It names the argument, its value and what is needed. An exception of the
        function is raised on its rank, and as an Error on all others; with kept=False, `apply` raises it on its rank
        alone.
    """

    def __init__(
        self,
        layout: Layout,
        symbol: _Given,
        *,
        comm: Any = None,
        dtype: DTypeLike = "float64",
        sides: Sequence[float] | None = None,
        kept: bool = True,
        result: Layout | None = None,
        result_lengths: Sequence[int] = (),
        first: Sequence[int] = (),
        **options: Any,
    ) -> None:
        handle = _mpi.handle(comm)
        with _mpi.together(handle):
            single = _mpi.is_single(dtype)
            check_layout("layout", layout)
            if result is not None:
                check_layout("result", result)
            points = [[int(each) for each in given] for given in (result_lengths, first)]
            lengths = [] if sides is None else [float(side) for side in sides]
            self._rank = _mpi.rank(comm)
            self._symbol = _checked(symbol, len(layout.shape), self._rank)
        try:
            made = self._symbol.symbol()
            super().__init__(layout, made, handle, single, lengths, bool(kept), options, result, *points)
        except Error as error:
            raise self._symbol.cause(error) from None
        self._given = symbol
        self._options, self._trace = options, options.get("trace", "")
        self._others = dict(comm=comm, dtype=dtype, sides=sides, kept=kept)
        self._is_of_same_points = result is None and not points[0] and not points[1]
        self._adjoint: Operator | None = None

    def apply(self, in_: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Applies the operator to this rank's part of the input. Returns `out`, or a new array; `out` may be `in_`.
        Collective."""
        try:
            return super().apply(in_, out)
        except Error as error:
            raise self._symbol.cause(error) from None

    __call__ = apply

    def adjoint(self) -> Operator:
        """The operator with the conjugates of the symbol, transposed if it is a matrix; this one if its symbol is real.
        It is the adjoint with periodic axes, and with walls of every kind but "dct1" and "dct3". The first call is
        collective, and makes it.

        Errors, on every rank: the result has another layout or other points than the input.
        """
        if not self._is_of_same_points:
            raise Error("result: None is needed for an adjoint, a layout was given")
        if self._adjoint is None:
            conjugates = _adjoint_of(self._given, len(self.input.shape))
            if conjugates is self._given or self._has_real_numbers():
                return self
            fields = self.form(False)[0][: -len(self.input.shape)]
            self._adjoint = Operator(
                self.input, conjugates, **self._others, **{**self._options, "fields": (*fields, 1)[0]}
            )
        return self._adjoint

    def _has_real_numbers(self) -> bool:
        """Whether the numbers of a function are real, and no matrix."""
        return getattr(self._symbol, "is_real", False) and not getattr(self._symbol, "shape", ())

    def _point_weights(self) -> Any:
        from ._planned import point_weights

        return point_weights(self, self._options)

    def renew(self, symbol: _Given) -> None:
        """Takes another symbol of the same size from now on, without planning anew. Collective. Errors, on every rank,
        and the old symbol stays: those of the constructor about symbols."""
        try:
            checked = _checked(symbol, len(self.input.shape), self._rank)
        except Exception as error:
            _mpi.raise_on_all(self.fail, error)
            raise
        try:
            super().renew(checked.symbol())
        except Error as error:
            raise checked.cause(error) from None
        self._symbol, self._given, self._adjoint = checked, symbol, None

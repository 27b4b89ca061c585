# SPDX-License-Identifier: BSD-3-Clause
"""Maps: transforms back to points, a function of the values there and transforms forward, in one call."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy
from numpy.typing import DTypeLike, NDArray

from . import _core, _mpi
from ._compiled import Compiled, compiled
from ._core import Layout, MapFunction
from ._error import Error
from ._shown import Shown
from ._side import check_layout

_Function = Callable[..., Any]


class _Called:
    """A function of the user's that returns the results of a batch."""

    def __init__(self, name: str, function: Any, made: Compiled, fields: int, results: int, tells: bool):
        self.name, self.function, self.results = name, function, results
        self.raised: BaseException | None = None  # by the function, on this rank
        # The library's reference is weak, because Python cannot find cycles through it.
        called = weakref.ref(self)
        self.given = MapFunction(lambda *arrays: called()._fill(*arrays), *made, name, fields, results, tells)

    def _fill(self, values, results, *told) -> None:
        try:
            found = self.function(values, *told)
            if numpy.shape(found)[1:] != results.shape[1:] or len(found) != self.results:
                raise Error(
                    f"{self.name}: for values of shape {values.shape} the function must return an array of shape "
                    f"{results.shape}, one of shape {numpy.shape(found)} was returned"
                )
            if any(numpy.may_share_memory(part, values) for part in found):
                found = numpy.array(found)
            for result, part in zip(results, found):
                result[...] = part
        except BaseException as error:
            self.raised = self.raised or error
            raise Error(str(error) if isinstance(error, Error) else f"{self.name}: {type(error).__name__}: {error}")


def _checked(name: str, given: Any, tells: bool, real_bytes: int) -> tuple[Any, Compiled, int]:
    """A function, where it is if it is compiled, and the number of its results."""
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], int) and given[1] >= 1:
        made = compiled(name, given[0], tells, real_bytes)
        if made.address != 0 or callable(given[0]):
            return given[0], made, given[1]
    raise Error(f"{name}: a function and the number of its results, 1 or more, is needed, {given!r} was given")


class Map(Shown, _core.Map):
    """A function of fields at points, applied to their Fourier coefficients: backward transforms, the function, forward
    transforms. It is the nonlinear term of a pseudo-spectral code.

        product = sixstep.Map(points, (lambda u: u[0:1] * u[1:2], 1), kinds="r2c", fields=2)
        w = product(uv)  # from the coefficients of u and v to those of u v

    Parameters
    ----------
    points : Layout
        The layout of the points.
    function : (function, int)
        The function of the values at points, and how many results it has. It is called with an array of shape
        (fields, n), the values at n points, and returns one of shape (results, n). Threads call it one after the other,
        for different points. The array is valid until the function returns. A compiled function is called by several
        threads at the same time, without Python. It may be a function of ctypes with `argtypes`, numba's `cfunc` or
        another object with an `address`, or SciPy's `LowLevelCallable`. Its number of arguments says which it is:

            void f(int64_t n, const T* const* values, T* const* results)
            void f(int64_t n, const T* const* values, T* const* results, const double* const* k)
            int f(void* context, const sixstep_batch* batch)

        T is a real or complex number of `dtype`'s precision. At points, with `places`, k is const int64_t* const* and
        has the indices. The last form is `sixstep_batch_function` of `sixstep.h`: context is the `user_data` of a
        `LowLevelCallable`, and a result other than 0 is an error.
    coefficients : Layout, optional
        The layout of the coefficients of the input. None: the cheapest. The property `input` is the layout.
    results : Layout, optional
        The layout of the coefficients of the result. None: that of the input's. The property `output` is the layout.
    before, after : (function, int), optional
        Functions of the coefficients of the input, and of those of the result: function(coefficients, k), where k has
        shape (axes, n) and the components of the wave vectors.
    places : bool
        True: the function at points is called with a second array, of shape (axes, n): the global index of each point.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    dtype : numpy dtype
        "float64" or "complex128": double precision; "float32" or "complex64": single.
    sides : sequence of float, optional
        The length of the domain along each axis, which makes k. None: 2 pi along periodic axes, pi between walls.
    batch : int
        The points of a batch, if the part of an array in cache has as many. A call from the library to Python takes
        some microseconds.
    backward, forward : str
        The factors of transforms to points and from points: "none", "by_n" or "by_sqrt_n".
    **options
        Those of a `Plan`, except transform, twiddle and device; `fields` is the number of fields of the input.

    Raises
    ------
    Error
        The same on every rank. It names the argument, its value and what is needed. `apply` raises what a function
        raised, on the rank where it did, after all exchanges.
    """

    def __init__(
        self,
        points: Layout,
        function: tuple[_Function, int],
        *,
        coefficients: Layout | None = None,
        results: Layout | None = None,
        before: tuple[_Function, int] | None = None,
        after: tuple[_Function, int] | None = None,
        places: bool = False,
        comm: Any = None,
        dtype: DTypeLike = "float64",
        sides: Sequence[float] | None = None,
        batch: int = 16384,
        backward: str = "by_n",
        forward: str = "none",
        **options: Any,
    ) -> None:
        handle = _mpi.handle(comm)
        with _mpi.together(handle):
            single = _mpi.is_single(dtype)
            check_layout("points", points)
            for name, layout in (("coefficients", coefficients), ("results", results)):
                if layout is not None:
                    check_layout(name, layout)
            for name, factor in (("backward", backward), ("forward", forward)):
                if factor not in ("none", "by_n", "by_sqrt_n"):
                    raise Error(f"{name}: none, by_n or by_sqrt_n is needed, {factor} was given")
            lengths = [] if sides is None else [float(side) for side in sides]
            fields = int(options.get("fields", 1))
            called: list[_Called | None] = []
            steps = ("before", before, True), ("function", function, places), ("after", after, True)
            for name, given, tells in steps:
                if given is None and name != "function":
                    called.append(None)
                    continue
                each, made, count = _checked(name, given, bool(tells), 4 if single else 8)
                called.append(_Called(name, each, made, fields, count, bool(tells)))
                fields = count
        self._called, self._rank, self._trace = called, _mpi.rank(comm), options.get("trace", "")
        first, middle, last = (each and each.given for each in called)
        super().__init__(
            points, coefficients, results, first, middle, last, handle, single, lengths, int(batch), backward, forward,
            options,
        )

    def apply(self, in_: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Applies the map to this rank's coefficients. Returns `out`, or a new array; `out` may be `in_`.
        Collective."""
        try:
            return super().apply(in_, out)
        except Error as error:
            for called in self._called:
                if called is not None and called.raised is not None:
                    raised, called.raised = called.raised, None
                    raised.on_all_ranks = error.on_all_ranks  # type: ignore[attr-defined]
                    raise raised from None
            raise

    __call__ = apply

# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of common operators, for sixstep.Operator: functions of the wave vector k, in which exp(i k x) is the wave.

Derivatives of odd order, and shifts, need periodic axes; those of even order are possible between walls too.

Derivatives are exact, or finite differences of a grid:

    h = (0.1, 0.1, 0.2)  # the distance between points along each axis
    symbols.laplacian(accuracy=2, spacing=h)               # u[i+1] - 2 u[i] + u[i-1], over the square of h
    symbols.project(3, accuracy=4, spacing=h)              # without the divergence of centred differences
    symbols.project(3, accuracy=2, spacing=h, faces="above")  # component a lies half a cell after the scalar
"""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from ._core import Layout, Symbol
from ._error import Error
from ._side import Side, check_layout


class Array:
    """Numbers of the caller's, one for each coefficient, as a symbol.

    Parameters
    ----------
    layout : Layout
        Of the numbers: the shape is that of the coefficients, in natural order (n//2 + 1 points along an axis of r2c,
        or those that `modes` keeps).
    numbers : numpy.ndarray
        This rank's part: reals or complex numbers in the operator's precision. They are read when an operator is made
        or renewed.
    """

    def __init__(self, layout: Layout, numbers: NDArray[Any]) -> None:
        check_layout("layout", layout)
        self.layout, self.numbers = layout, numbers

    def on_rank(self, rank: int) -> Symbol:
        """The symbol on a rank. Errors: the numbers are not an array of that rank's part."""
        dtype = getattr(self.numbers, "dtype", None)
        if dtype not in ("float64", "float32", "complex128", "complex64"):
            given = dtype or type(self.numbers).__name__
            raise Error(f"symbol: an array of reals or complex numbers is needed, {given} was given")
        if rank < self.layout.ranks:  # or else the operator tells how many ranks are needed
            Side(self.layout, rank, numpy.dtype(dtype)).check("symbol", self.numbers)
        made = Symbol.array(self.layout, self.numbers.ctypes.data, self.numbers.size, str(self.numbers.dtype))
        made.numbers = self.numbers  # lives as long
        return made


derivative = Symbol.derivative
laplacian = Symbol.laplacian
inverse_laplacian = Symbol.inverse_laplacian
helmholtz = Symbol.helmholtz
gaussian = Symbol.gaussian
lowpass = Symbol.lowpass
shift = Symbol.shift
curl = Symbol.curl
gradient = Symbol.gradient
divergence = Symbol.divergence
project = Symbol.project

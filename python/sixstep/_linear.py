# SPDX-License-Identifier: BSD-3-Clause
"""Linear maps between arrays, as automatic differentiation needs them, and their adjoints.

A transform back is, up to weights, the adjoint of the transform: with real numbers a and b for each element of an array
before and after,

    adjoint of forward:   x -> a backward(b x)
    adjoint of backward:  y -> 1/b forward(1/a y)

with the inner product that is the sum of real(x) real(y) + imag(x) imag(y). Weights are products of a vector for each
axis; a and b are 1 along complex axes. Coefficients of reals that stand for two count half. The
elements at the ends of cosine and sine transforms have other factors in one direction than in the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy

from ._fft_arguments import type_name
from ._fft_calls import execute, ready

SINGLE = ("float32", "complex64")  # the types of single precision


def _ends(n: int, places: Sequence[int], factor: float) -> numpy.ndarray:
    vector = numpy.ones(n)
    vector[list(places)] = factor
    return vector


def axis_weights(kind: str, n: int) -> tuple[numpy.ndarray | None, numpy.ndarray | None]:
    """a and b along an axis of n points before its transform, of this kind; None is a vector of ones."""
    if kind == "r2c":
        counts = numpy.arange(n // 2 + 1)
        return None, numpy.where((counts == 0) | (2 * counts == n), 1.0, 0.5)
    if kind == "dct1":
        return _ends(n, (0, -1), 0.5), _ends(n, (0, -1), 2.0)
    place = 0 if kind.startswith("dct") else -1
    if kind.endswith("2") and kind != "c2c":
        return None, _ends(n, (place,), 2.0)
    if kind.endswith("3"):
        return _ends(n, (place,), 0.5), None
    return None, None


def inverses(vectors: Any) -> Any:
    return tuple((axis, 1 / vector) for axis, vector in vectors)


class Transform(NamedTuple):
    """A transform of whole arrays along some axes, without any change of their lengths before it."""

    kinds: tuple[str, ...]  # of each of axes; r2c is the last
    axes: tuple[int, ...]
    forward: bool
    scale: str
    real_length: int  # of the results of a transform back to reals; 0 otherwise
    workers: int  # 0: as many as the library of the arrays uses

    @property
    def crosses(self) -> bool:
        """Whether one side is real and the other complex."""
        return "r2c" in self.kinds

    def shape(self, shape: Sequence[Any]) -> tuple[Any, ...]:
        """The shape of the result."""
        after = list(shape)
        if self.crosses:
            axis = self.axes[-1]
            after[axis] = shape[axis] // 2 + 1 if self.forward else self.real_length
        return tuple(after)

    @property
    def is_real(self) -> bool:
        """Whether results are reals."""
        return not self.forward if self.crosses else "c2c" not in self.kinds

    def dtype_name(self, single: bool) -> str:
        return type_name(self.is_real, single)

    def opposite(self, shape: Sequence[int]) -> Transform:
        """The transform in the other direction, of results of arrays of this shape."""
        length = shape[self.axes[-1]] if self.crosses and self.forward else 0
        return self._replace(forward=not self.forward, real_length=length)

    def weights(self, shape: Sequence[int]) -> tuple[Any, Any]:
        """The vectors by which the input of the opposite transform of results, and its output, are to be multiplied to
        make it the adjoint, for arrays of this shape."""
        before, after = [], []
        for axis, kind in zip(self.axes, self.kinds):
            n = self.real_length if kind == "r2c" and not self.forward else shape[axis]
            a, b = axis_weights(kind, n)
            before += [] if a is None else [(axis, a)]
            after += [] if b is None else [(axis, b)]
        return (after, before) if self.forward else (inverses(before), inverses(after))

    @property
    def _length(self) -> int | None:
        return self.real_length if self.crosses and not self.forward else None

    def __call__(self, x: numpy.ndarray, out: numpy.ndarray | None = None) -> numpy.ndarray:
        axes, kinds, length = self.axes, self.kinds, self._length
        return execute(x, axes, kinds, self.forward, self.scale, self.workers, real_length=length, out=out)

    def ready(self, shape: Sequence[int], dtype: numpy.dtype, bits: str) -> Any:
        """A function of an array in C order of this form and of one for the result; None if one call cannot do it."""
        axes, kinds, length = self.axes, self.kinds, self._length
        return ready(tuple(shape), dtype, axes, kinds, self.forward, self.scale, self.workers, length, bits)

    def behind(self, axes: int) -> Transform:
        """This transform, of arrays with so many more axes in front."""
        return self._replace(axes=tuple(axis + axes for axis in self.axes))

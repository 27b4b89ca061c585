# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of arrays on ranks, with NumPy's names and arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from ._array_base import ArrayBase
from ._error import Error
from ._layouts import with_extent
from ._ranks import collective

if TYPE_CHECKING:
    from typing_extensions import Self


class Transforms(ArrayBase):
    """An Array with Fourier, cosine and sine transforms."""

    def _transform(self, kind, axes, norm, out, forward, overwrite=False, points=None, twiddle=None) -> Self:
        if norm == "ortho" and kind[0] == "d" and kind[3] != "4":
            raise Error(f"norm: backward or forward is needed, {kind} has no orthogonal form here; ortho was given")
        scale = _scale(norm, forward)
        needs_complex = kind == "c2c" or (kind == "r2c" and not forward)
        if self.dtype.kind == "c" and kind == "r2c" and forward:
            raise Error(f"array: real numbers are needed, {self.dtype} was given")
        real, cplx = computed_in(self.dtype)
        wanted = cplx if needs_complex or self.dtype.kind == "c" else real
        axes = self._axes(axes)
        dtype, layout = numpy.dtype(wanted), self._layout.dense()
        if kind == "r2c":
            dtype = numpy.dtype(cplx if forward else real)
            here = self.shape[axes[-1]]
            points = here if forward else 2 * (here - 1) if points is None else points
            if not forward and (points < 1 or points // 2 + 1 != here):
                raise Error(
                    f"n: {2 * (here - 1)} or {2 * here - 1} is needed, as there are {here} coefficients, {points} was "
                    "given"
                )
            layout = with_extent(layout, axes[-1], points // 2 + 1 if forward else points)
        if out is not None and (out.shape != layout.shape or out.dtype != dtype):
            raise Error(
                f"out: an Array of {dtype} of the shape {layout.shape} is needed, one of {out.dtype} of the shape "
                f"{out.shape} was given"
            )
        twiddled = {} if twiddle is None else {"twiddle": self._axes(twiddle)[0]}
        source = self
        if self.dtype != wanted:
            source, overwrite = self.astype(wanted), True
        if out is None:
            out = self._over(dtype, layout, self._ranks)
        options = {"axes": list(axes), "kinds": kind, "preserve_input": not overwrite, **twiddled}
        given, made = source._read(not overwrite), out._written()
        self._ranks.transform(source._layout, out._layout, given, made, options, forward, scale)
        return out

    @collective
    def fft(self, axis=-1, norm=None, out=None, overwrite=False, twiddle=None) -> Self:
        """The transform along an axis, as NumPy defines it. Returns `out`, an Array in any layout, or a new array in
        this array's layout. `overwrite` permits to destroy this array. The plan is kept for later calls.

        `twiddle=a` also multiplies by exp(-2 pi i j k/N), with j the index along axis a, k that along `axis`, and N the
        product of both extents: a step of a long transform (Bailey 1990)."""
        return self._transform("c2c", axis, norm, out, True, overwrite, twiddle=twiddle)

    @collective
    def ifft(self, axis=-1, norm=None, out=None, overwrite=False, twiddle=None) -> Self:
        return self._transform("c2c", axis, norm, out, False, overwrite, twiddle=twiddle)

    @collective
    def fftn(self, axes=None, norm=None, out=None, overwrite=False) -> Self:
        """The transform along several axes; None: all axes."""
        return self._transform("c2c", axes, norm, out, True, overwrite)

    @collective
    def ifftn(self, axes=None, norm=None, out=None, overwrite=False) -> Self:
        return self._transform("c2c", axes, norm, out, False, overwrite)

    @collective
    def rfft(self, axis=-1, norm=None, out=None, overwrite=False) -> Self:
        """The transform of real numbers: n/2 + 1 coefficients along an axis."""
        return self._transform("r2c", axis, norm, out, True, overwrite)

    @collective
    def irfft(self, n=None, axis=-1, norm=None, out=None, overwrite=False) -> Self:
        """The inverse of rfft(), to n real numbers; None: the even one of the two possible lengths."""
        return self._transform("r2c", axis, norm, out, False, overwrite, n)

    @collective
    def rfftn(self, axes=None, norm=None, out=None, overwrite=False) -> Self:
        """The transform of real numbers: n/2 + 1 coefficients along the last of the axes."""
        return self._transform("r2c", axes, norm, out, True, overwrite)

    @collective
    def irfftn(self, s=None, axes=None, norm=None, out=None, overwrite=False) -> Self:
        """The inverse of rfftn(). `s` has one extent for each of the axes; the last is the number of reals."""
        if s is not None:
            axes = tuple(range(-len(s), 0)) if axes is None else axes
            for axis, extent in zip(self._axes(axes)[:-1], s):
                if extent != self.shape[axis]:
                    raise Error(f"s: {self.shape[axis]} points are needed along axis {axis}, {extent} were given")
        return self._transform("r2c", axes, norm, out, False, overwrite, None if s is None else s[-1])

    @collective
    def dctn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Self:
        """Cosine transforms of type 1 to 4 along axes, of real and imaginary parts separately. The scale is SciPy's for
        `norm` None, "backward" and "forward"."""
        return self._transform(f"dct{type}", axes, norm, out, True, overwrite)

    @collective
    def idctn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Self:
        return self._transform(f"dct{type}", axes, norm, out, False, overwrite)

    @collective
    def dstn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Self:
        """Sine transforms, as dctn()."""
        return self._transform(f"dst{type}", axes, norm, out, True, overwrite)

    @collective
    def idstn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Self:
        return self._transform(f"dst{type}", axes, norm, out, False, overwrite)


def computed_in(dtype) -> tuple[str, str]:
    """The types of reals and of complex numbers in which elements of a type are transformed. Errors: there is none."""
    bits = 8 * dtype.itemsize // (2 if dtype.kind == "c" else 1)
    if dtype.kind not in "biufc" or (dtype.kind in "fc" and bits > 64):
        raise Error(f"array: numbers of single or double precision are needed, {dtype} was given")
    single = dtype.kind in "fc" and bits <= 32
    return ("float32", "complex64") if single else ("float64", "complex128")


def _scale(norm, forward: bool) -> str:
    if norm not in (None, "backward", "ortho", "forward"):
        raise Error(f"norm: backward, ortho or forward is needed, {norm!r} was given")
    if norm == "ortho":
        return "by_sqrt_n"
    return "by_n" if forward == (norm == "forward") else "none"

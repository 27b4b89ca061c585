# SPDX-License-Identifier: BSD-3-Clause
"""How arrays on ranks look: in a notebook, and drawn with matplotlib."""

from __future__ import annotations

from typing import Any

import numpy

from ._array_elements import Elements
from ._array_transforms import Transforms
from ._error import Error
from ._layouts import parts_of
from ._spectra import shells

_MOST_POINTS = 1024  # drawn along an axis


class ArrayShown(Elements, Transforms):
    """An Array that can be seen."""

    def plot(self, index: Any = None, *, spectrum: bool = False, axes: Any = None) -> Any:
        """Draws a part of the array, or its power spectrum, with matplotlib, on rank 0. Collective.

        Complex numbers on a plane are drawn as magnitudes. At most 1024 points are gathered along each axis: every
        second, third ... of an axis with more.

        Parameters
        ----------
        index : index, optional
            The part, with one or two axes: `numpy.s_[3]` or `numpy.s_[:, 5, ::2]`. None: all of an array with one or
            two axes; of others the plane in the middle of all axes but the last two.
        spectrum : bool
            Draws `sixstep.fields.power_spectrum` of the whole array.
        axes : matplotlib.axes.Axes, optional
            Where to draw. None: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            None on other ranks.

        Raises
        ------
        Error
            The index does not exist, or leaves no axes or more than two.
        """
        with self._ranks.together("plot", index, spectrum):
            draws = self._ranks.rank == 0
            if draws:
                from . import _plots
            if spectrum:
                if index is not None:
                    raise Error("index: None is needed for a spectrum, which is that of the whole array")
                field = self if self.dtype.kind in "fc" else self.astype("float64")
                k, power, _ = shells(field.to(field.layout.dense()))
                return _plots.spectrum_plot(k, power, self._title(), axes) if draws else None
            parts, drawn = self._drawn_parts(index)
            values = self[tuple(_as_slice(p) if a in drawn else p[0] for a, p in enumerate(parts))].gather(root=0)
            if not draws:
                return None
            title = f"{self._title()}[{', '.join(_in_words(p, a in drawn) for a, p in enumerate(parts))}]"
            names = [f"axis {axis}" for axis in drawn]
            if len(drawn) == 1:
                return _plots.line_plot(numpy.array(parts[drawn[0]]), values, (*names, title), axes)
            return _plots.image_plot([parts[axis] for axis in drawn], values, (*names, title), axes)

    def _drawn_parts(self, index):
        """The range of each axis that is drawn, and the axes that are left."""
        if index is None:
            index = tuple(n // 2 for n in self.shape[:-2])
        parts, single = parts_of(index, self.shape)
        drawn = [axis for axis in range(self.ndim) if axis not in single]
        if not 1 <= len(drawn) <= 2:
            raise Error(f"index: one or two axes have to be left, {len(drawn)} are")
        return [part[:: -(-len(part) // _MOST_POINTS)] for part in parts], drawn

    def _title(self):
        return f"{' x '.join(map(str, self.shape))} {self.dtype}"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.array_html(self)


def _as_slice(part: range) -> slice:
    return slice(part.start, part.stop if part.stop >= 0 else None, part.step)


def _in_words(part: range, is_drawn: bool) -> str:
    if not is_drawn:
        return str(part[0])
    return f"{part[0]}:{part[-1] + 1}" + (f":{part.step}" if part.step != 1 else "")

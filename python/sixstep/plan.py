# SPDX-License-Identifier: BSD-3-Clause
"""Plans, and layouts that ranks make together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import _core, _mpi
from ._core import Layout
from ._shown import Shown
from ._side import check_layout


class Plan(Shown, _core.Plan):
    """A transform of an array that is spread over the ranks of a communicator.

    All ranks make it once, together, and execute it any number of times.

    Parameters
    ----------
    input : Layout
        The layout of the array before `forward`.
    output : Layout or str, optional
        The layout after `forward`, or a rule by which the plan chooses it: None or "cheapest", the layout that is
        cheapest to reach; "as_input", that of the input; "natural_axes", the cheapest with the input's axes and memory
        order. `plan.output` is the layout.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    dtype : numpy dtype
        "float64" or "complex128": double precision; "float32" or "complex64": single.
    **options
        axes, kinds ("c2c", "r2c", "dct2" ... or one for each of axes), modes, sphere, columns (an array with a row of
        integers for each), padded, fields, interleaved, preserve_input, low_memory, exchange, threads, windows, driver,
        tuning and the other members of sixstep::Options, in include/sixstep/options.hpp.

    Raises
    ------
    Error
        The same on every rank. It names the argument, its value and what is needed.
    """

    def __init__(
        self,
        input: Layout,
        output: Layout | str | None = None,
        *,
        comm: Any = None,
        dtype: DTypeLike = "float64",
        **options: Any,
    ) -> None:
        if isinstance(output, str):
            options["output"] = output
            output = None
        handle = _mpi.handle(comm)
        with _mpi.together(handle):
            single = _mpi.is_single(dtype)
            check_layout("input", input)
            if output is not None:
                check_layout("output", output)
        super().__init__(input, output, handle, single, options)
        self._options = options
        self._rank, self._trace = _mpi.rank(comm), options.get("trace", "")
        self._weights: Any = None  # for gradients; see _planned.py

    @staticmethod
    def tuned_layout(
        shape: Sequence[int],
        output: str = "cheapest",
        *,
        comm: Any = None,
        dtype: DTypeLike = "float64",
        **options: Any,
    ) -> Layout:
        """The input layout, in blocks, with which a plan with these options is fastest, by prices or by a search as the
        option `tuning` says. Collective.

        Parameters
        ----------
        shape : tuple of int
            The shape of the whole input.
        output : str
            "cheapest", "as_input" or "natural_axes": where the output will lie.

        Raises
        ------
        Error
            As a plan, the same on every rank.
        """
        return _core.tuned_layout(shape, _mpi.handle(comm), _mpi.is_single(dtype), output, options)


def gather_boxes(
    shape: Sequence[int], box: Sequence[slice], comm: Any = None, order: Sequence[int] | None = None
) -> Layout:
    """Makes `Layout.boxes` where each rank knows only its own box. Collective.

    Parameters
    ----------
    shape : tuple of int
        The shape of the whole array.
    box : tuple of slice
        The box of this rank.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    order : tuple of int, optional
        The axes as they lie in memory, slowest first; None is C order.

    Raises
    ------
    Error
        The same on every rank: those of `Layout.boxes`; `shape` or `order` differs from rank to rank.
    """
    return _core.gather_boxes(shape, box, _mpi.handle(comm), order)

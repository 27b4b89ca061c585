# SPDX-License-Identifier: BSD-3-Clause
"""Plans, and the layouts that ranks find together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import _core, _mpi
from ._core import Layout
from ._side import check_layout


class Plan(_core.Plan):
    """A transform of an array that is spread over the ranks of a communicator.

    Made once, collectively, and executed any number of times.

    Parameters
    ----------
    input : Layout
        Which part of the global array each rank has before `forward`.
    output : Layout or str, optional
        The same behind it, or how the plan chooses it: None or "cheapest", wherever is cheapest; "as_input", as the
        input; "natural_axes", in the input's axes and memory order, split wherever is cheapest. `plan.output` tells.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    dtype : numpy dtype
        "float64", "complex128" for double precision, "float32", "complex64" for single.
    **options
        axes, kinds ("c2c", "r2c", "dct2" ... or one for each of axes), modes, padded, fields,
        interleaved, preserve_input, low_memory, exchange, threads, windows, driver, tuning and the
        others of sixstep::Options, in include/sixstep/options.hpp.

    Raises
    ------
    Error
        The same on every rank; it names the argument, its value and what is needed.
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

    @staticmethod
    def tuned_layout(
        shape: Sequence[int],
        output: str = "cheapest",
        *,
        comm: Any = None,
        dtype: DTypeLike = "float64",
        **options: Any,
    ) -> Layout:
        """The layout of an input in blocks with which a plan of these options is the fastest, as far as prices or the
        option `tuning` tell. Collective.

        Parameters
        ----------
        shape : tuple of int
            Of the whole input.
        output : str
            "cheapest", "as_input" or "natural_axes", where the output will be wanted.

        Raises
        ------
        Error
            The same on every rank, those of a plan.
        """
        return _core.tuned_layout(shape, _mpi.handle(comm), _mpi.is_single(dtype), output, options)


def gather_boxes(
    shape: Sequence[int], box: Sequence[slice], comm: Any = None, order: Sequence[int] | None = None
) -> Layout:
    """The layout of the boxes that the ranks of a communicator have, each its own. A rank needs to know no other box.
    Collective.

    Parameters
    ----------
    shape : tuple of int
        Of the whole array.
    box : tuple of slice
        What this rank has of it.
    comm : mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    order : tuple of int, optional
        The axes as they lie in memory, slowest first; None is C order.

    Raises
    ------
    Error
        The same on every rank: those of `Layout.boxes`; a shape or an order that is not the same on all ranks.
    """
    return _core.gather_boxes(shape, box, _mpi.handle(comm), order)

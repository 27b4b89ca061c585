# SPDX-License-Identifier: BSD-3-Clause
# The stub of the Python package's extension module, of which the reference is made where that is not built;
# tests/package compares.
"""sixstep's extension module; import sixstep instead."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

version: str = '0.2.0'

class Error(ValueError):
    pass

def mpi_library() -> str:
    """Its name and version."""

def world() -> int:
    """MPI_COMM_WORLD; MPI is initialised if it is not yet."""

def myself() -> int:
    """MPI_COMM_SELF."""

def finalize() -> None: ...

def comm_size(comm: int) -> int: ...

def comm_rank(comm: int) -> int: ...

def good_size(n: int, multiple: int = 1) -> int:
    """
    The least length from n on, a multiple of `multiple`, that is transformed fast.
    """

class Layout:
    """
    Which part of a global array each rank holds, and in which order it lies in the rank's memory.
    """

    @staticmethod
    def slab(shape: Sequence[int], ranks: int, axis: int = 0, order: Sequence[int] | None = None) -> Layout:
        """
        One axis split over all ranks, in near-even blocks. `order` are the axes as they lie in memory, slowest first; None is C order.
        """

    @staticmethod
    def pencil(shape: Sequence[int], ranks: int, order: Sequence[int] | None = None) -> Layout:
        """The first two axes split, near square."""

    @staticmethod
    def brick(shape: Sequence[int], ranks: int, order: Sequence[int] | None = None) -> Layout:
        """All axes split, near cubic."""

    @staticmethod
    def grid(shape: Sequence[int], grid: Sequence[int], distribution: Sequence[str] = [], order: Sequence[int] | None = None) -> Layout:
        """
        grid[a] ranks along axis a, the last axis fastest; `distribution` is "block" or "cyclic" for each axis.
        """

    @staticmethod
    def boxes(shape: Sequence[int], boxes: Sequence[Sequence[slice]], order: Sequence[int] | None = None) -> Layout:
        """
        Any boxes, a tuple of slices for each rank, disjoint and together the whole shape.
        """

    def with_ghosts(self, before: Sequence[int], after: Sequence[int]) -> Layout:
        """
        The same boxes in arrays that have so many more elements around them along each axis.
        """

    def with_order(self, order: Sequence[int]) -> Layout:
        """The same boxes, each rank's memory in another order."""

    def transposed(self, axes: Sequence[int]) -> Layout:
        """
        Axis a is axis axes[a] of this one, on the same ranks, in the same memory.
        """

    def with_extent(self, axis: int, extent: int) -> Layout:
        """
        The same but for an axis that every rank has whole, which has another extent.
        """

    def dense(self) -> Layout:
        """The same boxes in arrays without ghosts."""

    def whole(self, axis: int) -> bool:
        """Whether every rank that has anything has it whole."""

    def strides(self, rank: int) -> tuple:
        """Elements between neighbours along each axis of a rank's array."""

    def ghosts(self, rank: int) -> tuple:
        """Elements before and after a rank's box along each axis, in its array."""

    def rank_of(self, point: Sequence[int]) -> int:
        """The rank that has a point."""

    @property
    def distribution(self) -> tuple: ...

    @property
    def shape(self) -> tuple: ...

    @property
    def ranks(self) -> int: ...

    @property
    def rank_grid(self) -> tuple:
        """Ranks along each axis; empty for a list of boxes."""

    @property
    def order(self) -> tuple: ...

    def box(self, rank: int) -> tuple:
        """What a rank holds: slices of an array of the global shape."""

    def local_shape(self, rank: int) -> tuple: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, state: tuple, /) -> None: ...

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

def gather_boxes(shape: object, box: object, comm: int, order: object | None) -> Layout:
    """The layout of the boxes that ranks have each."""

class Plan:
    """A transform of an array that is spread over ranks."""

    def __init__(self, input: Layout, output: Layout | None, comm: int, single: bool, options: dict) -> None: ...

    def forward(self, in_: Annotated[NDArray, dict(device='cpu')], out: Annotated[NDArray, dict(device='cpu')] | None = None, scale: str = 'none') -> object:
        """
        Transforms this rank's part of the input, exp(-2 pi i jk/n), unscaled unless `scale` is "by_n" or "by_sqrt_n"; collective. Returns `out`, or a new array.
        """

    def backward(self, in_: Annotated[NDArray, dict(device='cpu')], out: Annotated[NDArray, dict(device='cpu')] | None = None, scale: str = 'none') -> object:
        """
        The way back, exp(+2 pi i jk/n), from the output's layout to the input's.
        """

    def empty_input(self) -> object:
        """
        An array for this rank's part of the input, not initialised, in memory that ranks of a node share: the fastest there is. Collective.
        """

    def empty_output(self) -> object:
        """The same for the output."""

    def empty_in_place(self) -> object:
        """The same memory as input and as output, for transforms in place."""

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple:
        """
        What this rank has of the input: slices of an array of the global shape.
        """

    @property
    def output_box(self) -> tuple:
        """What this rank has of the output."""

    def wavenumbers(self, axis: int) -> list[float]:
        """The wave numbers of what output_box has along an axis of the input."""

    def wavenumber(self, k: Sequence[int]) -> tuple:
        """The wave number along each axis of a point of the output."""

    def describe(self) -> str:
        """The plan in words: stages, exchanges, passes over memory, bytes."""

    @property
    def passes(self) -> int: ...

    @property
    def exchanges(self) -> int: ...

    @property
    def threads(self) -> int: ...

    def __str__(self) -> str: ...

class Redistribution:
    """What sixstep.Redistribution is over."""

    def __init__(self, from_: Layout, to: Layout, comm: int, element_bytes: int, options: dict) -> None: ...

    def execute(self, in_: int, out: int, forward: bool) -> None:
        """From address to address. Collective."""

    def allocate(self, bytes: int) -> object:
        """
        Memory that serves as either side, the first so many bytes of it. Collective.
        """

    @property
    def to(self) -> Layout: ...

    def describe(self) -> str: ...

    @property
    def passes(self) -> int: ...

    @property
    def exchanges(self) -> int: ...

class Ranks:
    """A communicator, and what arrays on it keep."""

    def __init__(self, comm: int) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def threads(self) -> int: ...

    def allocate(self, bytes: int, zeros: bool) -> object:
        """Memory that the ranks of a node reach directly, as bytes. Collective."""

    def move(self, from_: Layout, to: Layout, in_: Annotated[NDArray, dict(device='cpu')], out: Annotated[NDArray, dict(device='cpu')], preserve_input: bool) -> None:
        """Takes an array from one layout to another. Collective."""

    def transform(self, from_: Layout, to: Layout, in_: Annotated[NDArray, dict(device='cpu')], out: Annotated[NDArray, dict(device='cpu')], options: dict, forward: bool, scale: str) -> None:
        """Transforms by a plan that is kept. Collective."""

    def update_ghosts(self, layout: Layout, periodic: Sequence[bool], array: Annotated[NDArray, dict(device='cpu')]) -> None:
        """
        Fills the ghosts of an array from the ranks that have the points. Collective.
        """

    def gather_to_all(self, mine: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], all: Annotated[NDArray[numpy.uint8], dict(shape=(None,))]) -> None:
        """All ranks get the bytes of each, as many of every rank. Collective."""

    def broadcast(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], from_: int) -> None:
        """All ranks get the bytes of one. Collective."""

def save(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def load(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def file_header(ranks: Ranks, path: str, dataset: str | None) -> tuple:
    """Shape and type of what load() will find."""

# SPDX-License-Identifier: BSD-3-Clause
# The stub of the Python package's extension module, of which the reference is made where that is not built;
# tests/package compares.
"""sixstep's extension module; import sixstep instead."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

version: str = '0.2.0'

def mpi_library() -> str:
    """Its name and version."""

def world() -> int:
    """MPI_COMM_WORLD; MPI is initialised if it is not yet."""

def myself() -> int:
    """MPI_COMM_SELF."""

def finalize() -> None: ...

def fail(comm: int, message: str) -> None:
    """
    For a rank whose arguments are wrong: raises Error on all ranks, of which the others make a collective call.
    """

def abort(status: int) -> None:
    """Ends all ranks of the program, if MPI runs."""

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

    def strides(self, rank: int) -> tuple[int, ...]:
        """Elements between neighbours along each axis of a rank's array."""

    def ghosts(self, rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Elements before and after a rank's box along each axis, in its array."""

    def rank_of(self, point: Sequence[int]) -> int:
        """The rank that has a point."""

    @property
    def distribution(self) -> tuple[str, ...]: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def ranks(self) -> int: ...

    @property
    def rank_grid(self) -> tuple[int, ...]:
        """Ranks along each axis; empty for a list of boxes."""

    @property
    def order(self) -> tuple[int, ...]: ...

    def box(self, rank: int) -> tuple[slice, ...]:
        """What a rank holds: slices of an array of the global shape."""

    def local_shape(self, rank: int) -> tuple[int, ...]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, state: tuple, /) -> None: ...

    def __repr__(self) -> str: ...

    def __str__(self) -> str: ...

def gather_boxes(shape: object, box: object, comm: int, order: object | None) -> Layout:
    """The layout of the boxes that ranks have each."""

class DeviceArray:
    """
    A rank's part of a plan's array in the memory of a device, into which NumPy cannot look. Libraries for GPUs of NVIDIA's take it by __cuda_array_interface__.
    """

    def get(self) -> numpy.typing.NDArray[Any]:
        """A NumPy array of the same elements."""

    def set(self, values: numpy.typing.ArrayLike) -> None:
        """Sets all elements, to what NumPy would assign to an array."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> object: ...

    @property
    def __cuda_array_interface__(self) -> dict: ...

    def __array__(self, *args, **kwargs) -> object: ...

    def __repr__(self) -> str: ...

class Part:
    """A pass over memory, or an exchange."""

    @property
    def what(self) -> str: ...

    @property
    def seconds(self) -> float:
        """Of this rank, in all executions; of a prediction, in one."""

    @property
    def bytes(self) -> float:
        """That it reads and writes each time."""

    def __repr__(self) -> str: ...

class Prediction:
    """What a forward transform will take."""

    @property
    def seconds(self) -> float:
        """In all."""

    @property
    def communication(self) -> float:
        """Seconds of exchanges."""

    @property
    def computation(self) -> float:
        """Seconds of passes over memory."""

    @property
    def steps(self) -> list[Part]:
        """Each of them."""

    def __repr__(self) -> str: ...

class Plan:
    """A transform of an array that is spread over ranks."""

    def __init__(self, input: Layout, output: Layout | None, comm: int, single: bool, options: dict) -> None: ...

    def forward(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        Transforms this rank's part of the input, exp(-2 pi i jk/n), unscaled unless `scale` is "by_n" or "by_sqrt_n"; collective. Of a plan of complex input `sign` may be "minus" or "plus": that of the exponent. Returns `out`, or a new array.
        """

    def backward(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        The way back, exp(+2 pi i jk/n), from the output's layout to the input's.
        """

    def forward_async(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        The same as forward(), of a plan on a device: it returns when its work is in the device's queue, as far as no other rank has to be waited for. wait() then waits for it, or whatever comes later in the stream that was lent. The plan keeps both arrays until wait(). On the host it is forward().
        """

    def backward_async(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """The same of backward()."""

    def wait(self) -> None:
        """Until all that was begun has been done."""

    def set_stream(self, stream: int) -> None:
        """
        A plan on a GPU works in this stream from now on, and needs it until it gets another one or ends: the address of a cudaStream_t, as CuPy's `stream.ptr` and PyTorch's `stream.cuda_stream` tell it. Before, the plan has a stream of its own, in order with the default stream. Raises Error if the plan is not on a GPU.
        """

    def empty_input(self) -> numpy.typing.NDArray[Any]:
        """
        An array for this rank's part of the input, not initialised, in memory that ranks of a node share: the fastest there is. Of a plan on a device it is a DeviceArray. Collective.
        """

    def empty_output(self) -> numpy.typing.NDArray[Any]:
        """The same for the output."""

    def empty_in_place(self) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """The same memory as input and as output, for transforms in place."""

    @property
    def workspace_bytes(self) -> int:
        """Bytes of working memory that this rank needs beyond its arrays."""

    def set_workspace(self, memory: numpy.typing.NDArray[Any]) -> None:
        """
        Lends a plan that was made with own_workspace=False memory of at least workspace_bytes from its first multiple of 64 bytes on, so 63 more are always enough. Not collective.
        """

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple[slice, ...]:
        """
        What this rank has of the input: slices of an array of the global shape.
        """

    @property
    def output_box(self) -> tuple[slice, ...]:
        """What this rank has of the output."""

    def wavenumbers(self, axis: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """The wave numbers of what output_box has along an axis of the input."""

    def wavenumber(self, k: Sequence[int]) -> tuple[float, ...]:
        """The wave number along each axis of a point of the output."""

    def describe(self) -> str:
        """The plan in words: stages, exchanges, passes over memory, bytes."""

    @property
    def passes(self) -> int: ...

    @property
    def exchanges(self) -> int: ...

    @property
    def threads(self) -> int: ...

    @property
    def communication_seconds(self) -> float:
        """That this rank has spent in communication since the plan was made."""

    def breakdown(self, direction: str = 'forward') -> list[Part]:
        """
        What the executions in one direction consist of, in order, and how long this rank has spent in each part since the plan was made.
        """

    def predict(self, machine_file: str = '') -> Prediction:
        """
        What a forward transform will take on the machine that a file of `sixstep tune --machine` describes; of this machine's without a name. Nothing is run. Collective.
        """

    def write_trace(self) -> None:
        """
        Writes what has been traced so far to the file that the option `trace` names, for ui.perfetto.dev. Collective.
        """

    def __str__(self) -> str: ...

def tuned_layout(shape: Sequence[int], comm: int, single: bool, output: str, options: dict) -> Layout:
    """The input's layout with which a plan is the fastest."""

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

    def allocate(self, layout: Layout, element_bytes: int, zeros: bool) -> object:
        """
        Memory for this rank's part that the ranks of a node reach directly, as bytes. Collective.
        """

    def fail(self, message: str) -> None:
        """
        For a rank that cannot make a collective call as the others do: raises Error on all ranks.
        """

    def note(self, call: str, arguments: str) -> None:
        """
        Names the call that the next collective call is a part of; all ranks must say the same.
        """

    def move(self, from_: Layout, to: Layout, in_: int, out: int, element_bytes: int, preserve_input: bool) -> None:
        """
        Takes an array from one layout to another, from address to address. Collective.
        """

    def transform(self, from_: Layout, to: Layout, in_: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], options: dict, forward: bool, scale: str) -> None:
        """Transforms by a plan that is kept. Collective."""

    def update_ghosts(self, layout: Layout, periodic: Sequence[bool], array: int, element_bytes: int) -> None:
        """
        Fills the ghosts of the array at an address from the ranks that have the points. Collective.
        """

    def gather_to_all(self, mine: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], all: Annotated[NDArray[numpy.uint8], dict(shape=(None,))]) -> None:
        """All ranks get the bytes of each, as many of every rank. Collective."""

    def broadcast(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], from_: int) -> None:
        """All ranks get the bytes of one. Collective."""

def save(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def load(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def file_header(ranks: Ranks, path: str, dataset: str | None) -> tuple:
    """Shape and type of what load() will find."""

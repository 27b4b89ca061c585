"""sixstep's extension module; import sixstep instead."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


version: str = '0.2.0'

address_of_init: int = 139718340873232

def mpi_library() -> str:
    """The name and version of the MPI library."""

def world() -> int:
    """The handle of MPI_COMM_WORLD. Initialises MPI if needed."""

def myself() -> int:
    """The handle of MPI_COMM_SELF."""

def finalize() -> None: ...

def fail(comm: int, message: str) -> None:
    """
    Replaces a collective call on a rank whose arguments are wrong: all ranks raise Error.
    """

def abort(status: int) -> None:
    """Ends all ranks of the program, if MPI runs."""

def comm_size(comm: int) -> int: ...

def comm_rank(comm: int) -> int: ...

def good_size(n: int, multiple: int = 1) -> int:
    """
    The smallest length >= n that is a multiple of `multiple` and fast to transform.
    """

def gpu_of(address: int) -> int:
    """The number of the GPU that has this memory."""

class Layout:
    """
    Which part of a global array each rank holds, and its order in the rank's memory.
    """

    @staticmethod
    def slab(shape: Sequence[int], ranks: int, axis: int = 0, order: Sequence[int] | None = None) -> Layout:
        """
        One axis split over all ranks, in near-equal blocks. `order` lists the axes, slowest in memory first; None is C order.
        """

    @staticmethod
    def pencil(shape: Sequence[int], ranks: int, order: Sequence[int] | None = None) -> Layout:
        """The first two axes split in a near-square grid."""

    @staticmethod
    def brick(shape: Sequence[int], ranks: int, order: Sequence[int] | None = None) -> Layout:
        """All axes split in a near-cubic grid."""

    @staticmethod
    def grid(shape: Sequence[int], grid: Sequence[int], distribution: Sequence[str] = [], order: Sequence[int] | None = None) -> Layout:
        """
        grid[a] ranks along axis a, the last axis fastest. `distribution` is "block" or "cyclic" for each axis.
        """

    @staticmethod
    def boxes(shape: Sequence[int], boxes: Sequence[Sequence[slice]], order: Sequence[int] | None = None) -> Layout:
        """
        Any boxes, a tuple of slices for each rank. They are disjoint and fill the shape.
        """

    def with_ghosts(self, before: Sequence[int], after: Sequence[int]) -> Layout:
        """
        Keeps the boxes, and adds `before` and `after` elements around them along each axis.
        """

    def with_order(self, order: Sequence[int]) -> Layout:
        """Keeps the boxes, and changes the order of each rank's memory."""

    def transposed(self, axes: Sequence[int]) -> Layout:
        """Renames the axes: axis a of the result is axis axes[a] of this layout."""

    def with_extent(self, axis: int, extent: int) -> Layout:
        """Changes the extent of an axis that every rank holds whole."""

    def dense(self) -> Layout:
        """Keeps the boxes, in arrays without ghosts."""

    def whole(self, axis: int) -> bool:
        """Whether every rank that holds points holds the axis whole."""

    def strides(self, rank: int) -> tuple[int, ...]:
        """Elements between neighbours along each axis of a rank's array."""

    def ghosts(self, rank: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Elements before and after a rank's box along each axis of its array."""

    def rank_of(self, point: Sequence[int]) -> int:
        """The rank that holds a point."""

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
        """The box of a rank: slices of an array of the global shape."""

    def local_shape(self, rank: int) -> tuple[int, ...]: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __getstate__(self) -> tuple: ...

    def __setstate__(self, state: tuple, /) -> None: ...

    def __repr__(self) -> str: ...

    def plot(self, axes: Any = None) -> Any:
        """
        Draws which rank holds which part, with matplotlib, in `axes` or a new figure. Returns the axes. At most three axes are drawn, and cyclic axes not in their full length. Raises Error if there are more than 1024 ranks.
        """

    def __str__(self) -> str: ...

def gather_boxes(shape: object, box: object, comm: int, order: object | None) -> Layout:
    """The layout in which each rank has its `box`. Collective."""

class DeviceArray:
    """
    A rank's part of a plan's array in the memory of a device, which NumPy cannot read. Libraries for NVIDIA GPUs accept it by __cuda_array_interface__ and DLPack.
    """

    def get(self) -> numpy.typing.NDArray[Any]:
        """A NumPy array with the same elements."""

    def set(self, values: numpy.typing.ArrayLike) -> None:
        """Sets all elements, as NumPy assigns `values` to an array."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> object: ...

    @property
    def __cuda_array_interface__(self) -> dict: ...

    def __dlpack__(self, **arguments: Any) -> Any: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...

    def __array__(self, *args, **kwargs) -> object: ...

    def __repr__(self) -> str: ...

class Part:
    """A pass over memory or an exchange."""

    @property
    def what(self) -> str: ...

    @property
    def seconds(self) -> float:
        """Seconds of this rank in all executions; in a prediction, in one."""

    @property
    def bytes(self) -> float:
        """Bytes that it reads and writes each time."""

    def __repr__(self) -> str: ...

class Verified:
    """What the option verify has found."""

    @property
    def checked(self) -> int:
        """Executions whose result was right."""

    @property
    def unchecked(self) -> int:
        """
        Executions that could not be checked, because of infinities, NaNs, or numbers whose squares double cannot hold.
        """

    @property
    def repaired(self) -> int:
        """Executions that were right at the second try."""

    @property
    def compared(self) -> int:
        """
        Messages, and arrays that rest between two sweeps, whose bits were compared.
        """

    @property
    def largest_share(self) -> float:
        """
        The largest difference of two sums of a right result, in units of its bound.
        """

class Detection:
    """
    An execution that the option verify has found to be wrong: the same on all ranks.
    """

    @property
    def direction(self) -> str:
        """forward or backward."""

    @property
    def repaired(self) -> bool:
        """Whether a second execution was right, so that nothing is raised."""

    @property
    def rank(self) -> int:
        """The rank that has computed, or read, other numbers; -1: not known."""

    @property
    def where(self) -> str:
        """The step or message, and what the rank has done; empty: not known."""

    @property
    def difference(self) -> float:
        """The difference of two sums of the first result."""

    @property
    def bound(self) -> float:
        """
        What rounding could make of the difference at most; 0 if the execution cannot be checked by sums.
        """

class Prediction:
    """The predicted time of a forward transform."""

    @property
    def seconds(self) -> float:
        """Seconds in all."""

    @property
    def communication(self) -> float:
        """Seconds of exchanges."""

    @property
    def computation(self) -> float:
        """Seconds of passes over memory."""

    @property
    def steps(self) -> list[Part]:
        """The passes and exchanges."""

    def __repr__(self) -> str: ...

class Plan:
    """A transform of an array that is spread over ranks."""

    def __init__(self, input: Layout, output: Layout | None, comm: int, single: bool, options: dict) -> None: ...

    def forward(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        Transforms this rank's part of the input, with exp(-2 pi i jk/n), unscaled unless `scale` is "by_n" or "by_sqrt_n". With complex input, `sign` can be "minus" or "plus", the sign of the exponent. Returns `out`, or a new array. Collective.
        """

    def backward(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        The backward transform, with exp(+2 pi i jk/n), from the output's layout to the input's.
        """

    def forward_async(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """
        As forward(). On a device it returns as soon as its work is in the device's queue and no other rank has to be waited for. wait() waits until the work is done; work that comes later in a stream from set_stream() waits too. The plan keeps both arrays until wait(). On the host it is forward().
        """

    def backward_async(self, in_: numpy.typing.NDArray[Any] | DeviceArray, out: numpy.typing.NDArray[Any] | DeviceArray | None = None, scale: str = 'none', sign: str | None = None) -> numpy.typing.NDArray[Any]:
        """As backward(); see forward_async()."""

    def wait(self) -> None:
        """Waits until all executions that were begun are done."""

    def set_stream(self, stream: int) -> None:
        """
        Makes a plan on a GPU work in this stream from now on: the address of a cudaStream_t, such as CuPy's `stream.ptr` and PyTorch's `stream.cuda_stream`. The stream must live until the plan gets another one or is destroyed. Before the first call, the plan works in the stream that is current in PyTorch or CuPy where it is given their arrays, and else in one that is in order with the default stream. Raises Error if the plan is not on a GPU.
        """

    def put(self, in_: int, out: int, forward: bool, scale: str, sign: str | None, stream: int, owner: object | None = None) -> None:
        """
        Puts an execution into a stream, between arrays at two addresses. They must have the form of the plan's, which is not checked, and be kept until the stream has done it. The plan keeps the stream's owner as long as it works there.
        """

    def wavenumbers(self, axis: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The wave numbers of the indices that output_box has along an axis of the input.
        """

    def wavenumber(self, k: Sequence[int]) -> tuple[float, ...]:
        """The wave numbers, one an axis, of a point of the output."""

    def breakdown(self, direction: str = 'forward') -> list[Part]:
        """
        The passes and exchanges of executions in one direction, in order, with the seconds that this rank has spent in each since the plan was made.
        """

    def wire_error(self) -> float:
        """
        The relative error that shortened messages have made in the last execution, at most. Collective.
        """

    def empty_input(self) -> numpy.typing.NDArray[Any]:
        """
        An uninitialised array for this rank's part of the input, in memory that the ranks of a node share, which is the fastest. On a device it is a DeviceArray. Collective.
        """

    def empty_output(self) -> numpy.typing.NDArray[Any]:
        """As empty_input(), for the output."""

    def empty_in_place(self) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """Input and output arrays in the same memory, for transforms in place."""

    def form(self, of_input: bool) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """
        The shape, the strides in bytes and the type of this rank's input, or of its output.
        """

    @property
    def workspace_bytes(self) -> int:
        """Bytes of work memory that this rank needs beyond its arrays."""

    def set_workspace(self, memory: numpy.typing.NDArray[Any]) -> None:
        """
        Lends memory to a plan that was made with own_workspace=False. From its first address that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 always suffice. Not collective.
        """

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple[slice, ...]:
        """This rank's box of the input: slices of an array of the global shape."""

    @property
    def output_box(self) -> tuple[slice, ...]:
        """This rank's box of the output."""

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
        """
        Seconds that this rank has spent in communication since the plan was made.
        """

    def verified(self) -> Verified:
        """What the option verify has found so far."""

    def on_detection(self, told: Callable[[Detection], object] | None) -> None:
        """
        Calls `told` with a Detection on every rank whenever the option verify finds an execution to be wrong, before it returns or raises. `told` must not use the plan; what it raises is printed. None: calls nobody.
        """

    def predict(self, machine_file: str = '') -> Prediction:
        """
        Predicts the time of an execution, forward, on the machine that a file of `sixstep tune --machine` describes; without a name, on this machine. Nothing is run. Collective.
        """

    def write_trace(self) -> None:
        """
        Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. Collective.
        """

    def __str__(self) -> str: ...

def tuned_layout(shape: Sequence[int], comm: int, single: bool, output: str, options: dict) -> Layout:
    """The input layout with which a plan is fastest."""

class Symbol:
    """
    The factors by which an operator multiplies waves, as a function of k.

    Derivatives are exact with accuracy=0, or finite differences of second or fourth order (2, 4) of points that are `spacing` apart along each axis. With faces="above" or "below" component a of a vector lies half a spacing after or before its scalar along axis a.
    """

    @staticmethod
    def derivative(axis: int, order: int = 1, *, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """
        The derivative of this order along an axis: (i k_a)^order. With faces, one of odd order leads from points to faces.
        """

    @staticmethod
    def laplacian(*, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """The sum of the second derivatives: -|k|^2."""

    @staticmethod
    def inverse_laplacian(*, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """
        The solution of laplacian u = f whose mean is 0: -1/|k|^2, and 0 at k = 0.
        """

    @staticmethod
    def helmholtz(alpha: float, *, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """The solution of (alpha - laplacian) u = f: 1 / (alpha + |k|^2)."""

    @staticmethod
    def gradient(axes: int, *, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """
        From a field to its gradient, in as many fields as there are axes; with faces, from points to faces.
        """

    @staticmethod
    def divergence(axes: int, *, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """
        From a vector field, in as many fields as there are axes, to its divergence; with faces, from faces to points.
        """

    @staticmethod
    def project(axes: int, *, accuracy: int = 0, spacing: Sequence[float] = [], faces: str = 'none') -> Symbol:
        """
        From a vector field, in as many fields as there are axes, to its part without divergence. The mean stays.
        """

    def adjoint(self, axes: int) -> Symbol:
        """The symbol of the adjoint operator in a layout of so many axes."""

    @property
    def is_self_adjoint(self) -> bool:
        """
        Whether the symbol is known to be that of its own adjoint: real numbers.
        """

    @staticmethod
    def product(factor: object, axes: int, is_real: bool) -> Symbol:
        """A symbol that is the product of factor(axis, k) over all axes."""

    @staticmethod
    def array(layout: Layout, address: int, size: int, dtype: str) -> Symbol:
        """
        A symbol with a number for each coefficient, in an array at an address.
        """

    @staticmethod
    def function(fill: object, results: int, fields: int, is_real: bool) -> Symbol:
        """A symbol that fill(k, numbers) writes the numbers of."""

    @staticmethod
    def gaussian(sigma: float) -> Symbol:
        """
        A convolution with a Gaussian of standard deviation sigma: exp(-|k|^2 sigma^2 / 2).
        """

    @staticmethod
    def lowpass(limit: float) -> Symbol:
        """Keeps waves with |k| <= limit, and drops the others."""

    @staticmethod
    def shift(distance: Sequence[float]) -> Symbol:
        """
        u(x - distance): exp(-i k distance). `distance` has a component for each axis.
        """

    @staticmethod
    def curl() -> Symbol:
        """From a vector field in three fields to its curl."""

class Operator:
    """A transform, a product with a symbol and the transform back."""

    def __init__(self, layout: Layout, symbol: Symbol, comm: int, single: bool, sides: Sequence[float], kept: bool, options: dict, result: Layout | None = None, result_lengths: Sequence[int] = [], first: Sequence[int] = []) -> None: ...

    def apply(self, in_: numpy.typing.NDArray[Any], out: numpy.typing.NDArray[Any] | None = None) -> numpy.typing.NDArray[Any]:
        """
        Applies the operator to this rank's part of the input. Returns `out`, or a new array; `out` may be `in_`. Collective.
        """

    def renew(self, symbol: Symbol) -> None:
        """Takes another symbol of the same size from now on. Collective."""

    def fail(self, message: str) -> None:
        """
        Replaces renew() on a rank whose symbol is wrong: all ranks raise Error.
        """

    def breakdown(self) -> list[Part]:
        """
        The passes and exchanges of an execution, in order, with the seconds that this rank has spent in each since the operator was made.
        """

    def empty_input(self) -> numpy.typing.NDArray[Any]:
        """
        An uninitialised array for this rank's part of the input, in memory that the ranks of a node share, which is the fastest. On a device it is a DeviceArray. Collective.
        """

    def empty_output(self) -> numpy.typing.NDArray[Any]:
        """As empty_input(), for the output."""

    def empty_in_place(self) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """Input and output arrays in the same memory, for transforms in place."""

    def form(self, of_input: bool) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """
        The shape, the strides in bytes and the type of this rank's input, or of its output.
        """

    @property
    def workspace_bytes(self) -> int:
        """Bytes of work memory that this rank needs beyond its arrays."""

    def set_workspace(self, memory: numpy.typing.NDArray[Any]) -> None:
        """
        Lends memory to a plan that was made with own_workspace=False. From its first address that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 always suffice. Not collective.
        """

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple[slice, ...]:
        """This rank's box of the input: slices of an array of the global shape."""

    @property
    def output_box(self) -> tuple[slice, ...]:
        """This rank's box of the output."""

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
        """
        Seconds that this rank has spent in communication since the plan was made.
        """

    def verified(self) -> Verified:
        """What the option verify has found so far."""

    def on_detection(self, told: Callable[[Detection], object] | None) -> None:
        """
        Calls `told` with a Detection on every rank whenever the option verify finds an execution to be wrong, before it returns or raises. `told` must not use the plan; what it raises is printed. None: calls nobody.
        """

    def predict(self, machine_file: str = '') -> Prediction:
        """
        Predicts the time of an execution, forward, on the machine that a file of `sixstep tune --machine` describes; without a name, on this machine. Nothing is run. Collective.
        """

    def write_trace(self) -> None:
        """
        Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. Collective.
        """

    def __str__(self) -> str: ...

class MapFunction:
    """A function of a map, as it is called."""

    def __init__(self, fill: object | None, address: int, context: int, arguments: int, name: str, fields: int, results: int, tells: bool) -> None: ...

class Map:
    """Transforms back to points, a function there and transforms forward."""

    def __init__(self, points: Layout, coefficients: Layout | None, results: Layout | None, before: MapFunction | None, at_points: MapFunction, after: MapFunction | None, comm: int, single: bool, sides: Sequence[float], batch: int, backward: str, forward: str, options: dict) -> None: ...

    def apply(self, in_: numpy.typing.NDArray[Any], out: numpy.typing.NDArray[Any] | None = None) -> numpy.typing.NDArray[Any]:
        """
        Applies the map to this rank's coefficients. Returns `out`, or a new array; `out` may be `in_`. Collective.
        """

    def breakdown(self) -> list[Part]:
        """
        The passes and exchanges of an execution, in order, with the seconds that this rank has spent in each since the map was made.
        """

    def empty_input(self) -> numpy.typing.NDArray[Any]:
        """
        An uninitialised array for this rank's part of the input, in memory that the ranks of a node share, which is the fastest. On a device it is a DeviceArray. Collective.
        """

    def empty_output(self) -> numpy.typing.NDArray[Any]:
        """As empty_input(), for the output."""

    def empty_in_place(self) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """Input and output arrays in the same memory, for transforms in place."""

    def form(self, of_input: bool) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """
        The shape, the strides in bytes and the type of this rank's input, or of its output.
        """

    @property
    def workspace_bytes(self) -> int:
        """Bytes of work memory that this rank needs beyond its arrays."""

    def set_workspace(self, memory: numpy.typing.NDArray[Any]) -> None:
        """
        Lends memory to a plan that was made with own_workspace=False. From its first address that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 always suffice. Not collective.
        """

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple[slice, ...]:
        """This rank's box of the input: slices of an array of the global shape."""

    @property
    def output_box(self) -> tuple[slice, ...]:
        """This rank's box of the output."""

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
        """
        Seconds that this rank has spent in communication since the plan was made.
        """

    def verified(self) -> Verified:
        """What the option verify has found so far."""

    def on_detection(self, told: Callable[[Detection], object] | None) -> None:
        """
        Calls `told` with a Detection on every rank whenever the option verify finds an execution to be wrong, before it returns or raises. `told` must not use the plan; what it raises is printed. None: calls nobody.
        """

    def predict(self, machine_file: str = '') -> Prediction:
        """
        Predicts the time of an execution, forward, on the machine that a file of `sixstep tune --machine` describes; without a name, on this machine. Nothing is run. Collective.
        """

    def write_trace(self) -> None:
        """
        Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. Collective.
        """

    def __str__(self) -> str: ...

class Convolution:
    """A convolution with a kernel."""

    @overload
    def __init__(self, signal: Layout, kernel: Layout, comm: int, single: bool, mode: str, correlate: bool, options: dict) -> None: ...

    @overload
    def __init__(self, layout: Layout, comm: int, single: bool, spacing: Sequence[float], walls: Sequence[str], points: Sequence[str], shift: Sequence[float], greens: tuple[str, object, str], options: dict) -> None:
        """The solution of Poisson's equation in free space."""

    def renew(self, greens: tuple[str, object, str]) -> None:
        """Takes another Green's function, of a solver in free space. Collective."""

    def set_kernel(self, kernel: numpy.typing.NDArray[Any]) -> None:
        """Takes this rank's part of a kernel. Collective."""

    def apply(self, in_: numpy.typing.NDArray[Any], out: numpy.typing.NDArray[Any] | None = None) -> numpy.typing.NDArray[Any]:
        """
        Convolves this rank's part of an array. Returns `out`, or a new array. Collective.
        """

    def empty_input(self) -> numpy.typing.NDArray[Any]:
        """
        An uninitialised array for this rank's part of the input, in memory that the ranks of a node share, which is the fastest. On a device it is a DeviceArray. Collective.
        """

    def empty_output(self) -> numpy.typing.NDArray[Any]:
        """As empty_input(), for the output."""

    def empty_in_place(self) -> tuple[numpy.typing.NDArray[Any], numpy.typing.NDArray[Any]]:
        """Input and output arrays in the same memory, for transforms in place."""

    def form(self, of_input: bool) -> tuple[tuple[int, ...], tuple[int, ...], str]:
        """
        The shape, the strides in bytes and the type of this rank's input, or of its output.
        """

    @property
    def workspace_bytes(self) -> int:
        """Bytes of work memory that this rank needs beyond its arrays."""

    def set_workspace(self, memory: numpy.typing.NDArray[Any]) -> None:
        """
        Lends memory to a plan that was made with own_workspace=False. From its first address that is a multiple of 64 on it must have workspace_bytes, so workspace_bytes + 63 always suffice. Not collective.
        """

    @property
    def input(self) -> Layout: ...

    @property
    def output(self) -> Layout: ...

    @property
    def input_box(self) -> tuple[slice, ...]:
        """This rank's box of the input: slices of an array of the global shape."""

    @property
    def output_box(self) -> tuple[slice, ...]:
        """This rank's box of the output."""

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
        """
        Seconds that this rank has spent in communication since the plan was made.
        """

    def verified(self) -> Verified:
        """What the option verify has found so far."""

    def on_detection(self, told: Callable[[Detection], object] | None) -> None:
        """
        Calls `told` with a Detection on every rank whenever the option verify finds an execution to be wrong, before it returns or raises. `told` must not use the plan; what it raises is printed. None: calls nobody.
        """

    def predict(self, machine_file: str = '') -> Prediction:
        """
        Predicts the time of an execution, forward, on the machine that a file of `sixstep tune --machine` describes; without a name, on this machine. Nothing is run. Collective.
        """

    def write_trace(self) -> None:
        """
        Writes the trace so far to the file that the option `trace` names, for ui.perfetto.dev. Collective.
        """

    def __str__(self) -> str: ...

class Redistribution:
    """The redistribution of bytes in sixstep.Redistribution."""

    def __init__(self, from_: Layout, to: Layout, comm: int, element_bytes: int, options: dict) -> None: ...

    def execute(self, in_: int, out: int, forward: bool) -> None:
        """Moves the elements from address to address. Collective."""

    def allocate(self, bytes: int) -> object:
        """
        The first `bytes` of memory that is large enough for either side. Collective.
        """

    @property
    def to(self) -> Layout: ...

    def describe(self) -> str: ...

    def verified(self) -> Verified: ...

    def on_detection(self, told: object | None) -> None: ...

    @property
    def passes(self) -> int: ...

    @property
    def exchanges(self) -> int: ...

class Ranks:
    """A communicator, and the plans and memory of arrays on it."""

    def __init__(self, comm: int) -> None: ...

    @property
    def handle(self) -> int:
        """
        The Fortran handle of the duplicate. Users must not send messages on it.
        """

    @property
    def size(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def threads(self) -> int: ...

    def allocate(self, layout: Layout, element_bytes: int, zeros: bool) -> object:
        """
        Bytes for this rank's part, in memory that the ranks of a node reach directly. Collective.
        """

    def fail(self, message: str) -> None:
        """
        Replaces a collective call on a rank that cannot make it: all ranks raise Error.
        """

    def note(self, call: str, arguments: str) -> None:
        """
        Names the call that the next collective call is a part of; all ranks must say the same.
        """

    def move(self, from_: Layout, to: Layout, in_: int, out: int, element_bytes: int, preserve_input: bool) -> None:
        """
        Moves an array from one layout to another, from address to address. Collective.
        """

    def transform(self, from_: Layout, to: Layout, in_: Annotated[NDArray, dict(device='cpu', writable=False)], out: Annotated[NDArray, dict(device='cpu')], options: dict, forward: bool, scale: str) -> None:
        """Transforms an array by a plan, which is kept. Collective."""

    def update_ghosts(self, layout: Layout, periodic: Sequence[bool], array: int, element_bytes: int) -> None:
        """
        Fills the ghosts of the array at an address from the ranks that hold the points. Collective.
        """

    def exact_sums(self, layout: Layout, of: str, type: str, array: int, other: int) -> list[float]:
        """
        The real and imaginary part of the sum of elements, of squares, or of products with the conjugate elements of the first of two arrays at addresses; rounded once. Collective.
        """

    def gather_to_all(self, mine: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], all: Annotated[NDArray[numpy.uint8], dict(shape=(None,))]) -> None:
        """
        Gathers the bytes `mine` of all ranks, equally many each, on all ranks. Collective.
        """

    def broadcast(self, bytes: Annotated[NDArray[numpy.uint8], dict(shape=(None,))], from_: int) -> None:
        """Copies the bytes of one rank to all ranks. Collective."""

def save(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def load(ranks: Ranks, path: str, dataset: str | None, layout: Layout, array: object) -> None: ...

def file_header(ranks: Ranks, path: str, dataset: str | None) -> tuple:
    """The shape and type that load() will find."""

def listen(function: object | None) -> None:
    """
    Calls function(what, share) of this thread's tuning and files, on rank 0, where `share` (0 to 1) is done; None: calls nothing.
    """

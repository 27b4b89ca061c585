# SPDX-License-Identifier: BSD-3-Clause
"""Transforms of xarray's DataArrays, with coordinates, as xrft has them.

    import sixstep.xarray
    spectrum = sixstep.xarray.fft(da, dim=["x", "y"])     # dims "freq_x" and "freq_y", in cycles per unit of x and y
    back = sixstep.xarray.ifft(spectrum, dim=["freq_x", "freq_y"])
    spread = sixstep.xarray.spread(da)                    # each rank loads its own part, into a sixstep.Array
    spectrum = sixstep.xarray.fft(spread, real_dim="x")   # collective

The data of a DataArray may be a NumPy array, which is transformed in this process, on any number of threads; a dask
array, which is transformed when its result is computed; or a sixstep.Array, of which each rank holds a part. The names
of arguments, dims, coordinates and attributes are those of xrft.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Union

import numpy
import xarray

from . import fft as _whole
from ._error import Error

__all__ = ["fft", "ifft", "power_spectrum", "spread", "gather"]

_Dims = Union[Hashable, Sequence[Hashable], None]


def fft(
    da: xarray.DataArray,
    dim: _Dims = None,
    real_dim: Hashable | None = None,
    *,
    shift: bool = True,
    true_phase: bool = True,
    true_amplitude: bool = True,
    prefix: str = "freq_",
    spacing_tol: float = 1e-3,
    workers: int | None = None,
) -> xarray.DataArray:
    """The Fourier transform: the sum of da(x) exp(-2 pi i k x) dx over the points of some dims.

    Parameters
    ----------
    da : xarray.DataArray
        Its coordinates along the dims are numbers or times, evenly spaced, in either direction. Where there are none,
        points count 0, 1, 2 ...
    dim : str or sequence of str, optional
        None: all dims.
    real_dim : str, optional
        The dim along which only waves k >= 0 are computed, of real numbers. Nothing is shifted then.
    shift : bool
        Whether coordinates k go from the lowest to the highest; else they begin with 0, as numpy.fft.fftfreq.
    true_phase : bool
        Whether x is the coordinate; else it is 0 at the first point, as for numpy.fft.
    true_amplitude : bool
        Whether dx is the spacing of points; else it is 1.
    prefix : str
        The name of a dim of the result is this and the name of the dim; names that begin with it lose it.
    spacing_tol : float
        By which relative difference spacings may differ.
    workers : int, optional
        Threads, as for sixstep.fft. Arrays on ranks have those of their plans.

    Returns
    -------
    xarray.DataArray
        The coordinates are in cycles: "1/m" where the attribute units of a coordinate is "m", "1/s" for times. Their
        attributes `spacing` and `direct_lag` tell ifft(), and that of xrft, where the points were.

    Raises
    ------
    Error
        A dim does not exist, has one point or uneven spacings; other coordinates lie along it; da is complex and
        real_dim was given.
    """
    dims = _dims_of(da, dim, real_dim)
    lines = [_line_of(da, name, spacing_tol) for name in dims]
    shift = shift and real_dim is None
    names = [_renamed(name, prefix) for name in dims]
    waves = [_waves(line, shift, name == real_dim) for line, name in zip(lines, dims)]
    amplitude = float(numpy.prod([line.spacing for line in lines])) if true_amplitude else 1.0
    starts = [line.start if true_phase else 0.0 for line in lines]
    factors = [numpy.exp(-2j * numpy.pi * k * x) for k, x in zip(waves, starts)]
    factors[0] = amplitude * factors[0]
    axes = [da.get_axis_num(name) for name in dims]
    back = [axis for axis, line in zip(axes, lines) if line.falls]

    def transformed(data):
        data = _flipped(data, back)
        made = _transform(data, "fftn" if real_dim is None else "rfftn", axes, None, workers)
        made = numpy.fft.fftshift(made, axes) if shift else made
        return _times(made, axes, factors)

    shape = _with(da.shape, axes, [k.size for k in waves])
    data = _applied(transformed, da.data, shape, _complex_of(da.dtype))
    coordinates = {
        name: (name, k, {"spacing": line.wave_spacing, **line.attributes()})
        for name, k, line in zip(names, waves, lines)
    }
    return _made(da, data, dict(zip(dims, names)), coordinates)


def ifft(
    daft: xarray.DataArray,
    dim: _Dims = None,
    real_dim: Hashable | None = None,
    *,
    true_phase: bool = True,
    true_amplitude: bool = True,
    prefix: str = "freq_",
    spacing_tol: float = 1e-3,
    lag: float | Sequence[float | None] | None = None,
    points: int | None = None,
    workers: int | None = None,
) -> xarray.DataArray:
    """The inverse of fft(): the sum of daft(k) exp(2 pi i k x) dk over the waves of some dims.

    Parameters
    ----------
    daft : xarray.DataArray
        Its coordinates along the dims are evenly spaced, in the order of fft() with `shift` or without.
    dim : str or sequence of str, optional
        None: all dims.
    real_dim : str, optional
        The dim that has waves k >= 0 alone; the result is real.
    true_phase, true_amplitude, prefix, spacing_tol, workers
        As for fft().
    lag : float or sequence of float, optional
        The coordinate of point n // 2 of n along each of dim, of which real_dim is the last. None: the attribute
        `direct_lag` of its coordinate, or 0.
    points : int, optional
        Points along the dim of the result that comes of real_dim. None: its coordinate's attribute `points`, which
        fft() sets, or the even one of the two possible numbers.

    Raises
    ------
    Error
        As for fft(); k = 0 is not where it has to be.
    """
    dims = _dims_of(daft, dim, real_dim)
    lags = list(lag) if isinstance(lag, Sequence) else [lag] * len(dims)
    if len(lags) != len(dims):
        raise Error(f"lag: one for each of {len(dims)} dims is needed, {len(lags)} were given")
    grids = [_grid_of(daft, name, spacing_tol, name == real_dim, points, mine) for name, mine in zip(dims, lags)]
    amplitude = float(numpy.prod([grid.points * grid.wave_spacing for grid in grids])) if true_amplitude else 1.0
    factors = [numpy.exp(2j * numpy.pi * grid.waves * (grid.start if true_phase else 0.0)) for grid in grids]
    factors[0] = amplitude * factors[0]
    axes = [daft.get_axis_num(name) for name in dims]
    shifted = [axis for axis, grid in zip(axes, grids) if grid.is_shifted]

    def transformed(data):
        made = _times(data.astype(_complex_of(data.dtype)), axes, factors)
        made = numpy.fft.ifftshift(made, shifted) if shifted else made
        count = None if real_dim is None else grids[-1].points
        return _transform(made, "ifftn" if real_dim is None else "irfftn", axes, count, workers)

    dtype = _complex_of(daft.dtype) if real_dim is None else _complex_of(daft.dtype).type(0).real.dtype
    data = _applied(transformed, daft.data, _with(daft.shape, axes, [grid.points for grid in grids]), dtype)
    names = [_renamed(name, prefix) for name in dims]
    coordinates = {name: (name, grid.places(), grid.attributes) for name, grid in zip(names, grids)}
    return _made(daft, data, dict(zip(dims, names)), coordinates)


def power_spectrum(
    da: xarray.DataArray, dim: _Dims = None, real_dim: Hashable | None = None, *, scaling: str = "density", **keywords
) -> xarray.DataArray:
    """|fft(da)|^2, per interval of k.

    The mean of |da|^2 is its integral over all k with scaling="density", and its sum with "spectrum". Waves of real_dim
    that stand for two count twice. Other arguments are those of fft().

    Errors: scaling is another word; those of fft().
    """
    if scaling not in ("density", "spectrum"):
        raise Error(f"scaling: density or spectrum is needed, {scaling} was given")
    keywords |= {"true_phase": False, "true_amplitude": True}
    daft = fft(da, dim, real_dim, **keywords)
    names = [_renamed(name, keywords.get("prefix", "freq_")) for name in _dims_of(da, dim, real_dim)]
    spacing = float(numpy.prod([daft[name].attrs["spacing"] for name in names]))
    axis, twice = daft.get_axis_num(names[-1]), numpy.ones(daft.sizes[names[-1]])
    if real_dim is not None:
        twice[1 : (da.sizes[real_dim] + 1) // 2] = 2
    factor = twice * (spacing if scaling == "density" else spacing**2)
    real = daft.dtype.type(0).real.dtype
    data = _applied(lambda data: _times(abs(data) ** 2, [axis], [factor]), daft.data, daft.shape, real)
    return daft.copy(data=data)


def spread(da: xarray.DataArray, layout: Any = None, comm: Any = None) -> xarray.DataArray:
    """A copy of da with a sixstep.Array for its data, of which each rank loads its own part. Collective.

    Every rank gives the whole DataArray: of a file that xarray opens, or of a dask array, it loads only its part.

    Parameters
    ----------
    da : xarray.DataArray
    layout : Layout, optional
        None: blocks along the first dim.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program.
    """
    from ._ranks import ranks_of
    from .array import Array

    ranks = ranks_of(comm)
    with ranks.together("spread", da.shape, layout):
        array = Array(da.shape if layout is None else layout, da.dtype, ranks)
        if array.shape != da.shape:
            raise Error(f"layout: one of the shape {da.shape} is needed, it has {array.shape}")
        part = da.variable.isel(dict(zip(da.dims, array.box)))
        array.local()[...] = part.values
        ranks.all(numpy.zeros(1))  # what one rank cannot load is an error on all
        return da.copy(data=array)


def gather(da: xarray.DataArray) -> xarray.DataArray:
    """A copy of da with a NumPy array in place of a sixstep.Array, on every rank. Collective."""
    return da.copy(data=da.data.gather())


class _Line(NamedTuple):
    """Evenly spaced points along a dim."""

    points: int
    start: float  # the lowest coordinate
    spacing: float
    falls: bool  # whether coordinates fall
    units: str

    @property
    def wave_spacing(self) -> float:
        return 1 / (self.points * self.spacing)

    def attributes(self) -> dict[str, Any]:
        found: dict[str, Any] = {"direct_lag": self.start + self.points // 2 * self.spacing, "points": self.points}
        return found | ({"units": f"1/{self.units}"} if self.units else {})


class _Grid(NamedTuple):
    """The waves along a dim, and the points that they stand for."""

    waves: numpy.ndarray
    is_shifted: bool
    points: int
    wave_spacing: float
    start: float  # the coordinate of the first point
    attributes: dict[str, Any]

    def places(self) -> numpy.ndarray:
        return self.start + numpy.arange(self.points) / (self.points * self.wave_spacing)


def _dims_of(da, dim, real_dim) -> list:
    dims = list(da.dims) if dim is None else [dim] if isinstance(dim, str) else list(dim)
    if real_dim is not None:
        dims = [name for name in dims if name != real_dim] + [real_dim]
    for name in dims:
        if name not in da.dims:
            raise Error(f"dim: one of {', '.join(map(str, da.dims))} is needed, {name} was given")
    if not dims or len(set(dims)) < len(dims):
        raise Error(f"dim: one or more different dims are needed, {dims} were given")
    return dims


def _coordinates(da, name):
    """The coordinates along a dim as numbers, in seconds if they are times."""
    other = [str(each) for each in da.coords if each != name and name in da[each].dims]
    if other:
        raise Error(f"{name}: no other coordinates may lie along a dim that is transformed; {', '.join(other)} do")
    x = da[name].values
    is_time = x.dtype.kind in "mM"
    if is_time:
        x = x.astype("datetime64[ns]" if x.dtype.kind == "M" else "timedelta64[ns]").astype("int64") * 1e-9
    if x.dtype.kind not in "iuf":
        raise Error(f"{name}: coordinates that are numbers or times are needed, they have the type {x.dtype}")
    if x.size < 2:
        raise Error(f"{name}: two points or more are needed for a spacing, there is {x.size}")
    return x.astype("float64"), "s" if is_time else str(da[name].attrs.get("units", ""))


def _check_even(name, x, tolerance):
    steps = numpy.diff(x)
    if steps[0] == 0 or not numpy.allclose(steps, steps[0], rtol=tolerance, atol=0):
        raise Error(f"{name}: evenly spaced coordinates are needed, their steps are {steps.min()} to {steps.max()}")


def _line_of(da, name, tolerance) -> _Line:
    x, units = _coordinates(da, name)
    _check_even(name, x, tolerance)
    return _Line(x.size, x.min(), abs(x[1] - x[0]), bool(x[1] < x[0]), units)


def _waves(line, shift, is_real):
    k = (numpy.fft.rfftfreq if is_real else numpy.fft.fftfreq)(line.points, line.spacing)
    return numpy.fft.fftshift(k) if shift else k


def _grid_of(daft, name, tolerance, is_real, points, lag) -> _Grid:
    k, units = _coordinates(daft, name)
    about = daft[name].attrs
    is_shifted = not is_real and k[0] != 0
    _check_even(name, k if is_real else numpy.sort(k), tolerance)
    spacing = abs(k[1] - k[0])
    if is_real:
        points = int(about.get("points", 2 * (k.size - 1)) if points is None else points)
        if points // 2 + 1 != k.size:
            raise Error(f"points: {2 * k.size - 2} or {2 * k.size - 1} are possible along {name}, {points} were given")
        expected = numpy.fft.rfftfreq(points, 1 / (points * spacing))
    else:
        points = k.size
        expected = numpy.fft.fftfreq(points, 1 / (points * spacing))
        expected = numpy.fft.fftshift(expected) if is_shifted else expected
    if not numpy.allclose(k, expected, rtol=0, atol=tolerance * spacing):
        raise Error(f"{name}: coordinates from the lowest to the highest, or as numpy.fft.fftfreq, are needed")
    middle = float(about.get("direct_lag", 0.0)) if lag is None else float(lag)
    step = 1 / (points * spacing)
    attributes = {"spacing": step} | ({"units": units[2:]} if units.startswith("1/") else {})
    return _Grid(k, is_shifted, points, spacing, middle - points // 2 * step, attributes)


def _renamed(name, prefix) -> str:
    return name[len(prefix) :] if str(name).startswith(prefix) else f"{prefix}{name}"


def _with(shape, axes, extents) -> tuple[int, ...]:
    found = list(shape)
    for axis, n in zip(axes, extents):
        found[axis] = n
    return tuple(found)


def _complex_of(dtype) -> numpy.dtype:
    return numpy.dtype("complex64" if dtype in ("float32", "complex64") else "complex128")


def _applied(function: Callable[[Any], Any], data: Any, shape, dtype) -> Any:
    """function(data); of a dask array when it is computed, as a single chunk."""
    if not hasattr(data, "__dask_graph__"):
        return function(data)
    import dask
    import dask.array

    return dask.array.from_delayed(dask.delayed(function)(data), shape, dtype)


def _is_on_ranks(data) -> bool:
    return hasattr(data, "layout") and hasattr(data, "ranks")


def _transform(data, name, axes, points, workers):
    """A transform along axes, the last of which is that of reals; `points` is how many reals irfftn makes there."""
    more = {} if points is None else {"s": [*(data.shape[axis] for axis in axes[:-1]), points]}
    if _is_on_ranks(data):
        return getattr(data, name)(axes=axes, **more)
    return getattr(_whole, name)(data, axes=axes, workers=workers, **more)


def _flipped(data, axes):
    return data[tuple(slice(None, None, -1 if axis in axes else 1) for axis in range(data.ndim))] if axes else data


def _times(data, axes, factors):
    """data times a vector along each axis, in its memory."""
    box = data.box if _is_on_ranks(data) else (slice(None),) * data.ndim
    part = data.local() if _is_on_ranks(data) else data
    for axis, factor in zip(axes, factors):
        mine = factor[box[axis]]
        part *= mine.reshape([-1 if a == axis else 1 for a in range(data.ndim)]).astype(part.dtype, copy=False)
    return data


def _made(da, data, names, coordinates) -> xarray.DataArray:
    kept = {name: each for name, each in da.coords.items() if not set(each.dims) & set(names)}
    dims = [names.get(name, name) for name in da.dims]
    return xarray.DataArray(data, dims=dims, coords=kept | coordinates, name=da.name)

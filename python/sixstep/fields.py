# SPDX-License-Identifier: BSD-3-Clause
"""Calculus with global arrays: functions of fields in a periodic box, and poisson() between walls.

    u = sixstep.Array.from_function(lambda i, j, k: numpy.sin(h * i) * numpy.cos(h * j), (64, 64, 64))
    ux, uy, uz = sixstep.fields.gradient(u)      # a vector field: an Array for each axis
    f = sixstep.fields.divergence((ux, uy, uz))
    v = sixstep.fields.inverse_laplacian(f)      # u, but for its mean

All functions are collective, and take Arrays of real or complex numbers of any shape and layout; results have the
layout of the first Array, without ghosts. `sides` has the length of the box along each axis, or one number for all;
None: 2 pi. Point j of n along an axis is at side * j / n.

Derivatives are those of the waves that the points determine. accuracy=2 or 4 makes them finite differences of this
order. faces="above" or "below" puts component a of a vector field on the faces of cells, half a spacing after or before
the scalar of the same index along axis a. The operators behind these functions are kept for later calls with the same
arguments: the last 8 for each `Ranks`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

import sixstep.symbols as symbols  # "from . import" would name it where MPI is missing

from ._array import Array
from ._error import Error
from ._layouts import counted, with_extent
from ._operators import apply, in_free_space, interpolated, linear, prepared, together, vectors
from ._spectra import PowerSpectrum, shells
from ._walls import Axis, add_walls, axes_of, kinds_of, meshes_of

__all__ = [
    *("derivative", "gradient", "divergence", "curl", "laplacian", "inverse_laplacian", "project"),
    *("poisson", "open_poisson", "coordinates"),
    *("lowpass", "gaussian", "shift", "interpolate"),
    *("convolve", "correlate", "auto_correlation", "power_spectrum", "PowerSpectrum"),
]

def derivative(u: Array, axis: int, order: int = 1, *, sides=None, accuracy: int = 0, faces: str = "none") -> Array:
    """The derivative of this order along an axis. If there are faces, one of odd order leads
    from points to faces."""
    with together("derivative", [u], axis, order, sides, accuracy, faces):
        by = {"accuracy": accuracy, "faces": faces}
        return apply(symbols.derivative, (axis, order), prepared([u]), 1, sides, **by)[0]


def gradient(u: Array, *, sides=None, accuracy: int = 0, faces: str = "none") -> tuple[Array, ...]:
    """The first derivatives along all axes; with faces, from points to faces."""
    with together("gradient", [u], sides, accuracy, faces):
        fields = prepared([u])
        return apply(symbols.gradient, (u.ndim,), fields, u.ndim, sides, accuracy=accuracy, faces=faces)


def divergence(u: Sequence[Array], *, sides=None, accuracy: int = 0, faces: str = "none") -> Array:
    """The sum of the derivative of each component along its axis; with faces, from faces to points."""
    with together("divergence", u, sides, accuracy, faces):
        fields = vectors(u)
        return apply(symbols.divergence, (len(fields),), fields, 1, sides, accuracy=accuracy, faces=faces)[0]


def curl(u: Sequence[Array], *, sides=None) -> tuple[Array, ...]:
    """The curl of a vector field in three dimensions."""
    with together("curl", u, sides):
        fields = vectors(u)
        if len(fields) != 3:
            raise Error(f"u: an Array for each of 3 axes is needed, {len(fields)} were given")
        return apply(symbols.curl, (), fields, 3, sides)


def laplacian(u: Array, *, sides=None, accuracy: int = 0, faces: str = "none") -> Array:
    """The sum of the second derivatives along all axes."""
    with together("laplacian", [u], sides, accuracy, faces):
        return apply(symbols.laplacian, (), prepared([u]), 1, sides, accuracy=accuracy, faces=faces)[0]


def inverse_laplacian(f: Array, *, mean=0.0, sides=None, accuracy: int = 0, faces: str = "none") -> Array:
    """The solution u of laplacian(u) = f that has this mean.

    There is a solution only if the mean of f is 0. Another mean is left out, with a warning on rank 0 if it is more
    than rounding."""
    with together("inverse_laplacian", [f], mean, sides, accuracy, faces):
        field = prepared([f])
        _warn_of_mean(field[0])
        u = apply(symbols.inverse_laplacian, (), field, 1, sides, accuracy=accuracy, faces=faces)[0]
        if mean != 0:
            u.local()[...] += mean
        return u


def project(u: Sequence[Array], *, sides=None, accuracy: int = 0, faces: str = "none") -> tuple[Array, ...]:
    """The part of a vector field whose divergence() is 0 (Helmholtz decomposition). The mean stays."""
    with together("project", u, sides, accuracy, faces):
        fields = vectors(u)
        return apply(symbols.project, (len(fields),), fields, len(fields), sides, accuracy=accuracy, faces=faces)


def poisson(
    f: Array,
    *,
    walls: str | Sequence[str] = "periodic",
    points: str | Sequence[str] = "cells",
    sides=None,
    accuracy: int = 0,
    values: Callable[[int, bool, tuple[numpy.ndarray, ...]], Any] | None = None,
    mean: float = 0.0,
) -> Array:
    """The solution u of laplacian(u) = f between walls, for real f.

    Parameters
    ----------
    walls : str or sequence of str
        For all axes or for each: "periodic"; "dirichlet" or "neumann", where u or du/dx is given at both walls;
        "dirichlet_neumann" or "neumann_dirichlet", one at the first and the other at the last wall.
    points : str or sequence of str
        "cells": points are the middles of equal cells, which end at the walls. "nodes": a point lies on each wall where
        du/dx is given, and none where u is given. `coordinates()` returns their places.
    sides : float or sequence of float, optional
        The length of all axes or of each, from wall to wall or of a period. None: pi between walls, 2 pi if periodic.
    accuracy : int
        0: exact derivatives for all waves that the points can hold. 2 or 4: finite differences of this order, which see
        mirror images behind walls.
    values : function, optional
        values(axis, is_last, x) returns u or du/dx (along the axis) at the first or last wall of an axis. x are
        coordinates, as open meshes of this rank's points; x[axis] is that of the wall. Accuracy 2 is needed. None: 0.
    mean : float
        The mean of u, where the equation leaves it open: all axes are periodic or between Neumann walls. The mean of f,
        and of what walls add to it, must be 0 then; else it is left out, with a warning on rank 0. In means, points on
        walls count half.
    """
    with together("poisson", [f], walls, points, sides, accuracy, values, mean):
        (right,) = prepared([f])
        axes = axes_of(f.shape, walls, points, sides)
        if f.dtype.kind == "c":
            raise Error(f"f: real numbers are needed, {f.dtype} was given")
        if values is not None:
            if accuracy != 2:
                raise Error(f"values: accuracy 2 is needed for values at walls, {accuracy} was given")
            right = right.copy()
            add_walls(right, axes, values)
        is_open = not any("dirichlet" in axis.ends for axis in axes)
        if is_open:
            _warn_of_mean(right, axes)
        u = apply(
            *(symbols.inverse_laplacian, (), [right], 1, [axis.side for axis in axes]),
            kinds=kinds_of(axes),
            spacing=[axis.spacing for axis in axes],
            accuracy=accuracy,
        )[0]
        if is_open and mean != 0:
            u.local()[...] += mean
        return u


def open_poisson(
    f: Array,
    *,
    spacing: float | Sequence[float] = 1.0,
    greens_function: str = "truncated",
    walls: str | Sequence[str] = "open",
    points: str | Sequence[str] = "cells",
    shift: Sequence[float] = (),
    function: Callable[..., float] | Array | None = None,
    space: str = "distances",
) -> Array:
    """The solution u of laplacian(u) = f in free space, for real f: the integral of G(x - y) f(y) over the box of f.

    G is -1/(4 pi r) for three open axes, log(r)/(2 pi) for two and |x|/2 for one. `spacing` is the distance between
    points along all axes or along each. greens_function="truncated" makes u exact to rounding where f is smooth, and 0
    at the ends of the box (Vico, Greengard and Ferrando 2016); "integrated" makes its error fall with the square of the
    spacing for any f (Qiang et al. 2006).

    `walls`, for all axes or for each, is "open", or one of the words of poisson(), whose `points` say where points are
    between walls; one axis at least is open. `shift`, a distance for each axis, moves the box in which u is the
    potential: the integral of G(x + shift - y) f(y), as for the image of a source.

    function(x, y, ...) is another Green's function in place of the laplacian's, called with a number of at least 0 for
    each axis: along axes that are not open the length of the wave (2 pi m / length if periodic, pi m / length between
    walls); along open ones, with space="distances", the distance between two points, to return G times the volume of a
    cell; or, with space="waves", the wave number, to return the Fourier transform of G, the integral of
    G(r) exp(-i k r). Then G has to be 0, or too small to count, beyond the longest distance of two points,
    sqrt(sum((n spacing + |shift|)^2)) over the open axes. It is called point by point once for each function object.

    An Array has such values, in double precision or less: along an open axis with n points n of distances 0, spacing
    ... (2n - 1 with a shift, from shift - (n - 1) spacing on), or n + 1 or more of wave numbers from 0 to pi / spacing;
    along a periodic axis n/2 + 1; along one between walls n. Each call takes its numbers anew. The solver is kept for
    later calls, which may have another function or Array: planning is done once.
    """
    of_greens = function if isinstance(function, Array) else function is None
    with together("open_poisson", [f], spacing, greens_function, walls, points, shift, space, of_greens):
        (right,) = prepared([f])
        if f.dtype.kind == "c":
            raise Error(f"f: real numbers are needed, {f.dtype} was given")
        places = numpy.atleast_1d(spacing).tolist(), greens_function, walls, points
        return in_free_space(right, *places, [float(each) for each in shift], function, space)


def coordinates(u: Array, *, walls="periodic", points="cells", sides=None) -> tuple[numpy.ndarray, ...]:
    """The places of this rank's points along each axis, as open meshes, for the arguments of poisson(). Not
    collective."""
    return meshes_of(u, axes_of(u.shape, walls, points, sides))


def lowpass(u: Array, limit: float, *, sides=None) -> Array:
    """The waves of u with |k| <= limit. k is 2 pi / wavelength."""
    with together("lowpass", [u], limit, sides):
        return apply(symbols.lowpass, (float(limit),), prepared([u]), 1, sides)[0]


def gaussian(u: Array, sigma: float, *, sides=None) -> Array:
    """The convolution with a Gaussian of standard deviation sigma, a length."""
    with together("gaussian", [u], sigma, sides):
        return apply(symbols.gaussian, (float(sigma),), prepared([u]), 1, sides)[0]


def shift(u: Array, distance: Sequence[float], *, sides=None) -> Array:
    """u(x - distance), by trigonometric interpolation. `distance` has a component for each axis."""
    with together("shift", [u], distance, sides):
        along = tuple(float(component) for component in distance)
        return apply(symbols.shift, (along,), prepared([u]), 1, sides)[0]


def interpolate(u: Array, shape: Sequence[int] | int) -> Array:
    """u on a grid of another shape in the same box, by trigonometric interpolation.

    Along an axis with more points than before there are the same waves; along one with fewer, those that the new points
    can tell apart. The wave n/2 of an even n is a cosine, as for scipy.signal.resample. The result is split over ranks
    as u is."""
    with together("interpolate", [u], shape):
        (made,) = prepared([u])
        extents = counted(shape)
        if len(extents) != u.ndim or min(extents) < 1:
            raise Error(f"shape: {u.ndim} extents of at least 1 are needed, {extents} was given")
        layout = made.layout
        for axis, points in enumerate(extents):
            layout = with_extent(layout, axis, points)
        return made.copy() if layout == made.layout else interpolated(made, layout)


def convolve(a: Array, b: Array, mode: str = "periodic") -> Array:
    """The convolution: the sum of a(y) b(x - y) over all points y, in the layout of a.

    mode is "periodic", where both have one shape, or "full", "same" or "valid", as in scipy.signal.convolve: points
    outside of an array are 0, but no zeros are stored or sent.
    """
    with together("convolve", [a, b], mode):
        if mode != "periodic":
            return linear(a, b, mode, False)
        return _product_of_waves(a, b, lambda x, y: numpy.multiply(x, y, out=x))


def correlate(a: Array, b: Array, mode: str = "periodic") -> Array:
    """The cross-correlation: the sum of conj(a(y)) b(y + x) over all points y.

    In the mode "periodic" both have one shape, and the result has the layout of a. The modes "full", "same" and "valid"
    are scipy.signal.correlate(b, a, mode), in the layout of b.
    """
    with together("correlate", [a, b], mode):
        if mode != "periodic":
            return linear(b, a, mode, True)
        return _product_of_waves(a, b, lambda x, y: numpy.multiply(numpy.conj(x), y, out=x))


def auto_correlation(u: Array) -> Array:
    """correlate(u, u), with one transform less (Wiener and Khinchin). Its value at 0 is the sum of |u|^2."""
    with together("auto_correlation", [u]):
        return _product_of_waves(u, u, lambda x, y: numpy.multiply(numpy.conj(x), y, out=x))


def _product_of_waves(a, b, product):
    first, second = prepared([a, b])
    is_real = first.dtype.kind != "c"
    waves = first.rfftn() if is_real else first.fftn()
    product(waves, waves if a is b else second.rfftn() if is_real else second.fftn())
    made = first._like(first.dtype)
    return waves.irfftn(made.shape, out=made, overwrite=True) if is_real else waves.ifftn(out=made, overwrite=True)


def power_spectrum(u: Array) -> PowerSpectrum:
    """The power of a field by wave number, on all ranks: what the command `sixstep spectrum` prints."""
    with together("power_spectrum", [u]):
        (field,) = prepared([u])
        return shells(field)


def _warn_of_mean(f, axes: Sequence[Axis] = ()):
    """Warns, on rank 0, of a mean that is more than rounding. Without `axes` all points count alike."""
    local, size = f.local(), f.size
    squares = numpy.vdot(local.ravel(order="K"), local.ravel(order="K")).real / size
    for axis, indices in zip(axes, f.indices()):
        if axis.kind == "dct1" and local.size:
            local, size = local * axis.weights(indices), size // axis.n * (axis.n - 1)
    total = local.sum(dtype=numpy.result_type(f.dtype, "float64"))
    mean, square = f.ranks.all(numpy.array([total / size, squares])).sum(axis=0)
    if f.ranks.rank == 0 and abs(mean) > 1000 * numpy.finfo(f.dtype).eps * numpy.sqrt(square.real):
        warnings.warn(
            f"f: a mean of 0 is needed for a solution of laplacian(u) = f; the mean, {mean:.6g}, is left out",
            RuntimeWarning,
            stacklevel=3,
        )

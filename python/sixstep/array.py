# SPDX-License-Identifier: BSD-3-Clause
"""Global arrays that are spread over ranks.

    a = sixstep.Array.from_function(lambda x, y: numpy.sin(x + y), (256, 256))
    b = sixstep.Array(sixstep.Layout.slab((256, 256), sixstep.ranks(), axis=1))
    b[...] = a                               # moves the elements to the layout of b
    c = numpy.exp(2 * a + b)                 # evaluated in the layout of a
    spectrum = a.fft(axis=0)

One rule: an expression is evaluated in the layout of its target (`out`, or the array to which it is assigned), or else
in that of its first array; an operand in another layout is moved there first. All functions are collective unless their
description says otherwise.
"""

from __future__ import annotations

import math
import operator

import numpy

from ._core import Layout
from ._error import Error
from ._ranks import collective, ranks_of
from ._side import Side, plain


def _counts(box) -> tuple[int, ...]:
    return tuple(len(range(s.start, s.stop, s.step or 1)) for s in box)


_NORMS = {None: "backward", "backward": "backward", "ortho": "ortho", "forward": "forward"}


def _scale(norm, forward: bool) -> str:
    if norm not in _NORMS:
        raise Error(f"norm: backward, ortho or forward is needed, {norm!r} was given")
    if _NORMS[norm] == "ortho":
        return "by_sqrt_n"
    return "by_n" if (_NORMS[norm] == "forward") == forward else "none"


class Array(numpy.lib.mixins.NDArrayOperatorsMixin):
    """An array of a global shape, spread over ranks by a layout. It begins as zeros.

    Parameters
    ----------
    layout : Layout or tuple of int
        A shape stands for blocks along the first axis.
    dtype : numpy dtype
        Any type whose elements are plain bytes.
    comm : Ranks or mpi4py.MPI.Comm, optional
        None: all ranks of the program. A communicator is duplicated for this array only, but all arrays in one
        expression need the same Ranks.

    Raises
    ------
    Error
        The layout is for another number of ranks, or has no points.
    """

    __array_priority__ = 10

    def __init__(self, layout: Layout | tuple[int, ...], dtype="float64", comm=None):
        ranks = ranks_of(comm)
        with ranks.together("Array", layout, dtype):
            self._begin(layout, dtype, ranks)
            self._whole = self._memory(zeros=True)

    def _begin(self, layout, dtype, ranks):
        layout = _as_layout(layout, ranks)
        if layout.ranks != ranks.size:
            raise Error(f"layout: a layout for the {ranks.size} ranks is needed, it is for {layout.ranks}")
        if 0 in layout.shape:
            raise Error(f"layout: at least one point is needed, the shape is {layout.shape}")
        self._layout, self._ranks, self._dtype = layout, ranks, plain(dtype)

    def _memory(self, zeros):
        side = Side(self._layout, self._ranks.rank, self._dtype)
        return side.over(self._ranks.allocate(self._layout, self._dtype.itemsize, zeros))

    @classmethod
    def _over(cls, whole, layout, ranks) -> Array:
        """An array in this layout over the memory `whole`; or, if `whole` is a dtype, in new, uninitialised memory."""
        array = cls.__new__(cls)
        is_new = isinstance(whole, numpy.dtype)
        array._begin(layout, whole if is_new else whole.dtype, ranks)
        array._whole = array._memory(zeros=False) if is_new else whole
        return array

    @classmethod
    def from_local(cls, local: numpy.ndarray, layout: Layout, comm=None) -> Array:
        """An array in the program's own memory: `local` is this rank's part with its ghosts. It is not copied, and may
        be read-only. Not collective if `comm` is a Ranks or None.

        Errors, on this rank only: `local` has another shape than the layout, or another order of elements in memory.
        """
        if not isinstance(local, numpy.ndarray):
            raise Error(f"local: a NumPy array is needed, {type(local).__name__} was given")
        array = cls.__new__(cls)
        array._begin(layout, local.dtype, ranks_of(comm))
        Side(array._layout, array._ranks.rank, array._dtype).check("local", local)
        array._whole = local
        return array

    @classmethod
    def from_function(cls, function, layout, dtype=None, comm=None) -> Array:
        """An array of the values function(i, j, ...). The arguments are the global indices of this rank's part, as open
        meshes, and the result must broadcast with them. Without `dtype`, the type is that of the result."""
        ranks = ranks_of(comm)
        with ranks.together("from_function", layout, dtype):
            layout = _as_layout(layout, ranks)
            box = layout.box(ranks.rank)
            values = numpy.asarray(function(*numpy.ogrid[box]))
            array = cls._over(numpy.dtype(dtype or values.dtype), layout, ranks)
            array._whole[...] = 0
            array.local()[...] = values
            return array

    @classmethod
    def from_numpy(cls, whole, layout=None, root=0, comm=None) -> Array:
        """An array with the elements of `whole` on rank `root`; other ranks may give None. Without a layout it is split
        in blocks along the first axis.

        Errors: on `root`, `whole` is no NumPy array, or has another shape than the layout.
        """
        ranks = ranks_of(comm)
        with ranks.together("from_numpy", root):
            return cls._dealt_out(whole, layout, root, ranks)

    @classmethod
    def _dealt_out(cls, whole, layout, root, ranks):
        _check_root(root, ranks)
        mine = ranks.rank == root
        header = None
        if mine and isinstance(whole, numpy.ndarray):
            header = whole.shape, whole.dtype
        header = ranks.told(header, root)
        if header is None:
            raise Error(f"whole: a NumPy array is needed on rank {root}")
        shape, dtype = header
        array = cls(shape if layout is None else layout, dtype, ranks)
        if array.shape != shape:
            raise Error(f"whole: an array of the shape {array.shape} is needed, one of the shape {shape} was given")
        together = cls._over(array.dtype, _on_one_rank(shape, root, ranks), ranks)
        if mine:
            together._whole[...] = whole
        array[...] = together
        return array

    # Properties.

    layout = property(lambda self: self._layout, doc="The layout of the array.")
    ranks = property(lambda self: self._ranks, doc="The ranks that hold the array.")
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._layout.shape, doc="The shape of the whole array.")
    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    box = property(
        lambda self: self._layout.box(self._ranks.rank), doc="The box of this rank: slices of an array of the shape."
    )

    def local(self, ghosts: bool = False) -> numpy.ndarray:
        """This rank's part, without a copy, with the ghosts around it or without. Not collective. It is a NumPy array,
        which other libraries accept by DLPack."""
        if ghosts:
            return self._whole
        before, _ = self._layout.ghosts(self._ranks.rank)
        shape = self._layout.local_shape(self._ranks.rank)
        return self._whole[tuple(slice(b, b + n) for b, n in zip(before, shape))]

    def indices(self) -> tuple[numpy.ndarray, ...]:
        """The global indices of this rank's part, as open meshes. Not collective."""
        return tuple(numpy.ogrid[self.box]) if self.ndim > 1 else (numpy.ogrid[self.box[0]],)

    def wavenumbers(self, points=None, real=None) -> tuple[numpy.ndarray, ...]:
        """The wave numbers of this rank's part of a transform, as open meshes. Not collective.

        `points` is the shape before the transform; None: the shape of this array. Along an axis with n/2 + 1
        coefficients for n points, wave numbers are 0 to n/2. `real` names that axis; it is only needed if n is 2, where
        complex transforms have two coefficients as well."""
        points = self.shape if points is None else _counted(points)
        if len(points) != self.ndim:
            raise Error(f"points: {self.ndim} extents are needed, {len(points)} were given")
        halved = () if real is None else self._axes(real)
        meshes = zip(range(self.ndim), self.indices(), points, self.shape)
        return tuple(numpy.where((n == m) & (2 * k >= n) & (a not in halved), k - n, k) for a, k, n, m in meshes)

    def __repr__(self):
        return f"<Array of {self.dtype}, {self._layout}>"

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        raise TypeError("an Array has no iterator: rows are a[i], all elements a.gather()")

    def __array__(self, *_, **__):
        raise TypeError("an Array is on many ranks: a.local() is this rank's part, a.gather() the whole array")

    def __reduce__(self):
        raise TypeError("an Array is on many ranks, and cannot be pickled: a.gather() can")

    def __bool__(self):
        return bool(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __complex__(self):
        return complex(self.item())

    @collective
    def item(self):
        """The only element. Errors: there are more."""
        if self.size != 1:
            raise Error(f"array: an array with a single element is needed, the shape is {self.shape}")
        return self[(0,) * self.ndim].item()

    # Layouts.

    def _like(self, dtype) -> Array:
        return Array._over(numpy.dtype(dtype), self._layout, self._ranks)

    def _read(self, preserve: bool) -> numpy.ndarray:
        """All of this rank's memory; a copy if the reader destroys it and it is read-only."""
        return self._whole if preserve or self._whole.flags.writeable else self._whole.copy(order="K")

    def _written(self) -> numpy.ndarray:
        """All of this rank's memory, to be written to. Errors: it is the program's own memory, and read-only."""
        if not self._whole.flags.writeable:
            raise Error("array: a writable array is needed, this one has read-only memory")
        return self._whole

    def _move(self, other, preserve=True):
        """Copies the elements of `other`, which has the same shape."""
        if other.shape != self.shape:
            raise Error(
                f"array: an array of the shape {self.shape} is needed, one of the shape {other.shape} was given"
            )
        if other._layout == self._layout:
            if other._whole is not self._whole and self.local().size:
                numpy.copyto(self._written(), other._whole, casting="unsafe")
            return
        if other.dtype != self.dtype:
            other = other.astype(self.dtype)
        source, target = other._read(preserve), self._written()
        addresses = source.ctypes.data, target.ctypes.data
        self._ranks.move(other._layout, self._layout, *addresses, self.dtype.itemsize, preserve)

    @collective
    def to(self, layout: Layout, overwrite: bool = False) -> Array:
        """The array in another layout. `overwrite` permits to destroy this array, which saves memory."""
        other = Array._over(self.dtype, layout, self._ranks)
        if any(map(any, layout.ghosts(self._ranks.rank))):
            other._whole[...] = 0
        other._move(self, not overwrite)
        return other

    @collective
    def copy(self) -> Array:
        other = self._like(self.dtype)
        other._move(self)
        return other

    @collective
    def astype(self, dtype, copy: bool = True) -> Array:
        if not copy and self.dtype == dtype:
            return self
        other = self._like(dtype)
        numpy.copyto(other._whole, self._whole, casting="unsafe")
        return other

    @collective
    def transpose(self, *axes) -> Array:
        """Renames the axes: axis a of the result is axis axes[a] of this array; without `axes` the order is reversed.
        The result shares this array's memory; elements move when it is assigned to an array of another layout."""
        if not axes or axes[0] is None:
            axes = tuple(range(self.ndim))[::-1]
        else:
            axes = self._axes(axes[0] if len(axes) == 1 else axes)
        layout = self._layout.transposed(axes)
        return Array._over(self._whole.transpose(axes), layout, self._ranks)

    T = property(lambda self: self.transpose())

    @collective
    def roll(self, shift, axis) -> Array:
        """Shifts elements cyclically: element i + shift of the result is element i of this array. `shift` and `axis`
        may have one entry for each of several axes."""
        axes = self._axes(axis)
        shifts = numpy.broadcast_to(shift, len(axes)).tolist()
        source = self
        for shift, axis in zip(shifts, axes):
            made, n = source._like(self.dtype), self.shape[axis]
            cut = -operator.index(shift) % n
            before, after = ((slice(None),) * axis + (part,) for part in (slice(n - cut, n), slice(0, n - cut)))
            if cut:
                made[before] = source[(slice(None),) * axis + (slice(0, cut),)]
            made[after] = source[(slice(None),) * axis + (slice(cut, n),)]
            source = made
        return source.copy() if source is self else source

    @collective
    def update_ghosts(self, periodic=True) -> Array:
        """Fills the ghosts of the layout, corners included, from the ranks that hold the points. `periodic` is one for
        all axes or one an axis. Along an axis that is not periodic, ghosts beyond the edge stay unchanged.

        Errors: `periodic` is not one an axis; a cyclic axis has ghosts.
        """
        periodic = [bool(periodic)] * self.ndim if numpy.ndim(periodic) == 0 else [bool(p) for p in periodic]
        self._ranks.update_ghosts(self._layout, periodic, self._written().ctypes.data, self.dtype.itemsize)
        return self

    @collective
    def gather(self, root: int | None = None) -> numpy.ndarray | None:
        """The whole array, on rank `root` (None on the others), or, without `root`, on every rank."""
        _check_root(root or 0, self._ranks)
        together = self.to(_on_one_rank(self.shape, root or 0, self._ranks))
        if root is not None:
            return together._whole.copy() if self._ranks.rank == root else None
        whole = together._whole.copy() if self._ranks.rank == 0 else numpy.empty(self.shape, self.dtype)
        self._ranks.broadcast(whole.reshape(-1).view("uint8"), 0)
        return whole

    # Elements.

    def _parts(self, index):
        """An index as a range for each axis, and the axes whose entries are single integers."""
        index = index if isinstance(index, tuple) else (index,)
        missing = self.ndim - sum(i is not Ellipsis for i in index)
        if missing < 0:
            raise Error(f"index: at most {self.ndim} entries are possible, {self.ndim - missing} were given")
        at = next((n for n, i in enumerate(index) if i is Ellipsis), len(index))
        index = (*index[:at], *[slice(None)] * missing, *index[at + 1 :])
        parts, single = [], []
        for axis, (entry, n) in enumerate(zip(index, self.shape)):
            if isinstance(entry, slice):
                if entry.step == 0:
                    raise Error(f"index: a step other than 0 is needed, 0 was given along axis {axis}")
                parts.append(range(n)[entry])
                if not parts[-1]:
                    raise Error(f"index: at least one point is needed, axis {axis} of {n} has none in {entry}")
            else:
                try:
                    i = operator.index(entry)
                except TypeError:
                    raise Error(f"index: integers and slices are possible, {entry!r} was given") from None
                if not -n <= i < n:
                    raise Error(f"index: {-n} to {n - 1} are possible along axis {axis}, {i} was given")
                parts.append(range(i % n, i % n + 1))
                single.append(axis)
        return parts, single

    def _section(self, parts, single):
        """The layout of a slice whose elements stay on their ranks, and its place in this rank's part."""
        kept = [axis for axis in range(self.ndim) if axis not in single]
        boxes, mine = [], None
        for rank in range(self._ranks.size):
            box, here = [], []
            for s, part in zip(self._layout.box(rank), parts):
                taken, there = _shared(s, part)
                box.append(taken)
                here.append(there)
            empty = any(s.start == s.stop for s in box)
            boxes.append([slice(0, 0) if empty else box[axis] for axis in kept])
            if rank == self._ranks.rank:
                nothing = tuple(slice(0, 0) for _ in here)
                mine = nothing if empty else tuple(s.start if a in single else s for a, s in enumerate(here))
        order = [kept.index(axis) for axis in self._layout.order if axis in kept]
        return Layout.boxes([len(parts[axis]) for axis in kept], [tuple(b) for b in boxes], order), mine

    def _blocks(self):
        return self if "cyclic" not in self._layout.distribution else self.to(Layout.slab(self.shape, self._ranks.size))

    @collective
    def __getitem__(self, index):
        """An element, the same on all ranks; or a copy of the elements of slices, on the ranks that hold them. Elements
        of a cyclic layout are first moved to blocks along the first axis.

        Errors: an index does not exist; a slice has no elements.
        """
        parts, single = self._parts(index)
        if len(single) == self.ndim:
            point = [part.start for part in parts]
            owner = self._layout.rank_of(point)
            value = numpy.zeros((1,), self.dtype)
            if owner == self._ranks.rank:
                box = self.box
                value[0] = self.local()[tuple((i - s.start) // (s.step or 1) for i, s in zip(point, box))]
            self._ranks.broadcast(value.view("uint8"), owner)
            return value[0]
        source = self._blocks()
        layout, mine = source._section(parts, single)
        array = Array._over(self.dtype, layout, self._ranks)
        if array._whole.size:
            array._whole[...] = source.local()[mine]
        return array

    def __setitem__(self, index, value):
        """Sets the elements of slices, or all: to a number, to an Array of the slice's shape in any layout, or to a
        NumPy array that broadcasts to that shape and is the same on all ranks."""
        with self._ranks.together("setitem", index):
            self._assign(index, value)

    def _assign(self, index, value):
        parts, single = self._parts(index)
        if isinstance(value, Array) and parts == [range(n) for n in self.shape] and not single:
            self._move(value)
            return
        target = self._blocks()
        if len(single) == self.ndim:
            target[tuple(slice(part.start, part.stop) for part in parts)] = value
        else:
            layout, mine = target._section(parts, single)
            if isinstance(value, Array):
                if value.shape != layout.shape:
                    raise Error(
                        f"value: an array of the shape {layout.shape} is needed, one of the shape {value.shape} was "
                        "given"
                    )
                value = value.to(layout)._whole
            else:
                try:
                    value = numpy.broadcast_to(value, layout.shape)[layout.box(self._ranks.rank)]
                except ValueError:
                    raise Error(
                        f"value: a shape that broadcasts to {layout.shape} is needed, {numpy.shape(value)} was given"
                    ) from None
            if value.size:
                target.local()[mine] = value
        if target is not self:
            self._move(target)

    # Element by element.

    def _elements(self, operand):
        """The elements of an operand in this array's layout."""
        if isinstance(operand, Array):
            if operand.shape != self.shape:
                raise Error(f"operands: all must have the shape {self.shape}, one has the shape {operand.shape}")
            whole = operand._whole if operand._layout == self._layout else operand.to(self._layout)._whole
            # Parts without points may have any extents.
            return whole if self.local().size else numpy.zeros(0, operand.dtype)
        if numpy.ndim(operand) != 0:
            raise Error(
                "operands: Arrays and single numbers are possible, a NumPy array of the shape "
                f"{numpy.shape(operand)} was given; Array.from_local() or from_numpy() make it an Array"
            )
        return operand

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **keywords):
        with self._ranks.together(ufunc.__name__, method, **keywords):
            return self._apply(ufunc, method, inputs, out, keywords)

    def _apply(self, ufunc, method, inputs, out, keywords):
        if method == "reduce" and ufunc in _REDUCTIONS and out is None and len(inputs) == 1:
            return inputs[0]._reduce(ufunc, **keywords)
        if method != "__call__" or ufunc.signature is not None or "where" in keywords:
            return NotImplemented
        targets = () if out is None else out
        if not all(target is None or isinstance(target, Array) for target in targets):
            raise Error("out: an Array is needed")
        where = next((a for a in (*targets, *inputs) if isinstance(a, Array)), None)
        operands = [where._elements(operand) for operand in inputs]
        made = [
            where._like(dtype) if target is None else target
            for dtype, target in zip(_types(ufunc, operands, keywords), targets if targets else (None,) * ufunc.nout)
        ]
        if any(m._layout != where._layout for m in made):
            raise Error("out: all output arrays must have the same layout")
        ufunc(*operands, out=tuple(where._elements(m) for m in made), **keywords)
        return made[0] if ufunc.nout == 1 else tuple(made)

    @collective
    def __array_function__(self, function, types, arguments, keywords):
        if function not in _FUNCTIONS:
            return NotImplemented
        return _FUNCTIONS[function](*arguments, **keywords)

    def __array_namespace__(self, api_version=None):
        from . import array_namespace

        return array_namespace

    def conj(self) -> Array:
        return numpy.conj(self)

    @collective
    def _part(self, name) -> Array:
        part = getattr(self._whole, name)
        other = self._like(part.dtype)
        other._whole[...] = part
        return other

    real = property(lambda self: self._part("real"), doc="A copy of the real parts.")
    imag = property(lambda self: self._part("imag"), doc="A copy of the imaginary parts.")

    # Sums.

    def _reduce(self, ufunc, axis=0, dtype=None, keepdims=False):
        """Reduces all elements if `axis` is None, else along axes. The latter returns an Array. Elements stay on their
        ranks if these axes are whole, and are moved first if not."""
        if axis is None or self.ndim == 1:
            axes = tuple(range(self.ndim))
            if axis is not None:
                self._axes(axis)
        else:
            axes = self._axes(axis)
        if len(axes) < self.ndim:
            return self._reduce_along(ufunc, axes, dtype, keepdims)
        if keepdims:
            raise Error("keepdims: False is needed, as the result is a single number")
        local = self.local()
        kind = ufunc.reduce(numpy.ones((1,), self.dtype), dtype=dtype).dtype
        value = numpy.zeros((1,), kind)
        if local.size:
            value[0] = ufunc.reduce(local, axis=None, dtype=dtype)
        some = [rank for rank in range(self._ranks.size) if 0 not in self._layout.local_shape(rank)]
        return ufunc.reduce(self._ranks.all(value)[some, 0], dtype=dtype)

    def _axes(self, axes) -> tuple[int, ...]:
        axes = tuple(range(self.ndim)) if axes is None else _counted(axes)
        for axis in axes:
            if not -self.ndim <= axis < self.ndim:
                raise Error(f"axes: {-self.ndim} to {self.ndim - 1} are possible, {axis} was given")
        return tuple(axis % self.ndim for axis in axes)

    def _reduce_along(self, ufunc, axes, dtype, keepdims):
        kept = [axis for axis in range(self.ndim) if axis not in axes]
        source = self
        if not all(self._layout.whole(axis) for axis in axes):
            longest = max(kept, key=lambda axis: self.shape[axis])
            source = self.to(Layout.slab(self.shape, self._ranks.size, longest))
        source = source._blocks() if "cyclic" in source._layout.distribution else source
        if not all(source._layout.whole(axis) for axis in axes):
            source = self.to(Layout.slab(self.shape, self._ranks.size, kept[0]))
        left = range(self.ndim) if keepdims else kept
        boxes = []
        for rank in range(self._ranks.size):
            box = source._layout.box(rank)
            empty = any(s.start == s.stop for s in box)
            parts = [slice(0, 1) if a in axes else slice(box[a].start, box[a].stop) for a in left]
            boxes.append(tuple(slice(0, 0) if empty else part for part in parts))
        shape = [1 if axis in axes else self.shape[axis] for axis in left]
        kind = ufunc.reduce(numpy.ones((1,), self.dtype), dtype=dtype).dtype
        made = Array._over(kind, Layout.boxes(shape, boxes), self._ranks)
        if made._whole.size:
            ufunc.reduce(source.local(), axis=axes, dtype=dtype, keepdims=keepdims, out=made._whole)
        return made

    @collective
    def sum(self, axis=None, dtype=None, keepdims=False):
        return self._reduce(numpy.add, axis, dtype, keepdims)

    @collective
    def prod(self, axis=None, dtype=None, keepdims=False):
        return self._reduce(numpy.multiply, axis, dtype, keepdims)

    @collective
    def max(self, axis=None, keepdims=False):
        return self._reduce(numpy.maximum, axis, None, keepdims)

    @collective
    def min(self, axis=None, keepdims=False):
        return self._reduce(numpy.minimum, axis, None, keepdims)

    @collective
    def any(self, axis=None, keepdims=False):
        return self.astype(bool)._reduce(numpy.logical_or, axis, None, keepdims)

    @collective
    def all(self, axis=None, keepdims=False):
        return self.astype(bool)._reduce(numpy.logical_and, axis, None, keepdims)

    @collective
    def mean(self, axis=None, keepdims=False):
        count = math.prod(self.shape[a] for a in self._axes(axis))
        source = self if self.dtype.kind in "fc" else self.astype("float64")
        return source.sum(axis, None, keepdims) / source.dtype.type(count).real

    @collective
    def vdot(self, other: Array):
        """The sum of conj(self) times other."""
        return numpy.multiply(numpy.conj(self), other).sum()

    @collective
    def norm(self):
        """The square root of the sum of |element|^2."""
        magnitude = numpy.abs(self)
        return numpy.sqrt(numpy.multiply(magnitude, magnitude, out=magnitude).sum())

    # Transforms.

    def _transform(self, kind, axes, norm, out, forward, overwrite=False, points=None, twiddle=None) -> Array:
        if norm == "ortho" and kind[0] == "d" and kind[3] != "4":
            raise Error(f"norm: backward or forward is needed, {kind} has no orthogonal form here; ortho was given")
        scale = _scale(norm, forward)
        needs_complex = kind == "c2c" or (kind == "r2c" and not forward)
        if self.dtype.kind == "c" and kind == "r2c" and forward:
            raise Error(f"array: real numbers are needed, {self.dtype} was given")
        bits = 8 * self.dtype.itemsize // (2 if self.dtype.kind == "c" else 1)
        if self.dtype.kind not in "biufc" or (self.dtype.kind in "fc" and bits > 64):
            raise Error(f"array: numbers of single or double precision are needed, {self.dtype} was given")
        single = self.dtype.kind in "fc" and bits <= 32
        real, cplx = ("float32", "complex64") if single else ("float64", "complex128")
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
            layout = _with_extent(layout, axes[-1], points // 2 + 1 if forward else points)
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
            out = Array._over(dtype, layout, self._ranks)
        options = {"axes": list(axes), "kinds": kind, "preserve_input": not overwrite, **twiddled}
        given, made = source._read(not overwrite), out._written()
        self._ranks.transform(source._layout, out._layout, given, made, options, forward, scale)
        return out

    @collective
    def fft(self, axis=-1, norm=None, out=None, overwrite=False, twiddle=None) -> Array:
        """The transform along an axis, as NumPy defines it. Returns `out`, an Array in any layout, or a new array in
        this array's layout. `overwrite` permits to destroy this array. The plan is kept for later calls.

        `twiddle=a` also multiplies by exp(-2 pi i j k/N), with j the index along axis a, k that along `axis`, and N the
        product of both extents: a step of a long transform (Bailey 1990)."""
        return self._transform("c2c", axis, norm, out, True, overwrite, twiddle=twiddle)

    @collective
    def ifft(self, axis=-1, norm=None, out=None, overwrite=False, twiddle=None) -> Array:
        return self._transform("c2c", axis, norm, out, False, overwrite, twiddle=twiddle)

    @collective
    def fftn(self, axes=None, norm=None, out=None, overwrite=False) -> Array:
        """The transform along several axes; None: all axes."""
        return self._transform("c2c", axes, norm, out, True, overwrite)

    @collective
    def ifftn(self, axes=None, norm=None, out=None, overwrite=False) -> Array:
        return self._transform("c2c", axes, norm, out, False, overwrite)

    @collective
    def rfft(self, axis=-1, norm=None, out=None, overwrite=False) -> Array:
        """The transform of real numbers: n/2 + 1 coefficients along an axis."""
        return self._transform("r2c", axis, norm, out, True, overwrite)

    @collective
    def irfft(self, n=None, axis=-1, norm=None, out=None, overwrite=False) -> Array:
        """The inverse of rfft(), to n real numbers; None: the even one of the two possible lengths."""
        return self._transform("r2c", axis, norm, out, False, overwrite, n)

    @collective
    def rfftn(self, axes=None, norm=None, out=None, overwrite=False) -> Array:
        """The transform of real numbers: n/2 + 1 coefficients along the last of the axes."""
        return self._transform("r2c", axes, norm, out, True, overwrite)

    @collective
    def irfftn(self, s=None, axes=None, norm=None, out=None, overwrite=False) -> Array:
        """The inverse of rfftn(). `s` has one extent for each of the axes; the last is the number of reals."""
        if s is not None:
            axes = tuple(range(-len(s), 0)) if axes is None else axes
            for axis, extent in zip(self._axes(axes)[:-1], s):
                if extent != self.shape[axis]:
                    raise Error(f"s: {self.shape[axis]} points are needed along axis {axis}, {extent} were given")
        return self._transform("r2c", axes, norm, out, False, overwrite, None if s is None else s[-1])

    @collective
    def dctn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Array:
        """Cosine transforms of type 1 to 4 along axes, of real and imaginary parts separately. The scale is SciPy's for
        `norm` None, "backward" and "forward"."""
        return self._transform(f"dct{type}", axes, norm, out, True, overwrite)

    @collective
    def idctn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Array:
        return self._transform(f"dct{type}", axes, norm, out, False, overwrite)

    @collective
    def dstn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Array:
        """Sine transforms, as dctn()."""
        return self._transform(f"dst{type}", axes, norm, out, True, overwrite)

    @collective
    def idstn(self, type=2, axes=None, norm=None, out=None, overwrite=False) -> Array:
        return self._transform(f"dst{type}", axes, norm, out, False, overwrite)


def _counted(given) -> tuple[int, ...]:
    """A tuple of integers from one integer or several, of any integer type."""
    try:
        return (operator.index(given),)
    except TypeError:
        return tuple(operator.index(each) for each in given)


def _as_layout(given, ranks) -> Layout:
    """A layout, or a shape in blocks along the first axis."""
    return given if isinstance(given, Layout) else Layout.slab(_counted(given), ranks.size)


def _types(ufunc, operands, keywords):
    """The types that NumPy gives the results."""
    samples = [o if not isinstance(o, numpy.ndarray) else numpy.ones((1,), o.dtype) for o in operands]
    with numpy.errstate(all="ignore"):
        made = ufunc(*samples, **keywords)
    return [numpy.asarray(m).dtype for m in (made if ufunc.nout > 1 else (made,))]


def _check_root(root, ranks):
    if not 0 <= root < ranks.size:
        raise Error(f"root: 0 to {ranks.size - 1} is needed, {root} was given")


def _shared(block, part):
    """The elements of the range `part` that lie in a block of an axis, and their places in the block: two slices."""
    up = part if part.step > 0 else part[::-1]
    first = max(0, -(-(block.start - up.start) // up.step))
    last = min(len(up), -(-(block.stop - up.start) // up.step))
    if first >= last:
        return slice(0, 0), slice(0, 0)
    lo = up[first] - block.start
    hi = up[last - 1] - block.start
    if part.step > 0:
        return slice(first, last), slice(lo, hi + 1, up.step)
    return slice(len(part) - last, len(part) - first), slice(hi, lo - 1 if lo > 0 else None, -up.step)


def _on_one_rank(shape, root, ranks) -> Layout:
    boxes = [tuple(slice(0, n if rank == root else 0) for n in shape) for rank in range(ranks.size)]
    return Layout.boxes(shape, boxes)


def _with_extent(layout, axis, extent) -> Layout:
    if layout.whole(axis):
        return layout.with_extent(axis, extent)
    shape = [extent if a == axis else n for a, n in enumerate(layout.shape)]
    if not layout.rank_grid:
        return Layout.slab(shape, layout.ranks)
    return Layout.grid(shape, layout.rank_grid, list(layout.distribution), layout.order)


def _where(condition, a, b):
    first = next(x for x in (condition, a, b) if isinstance(x, Array))
    condition, a, b = (first._elements(x) for x in (condition, a, b))
    made = first._like(numpy.result_type(a, b))
    if made.local().size:
        made._whole[...] = numpy.where(condition, a, b)
    return made


def _norm(x, ord=None):
    if ord not in (None, 2) or (ord == 2 and x.ndim != 1):
        raise Error(f"ord: None is needed, {ord!r} was given")
    return x.norm()


_REDUCTIONS = (numpy.add, numpy.multiply, numpy.maximum, numpy.minimum, numpy.logical_or, numpy.logical_and)

_FUNCTIONS = {
    getattr(numpy, name): getattr(Array, method)
    for name, method in [(n, n) for n in ("sum", "prod", "mean", "any", "all", "transpose", "vdot", "copy")]
    + [("amax", "max"), ("amin", "min"), ("max", "max"), ("min", "min")]
}
_FUNCTIONS |= {numpy.where: _where, numpy.linalg.norm: _norm}
_FUNCTIONS |= {numpy.real: lambda x: x.real, numpy.imag: lambda x: x.imag, numpy.shape: lambda x: x.shape}


def _along(name):
    """NumPy's function along one axis. Except for irfft, `n` must be the extent."""

    def transform(a, n=None, axis=-1, norm=None, out=None):
        if name == "irfft":
            return a.irfft(n, axis, norm, out)
        if n not in (None, a.shape[axis]):
            raise Error(f"n: None or {a.shape[axis]}, the extent of the axis, is needed, {n} was given")
        return getattr(a, name)(axis, norm, out)

    return transform


def _over_two(name):
    def transform(a, s=None, axes=(-2, -1), norm=None, out=None):
        return _over_axes(name)(a, s, axes, norm, out)

    return transform


def _over_axes(name):
    def transform(a, s=None, axes=None, norm=None, out=None):
        s = None if s is None else _counted(s)
        if name == "irfftn":
            return a.irfftn(s, axes, norm, out)
        axes = tuple(range(-len(s), 0)) if s is not None and axes is None else axes
        extents = tuple(a.shape[axis] for axis in a._axes(axes))
        if s is not None and tuple(s) != extents:
            raise Error(f"s: None or {extents}, the extents of the axes, is needed, {tuple(s)} was given")
        return getattr(a, name)(axes, norm, out)

    return transform


def _shifted(forward):
    """fftshift, which moves the coefficient of wave number 0 to the middle of its axis; or ifftshift."""

    def shift(x, axes=None):
        axes = x._axes(axes)
        return x.roll([x.shape[axis] // 2 if forward else -(x.shape[axis] // 2) for axis in axes], axes)

    return shift


_FUNCTIONS |= {numpy.roll: Array.roll, numpy.fft.fftshift: _shifted(True), numpy.fft.ifftshift: _shifted(False)}
_FUNCTIONS |= {getattr(numpy.fft, name): _along(name) for name in ("fft", "ifft", "rfft", "irfft")}
_FUNCTIONS |= {getattr(numpy.fft, name): _over_axes(name) for name in ("fftn", "ifftn", "rfftn", "irfftn")}
_FUNCTIONS |= {getattr(numpy.fft, name + "2"): _over_two(name + "n") for name in ("fft", "ifft", "rfft", "irfft")}

# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of sixstep.Array, and the same of NumPy's arrays: after each statement they agree.

    mpiexec -n 4 python tests/package/random_arrays.py [--programs N] [--seed SEED]

Every rank draws the same random numbers. The seed is printed; a program that fails prints its statements, and
`--seed` with that program's seed and `--programs 1` runs it alone.
"""

import argparse
import secrets
import sys
import traceback

import numpy
import scipy.fft
import sixstep

RANKS, RANK = sixstep.ranks(), sixstep.rank()


class Program:
    """An array of each kind, to which the same is done, and what was done."""

    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.words = []
        self.was_single = False
        shape = tuple(int(n) for n in self.random.integers(1, 8, self.random.integers(1, 5)))
        self.values = self.some(shape, self.one_of(["float64", "complex128", "float32", "complex64", "int32"]))
        self.array = self.placed(self.values)

    # What is drawn.

    def one_of(self, choices):
        return choices[self.random.integers(len(choices))]

    def chance(self, of=2):
        return self.random.integers(of) == 0

    def some(self, shape, dtype):
        values = self.random.normal(size=shape) * 3
        if numpy.dtype(dtype).kind == "c":
            values = values + 1j * self.random.normal(size=shape)
        return values.astype(dtype)

    def axes(self, count, ndim):
        return tuple(int(axis) for axis in self.random.permutation(ndim)[:count])

    def grid(self, ndim):
        grid, left, factor = [1] * ndim, RANKS, 2
        while left > 1:
            if left % factor == 0:
                grid[self.random.integers(ndim)] *= factor
                left //= factor
            else:
                factor += 1
        return grid

    def boxes(self, shape):
        """A box cut in two, and the parts again; some are empty."""
        boxes = [[(0, n) for n in shape]]
        while len(boxes) < RANKS:
            box = boxes[self.random.integers(len(boxes))]
            axis = self.random.integers(len(shape))
            lo, hi = box[axis]
            cut = int(self.random.integers(lo, hi + 1))
            rest = list(box)
            box[axis], rest[axis] = (lo, cut), (cut, hi)
            boxes.append(rest)
        return [tuple(slice(lo, hi) for lo, hi in boxes[i]) for i in self.random.permutation(RANKS)]

    def layout(self, shape, ghosts=True):
        ndim = len(shape)
        order = self.axes(ndim, ndim)
        if self.chance(5):
            layout = sixstep.Layout.boxes(shape, self.boxes(shape), order)
        else:
            dealt = [self.one_of(["block", "cyclic"]) for _ in shape]
            layout = sixstep.Layout.grid(shape, self.grid(ndim), dealt, order)
        if ghosts and self.chance(4):
            layout = layout.with_ghosts(*self.random.integers(0, 3, (2, ndim)).tolist())
        return layout

    def placed(self, values):
        layout = self.layout(values.shape)
        array = sixstep.Array(layout, values.dtype)
        array.local()[...] = values[array.box]
        self.words.append(f"an array of {values.dtype}, {layout}")
        return array

    def key(self, shape):
        """Of at least one point along each axis."""
        key = []
        for n in shape:
            step = int(self.one_of([1, 1, 2, 3, -1, -2]))
            first, last = sorted(int(i) for i in self.random.integers(0, n, 2))
            if self.chance(4):
                key.append(first - n if self.chance() else first)
            elif self.chance(4):
                key.append(slice(None, None, step))
            elif step > 0:
                key.append(slice(first, last + 1, step))
            else:
                key.append(slice(last, first - 1 if first > 0 else None, step))
        if self.chance(4):
            key[self.random.integers(len(key)) :] = [...]
        return tuple(key)

    # Statements: each has the same done to both.

    def slice(self):
        key = self.key(self.values.shape)
        if numpy.ndim(self.values[key]) == 0:
            key = (*key[:-1], slice(None))
        self.words.append(f"a[{key}]")
        self.array, self.values = self.array[key], self.values[key].copy()

    def element(self):
        point = tuple(int(self.random.integers(-n, n)) for n in self.values.shape)
        self.words.append(f"a[{point}]")
        self.agree(numpy.asarray(self.array[point]), numpy.asarray(self.values[point]))

    def transpose(self):
        axes = self.axes(self.values.ndim, self.values.ndim)
        self.words.append(f"a.transpose{axes}")
        self.array, self.values = self.array.transpose(axes), self.values.transpose(axes).copy()

    def move(self):
        layout = self.layout(self.values.shape)
        self.words.append(f"a.to({layout})")
        self.array = self.array.to(layout, overwrite=bool(self.chance()))

    def copy_to_another(self):
        axes = self.axes(self.values.ndim, self.values.ndim)
        source = self.array.transpose(axes)
        target = sixstep.Array(self.layout(source.shape), self.values.dtype)
        self.words.append(f"b[...] = a.transpose{axes}, b: {target.layout}")
        target[...] = source
        self.array, self.values = target, self.values.transpose(axes).copy()

    def set_slice(self):
        key = self.key(self.values.shape)
        shape = self.values[key].shape
        what = self.one_of(["number", "array", "row"])
        self.words.append(f"a[{key}] = {what}")
        if what == "number" or shape == ():
            value = self.some((1,), self.values.dtype)[0]
            self.array[key], self.values[key] = value, value
        elif what == "array":
            values = self.some(shape, self.values.dtype)
            self.array[key], self.values[key] = self.placed(values), values
        else:
            values = self.some(shape[-1:], self.values.dtype)
            self.array[key], self.values[key] = values, values

    def roll(self):
        axes = self.axes(self.random.integers(1, self.values.ndim + 1), self.values.ndim)
        shift = [int(s) for s in self.random.integers(-9, 10, len(axes))]
        self.words.append(f"a.roll({shift}, {axes})")
        self.array, self.values = self.array.roll(shift, axes), numpy.roll(self.values, shift, axes)

    def compute(self):
        other = self.some(self.values.shape, self.one_of(["float64", self.values.dtype.name]))
        ufunc = self.one_of([numpy.add, numpy.subtract, numpy.multiply])
        b = self.placed(other)
        self.words.append(f"{ufunc.__name__}(a, b) / 4")
        self.array, self.values = ufunc(self.array, b) / 4, ufunc(self.values, other) / 4

    def compute_into(self):
        out = sixstep.Array(self.layout(self.values.shape), self.values.dtype)
        self.words.append(f"add(a, 1, out=b), b: {out.layout}")
        assert numpy.add(self.array, self.values.dtype.type(1), out=out) is out
        self.array, self.values = out, self.values + self.values.dtype.type(1)

    def choose(self):
        other = self.some(self.values.shape, self.values.dtype)
        b = self.placed(other)
        # Of b, which is exact: of a, rounding may decide.
        self.words.append("where(b.real > 0, a, b)")
        self.array = numpy.where(b.real > 0, self.array, b)
        self.values = numpy.where(other.real > 0, self.values, other)

    def reduce(self):
        names = ["sum", "mean"] if self.values.dtype.kind == "c" else ["sum", "mean", "max", "min"]
        name = self.one_of(names)
        count = self.random.integers(1, self.values.ndim + 1)
        axes = self.axes(count, self.values.ndim)
        self.words.append(f"a.{name}(axis={axes})")
        if count == self.values.ndim:
            found = getattr(self.array, name)()
            self.agree(numpy.asarray(found), numpy.asarray(getattr(self.values, name)()))
            return
        keep = bool(self.chance())
        self.array = getattr(self.array, name)(axis=axes, keepdims=keep)
        self.values = getattr(self.values, name)(axis=axes, keepdims=keep)

    def transform(self):
        kind = self.one_of(["fftn", "ifftn", "rfftn", "irfftn", "dctn", "idctn", "dstn", "idstn"])
        axes = self.axes(self.random.integers(1, self.values.ndim + 1), self.values.ndim)
        values = self.values.astype("float64") if self.values.dtype.kind == "i" else self.values
        if kind == "rfftn" and values.dtype.kind == "c":
            kind = "irfftn"
        if kind == "irfftn" and values.shape[axes[-1]] == 1:
            kind = "ifftn"
        options = {"axes": axes, "norm": self.one_of([None, "ortho", "forward"])}
        if kind.endswith(("ctn", "stn")):
            options |= {"type": int(self.random.integers(1, 5)), "norm": self.one_of([None, "forward"])}
            if min(values.shape[axis] for axis in axes) < 2:
                options["type"] = 2
        expected = getattr(scipy.fft, kind)(values, **options)
        self.words.append(f"a.{kind}({options})")
        if self.chance():
            out = sixstep.Array(self.layout(expected.shape), expected.dtype)
            self.words.append(f"    out: {out.layout}")
            options["out"] = out
        before = self.array
        self.array = getattr(self.array, kind)(**options)
        self.agree(before.gather(), self.values)
        self.values = expected

    def transform_in_place(self):
        if self.values.dtype.kind == "i":
            return
        real = self.values.dtype.kind == "f"
        kind = self.one_of(["dctn", "dstn"] if real else ["dctn", "dstn", "fftn", "ifftn"])
        axes = self.axes(self.random.integers(1, self.values.ndim + 1), self.values.ndim)
        self.words.append(f"a.{kind}(axes={axes}, out=a)")
        result = getattr(self.array, kind)(axes=axes, norm="forward", out=self.array)
        assert result is self.array
        self.values = getattr(scipy.fft, kind)(self.values, axes=axes, norm="forward")

    def shift(self):
        axes = self.axes(self.random.integers(1, self.values.ndim + 1), self.values.ndim)
        name = self.one_of(["fftshift", "ifftshift"])
        self.words.append(f"{name}(a, {axes})")
        self.array = getattr(numpy.fft, name)(self.array, axes)
        self.values = getattr(numpy.fft, name)(self.values, axes)

    def ghosts(self):
        shape = self.values.shape
        layout = sixstep.Layout.grid(shape, self.grid(len(shape)), order=self.axes(len(shape), len(shape)))
        before, after = self.random.integers(0, 3, (2, len(shape))).tolist()
        self.array = self.array.to(layout.with_ghosts(before, after)).update_ghosts()
        self.words.append(f"a.to({self.array.layout}).update_ghosts()")
        if self.array.local().size:
            around = (
                numpy.arange(s.start - b, s.stop + a) % n for s, b, a, n in zip(self.array.box, before, after, shape)
            )
            self.agree(self.array.local(ghosts=True), self.values[numpy.ix_(*around)])

    # The comparison.

    def agree(self, found, expected):
        assert found.shape == expected.shape, f"the shape is {found.shape}, {expected.shape} is right"
        assert found.dtype == expected.dtype, f"the type is {found.dtype}, {expected.dtype} is right"
        if expected.dtype.kind not in "fc":
            assert (found == expected).all(), f"{found}\n{expected}"
            return
        self.was_single |= expected.dtype in (numpy.float32, numpy.complex64)
        largest = abs(expected).max(initial=1)
        numpy.testing.assert_allclose(found, expected, rtol=0, atol=(1e-4 if self.was_single else 1e-12) * largest)

    def run(self):
        statements = [
            *(self.slice, self.element, self.transpose, self.transpose, self.move, self.copy_to_another),
            *(self.set_slice, self.set_slice, self.roll, self.compute, self.compute_into, self.choose, self.reduce),
            *(self.transform, self.transform, self.transform_in_place, self.shift, self.ghosts),
        ]
        for _ in range(self.random.integers(2, 8)):
            self.one_of(statements)()
            self.agree(self.array.gather(), self.values)
            self.agree(self.array.local(), self.values[self.array.box])
            if abs(self.values).max() > 1e6:  # as large as single precision and int32 can take
                break


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=20, help="[20]")
    parser.add_argument("--seed", type=int, help="of the first program, each further one has the next [any]")
    asked = parser.parse_args()
    mine = asked.seed if asked.seed is not None else secrets.randbelow(10**9)
    first = int(sixstep.Ranks().all(numpy.array(mine))[0])
    if RANK == 0:
        print(f"{asked.programs} programs on {RANKS} ranks, --seed {first}", flush=True)
    for seed in range(first, first + asked.programs):
        program = None
        try:
            program = Program(seed)
            program.run()
        except Exception:
            words = "\n  ".join(program.words) if program else ""
            print(f"rank {RANK} of {RANKS}, --seed {seed} --programs 1:\n  {words}", file=sys.stderr)
            traceback.print_exc()
            sys.stderr.flush()
            end_all_ranks()


def end_all_ranks():
    """Other ranks may wait for this one: the job ends."""
    if RANKS > 1:
        from mpi4py import MPI

        MPI.COMM_WORLD.Abort(1)
    sys.exit(1)


if __name__ == "__main__":
    main()

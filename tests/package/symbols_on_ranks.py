# SPDX-License-Identifier: BSD-3-Clause
"""Symbols of the library on the ranks that run this file, against NumPy on the whole array."""

import numpy
import pytest
import sixstep
from on_ranks import LAYOUTS, RANK, close, whole
from operator_cases import SHAPE, SIDES, applied


def test_symbols_of_the_library():
    values = whole(SHAPE, dtype="float64")
    distance = numpy.array([0.1, 0.3, -0.2])
    symbols = sixstep.symbols
    for symbol, function in (
        (symbols.derivative(-1), lambda k: 1j * k[2]),
        (symbols.derivative(0, order=2), lambda k: -(k[0] ** 2)),
        (symbols.laplacian(), lambda k: -(k**2).sum(0)),
        (symbols.inverse_laplacian(), lambda k: -numpy.divide(1, (k**2).sum(0), where=k.any(0), out=0 * k[0])),
        (symbols.helmholtz(2), lambda k: 1 / (2 + (k**2).sum(0))),
        (symbols.gaussian(0.3), lambda k: numpy.exp(-(k**2).sum(0) * 0.3**2 / 2)),
        (symbols.lowpass(5.1), lambda k: numpy.sqrt((k**2).sum(0)) <= 5.1),
        (symbols.shift(distance), lambda k: numpy.exp(-1j * (distance @ k))),
    ):
        expected = applied(function, values)
        for each in (symbol, function):
            apply = sixstep.Operator(LAYOUTS["slab"](SHAPE), each, kinds="r2c", sides=SIDES)
            close(apply(values[apply.input_box].copy()), expected[apply.output_box])
    layout = LAYOUTS["slab"]((5, 7, 9))  # without n/2
    fields = whole((3, 5, 7, 9), dtype="float64")[(slice(None), *layout.box(RANK))].copy()
    curl, project, divergence, gradient = (
        sixstep.Operator(layout, symbol, kinds="r2c", fields=count)
        for symbol, count in (
            (symbols.curl(), 3),
            (symbols.project(3), 3),
            (symbols.divergence(3), 3),
            (symbols.gradient(3), 1),
        )
    )
    vortices, slopes = curl(fields), gradient(fields[0])
    close(project(vortices + slopes), vortices)
    close(divergence(vortices), 0 * fields[0])
    close(curl(slopes), 0 * slopes)
    laplacian = sixstep.Operator(layout, symbols.laplacian(), kinds="r2c")
    close(divergence(slopes), laplacian(fields[0]))


@pytest.mark.parametrize("faces", ["none", "above", "below"])
@pytest.mark.parametrize("shape", [(6, 8, 4), (5, 9, 7), (1, 6, 5)])
def test_finite_differences(shape, faces):
    spacing = (0.3, 0.5, 0.2)
    options = {"kinds": "r2c", "sides": [n * h for n, h in zip(shape, spacing)]}
    by = {"accuracy": 2, "spacing": spacing, "faces": faces}
    layout = LAYOUTS["slab"](shape)
    fields = whole((3, *shape), dtype="float64")
    mine = (slice(None), *layout.box(RANK))

    def difference(u, axis, to_points=False):
        if faces == "none":
            return (numpy.roll(u, -1, axis) - numpy.roll(u, 1, axis)) / (2 * spacing[axis])
        lower = (faces == "below") != to_points
        return (u - numpy.roll(u, 1, axis) if lower else numpy.roll(u, -1, axis) - u) / spacing[axis]

    def second(u, axis):
        return (numpy.roll(u, -1, axis) - 2 * u + numpy.roll(u, 1, axis)) / spacing[axis] ** 2

    def apply(symbol, values, count=1):
        return sixstep.Operator(layout, symbol, fields=count, **options)(values)

    symbols = sixstep.symbols
    u = fields[0]
    part = u[layout.box(RANK)].copy()
    slopes = numpy.stack([difference(u, axis) for axis in range(3)])
    close(apply(symbols.gradient(3, **by), part), slopes[mine])
    close(apply(symbols.derivative(-1, **by), part), slopes[2][mine[1:]])
    curved = sum(second(u, axis) for axis in range(3))
    close(apply(symbols.laplacian(**by), part), curved[mine[1:]])
    close(apply(symbols.derivative(1, 2, **by), part), second(u, 1)[mine[1:]])
    close(apply(symbols.inverse_laplacian(**by), curved[mine[1:]].copy()), (u - u.mean())[mine[1:]])
    close(apply(symbols.helmholtz(2, **by), (2 * u - curved)[mine[1:]].copy()), part)
    expected = sum(difference(fields[axis], axis, True) for axis in range(3))
    close(apply(symbols.divergence(3, **by), fields[mine].copy(), 3), expected[mine[1:]])
    solenoidal = apply(symbols.project(3, **by), fields[mine].copy(), 3)
    close(apply(symbols.divergence(3, **by), solenoidal, 3), 0 * part)


def test_wrong_finite_differences():
    for wrong, words in (
        ({"accuracy": 3}, "accuracy: 0 .exact., 2 or 4 is needed, 3 was given"),
        ({"accuracy": 2, "faces": "left"}, "faces: none, above or below is needed, left was given"),
        ({"faces": "above"}, "accuracy: 2 or 4 is needed for vectors on faces"),
        ({"accuracy": 2, "spacing": (1, -1, 1)}, "spacing: distances above 0 are needed, -1 was given"),
    ):
        with pytest.raises(sixstep.Error, match=words):
            sixstep.symbols.laplacian(**wrong)
    with pytest.raises(sixstep.Error, match="spacing: one for each of the 3 axes of the layout is needed, 0 were"):
        sixstep.Operator(LAYOUTS["slab"](SHAPE), sixstep.symbols.laplacian(accuracy=2), kinds="r2c")

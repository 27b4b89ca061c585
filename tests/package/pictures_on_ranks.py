# SPDX-License-Identifier: BSD-3-Clause
"""What plans and arrays draw, and the progress that rank 0 is told of, on the ranks that run this file."""

import contextlib
import io
import json
import sys
import xml.etree.ElementTree as xml

import numpy
import pytest
import sixstep
from matplotlib import pyplot
from sixstep import _core

Layout = sixstep.Layout
RANK, RANKS = sixstep.rank(), sixstep.ranks()
SHAPE = (9, 7, 12)
VALUES = numpy.random.default_rng(3).normal(size=SHAPE)
LAYOUTS = [Layout.slab(SHAPE, RANKS), Layout.pencil(SHAPE, RANKS), Layout.slab(SHAPE, RANKS, 2)]


@pytest.fixture(autouse=True)
def figures():
    yield
    pyplot.close("all")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["float32", "complex128", "int16"])
def test_slices_are_drawn_on_rank_0(layout, dtype):
    values = (10 * VALUES).astype(dtype) * (1 if dtype != "complex128" else 1 + 2j)
    array = sixstep.Array.from_numpy(values, layout)
    for index, expected, places in (
        (None, values[4], ((-0.5, 11.5), (6.5, -0.5))),
        (numpy.s_[:, 2], values[:, 2], ((-0.5, 11.5), (8.5, -0.5))),
        (numpy.s_[1::3, ..., -1], values[1::3, :, -1], ((-0.5, 6.5), (8.5, -0.5))),
    ):
        axes = array.plot(index)
        assert (axes is None) == (RANK != 0)
        if axes is not None:
            (image,) = axes.images
            numpy.testing.assert_allclose(image.get_array(), abs(expected) if dtype == "complex128" else expected)
            assert (axes.get_xlim(), axes.get_ylim()) == places
    axes = array.plot(numpy.s_[2, ::2, 5])
    if axes is not None:
        lines = [line.get_ydata() for line in axes.lines]
        expected = values[2, ::2, 5]
        numpy.testing.assert_allclose(lines, [expected.real, expected.imag][: len(lines)])
        assert len(lines) == (2 if dtype == "complex128" else 1)
        assert axes.lines[0].get_xdata().tolist() == [0, 2, 4, 6]


def test_long_axes_are_thinned():
    array = sixstep.Array.from_function(lambda i: i, (5000,))
    axes = array.plot()
    if axes is not None:
        assert axes.lines[0].get_ydata().tolist() == list(range(0, 5000, 5))


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int32"])
def test_spectra(dtype):
    wave = numpy.round(100 * numpy.cos(2 * numpy.pi * 3 * numpy.arange(16) / 16)).astype(dtype)
    axes = sixstep.Array.from_numpy(wave).plot(spectrum=True)
    if axes is not None:
        k, power = axes.lines[0].get_data()
        assert k[numpy.argmax(power)] == 3 and (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (dict(index=(0, 0, 0)), "index: one or two axes have to be left, 0 are"),
        (dict(index=()), "index: one or two axes have to be left, 3 are"),
        (dict(index=99), "index: -9 to 8 are possible along axis 0, 99 was given"),
        (dict(index=0, spectrum=True), "index: None is needed for a spectrum"),
    ],
)
def test_mistakes_of_arrays(arguments, words):
    with pytest.raises(sixstep.Error, match=words):
        sixstep.Array(LAYOUTS[0]).plot(**arguments)


def test_arrays_in_a_notebook():
    array = sixstep.Array(LAYOUTS[0], "complex64")
    words = "".join(xml.fromstring(f"<div>{array._repr_html_()}</div>").itertext())
    assert "complex64" in words and "5.91 KiB" in words and " on this rank" in words and "9 x 7 x 12" in words


def made(**options):
    layout = Layout.slab((16, 12, 10), RANKS)
    return [
        sixstep.Plan(layout, kinds="r2c", **options),
        sixstep.Operator(layout, sixstep.symbols.laplacian(), kinds="r2c", **options),
        sixstep.Map(layout, (lambda v: v[:1] * v[1:], 1), fields=2, **options),
    ]


def executed(plan):
    x = plan.empty_input()
    x[...] = 1
    return plan.forward(x) if isinstance(plan, sixstep.Plan) else plan.apply(x)


@pytest.mark.parametrize("which", [0, 1, 2])
def test_predictions(which):
    plan = made()[which]
    assert repr(plan).startswith(f"<{type(plan).__name__} of ") and f"over {RANKS} rank" in repr(plan)
    html = plan._repr_html_()  # this rank alone may ask for it
    assert ("predicted" in html) == (RANKS == 1)
    steps = plan.predict().steps
    figure = plan.plot()
    assert (figure is None) == (RANK != 0)
    html = plan._repr_html_()
    xml.fromstring(f"<div>{html.replace('&rarr;', '')}</div>")
    assert "predicted" in html and "so far" not in html and all(step.what in html for step in steps)
    executed(plan)
    assert "so far, this rank" in plan._repr_html_()
    if figure is not None:
        bars = [bar for bar in figure.axes[0].patches]
        numpy.testing.assert_allclose([bar.get_width() for bar in bars], [1e3 * step.seconds for step in steps])
        ends = numpy.cumsum([1e3 * step.seconds for step in steps])
        numpy.testing.assert_allclose([bar.get_x() for bar in bars], [0, *ends[:-1]], atol=1e-12)


def test_traces(tmp_path_factory):
    path = sixstep.Ranks().told(str(tmp_path_factory.mktemp("traces") / "t.json") if RANK == 0 else None, 0)
    plan = made(trace=path)[0]
    nothing_yet = pytest.raises(sixstep.Error, match="there is no execution in this trace")
    with nothing_yet if RANK == 0 else contextlib.nullcontext():
        plan.plot()
    for _ in range(3):
        executed(plan)
    figures = [plan.plot(), plan.plot("trace", executions=3), plan.plot("prediction")]
    if RANK != 0:
        assert figures == [None] * 3
        return
    with open(path) as file:
        assert len({e["args"]["execution"] for e in json.load(file)["traceEvents"] if e.get("cat") == "execution"}) == 3
    limits = [figure.axes[0].get_xlim()[1] for figure in figures]
    assert limits[1] > limits[0] > 0
    labels = [tick.get_text().strip() for tick in figures[0].axes[0].get_yticklabels()]
    assert [f"rank {rank}" for rank in range(RANKS)] == sorted({w[:6] for w in labels if w.startswith("rank")})


def test_mistakes_of_plans():
    plan = made()[0]
    with pytest.raises(sixstep.Error, match="of: trace or prediction is possible, film was given"):
        plan.plot("film")
    with pytest.raises(sixstep.Error, match="of: a plan with the option trace is needed"):
        plan.plot("trace")


def test_rank_0_is_told_of_files_and_tuning(tmp_path_factory):
    path = sixstep.Ranks().told(str(tmp_path_factory.mktemp("files") / "a.npy") if RANK == 0 else None, 0)
    array = sixstep.Array((1 << 20, 9))
    told = []
    _core.listen(lambda what, share: told.append((what, share)))
    try:
        sixstep.save(path, array)
        sixstep.load(path)
        of_files = list(told)
        told.clear()
        sixstep.Plan(Layout.slab((32, 32), RANKS), tuning="quick", tuning_seconds=0.3)
    finally:
        _core.listen(None)
    sixstep.save(path, array)  # nobody listens
    if RANK != 0:
        assert told == of_files == []
        return
    assert {what for what, _ in of_files} == {path}
    shares = [share for _, share in of_files]
    assert shares.count(1.0) == 2 and shares[-1] == 1.0 and min(shares) > 0
    half = shares.index(1.0) + 1
    assert shares[:half] == sorted(shares[:half]) and shares[half:] == sorted(shares[half:])
    assert all(what.startswith("tuning, race ") and 0 <= share <= 1 for what, share in told)


def test_bars(monkeypatch, tmp_path_factory):
    path = sixstep.Ranks().told(str(tmp_path_factory.mktemp("bars") / "a.npy") if RANK == 0 else None, 0)
    words = io.StringIO()
    monkeypatch.setattr(sys, "stderr", words)
    with sixstep.progress():
        sixstep.save(path, sixstep.Array((40, 9)))
    assert ("100%" in words.getvalue() and path in words.getvalue()) == (RANK == 0)
    sixstep.save(path, sixstep.Array((40, 9)))
    assert words.getvalue().count("100%") <= 2


def test_a_listener_that_raises_ends_no_call(tmp_path_factory, monkeypatch):
    path = sixstep.Ranks().told(str(tmp_path_factory.mktemp("raises") / "a.npy") if RANK == 0 else None, 0)
    raised = []
    monkeypatch.setattr(sys, "unraisablehook", lambda each: raised.append(each.exc_type))

    def broken(what, share):
        raise ValueError("no")

    _core.listen(broken)
    try:
        sixstep.save(path, sixstep.Array((4, 9)))
    finally:
        _core.listen(None)
    assert raised == [ValueError] * (RANK == 0)


def test_an_interrupt_comes_after_the_call(tmp_path_factory):
    path = sixstep.Ranks().told(str(tmp_path_factory.mktemp("stops") / "a.npy") if RANK == 0 else None, 0)

    def interrupted(what, share):
        raise KeyboardInterrupt

    _core.listen(interrupted)
    try:
        with pytest.raises(KeyboardInterrupt) if RANK == 0 else contextlib.nullcontext():
            sixstep.save(path, sixstep.Array((4, 9)))
            sum(range(100))
    finally:
        _core.listen(None)
    assert sixstep.load(path).shape == (4, 9)

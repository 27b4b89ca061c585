# SPDX-License-Identifier: BSD-3-Clause
"""How layouts, plans and arrays look in a notebook and as pictures."""

import pathlib
import re
import sys
import xml.etree.ElementTree as xml

import numpy
import pytest
import sixstep
from hypothesis import given, settings
from sixstep import _html
from sixstep._faces import picture
from test_layouts import layouts
from test_ranks import HERE, MACHINE, MPIEXEC, run

Layout = sixstep.Layout
FRONT, TOP, RIGHT = 1.0, 1.15, 0.8  # the lights of the three faces that are seen


def owners(layout, axes, points):
    """Which rank has the points of a face: `points` is an index, or None for all, along each drawn axis."""
    shape = layout.shape
    grid = numpy.full([shape[axis] for axis, at in zip(axes, points) if at is None], -1)
    whole = numpy.full(shape, -1)
    for rank in range(layout.ranks):
        whole[layout.box(rank)] = rank
    index = [0] * len(shape)
    for axis, at in zip(axes, points):
        index[axis] = slice(None) if at is None else at
    grid[...] = whole[tuple(index)]
    return grid


def drawn(faces, shape):
    """Which rank has the points of a face by its picture; each is drawn once."""
    grid = numpy.full(shape, -1)
    for face in faces:
        place = face.spans[-len(shape) :]
        assert (grid[place] == -1).all()
        grid[place] = face.rank
    return grid


@given(layouts())
@settings(max_examples=300, deadline=None)
def test_each_visible_point_is_drawn_once_as_its_ranks(layout):
    seen = picture(layout)
    cut = [min(n, 4 * layout.rank_grid[a]) if layout.distribution[a] == "cyclic" and layout.rank_grid else n
           for a, n in enumerate(layout.shape)]  # fmt: skip
    last = cut[seen.axes[-1]] - 1
    sides = {
        1: {FRONT: (None,)},
        2: {FRONT: (None, None)},
        3: {FRONT: (None, 0, None), TOP: (0, None, None), RIGHT: (None, None, last)},
    }[len(seen.axes)]
    assert {face.light for face in seen.faces} <= set(sides)
    for light, points in sides.items():
        expected = owners(layout, seen.axes, points)
        expected = expected[tuple(slice(cut[a]) for a, at in zip(seen.axes, points) if at is None)]
        faces = [face for face in seen.faces if face.light == light]
        numpy.testing.assert_array_equal(drawn(faces, expected.shape), expected)


def area(corners):
    return abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]))) / 2


@given(layouts())
@settings(max_examples=100, deadline=None)
def test_faces_fill_the_outline(layout):
    seen = picture(layout)
    corners = [corner for face in seen.faces for corner in face.corners]
    assert min(x for x, _ in corners) > -1e-9 and max(x for x, _ in corners) < seen.width + 1e-9
    assert min(y for _, y in corners) > -1e-9 and max(y for _, y in corners) < seen.height + 1e-9
    total = sum(area(face.corners) for face in seen.faces)
    # Two triangles are missing of the rectangle around a solid.
    front = [c for face in seen.faces if face.light == FRONT for c in face.corners]
    width, height = max(x for x, _ in front), max(y for _, y in front) - min(y for _, y in front)
    missing = (seen.width - width) * (seen.height - height)
    assert numpy.isclose(total, seen.width * seen.height - missing)


@given(layouts())
@settings(max_examples=50, deadline=None)
def test_html_is_well_formed_and_names_boxes(layout):
    page = xml.fromstring(f"<div>{layout._repr_html_()}</div>")
    svg = "{http://www.w3.org/2000/svg}"
    for title in page.iter(f"{svg}title"):
        rank, box = re.fullmatch(r"rank (\d+): \[(.*)\]", title.text).groups()
        assert eval(f"numpy.s_[{box}]", {"numpy": numpy}) in (
            expected := tuple(slice(s.start, s.stop, None if s.step == 1 else s.step) for s in layout.box(int(rank))),
            expected[0],
        )
    assert " x ".join(map(str, layout.shape)) in "".join(page.itertext())


def test_many_ranks_have_no_picture():
    layout = Layout.slab((100000,), 100000)
    assert "at most 1024 ranks" in layout._repr_html_() and picture(layout).faces == []
    with pytest.raises(sixstep.Error, match="at most 1024 ranks are needed for a picture, it has 100000"):
        layout.plot()


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 B"), (1023, "1.02e+03 B"), (1536, "1.5 KiB"), (3 << 40, "3 TiB")]
)
def test_bytes(number, words):
    assert _html.bytes_in_words(number) == words


@pytest.mark.parametrize(("number", "words"), [(2.5, "2.5 s"), (0.01, "10 ms"), (3e-6, "3 us"), (0, "0 us")])
def test_seconds(number, words):
    assert _html.seconds_in_words(number) == words


@pytest.mark.parametrize("ranks", [1, 3])
def test_on_ranks(ranks):
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "pictures_on_ranks.py"]
    more = {"SIXSTEP_TIMEOUT": "60", "MPLBACKEND": "agg", "SIXSTEP_MACHINE": MACHINE}
    status, words = run([*MPIEXEC, "-n", str(ranks), *pytest_here], **more)
    assert status == 0, words
    assert " passed" in words and "skipped" not in words


@pytest.mark.parametrize(
    ("missing", "call"),
    [
        ("matplotlib", "layout.plot()"),
        ("matplotlib", "sixstep.Plan(layout).plot()"),
        ("matplotlib", "sixstep.Array(layout).plot()"),
        ("tqdm", "sixstep.progress().__enter__()"),
    ],
)
def test_what_is_missing_is_named(missing, call):
    program = f"import sys; sys.modules['{missing}'] = None\nimport sixstep\nlayout = sixstep.Layout.slab((4, 4), 1)\n"
    status, words = run([sys.executable, "-c", program + call], SIXSTEP_MACHINE=MACHINE)
    name = "progress" if missing == "tqdm" else "plot"
    assert status == 1 and f"ImportError: {name}: {missing} is needed" in words and f"pip install {missing}" in words


def test_a_figure_without_matplotlib_on_one_rank_is_an_error_on_all():
    program = "import sys, sixstep\nif sixstep.rank() == 0: sys.modules['matplotlib'] = None\n"
    program += "try: sixstep.Array((4, 4)).plot()\nexcept (ImportError, sixstep.Error) as e: print(type(e).__name__)"
    status, words = run([*MPIEXEC, "-n", "2", sys.executable, "-c", program], SIXSTEP_TIMEOUT="20")
    assert status == 0 and len(words) == len("ErrorImportError") + 2 and "ImportError" in words, words


def test_the_benchmarks_draw_without_the_package():
    """bench/plot_trace.py loads the file that draws, which therefore imports nothing of sixstep."""
    path = pathlib.Path(sixstep.__file__).parent / "_timelines.py"
    assert not re.search(r"(?m)^ *(from \.|import sixstep|from sixstep)", path.read_text())
    assert (HERE.parent.parent / "python" / "sixstep" / "_timelines.py").exists()

# SPDX-License-Identifier: BSD-3-Clause
"""How layouts, plans and arrays look in a notebook: HTML that needs no script and no style sheet."""

from __future__ import annotations

import html
import math

from ._faces import MOST_RANKS, colour_of, has_room, middle_of, picture

_PIXELS = 160  # of a unit of a picture


def bytes_in_words(count: float) -> str:
    """The bytes in describe()'s notation."""
    power = 0
    while count >= 1024 and power < 5:
        count, power = count / 1024, power + 1
    return f"{count:.3g} {('B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB')[power]}"


def seconds_in_words(seconds: float) -> str:
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds / 1e-6:.3g} us"


def rows(pairs) -> str:
    """A table with a name and a value in each row."""
    lines = (f"<tr><th style='text-align:left'>{_(name)}</th><td style='text-align:left'>{_(value)}</td></tr>"
             for name, value in pairs)
    return f"<table><tbody>{''.join(lines)}</tbody></table>"


def columns(names, lines) -> str:
    """A table with a line of names above the others. The first column holds words, the others numbers."""
    head = "".join(f"<th>{_(name)}</th>" for name in names)
    sides = ["left", *["right"] * (len(names) - 1)]
    cells = (
        "".join(f"<td style='text-align:{side}'>{_(cell)}</td>" for side, cell in zip(sides, line)) for line in lines
    )
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def beside(*parts: str) -> str:
    """Parts in a row, from the left."""
    cells = "".join(f"<div style='margin-right:2em'>{part}</div>" for part in parts)
    return f"<div style='display:flex;flex-wrap:wrap;align-items:flex-start;margin:0.5em 0'>{cells}</div>"


def _(words) -> str:
    return html.escape(str(words))


def layout_rows(layout) -> list[tuple[str, str]]:
    """The names and values in the table of a layout."""
    found = [("shape", " x ".join(map(str, layout.shape)))]
    grid = layout.rank_grid
    found.append(("ranks", f"{layout.ranks}, as {' x '.join(map(str, grid))}" if grid else f"{layout.ranks}, in boxes"))
    if layout.ranks <= MOST_RANKS:
        points = [math.prod(layout.local_shape(rank)) for rank in range(layout.ranks)]
        least, most = min(points), max(points)
        found.append(("points per rank", str(most) if least == most else f"{least} to {most}"))
    cyclic = [str(axis) for axis, word in enumerate(layout.distribution) if word == "cyclic"]
    if cyclic:
        found.append(("cyclic axes", ", ".join(cyclic)))
    if layout.order != tuple(range(len(layout.shape))):
        found.append(("order in memory", ", ".join(map(str, layout.order))))
    if layout != layout.dense():
        found.append(("ghosts", "beside the boxes, not shown"))
    return found


def layout_picture(layout) -> str:
    """An SVG element; pointing at a face shows the rank and its box."""
    seen = picture(layout)
    if not seen.faces:
        return _(seen.words)
    parts = [_polygon(layout, face) for face in seen.faces]
    for face in seen.faces:
        if has_room(face, 0.08 * len(str(face.rank)), 0.1):
            x, y = middle_of(face)
            parts.append(
                f"<text x='{_PIXELS * x:.1f}' y='{_PIXELS * y:.1f}' fill='white' font-size='11' text-anchor='middle' "
                f"dominant-baseline='central' pointer-events='none'>{face.rank}</text>"
            )
    width, height = (math.ceil(_PIXELS * side) + 2 for side in (seen.width, seen.height))
    size = f"width='{width}' height='{height}' viewBox='-1 -1 {width} {height}'"
    drawn = f"<svg xmlns='http://www.w3.org/2000/svg' {size} font-family='sans-serif'>{''.join(parts)}</svg>"
    return drawn + (f"<div style='font-size:smaller'>{_(seen.words)}</div>" if seen.words else "")


def _polygon(layout, face) -> str:
    points = " ".join(f"{_PIXELS * x:.1f},{_PIXELS * y:.1f}" for x, y in face.corners)
    box = ", ".join(f"{s.start}:{s.stop}" + (f":{s.step}" if s.step != 1 else "") for s in layout.box(face.rank))
    return (
        f"<polygon points='{points}' fill='{colour_of(face)}' stroke='white' stroke-width='1'>"
        f"<title>rank {face.rank}: [{box}]</title></polygon>"
    )


def layout_html(layout) -> str:
    return beside(layout_picture(layout), rows(layout_rows(layout)))


def plan_html(plan, prediction, parts) -> str:
    """Both layouts, and a table of the steps; `prediction` may be None, and `parts` have no seconds before the first
    execution."""
    between = "<span style='font-size:200%'>&rarr;</span>"
    pictures = beside(layout_picture(plan.input), between, layout_picture(plan.output))
    names, cells = ["step", "bytes"], [[part.what, bytes_in_words(part.bytes)] for part in parts]
    steps = prediction.steps if prediction is not None else []
    if len(steps) == len(parts):
        names.append("predicted")
        for line, step in zip(cells, steps):
            line.append(seconds_in_words(step.seconds))
    if any(part.seconds for part in parts):
        names.append("so far, this rank")
        for line, part in zip(cells, parts):
            line.append(seconds_in_words(part.seconds))
    total = "" if prediction is None else f", predicted to take {seconds_in_words(prediction.seconds)}"
    return f"<div>{_(repr(plan)[1:-1] + total)}</div>{pictures}{columns(names, cells)}"


def array_html(array) -> str:
    mine = math.prod(array.layout.local_shape(array.ranks.rank)) * array.dtype.itemsize
    about = [("dtype", array.dtype), ("bytes", f"{bytes_in_words(array.nbytes)}, {bytes_in_words(mine)} on this rank")]
    return beside(layout_picture(array.layout), rows(about + layout_rows(array.layout)))

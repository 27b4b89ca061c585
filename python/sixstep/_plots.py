# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of layouts, plans and arrays, with matplotlib, which is imported when the first is drawn."""

from __future__ import annotations

import pathlib
import textwrap

from ._error import Error
from ._faces import MOST_RANKS, colour_of, has_room, middle_of, picture
from ._html import bytes_in_words, seconds_in_words

try:
    from matplotlib import pyplot
except ImportError as error:
    raise ImportError(f"plot: matplotlib is needed ({error}): pip install matplotlib") from None

from . import _timelines

_INCHES = 2.2  # of a unit of a picture of a layout


def layout_plot(layout, axes=None):
    """Who holds what, into `axes` or a new figure."""
    seen = picture(layout)
    if not seen.faces:
        raise Error(f"layout: at most {MOST_RANKS} ranks are needed for a picture, it has {layout.ranks}")
    if axes is None:
        size = (_INCHES * seen.width + 0.2, _INCHES * seen.height + 0.7)
        _, axes = pyplot.subplots(figsize=size, layout="constrained")
    for face in seen.faces:
        axes.add_patch(pyplot.Polygon(face.corners, facecolor=colour_of(face), edgecolor="white", linewidth=0.8))
        if has_room(face, 0.09 * len(str(face.rank)), 0.1):
            axes.text(*middle_of(face), str(face.rank), ha="center", va="center", color="white", fontsize=8)
    axes.set(xlim=(-0.02, seen.width + 0.02), ylim=(seen.height + 0.02, -0.02), aspect="equal")
    axes.axis("off")
    axes.set_title("\n".join(textwrap.wrap(str(layout), 40)), fontsize=9)
    if seen.words:
        axes.text(0, seen.height + 0.05, "\n".join(textwrap.wrap(seen.words, 50)), va="top", fontsize=7)
    return axes


def prediction_plot(predicted, title):
    """The steps one after the other. Where exchanges hide behind passes, they take less in all than one by one."""
    steps = predicted.steps
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.3 * len(steps)), layout="constrained")
    passes = dict.fromkeys(step.what for step in steps if not _is_exchange(step))
    colours = {what: _timelines.PASSES[n % len(_timelines.PASSES)] for n, what in enumerate(passes)}
    begin = 0.0
    for row, step in enumerate(steps):
        length = 1e3 * step.seconds
        axes.barh(row, length, left=begin, height=0.7, color=colours.get(step.what, _timelines.EXCHANGE))
        words = f" {seconds_in_words(step.seconds)}" + (f", {bytes_in_words(step.bytes)}" if step.bytes else "")
        axes.text(begin + length, row, words, va="center", fontsize=8, color="#404040")
        begin += length
    axes.set_yticks(range(len(steps)), [textwrap.shorten(step.what, 60) for step in steps], fontsize=8.5)
    axes.set(ylim=(len(steps) - 0.4, -0.6), xlim=(0, 1.25 * max(begin, 1e-9)))
    axes.set_xlabel("milliseconds", fontsize=9)
    axes.set_title(f"{title}\npredicted: {seconds_in_words(predicted.seconds)}", loc="left", fontsize=10)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    axes.grid(axis="x", color="#e6e6e6", lw=0.8)
    axes.set_axisbelow(True)
    return figure


def _is_exchange(step) -> bool:
    return step.what.startswith("exchange")


def trace_plot(path, executions):
    spans, about = _timelines.read(pathlib.Path(path).read_text())
    try:
        spans, limits = _timelines.chosen(spans, executions)
    except ValueError as error:
        raise Error(f"{path}: {error}") from None
    return _timelines.draw(spans, limits, about)


def line_plot(x, values, labels, axes):
    """Values along one axis; both parts of complex numbers."""
    axes = axes or _new_axes((6, 3))
    parts = {"real": values.real, "imaginary": values.imag} if values.dtype.kind == "c" else {None: values}
    for name, part in parts.items():
        axes.plot(x, part, linewidth=1, label=name)
    if len(parts) > 1:
        axes.legend(frameon=False, fontsize=8)
    axes.set(xlabel=labels[0], title=labels[1])
    return axes


def image_plot(parts, values, labels, axes):
    """Values on a plane of these indices, the first axis down; of complex numbers their magnitudes."""
    axes = axes or _new_axes((5.5, 4.5))
    shown = abs(values) if values.dtype.kind == "c" else values.astype(float)
    (top, bottom), (left, right) = ((part[0] - 0.5 * part.step, part[-1] + 0.5 * part.step) for part in parts)
    image = axes.imshow(shown, extent=(left, right, bottom, top), aspect="auto", interpolation="nearest")
    axes.figure.colorbar(image, ax=axes, label="magnitude" if values.dtype.kind == "c" else None)
    axes.set(xlabel=labels[1], ylabel=labels[0], title=labels[2])
    return axes


def spectrum_plot(k, power, title, axes):
    """Power by wave number, logarithmic; without k = 0, which a logarithm does not have."""
    axes = axes or _new_axes((5.5, 3.6))
    there = (k > 0) & (power > 0)
    axes.loglog(k[there], power[there], marker=".", markersize=4, linewidth=1)
    axes.set(xlabel="wave number", ylabel="power", title=title)
    axes.grid(which="major", color="#e6e6e6")
    return axes


def _new_axes(size):
    return pyplot.subplots(figsize=size, layout="constrained")[1]

# SPDX-License-Identifier: BSD-3-Clause
"""Draws traces of plans as timelines, with matplotlib. Nothing of sixstep is imported: bench/plot_trace.py uses this
file without the package.

There is a row for each thread, and one for each rank's messages under way, the darker the more they are; ranks on
devices have one for passes there, and for copies out and in if messages are staged.
"""

from __future__ import annotations

import collections
import json

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

PASSES = ("#2166ac", "#67a9cf", "#1b7837", "#7fbf7b", "#762a83", "#af8dc3", "#8c510a", "#d8b365")
POINTWISE, EXCHANGE, WAIT = "#35978f", "#fdd49e", "#d6604d"
MOST_BARS = 4000  # in a row: more than there are pixels
LEAST_WIDTH = 1 / 1200  # of the picture, so that a bar is seen

Span = collections.namedtuple("Span", "rank thread kind name execution begin end")


def read(text):
    """The spans of threads, and messages as spans without a thread, in milliseconds; and what else a trace says."""
    trace = json.loads(text)
    begins, spans = {}, []
    for event in trace["traceEvents"]:
        phase, begin = event["ph"], event.get("ts", 0) / 1e3
        if phase == "X":
            spans.append(Span(event["pid"], event["tid"], event["cat"], event["name"],
                              event["args"]["execution"], begin, begin + event["dur"] / 1e3))
        elif phase == "b":
            begins[event["pid"], event["id2"]["local"]] = event
        elif phase == "e":
            first = begins.pop((event["pid"], event["id2"]["local"]))
            spans.append(Span(event["pid"], None, first["cat"], first["name"],
                              first["args"]["execution"], first["ts"] / 1e3, begin))
    return spans, trace["otherData"]


def chosen(spans, executions=1, begin=None, end=None):
    """The spans of the last executions, from time 0, and the limits of the picture, by default all of that time.

    Errors (ValueError): there is no execution in the trace.
    """
    runs = [span for span in spans if span.kind == "execution" and span.name != "planning"]
    numbers = sorted({run.execution for run in runs})[-executions:]
    if not numbers:
        raise ValueError("there is no execution in this trace")
    origin = min(run.begin for run in runs if run.execution in numbers)
    spans = [span._replace(begin=span.begin - origin, end=span.end - origin)
             for span in spans if span.execution in numbers]
    first = begin or 0.0
    last = end or max(span.end for span in spans)
    return [span for span in spans if span.end > first and span.begin < last], (first, last)


def covered(spans, limits):
    """The time that any of the spans takes."""
    total, reached = 0.0, limits[0]
    for begin, end in sorted((span.begin, min(span.end, limits[1])) for span in spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def shares(spans, limits):
    """The shares of a rank's executions that each thread spends in passes and in waiting."""
    found = {}
    for rank, thread in sorted({(s.rank, s.thread) for s in spans if s.thread is not None}):
        length = covered([s for s in spans if s.rank == rank and s.kind == "execution"], limits)
        mine = [s for s in spans if (s.rank, s.thread) == (rank, thread)]
        found[rank, thread] = [
            covered([s for s in mine if s.kind in kinds], limits) / (length or 1)
            for kinds in (("pass", "pointwise"), ("wait", "meeting"))]
    return found


def merged(spans, resolution):
    """Fewer bars: those of one colour that are nearer to each other than a pixel are one."""
    bars = collections.defaultdict(list)
    for begin, end, colour in sorted(spans):
        row = bars[colour]
        if row and begin - row[-1][1] < resolution:
            row[-1][1] = max(row[-1][1], end)
        else:
            row.append([begin, end])
    return bars


def draw_bars(axes, spans, y, height, resolution, **style):
    for colour, bars in merged(spans, resolution).items():
        corners = [[(b, y - height / 2), (b, y + height / 2), (e, y + height / 2), (e, y - height / 2)]
                   for b, e in bars]
        axes.add_collection(PolyCollection(corners, facecolors=[colour], **style))


def grey(share):
    return str(round(0.85 - 0.55 * share, 3))


# The rows beside those of threads, and the kinds of spans in each.
UNDER_WAY = {"device": ("pass",), "copies out": ("copy_out",), "messages": ("send", "receive"),
             "copies in": ("copy_in",)}


def draw_device(axes, spans, y, height, colours):
    """Passes, each from when the one before it has ended: two are in the device's queue."""
    bars, reached = [], 0.0
    for span in sorted((s for s in spans if s.kind == "pass"), key=lambda s: s.end):
        bars.append((max(span.begin, reached), span.end, colours[span.name]))
        reached = span.end
    draw_bars(axes, bars, y, height, -1, linewidths=0.4, edgecolors="white")


def draw_under_way(axes, spans, what, y, height, limits):
    """How many are under way, as a shade; behind messages windows of exchanges."""
    if what == "messages":
        windows = [(s.begin, s.end, EXCHANGE) for s in spans if s.kind == "exchange"]
        draw_bars(axes, windows, y, 1.3 * height, 0, linewidths=0)
    counts = collections.Counter()
    for span in spans:
        if span.kind not in UNDER_WAY[what]:
            continue
        counts[max(span.begin, limits[0])] += 1
        counts[min(span.end, limits[1])] -= 1
    times = sorted(counts)
    levels = np.cumsum([counts[time] for time in times])
    most = max(levels, default=0)
    bars = [(begin, end, grey(level / most))
            for begin, end, level in zip(times, times[1:], levels) if level > 0]
    draw_bars(axes, bars, y, height, 0, linewidths=0)


def rows_of(spans):
    """The rows in order: (rank, what), where what is a thread's number or one of UNDER_WAY."""
    found = []
    for rank in sorted({span.rank for span in spans}):
        mine = [span for span in spans if span.rank == rank]
        found += [(rank, thread) for thread in sorted({s.thread for s in mine} - {None})]
        kinds = {s.kind for s in mine if s.thread is None}
        found += [(rank, what) for what, of in UNDER_WAY.items()
                  if kinds & set(of) or (what == "messages" and kinds)]
    return found


def colours_of(spans):
    """The colour of each pass by its name, in the order in which passes begin."""
    names = dict.fromkeys(s.name for s in sorted(spans, key=lambda s: s.begin) if s.kind == "pass")
    return {name: PASSES[i % len(PASSES)] for i, name in enumerate(names)}


def draw_thread(axes, spans, y, height, colours, resolution):
    of = lambda *kinds: [s for s in spans if s.kind in kinds]
    plain = {"resolution": resolution, "linewidths": 0}
    draw_bars(axes, [(s.begin, s.end, EXCHANGE) for s in of("exchange")], y, height, **plain)
    draw_bars(axes, [(s.begin, s.end, WAIT) for s in of("wait", "meeting")], y, 0.5 * height, **plain)
    least = LEAST_WIDTH * MOST_BARS * resolution
    busy = [(s.begin, max(s.end, s.begin + least), colours.get(s.name, POINTWISE))
            for s in of("pass", "pointwise")]
    wide = [bar for bar in busy if bar[1] - bar[0] > 5 * least]
    draw_bars(axes, busy, y, height, zorder=3, **plain)
    draw_bars(axes, wide, y, height, -1, zorder=3, edgecolors="white", linewidths=0.4)


def draw_axes(axes, rows, spans, limits, colours, told):
    gap, heights = 0.35, dict.fromkeys(UNDER_WAY, 0.55)
    resolution = (limits[1] - limits[0]) / MOST_BARS
    y, ticks, rank_before = 0.0, {}, rows[0][0]
    for rank, what in rows:
        height = heights.get(what, 1.0)
        if rank != rank_before:
            y -= gap
            axes.axhline(y, color="#d8d8d8", lw=0.8)
            y -= gap
            rank_before = rank
        y -= height / 2
        mine = [s for s in spans if s.rank == rank]
        if what in UNDER_WAY:
            alone = [s for s in mine if s.thread is None]
            if what == "device":
                draw_device(axes, alone, y, 0.86 * height, colours)
            else:
                draw_under_way(axes, alone, what, y, 0.6 * height, limits)
        else:
            draw_thread(axes, [s for s in mine if s.thread == what], y, 0.86, colours, resolution)
            passes, waits = told[rank, what]
            axes.text(1.008, y, f"{100 * passes:.0f} %   {100 * waits:.0f} %", va="center",
                      transform=axes.get_yaxis_transform(), fontsize=8, color="#404040")
        ticks[y] = label(rank, what, rows)
        y -= height / 2
    axes.set_yticks(list(ticks), list(ticks.values()), fontsize=8.5)
    for tick in axes.get_yticklabels():
        if tick.get_text() in UNDER_WAY:
            tick.set(fontsize=7.5, color="#707070")
    axes.set_ylim(y - 0.1, 0.1)
    axes.set_xlim(*limits)
    return -y


def label(rank, what, rows):
    if what in UNDER_WAY:
        return what
    threads = sum(1 for other, kind in rows if other == rank and kind not in UNDER_WAY)
    thread = "" if threads == 1 else f"thread {what}"
    return (f"rank {rank}   {thread}" if what == 0 else thread).strip()


def legend_of(colours, spans):
    kinds = {span.kind for span in spans}
    handles = [Patch(facecolor=colour, label=name) for name, colour in colours.items()]
    for kind, colour, words in (("pointwise", POINTWISE, "pointwise"), ("exchange", EXCHANGE, "exchange"),
                                ("wait", WAIT, "waiting"),
                                ("send", grey(0.6), "copies and messages under way" if "copy_in" in kinds
                                 else "messages under way")):
        if kind in kinds or (kind == "wait" and "meeting" in kinds):
            handles.append(Patch(facecolor=colour, label=words))
    return handles


def draw(spans, limits, about):
    """The figure of these spans; `about` is what else their trace says."""
    rows, colours, told = rows_of(spans), colours_of(spans), shares(spans, limits)
    height = min(16, 1.5 + 0.27 * len(rows) + 0.12 * len({rank for rank, _ in rows}))
    figure, axes = plt.subplots(figsize=(11, height), layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - 0.62 / height))
    draw_axes(axes, rows, spans, limits, colours, told)
    axes.text(1.008, 1.0, "passes, waiting", transform=axes.transAxes, va="bottom", fontsize=8,
              color="#404040")
    axes.grid(axis="x", color="#e6e6e6", lw=0.8, zorder=0)
    axes.set_axisbelow(True)
    axes.tick_params(length=0)
    axes.spines[["top", "right", "left", "bottom"]].set_visible(False)
    axes.set_xlabel("milliseconds", fontsize=9)
    title = about["plan"].splitlines()[0].removeprefix("input").strip()
    figure.text(0.012, 1 - 0.1 / height, title, va="top", fontsize=11, fontweight="bold")
    handles = legend_of(colours, spans)
    figure.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.006, 1 - 0.3 / height),
                  ncol=min(8, len(handles)), frameon=False, fontsize=9, handlelength=1.2,
                  columnspacing=1.4)
    return figure

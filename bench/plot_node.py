#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `node --json` measured: sixstep over the fastest rival by case, and the times.

    bench/plot_node.py node.json... node.png

A panel for each number of ranks and threads; files of the same number share one.
"""

import plots
import matplotlib.pyplot as plt

AHEAD, BEHIND = "#b2182b", "#e3a29b"
STYLES = {
    "FFTW": {"color": "#3b6fb6", "marker": "s"},
    "MKL-cluster": {"color": "#1b9e77", "marker": "^"},
    "HPCC": {"color": "#b8860b", "marker": "P"},
    "MKL": {"color": "#66c2a5", "marker": "v"},
    "ducc0": {"color": "#8a8a8a", "marker": "D"},
}


def duration(seconds):
    """Three digits: 0.652 ms, 45.8 ms, 1.32 s."""
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def rivals(result):
    """The rivals' times over ours."""
    return {name: figure["times_ours"] for name, figure in result["figures"].items()
            if "times_ours" in figure}


def label(name):
    """256^3-single as $256^3$ single."""
    shape, _, rest = name.partition("-")
    base, caret, power = shape.partition("^")
    if caret:
        shape = f"${base}^{{{power}}}$"
    return f"{shape} {rest}".strip().replace("x", " × ")


def words(result):
    """Our time and that of the fastest rival, at the end of a bar."""
    ratios = rivals(result)
    fastest = min(ratios, key=ratios.get)
    seconds = {name: figure["seconds"] for name, figure in result["figures"].items()}
    return (f"{ratios[fastest]:.2f}   {duration(seconds['sixstep'])}, "
            f"{fastest} {duration(seconds[fastest])}")


def draw_panel(axes, title, results):
    results = [result for result in results if rivals(result)]
    farthest = max(max(rivals(result).values()) for result in results)
    limit = 1.05 * min(farthest, 2 * max(min(rivals(result).values()) for result in results))
    for y, result in enumerate(results):
        ratios = rivals(result)
        lead = min(ratios.values())
        axes.barh(y, lead, height=0.62, color=AHEAD if lead >= 1 else BEHIND, zorder=2)
        for name, ratio in ratios.items():
            style = dict(STYLES.get(name, {"color": "k", "marker": "x"}))
            if ratio > limit:
                style["marker"] = ">"  # beyond the edge
            axes.plot(min(ratio, limit), y, ls="none", ms=6, mec="white", mew=0.6, zorder=4,
                      clip_on=False, **style)
        axes.text(limit * 1.04, y, words(result), va="center", fontsize=8.5)
    axes.axvline(1, color="#303030", lw=1, zorder=3)
    axes.set_yticks(range(len(results)), [label(result["case"]) for result in results])
    axes.set_ylim(len(results) - 0.4, -0.6)
    axes.set_xlim(0, limit)
    plots.plain(axes, "top", "right", "bottom", grid="x")
    axes.set_title(title, loc="left", fontsize=10.5, pad=10)
    axes.set_xlabel("a rival's time over sixstep's; bars reach to the fastest rival", fontsize=9)


def panels(records):
    """The results by ranks and threads, fewest first."""
    merged = {}
    for record in records:
        merged.setdefault((record["ranks"], record["threads"]), []).extend(record["results"])
    return sorted(merged.items())


def draw(records, file):
    merged = panels(records)
    rows = max(len(results) for _, results in merged)
    height = 0.32 * rows + 1.8
    figure, grid = plt.subplots(1, len(merged), figsize=(7.6 * len(merged), height), squeeze=False,
                                layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.1, rect=(0, 0, 1, 1 - 0.55 / height))
    for axes, ((ranks, threads), results) in zip(grid.flat, merged):
        title = f"{ranks} {'rank' if ranks == 1 else 'ranks'}"
        draw_panel(axes, title if threads == 1 else f"{title} of {threads} threads", results)
    plots.headline(figure, "Transforms on one node", 1 - 0.2 / height)
    names = [name for name in STYLES
             if any(name in result["figures"] for _, results in merged for result in results)]
    handles = [plt.Line2D([], [], ls="none", label=name, **STYLES[name]) for name in names]
    figure.legend(handles=handles, loc="upper right", ncol=len(names), frameon=False, fontsize=10)
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw, several=True)

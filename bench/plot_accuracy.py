#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `accuracy --json` measured: the error by length, a panel a precision.

    bench/plot_accuracy.py accuracy.json accuracy.png
"""

import plots
import matplotlib.pyplot as plt

from plot_kernels import STYLES, is_power_of_two

POINTS = ("sixstep", "FFTW")  # more of them would hide each other
EPSILON = {"double": 2.0**-52, "single": 2.0**-23}


def draw_contender(axes, results, name, precision):
    """A line through the powers of two; faint points for the other lengths of the first two."""
    style = dict(STYLES.get(name, {"color": "k", "marker": "x"}))
    width, size = style.pop("lw", 1), style.pop("ms", 4)
    for power in (True, False):
        if not power and name not in POINTS:
            continue
        some = sorted((r["n"], r["errors"][name] / EPSILON[precision]) for r in results
                      if name in r["errors"] and is_power_of_two(r["n"]) == power)
        axes.plot(*zip(*some), ls="-" if power else "none", lw=width, mec="white", mew=0.5,
                  ms=0.8 * size, alpha=1 if power else 0.5, label=name if power else None, **style)


def draw_panel(axes, results, names, precision):
    for name in names:
        draw_contender(axes, results, name, precision)
    axes.set_xscale("log", base=2)
    axes.set_ylim(bottom=0, top=3.2)
    plots.plain(axes, "top", "right", "left", grid="y")
    axes.set_title(f"{precision} precision", loc="left", fontsize=10.5)
    axes.set_xlabel("length")


def draw(record, file):
    precisions = [p for p in EPSILON if any(r["precision"] == p for r in record["results"])]
    names = [contender["name"] for contender in record["contenders"]]
    figure, grid = plt.subplots(1, len(precisions), figsize=(6.6 * len(precisions), 5.0),
                                squeeze=False, sharey=True, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.1, rect=(0, 0, 1, 0.9))
    for axes, precision in zip(grid.flat, precisions):
        draw_panel(axes, [r for r in record["results"] if r["precision"] == precision], names,
                   precision)
    grid[0, 0].set_ylabel("RMS error of a transform, in epsilons")
    figure.legend(*grid.flat[0].get_legend_handles_labels(), loc="upper right", ncol=len(names),
                  frameon=False, fontsize=11)
    plots.headline(figure, "Accuracy (lines: powers of two; points: other lengths, sixstep and FFTW)", 0.955, 12)
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw)

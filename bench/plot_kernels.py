#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `kernels --json` measured: GFLOP/s by length, a panel a case, a picture a precision.

    bench/plot_kernels.py kernels.json kernels.png

With both precisions in the file the pictures are kernels-double.png and kernels-single.png.
"""

import math

import plots
import matplotlib.pyplot as plt

STYLES = {
    "sixstep": {"color": "#b2182b", "marker": "o", "lw": 2.4, "ms": 7, "zorder": 5},
    "FFTW": {"color": "#3b6fb6", "marker": "s", "lw": 1.3, "ms": 5, "zorder": 3},
    "MKL": {"color": "#1b9e77", "marker": "^", "lw": 1.3, "ms": 6, "zorder": 3},
    "ducc0": {"color": "#8a8a8a", "marker": "D", "lw": 1.3, "ms": 4.5, "zorder": 2},
}
GAP = 0.8  # between the powers of two and the other lengths


def is_power_of_two(n):
    return n & (n - 1) == 0


def label(n):
    """65536 as 2^16, as nobody reads 16777216."""
    if is_power_of_two(n) and n >= 16384:
        return f"$2^{{{n.bit_length() - 1}}}$"
    return str(n)


def places(results):
    """Where each length stands: powers of two first, a gap, the others."""
    lengths = sorted({r["n"] for r in results})
    powers = [n for n in lengths if is_power_of_two(n)]
    others = [n for n in lengths if not is_power_of_two(n)]
    shift = len(powers) + (GAP if powers else 0)
    return {n: x for x, n in enumerate(powers)} | {n: shift + x for x, n in enumerate(others)}


def lead(result):
    """How many times as fast sixstep is as the best rival; None where it took no part."""
    ratios = [f["times_ours"] for f in result["figures"].values() if "times_ours" in f]
    return min(ratios) if ratios else None


def draw_contender(axes, name, results, place):
    """A line through the powers of two; points for the rest, which no line would join sensibly."""
    style = dict(STYLES.get(name, {"color": "k", "marker": "x"}))
    width = style.pop("lw", 1)
    size = style.pop("ms", 4)
    for power, line in ((True, "-"), (False, "none")):
        some = [r for r in results if name in r["figures"] and is_power_of_two(r["n"]) == power]
        some.sort(key=lambda r: r["n"])
        axes.plot(
            [place[r["n"]] for r in some],
            [r["figures"][name]["gflops"] for r in some],
            ls=line, lw=width, ms=size, mec="white", mew=0.6, clip_on=False,
            label=name if power else None, **style,
        )


def draw_panel(axes, title, results, names):
    place = places(results)
    for name in names:
        draw_contender(axes, name, results, place)
    axes.set_xticks(list(place.values()), [label(n) for n in place], rotation=60, ha="right",
                    rotation_mode="anchor", fontsize=8)
    for x in place.values():
        axes.axvline(x, color="#f0f0f0", lw=0.8, zorder=0)
    axes.set_ylim(bottom=0)
    axes.set_xlim(-0.5, max(place.values()) + 0.5)
    plots.plain(axes, "top", "right", "left", grid="y")
    axes.set_title(title, loc="left", fontsize=10.5, pad=10)
    leads = [lead(r) for r in results if lead(r)]
    if leads:
        mean = math.exp(sum(map(math.log, leads)) / len(leads))
        axes.set_title(f"{mean:.2f} × best rival", loc="right", fontsize=9.5, pad=10,
                       color=STYLES["sixstep"]["color"])


def draw_precision(record, precision, file):
    results = [r for r in record["results"] if r["precision"] == precision]
    panels = [(case["title"], [r for r in results if r["case"] == case["name"]])
              for case in record["cases"]]
    panels = [(title, some) for title, some in panels if some]
    names = [contender["name"] for contender in record["contenders"]]
    across = min(2, len(panels))
    down = math.ceil(len(panels) / across)
    height = 3.3 * down + 0.6
    figure, grid = plt.subplots(down, across, figsize=(6.6 * across, height), squeeze=False,
                                layout="constrained")
    figure.get_layout_engine().set(w_pad=0.15, h_pad=0.12, rect=(0, 0, 1, 1 - 0.6 / height))
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (title, some) in zip(grid.flat, panels):
        draw_panel(axes, title, some, names)
    for axes in grid[:, 0]:
        axes.set_ylabel("GFLOP/s")
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper right", ncol=len(names), frameon=False, fontsize=11)
    plots.headline(figure, f"Local transforms, {precision} precision", 1 - 0.2 / height)
    plots.save(figure, file)


def draw(record, file):
    precisions = [p for p in ("double", "single") if any(r["precision"] == p for r in record["results"])]
    for precision in precisions:
        several = len(precisions) > 1
        draw_precision(record, precision, file.with_stem(f"{file.stem}-{precision}") if several else file)


if __name__ == "__main__":
    plots.main(__doc__, draw)

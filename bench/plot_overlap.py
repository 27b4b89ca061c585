#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `overlap --json` measured: the share of the possible speed against T_comp/T_comm.

    bench/plot_overlap.py overlap.json overlap.png

A row for each library and setup, a panel for each case. The dashed line is no overlap at all,
max(T_comm, T_comp) / (T_comm + T_comp).
"""

import plots
import matplotlib.pyplot as plt
import numpy as np

STYLES = {
    "automatic": {"color": "#303030", "marker": "*"},
    "between": {"color": "#b2182b", "marker": "o"},
    "master": {"color": "#e08214", "marker": "v"},
    "pipelines": {"color": "#762a83", "marker": "P"},
    "thread": {"color": "#1b9e77", "marker": "D"},
    "no overlap": {"color": "#8a8a8a", "marker": "x"},
    "FFTW": {"color": "#3b6fb6", "marker": "s"},
}
LINES = ("-", ":", "-.", "--")


def curves(result):
    """Of each contender that takes part its ratios and shares in per cent, by rising ratio."""
    rows = sorted(result["ratios"], key=lambda row: row["ratio"])
    names = [name for name in rows[0]["columns"] if name != "all-to-alls"]
    ratios = [row["ratio"] for row in rows]
    return {name: (ratios, [100 * row["columns"][name]["share_of_bound"] for row in rows]) for name in names}


def windows_of(name):
    """Eight of "between 8"; nothing where all have the same number."""
    last = name.split(" ")[-1]
    return last if last.isdigit() else ""


def style_of(name, windows):
    """Colours tell drivers, lines the number of windows, as in "between 8"."""
    count = windows_of(name)
    line = LINES[windows.index(count) % len(LINES)] if count else "-"
    return {**STYLES[name.removesuffix(f" {count}")], "ls": "none" if name == "FFTW" else line}


def draw_panel(axes, title, result):
    found = curves(result)
    windows = list(dict.fromkeys(windows_of(name) for name in found if windows_of(name)))
    for name, (ratios, shares) in found.items():
        axes.plot(ratios, shares, ms=5, lw=1.6, label=name, **style_of(name, windows))
    most = 1.05 * max(max(ratios) for ratios, _ in found.values())
    x = np.linspace(0, most, 200)
    axes.plot(x, 100 * np.maximum(1, x) / (1 + x), color="#303030", ls="--", lw=0.9, zorder=1)
    axes.set_xlim(0, most)
    plots.plain(axes, "top", "right")
    axes.set_title(title, loc="left", fontsize=10.5)


def case_title(name):
    """128^3-pencils as $128^{3}$ pencils."""
    shape, _, rest = name.partition("-")
    base, power = shape.split("^")
    return f"${base}^{{{power}}}$ {rest.replace('-', ', ')}".strip()


def draw(records, file):
    columns = max(len(record["results"]) for record in records)
    size = (3.6 * columns, 3.0 * len(records) + 1.1)
    figure, grid = plt.subplots(len(records), columns, figsize=size, squeeze=False, sharey=True, layout="constrained")
    figure.get_layout_engine().set(rect=(0, 0.6 / size[1], 1, 1 - 1.1 / size[1]))
    for row, record in zip(grid, records):
        library = {"mpich": "MPICH", "openmpi": "Open MPI"}[record["library"]]
        where = f"{library}, {record['hosts']} hosts x {record['per_host']}"
        for axes, result in zip(row, record["results"]):
            draw_panel(axes, f"{case_title(result['case'])}: {where}", result)
            axes.set_xlabel("T_comp / T_comm", fontsize=9)
        for axes in row[len(record["results"]):]:
            axes.set_visible(False)
        row[0].set_ylabel("max(T_comm, T_comp) / time, %", fontsize=9)
    handles = {}
    for axes in grid.flat:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=min(len(handles), 2 * columns + 2),
                  frameon=False, fontsize=10)
    plots.headline(figure, "Exchanges that hide", 1 - 0.15 / size[1])
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `clients/run --json` measured: times of whole programs with sixstep, relative to those with FFTW.

    bench/plot_clients.py clients.json clients.png

The dark part of a bar is what the program spends in plans and planning.
"""

import plots
import matplotlib.pyplot as plt

IN_FFTS = "#1b6ca8"
REST = "#a9cbe3"


def draw(results, file):
    results = sorted(results, key=lambda result: result["ratio"])
    names = [f"{result['name']}\n{result['what']}" for result in results]
    whole = [100 / result["ratio"] for result in results]
    in_ffts = [share * result["in_ffts"] for share, result in zip(whole, results)]
    size = (8, 0.62 * len(results) + 1.3)
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    axes.barh(names, in_ffts, color=IN_FFTS, height=0.6, label="in plans and planning")
    axes.barh(names, [all_ - part for all_, part in zip(whole, in_ffts)], left=in_ffts, color=REST, height=0.6,
              label="the rest of the program")
    axes.axvline(100, color="#303030", ls="--", lw=1)
    for row, share in enumerate(whole):
        axes.text(share - 1, row, f"{share:.0f} %", va="center", ha="right", fontsize=9)
    axes.set_xlim(0, 1.12 * max(100, *whole))
    axes.set_xlabel("time with sixstep in % of the time with FFTW")
    axes.tick_params(axis="y", length=0, labelsize=8.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower center", bbox_to_anchor=(0.4, 1), ncol=2, frameon=False, fontsize=9)
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw)

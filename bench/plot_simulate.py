#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what bench/simulate found: simulated times by ranks, the model's beside them, and what was published.

    bench/simulate --ranks 16:256 --json few.json
    bench/simulate --ranks 512:1024 --layouts pencil --json many.json
    bench/plot_simulate.py few.json many.json simulate.png
"""

import plots
import matplotlib.pyplot as plt

COLOURS = {"slab": "#3b6fb6", "pencil": "#b2182b", "brick": "#1b9e77"}


def draw_panel(axes, cases, exchange):
    # Below a tenth of a millisecond nothing is sent: all ranks are on one node.
    shown = [case for case in cases
             if case["exchange"] == exchange and case["windows"] == 1 and case["seconds"] > 1e-4]
    for layout, colour in COLOURS.items():
        points = sorted((case for case in shown if case["layout"] == layout), key=lambda case: case["ranks"])
        ranks = [case["ranks"] for case in points]
        axes.plot(ranks, [case["seconds"] for case in points], color=colour, lw=1.6, marker="o", ms=4, label=layout)
        axes.plot(ranks, [case["model_s"] for case in points], color=colour, lw=1.2, ls=":")
        known = [case for case in points if case["measured_s"] is not None]
        axes.plot([case["ranks"] for case in known], [case["measured_s"] for case in known], color=colour, ls="none",
                  marker="s", mfc="none", ms=8)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("ranks", fontsize=9)
    plots.plain(axes, "top", "right")
    axes.set_title(exchange, loc="left", fontsize=10.5)


def draw(records, file):
    cases = [case for record in records for case in record["cases"]]
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.4), sharex=True, sharey=True, layout="constrained")
    for axes, exchange in zip(panels, ("plain", "gathered")):
        draw_panel(axes, cases, exchange)
    panels[0].set_ylabel("seconds" if records[0]["with_passes"] else "seconds of exchanges", fontsize=9)
    panels[0].plot([], [], color="#8a8a8a", ls=":", label="by the model")
    panels[0].plot([], [], color="#8a8a8a", ls="none", marker="s", mfc="none", ms=8, label="published")
    panels[0].legend(frameon=False, fontsize=9)
    figure.suptitle(f"{' x '.join(records[0]['shape'])} on {records[0]['platform']}, simulated", fontsize=10.5)
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw, several=True)

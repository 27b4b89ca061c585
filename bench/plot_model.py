#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what `sixstep model --json` predicts: time and its communication against ranks, log-log.

    sixstep model 256 256 256 --machine t2k-tsukuba --ranks 1:4096 --output transposed --json > t2k.json
    bench/plot_model.py t2k.json t2k.png

Where the case is one that was measured (*-256.json beside this script), its points are drawn, too.
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

COLOURS = {"slab": "#3b6fb6", "pencil": "#b2182b", "brick": "#1b9e77"}
CASE = ("machine", "shape", "kind", "precision", "output")
FOLDER = pathlib.Path(__file__).parent


def measured(model):
    """What was measured of this case, exchanged by messages and in turn."""
    if model["gathered"] or model["windows"] > 1:
        return []
    cases = [json.loads(file.read_text()) for file in sorted(FOLDER.glob("*-256.json"))]
    return [case for case in cases if all(case[key] == model[key] for key in CASE)]


def draw(model, file):
    figure, axes = plt.subplots(figsize=(7.2, 5.0), layout="constrained")
    for layout in dict.fromkeys(point["layout"] for point in model["points"]):
        points = [point for point in model["points"] if point["layout"] == layout]
        ranks = [point["ranks"] for point in points]
        style = {"color": COLOURS[layout], "lw": 1.6}
        axes.plot(ranks, [point["seconds"] for point in points], label=layout, **style)
        axes.plot(ranks, [point["communication_s"] or None for point in points], ls=":", **style)
    axes.plot([], [], color="#8a8a8a", ls=":", label="its communication")
    for case in measured(model):
        style = {"color": COLOURS[case["layout"]], "ls": "none", "ms": 5}
        axes.plot(case["ranks"], case["seconds"], marker="o", label=f"{case['layout']}, measured", **style)
        axes.plot(case["ranks"], case["communication_s"], marker="o", mfc="none", **style)
        figure.supxlabel(f"measured: {case['source']}", fontsize=7, color="#606060")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("ranks", fontsize=9)
    axes.set_ylabel("seconds", fontsize=9)
    axes.grid(color="#e0e0e0", lw=0.8)
    axes.tick_params(length=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9)
    shape = " x ".join(str(extent) for extent in model["shape"])
    axes.set_title(f"{shape}, {model['kind']}, {model['precision']}, output {model['output']}: {model['machine']}",
                   loc="left", fontsize=10.5)
    figure.savefig(file, dpi=110)
    print(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=pathlib.Path)
    parser.add_argument("png", type=pathlib.Path)
    arguments = parser.parse_args()
    draw(json.loads(arguments.json.read_text()), arguments.png)


if __name__ == "__main__":
    main()

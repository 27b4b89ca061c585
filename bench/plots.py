# SPDX-License-Identifier: BSD-3-Clause
"""The parts that all plot_*.py share: the command line, records, axes without ornaments, files."""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")


def main(words, draw, several=False):
    """Reads one record, or several, and calls draw(record or records, picture). `words` are shown by --help."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=pathlib.Path, nargs="+" if several else None)
    parser.add_argument("png", type=pathlib.Path)
    arguments = parser.parse_args()
    read = lambda file: json.loads(file.read_text())
    draw(list(map(read, arguments.json)) if several else read(arguments.json), arguments.png)


def plain(axes, *hidden, grid="both"):
    """A light grid, no ticks, and no spines on these sides."""
    axes.grid(axis=grid, color="#e0e0e0", lw=0.8)
    axes.tick_params(length=0)
    axes.spines[list(hidden)].set_visible(False)


def headline(figure, words, place, size=13):
    """Writes the title of a picture with several panels, `place` from its lower edge."""
    figure.text(0.012, place, words, va="top", fontsize=size, fontweight="bold")


def save(figure, file):
    figure.savefig(file, dpi=110)
    print(file)

# SPDX-License-Identifier: BSD-3-Clause
"""The parts that all plot_*.py share: the command line, records, axes without ornaments, files."""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")


def main(words, draw, several=False, reads="json", read=lambda file: json.loads(file.read_text()), options=None):
    """Reads one file, or several, and calls draw(what was read, picture, ...). `words` are shown by --help.

    `options` adds more arguments to a parser, which draw() gets by name. `reads` is what --help calls the file.
    """
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(reads, type=pathlib.Path, nargs="+" if several else None)
    parser.add_argument("png", type=pathlib.Path)
    if options:
        options(parser)
    arguments = vars(parser.parse_args())
    files, picture = arguments.pop(reads), arguments.pop("png")
    draw(list(map(read, files)) if several else read(files), picture, **arguments)


def plain(axes, *hidden, grid="both"):
    """A light grid, no ticks, and no spines on these sides."""
    axes.grid(axis=grid, color="#e0e0e0", lw=0.8)
    axes.tick_params(length=0)
    axes.spines[list(hidden)].set_visible(False)


def headline(figure, words, place, size=13):
    """Writes the title of a picture with several panels, `place` from its lower edge."""
    figure.text(0.012, place, words, va="top", fontsize=size, fontweight="bold")


def save(figure, file, dpi=110):
    figure.savefig(file, dpi=dpi)
    print(file)

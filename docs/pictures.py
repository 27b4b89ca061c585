#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the documents' pictures of layouts, passes and finite differences into docs/images. Needs matplotlib."""

import pathlib

import matplotlib
import numpy

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "sixstep", "font.size": 13, "font.family": "DejaVu Sans"})
from matplotlib import pyplot
from matplotlib.patches import FancyArrowPatch, Polygon, Rectangle

IMAGES = pathlib.Path(__file__).parent / "images"
COLOURS = ["#4477aa", "#ee7733", "#44aa88", "#cc6688", "#ccbb44", "#66ccee", "#aa66cc", "#999999"]
DEPTH = (0.45, 0.35)  # where the second axis points
INK = "#333333"


def cube(axes, at, grid, gap=0.09):
    """Blocks of `grid` ranks along the axes: the first points down, the second back, the last to the right."""
    n0, n1, n2 = grid

    def point(a0, a1, a2):
        return at[0] + a2 + DEPTH[0] * a1, at[1] - a0 + DEPTH[1] * a1

    for i1 in reversed(range(n1)):
        for i0 in reversed(range(n0)):
            for i2 in range(n2):
                colour = COLOURS[(i0 * n1 + i1) * n2 + i2]
                spans = [((i + gap / 2 * n) / n, (i + 1 - gap / 2 * n) / n) if n > 1 else (0, 1)
                         for i, n in zip((i0, i1, i2), grid)]
                (u0, u1), (v0, v1), (w0, w1) = spans
                front = [point(u0, v0, w0), point(u0, v0, w1), point(u1, v0, w1), point(u1, v0, w0)]
                top = [point(u0, v0, w0), point(u0, v1, w0), point(u0, v1, w1), point(u0, v0, w1)]
                side = [point(u0, v0, w1), point(u0, v1, w1), point(u1, v1, w1), point(u1, v0, w1)]
                for face, light in ((front, 1.0), (top, 1.12), (side, 0.8)):
                    rgb = tuple(min(1, light * part) for part in matplotlib.colors.to_rgb(colour))
                    axes.add_patch(Polygon(face, facecolor=rgb, edgecolor="white", linewidth=0.8))


def along(axes, at, axis, grid):
    """An arrow on the front or the top of the first rank's block, along an axis that is transformed."""
    middle = [0.5 / n for n in grid]
    right = middle[2]
    begin, end = {0: ((right, -0.12), (right, -0.88)),
                  1: ((right + 0.05 * DEPTH[0], 0.05 * DEPTH[1]), (right + 0.95 * DEPTH[0], 0.95 * DEPTH[1])),
                  2: ((0.1, -middle[0]), (0.9, -middle[0]))}[axis]
    axes.add_patch(FancyArrowPatch((at[0] + begin[0], at[1] + begin[1]), (at[0] + end[0], at[1] + end[1]),
                                   arrowstyle="<|-|>", mutation_scale=13, linewidth=2.2, color="black"))


def arrow(axes, x, y, words):
    axes.add_patch(FancyArrowPatch((x, y), (x + 0.5, y), arrowstyle="-|>", mutation_scale=16, linewidth=2, color=INK))
    axes.text(x + 0.25, y - 0.15, words, ha="center", va="top", color=INK, fontsize=11)


def canvas(width, height, x, y):
    figure, axes = pyplot.subplots(figsize=(width, height))
    axes.set_xlim(*x)
    axes.set_ylim(*y)
    axes.set_aspect("equal")
    axes.axis("off")
    figure.subplots_adjust(0, 0, 1, 1)
    return axes


def save(name):
    path = IMAGES / name
    pyplot.savefig(path, metadata={"Date": None}, facecolor="white")
    pyplot.close()
    path.write_text("".join(line.rstrip() + "\n" for line in path.read_text().splitlines()))


def layouts():
    axes = canvas(5.2, 2.1, (-0.15, 5.35), (-1.55, 0.65))
    for x, grid, words in ((0, (4, 1, 1), "slab\n4 x 1 x 1"), (1.9, (2, 2, 1), "pencil\n2 x 2 x 1"),
                           (3.8, (2, 2, 2), "brick\n2 x 2 x 2")):
        cube(axes, (x, 0), grid)
        axes.text(x + 0.6, -1.1, words, ha="center", va="top", color=INK)
    save("layouts.svg")


def passes(name, steps):
    """Cubes in turn, with an exchange between them."""
    width = 2.8 * len(steps) - 1.05
    axes = canvas(0.7 * width, 1.7, (-0.45, width), (-1.5, 0.6))
    for number, (grid, transformed) in enumerate(steps):
        x = 2.8 * number
        cube(axes, (x, 0), grid)
        for axis in transformed:
            along(axes, (x, 0), axis, grid)
        words = "fft along " + ", ".join(str(axis) for axis in transformed)
        axes.text(x + 0.55, -1.12, words, ha="center", va="top", color=INK, fontsize=12)
        if number:
            arrow(axes, x - 0.92, -0.5, "exchange")
    save(name)


def cyclic():
    axes = canvas(5.2, 1.7, (-3.3, 12.2), (-0.4, 4.6))
    for y, words, rank in ((2.6, "block", lambda i: i // 4), (0.2, "cyclic", lambda i: i % 3)):
        axes.text(-0.4, y + 0.5, words, ha="right", va="center", color=INK)
        for i in range(12):
            axes.add_patch(Rectangle((i + 0.05, y), 0.9, 1, facecolor=COLOURS[rank(i)], edgecolor="none"))
            axes.text(i + 0.5, y + 0.47, str(rank(i)), ha="center", va="center", color="white")
    for i in range(12):
        axes.text(i + 0.5, 3.85, str(i), ha="center", va="bottom", color=INK, fontsize=10)
    save("cyclic.svg")


def six_step():
    axes = canvas(5.2, 4.1, (-0.2, 7.4), (-0.65, 5.35))
    # rows, columns, what is done, what rows and columns count then
    panels = [("transpose", (2, 3), "x(j1, j2)"), ("fft of rows", (3, 2), "(j2, j1)"), ("twiddle", (3, 2), "(j2, k1)"),
              ("transpose", (3, 2), "(j2, k1)"), ("fft of rows", (2, 3), "(k1, j2)"), ("transpose", (2, 3), "(k1, k2)")]
    for number, (words, (rows, columns), indices) in enumerate(panels):
        x, y = 2.55 * (number % 3), 3.05 * (1 - number // 3)
        unit = 0.5
        left, top = x + 0.95 - unit * columns / 2, y + 0.95 + unit * rows / 2
        for i in range(rows):
            for j in range(columns):
                axes.add_patch(Rectangle((left + unit * j, top - unit * (i + 1)), unit, unit, facecolor="#dde6f0",
                                         edgecolor=COLOURS[0], linewidth=1))
            if words == "fft of rows":
                middle = top - unit * (i + 0.5)
                axes.add_patch(FancyArrowPatch((left + 0.06, middle), (left + unit * columns - 0.06, middle),
                                               arrowstyle="<|-|>", mutation_scale=11, linewidth=2, color=COLOURS[1]))
        if words == "transpose":
            begin, end = (left + 0.12, top - unit * rows + 0.12), (left + unit * columns - 0.12, top - 0.12)
            axes.add_patch(FancyArrowPatch(begin, end,
                                           arrowstyle="<|-|>", mutation_scale=14, linewidth=2, color=COLOURS[1],
                                           connectionstyle="arc3,rad=0.3"))
        if words == "twiddle":
            axes.text(x + 0.95, y + 0.95, "x $w_N^{j_2 k_1}$", ha="center", va="center", color=COLOURS[1], fontsize=15)
        axes.text(x + 0.95, y + 1.85, f"{number + 1} {words}", ha="center", va="bottom", color=INK)
        axes.text(x + 0.95, y + 0.02, indices, ha="center", va="top", color=INK, fontsize=11)
    axes.text(6.05, -0.6, "and then X(k2, k1)", ha="center", va="bottom", color=INK, fontsize=11)
    save("six-step.svg")


def differences():
    """The symbols of include/sixstep/differences.hpp, times the spacing h."""
    angle = numpy.linspace(0, numpy.pi, 200)
    half = numpy.sin(angle / 2)
    pyplot.figure(figsize=(5.6, 3.4))
    for values, words, line, colour in (
        (angle, "exact", "-", INK),
        (2 * half + half**3 / 3, "faces, order 4", "-", COLOURS[1]),
        (2 * half, "faces, order 2", "--", COLOURS[1]),
        (numpy.sin(angle) * (4 - numpy.cos(angle)) / 3, "centred, order 4", "-", COLOURS[0]),
        (numpy.sin(angle), "centred, order 2", "--", COLOURS[0]),
    ):
        pyplot.plot(angle, values, line, color=colour, linewidth=2, label=words)
    pyplot.xticks([0, numpy.pi / 2, numpy.pi], ["0", "n/4", "n/2"])
    pyplot.xlabel("wave number")
    pyplot.ylabel("derivative times spacing")
    pyplot.legend(frameon=False, fontsize=11)
    for side in ("top", "right"):
        pyplot.gca().spines[side].set_visible(False)
    pyplot.tight_layout()
    save("differences.svg")


def walls():
    axes = canvas(7.4, 2.5, (-5.6, 8), (-1.2, 3.4))
    for y, words, first, spacing in (
        (2.6, "cells", 0.5, 1),
        (1.3, "nodes, u given", 6 / 7, 6 / 7),
        (0, "nodes, du/dx given", 0, 6 / 5),
    ):
        axes.plot([0, 6], [y, y], color=INK, linewidth=1)
        for wall in (0, 6):
            axes.plot([wall, wall], [y - 0.35, y + 0.35], color=COLOURS[1], linewidth=3)
        places = [first + spacing * j for j in range(-1, 7)]
        axes.plot(places[1:-1], [y] * 6, "o", color=COLOURS[0], markersize=9)
        axes.plot([places[0], places[-1]], [y] * 2, "o", markerfacecolor="white", color=COLOURS[0], markersize=9)
        axes.text(-1.5, y, words, ha="right", va="center", color=INK, fontsize=12)
    axes.text(0, -0.6, "first wall", ha="center", va="top", color=COLOURS[1], fontsize=12)
    axes.text(6, -0.6, "last wall", ha="center", va="top", color=COLOURS[1], fontsize=12)
    save("walls.svg")


if __name__ == "__main__":
    layouts()
    passes("by-slabs.svg", [((4, 1, 1), (2, 1)), ((1, 4, 1), (0,))])
    passes("by-pencils.svg", [((2, 2, 1), (2,)), ((2, 1, 2), (1,)), ((1, 2, 2), (0,))])
    cyclic()
    six_step()
    differences()
    walls()

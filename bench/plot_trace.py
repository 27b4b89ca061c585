#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a trace as a timeline, and tells the shares of time in passes and in waiting.

    bench/plot_trace.py trace.json trace.png [--executions 2] [--from MS] [--to MS]

A row for each thread, and one for each rank's messages under way, the darker the more they are; of
ranks on devices, one for passes there, and for copies out and in if messages are staged. The last
executions are drawn, one if not told otherwise. Shares are of the time that a rank's executions take.
"""

import importlib.util
import pathlib

import plots


def drawing():
    """The module that draws, which is a part of the Python package."""
    path = pathlib.Path(__file__).parents[1] / "python" / "sixstep" / "_timelines.py"
    spec = importlib.util.spec_from_file_location("timelines", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tell(told, about):
    print("rank  thread  passes  waiting")
    for (rank, thread), (passes, waits) in told.items():
        print(f"{rank:4}  {thread:6}  {100 * passes:5.1f} %  {100 * waits:5.1f} %")
    dropped = sum(rank["dropped"] for rank in about["ranks"])
    if dropped:
        print(f"{dropped} events were dropped, as buffers were full")


def add_options(parser):
    parser.add_argument("--executions", type=int, default=1, help="how many of the last ones [1]")
    parser.add_argument("--from", dest="begin", type=float, metavar="MS", help="[their begin]")
    parser.add_argument("--to", dest="end", type=float, metavar="MS", help="[their end]")


def draw(trace, file, executions, begin, end):
    timelines = drawing()
    spans, about = timelines.read(trace)
    try:
        spans, limits = timelines.chosen(spans, executions, begin, end)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    figure = timelines.draw(spans, limits, about)
    tell(timelines.shares(spans, limits), about)
    plots.save(figure, file)


if __name__ == "__main__":
    plots.main(__doc__, draw, reads="trace", read=pathlib.Path.read_text, options=add_options)

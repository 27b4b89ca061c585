#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times sixstep.fft, scipy.fft, numpy.fft, pyFFTW and mkl_fft in one process.

    pip install . scipy pyfftw mkl_fft
    bench/fft.py --json fft.json --plot fft.png

They take turns on the same array, another one first each round. Before a turn there is a pause, in which the threads of
the one before go to sleep, and an untimed call. Figures are medians, ratios medians of those within a round. Each makes
an array for its result ("new"), as a plain call does, or writes to one that is there ("given"). numpy.fft has one
thread; pyFFTW's plans are FFTW_MEASURE's (20 s at most), on aligned arrays. Results are compared with SciPy's first.
"""

import argparse
import json
import os
import statistics
import sys
import time

THREADS = int(os.environ.get("OMP_NUM_THREADS", "2"))
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(THREADS)
os.environ.setdefault("KMP_BLOCKTIME", "1")  # ms that MKL's threads spin after a call, on the cores of whose turn it is
PAUSE_S = 5e-3

import mkl_fft
import numpy
import pyfftw
import scipy.fft
import sixstep.fft

CASES = {
    "2^10": (1024,),
    "16x2^10": (16, 1024),
    "1000x2^10": (1000, 1024),
    "2^20": (2**20,),
    "2^24": (2**24,),
    "1000^2": (1000, 1000),
    "256^3": (256, 256, 256),
}
ONE_AXIS = {"16x2^10", "1000x2^10"}
KINDS = ("complex", "real")


def functions(case, kind, x, given):
    """What each contender calls, by its name; `given`: into arrays that are there."""
    several = x.ndim > 1 and case not in ONE_AXIS
    name = ("r" if kind == "real" else "") + ("fftn" if several else "fft")
    modules = {"sixstep": sixstep.fft, "scipy": scipy.fft, "numpy": numpy.fft, "mkl_fft": mkl_fft}
    made = getattr(scipy.fft, name)(x)
    found = {}
    for module, where in modules.items():
        function = getattr(where, name)
        keywords = {"workers": THREADS} if module in ("sixstep", "scipy") else {}
        if given and module == "scipy":
            continue  # which has no such argument
        if given:
            keywords["out"] = numpy.empty_like(made)
        found[module] = lambda function=function, keywords=keywords: function(x, **keywords)
    axes = tuple(range(x.ndim)) if several else (-1,)
    source, target = pyfftw.empty_aligned(x.shape, x.dtype), pyfftw.empty_aligned(made.shape, made.dtype)
    planned = pyfftw.FFTW(source, target, axes, flags=("FFTW_MEASURE",), threads=THREADS, planning_timelimit=20)
    if given:
        found["pyfftw"] = lambda: planned(x)
    else:
        found["pyfftw"] = lambda: planned(x, pyfftw.empty_aligned(made.shape, made.dtype))
    return found, made


def check(found, expected, case):
    bound = 1e-14 * numpy.abs(expected).max() * max(1, numpy.log2(expected.size))
    for name, call in found.items():
        worst = numpy.abs(call() - expected).max()
        if not worst <= bound:
            sys.exit(f"{case}: {name} is {worst:g} from SciPy's result, {bound:g} are allowed")


def turns(found, seconds):
    """Times of a call of each contender, of every round. A short one is repeated within its turn."""
    names, times = list(found), {name: [] for name in found}
    begin = time.perf_counter()
    found[names[0]]()
    repeats = max(1, int(1e-3 / (time.perf_counter() - begin)))
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop or len(times[names[0]]) < 5:
        for name in names:
            call = found[name]
            time.sleep(PAUSE_S)
            call()
            begin = time.perf_counter()
            for _ in range(repeats):
                call()
            times[name].append((time.perf_counter() - begin) / repeats)
        names = names[1:] + names[:1]
    return times


def measure(case, kind, given, seconds):
    x = pyfftw.empty_aligned(CASES[case], "float64" if kind == "real" else "complex128")
    random = numpy.random.default_rng(1)
    x.real = random.normal(size=x.shape)
    if kind == "complex":
        x.imag = random.normal(size=x.shape)
    found, expected = functions(case, kind, x, given)
    check(found, expected, case)
    times = turns(found, seconds)
    ratios = {
        name: statistics.median(theirs / ours for theirs, ours in zip(times[name], times["sixstep"])) for name in found
    }
    medians = {name: statistics.median(of_one) for name, of_one in times.items()}
    rounds = len(times["sixstep"])
    return {"case": case, "kind": kind, "given": given, "rounds": rounds, "seconds": medians, "times_ours": ratios}


def line(result):
    rivals = {name: ratio for name, ratio in result["times_ours"].items() if name != "sixstep"}
    fastest = min(rivals, key=rivals.get)
    words = "  ".join(f"{name} {1e6 * seconds:10.1f}" for name, seconds in result["seconds"].items())
    array = "given" if result["given"] else "new"
    return f"{result['case']:>10} {result['kind']:7} {array:5} {words}   {rivals[fastest]:.2f} x {fastest}"


def draw(results, path):
    import plots
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(11, 0.32 * len(results) / 2 + 1.4), sharey=True)
    for axes, given in zip(panels, (False, True)):
        ours = [result for result in results if result["given"] == given]
        for y, result in enumerate(ours):
            for name, style in (("scipy", "sC0"), ("numpy", "DC7"), ("mkl_fft", "^C2"), ("pyfftw", "vC1")):
                if name in result["times_ours"]:
                    axes.plot(result["times_ours"][name], y, style, label=name if y == 0 else None)
        axes.axvline(1, color="k", lw=1)
        axes.set_xscale("log")
        axes.set_xlim(0.45, 13)
        axes.set_xticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
        axes.set_xticks([], minor=True)
        axes.set_yticks(range(len(ours)), [f"{result['case']} {result['kind']}" for result in ours])
        axes.set_title("results in arrays that are there" if given else "results in new arrays", loc="left")
        axes.set_xlabel("time over sixstep's")
        axes.grid(axis="x", color="#e0e0e0")
    panels[0].invert_yaxis()
    panels[0].legend()
    figure.tight_layout()
    plots.save(figure, path, dpi=120)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES), help="of " + ", ".join(CASES))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seconds", type=float, default=3, help="for a line of the tables")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE", help="an image; needs matplotlib")
    arguments = parser.parse_args()
    print(f"{THREADS} threads; us a transform; the last column is the fastest rival's time over sixstep's", flush=True)
    results = []
    for case in arguments.cases.split(","):
        for kind in arguments.kinds.split(","):
            for given in (False, True):
                results.append(measure(case, kind, given, arguments.seconds))
                print(line(results[-1]), flush=True)
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"threads": THREADS, "results": results}, file, indent=1)
    if arguments.plot:
        draw(results, arguments.plot)


if __name__ == "__main__":
    main()

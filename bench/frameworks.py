#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Times transforms of PyTorch's and JAX's arrays, and their gradients, by sixstep and by the libraries themselves.

    scripts/install-python mpich VENV frameworks
    VENV/bin/python bench/frameworks.py [torch] [jax] [calls]

Two contenders take turns in one process, on OMP_NUM_THREADS threads [2]. Figures are medians in ms, ratios medians of
those within a round. `calls`: what a call at 16^3 points of complex128 takes, in us, the least of all rounds. Results
are compared first.
"""

import argparse
import os
import statistics
import time

THREADS = int(os.environ.setdefault("OMP_NUM_THREADS", "2"))

import jax
import jax.numpy as jnp
import numpy
import sixstep.fft
import sixstep.jax
import sixstep.torch
import torch

CASES = (("rfftn", "float32"), ("fftn", "complex64"), ("fftn", "complex128"))


def array(points, dtype):
    random = numpy.random.default_rng(1)
    x = random.normal(size=(points,) * 3)
    return (x if dtype.startswith("float") else x + 1j * random.normal(size=x.shape)).astype(dtype)


def times_of(calls, seconds, repeats=1):
    """The time of a call of each contender in each round. The first call of a round is the next one's each time."""
    times = [[] for _ in calls]
    order = list(range(len(calls)))
    stop = time.perf_counter() + seconds
    while time.perf_counter() < stop or len(times[0]) < 5:
        for which in order:
            calls[which]()
            time.sleep(5e-3)  # threads of the contender before go to sleep, and memory is given back
            begin = time.perf_counter()
            for _ in range(repeats):
                calls[which]()
            times[which].append((time.perf_counter() - begin) / repeats)
        order = order[1:] + order[:1]
    return times


def of_torch(x, name):
    """What is timed of the transforms `name`, in words, with a call for sixstep and one for torch.fft."""
    x = torch.from_numpy(x).requires_grad_()
    functions = getattr(sixstep.torch, name), getattr(torch.fft, name)
    w = torch.randn_like(functions[0](x).detach())

    def values(f):
        with torch.no_grad():
            return f(x)

    yield "values", [lambda f=f: values(f) for f in functions]
    yield "values and gradient", [lambda f=f: torch.autograd.grad(f(x), x, w)[0] for f in functions]
    yield "loss", [lambda f=f: torch.autograd.grad(f(x).abs().square().sum(), x)[0] for f in functions]


def of_jax(x, name):
    x = jnp.asarray(x)
    functions = [jax.jit(f) for f in (getattr(sixstep.jax, name), getattr(jnp.fft, name))]
    losses = [jax.jit(jax.grad(lambda x, f=f: (abs(f(x)) ** 2).sum())) for f in functions]
    yield "values", [lambda f=f: f(x).block_until_ready() for f in functions]
    yield "gradient of a loss", [lambda f=f: f(x).block_until_ready() for f in losses]


def compare(library, points, seconds):
    for name, dtype in CASES:
        for what, calls in {"torch": of_torch, "jax": of_jax}[library](array(points, dtype), name):
            made, expected = (numpy.asarray(call()) for call in calls)
            assert abs(made - expected).max() < (1e-4 if dtype in ("float32", "complex64") else 1e-12) * abs(made).max()
            del made, expected
            mine, theirs = times_of(calls, seconds)
            ratio = statistics.median(b / a for a, b in zip(mine, theirs))
            figures = (1e3 * statistics.median(each) for each in (mine, theirs))
            print(f"{library:6}{name:6} {dtype:11}{what:20}", *(f"{each:8.1f}" for each in figures), f"{ratio:6.2f} x")


def of_calls(seconds):
    x = array(16, "complex128")
    tensor, traced = torch.from_numpy(x), jnp.asarray(x)
    compiled, theirs = jax.jit(sixstep.jax.fftn), jax.jit(jnp.fft.fftn)
    calls = {
        "sixstep, NumPy": lambda: sixstep.fft.fftn(x),
        "sixstep, PyTorch": lambda: sixstep.fft.fftn(tensor),
        "torch.fft": lambda: torch.fft.fftn(tensor),
        "sixstep, JAX": lambda: sixstep.fft.fftn(traced),
        "sixstep, JAX, compiled": lambda: compiled(traced),
        "jnp.fft": lambda: jnp.fft.fftn(traced),
        "jnp.fft, compiled": lambda: theirs(traced),
    }
    times = times_of(list(calls.values()), seconds, 50)
    for name, each in zip(calls, times):
        print(f"{name:24}{1e6 * min(each):6.1f}, {1e6 * (min(each) - min(times[0])):+5.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="of torch, jax and calls [all]")
    parser.add_argument("--points", type=int, default=256, help="along each axis")
    parser.add_argument("--seconds", type=float, default=10, help="for a line")
    arguments = parser.parse_args()
    torch.set_num_threads(THREADS)
    jax.config.update("jax_enable_x64", True)
    print(f"{THREADS} threads, PyTorch {torch.__version__}, JAX {jax.__version__}; sixstep, theirs, ratio")
    for what in arguments.what or ["torch", "jax", "calls"]:
        of_calls(arguments.seconds) if what == "calls" else compare(what, arguments.points, arguments.seconds)


if __name__ == "__main__":
    main()

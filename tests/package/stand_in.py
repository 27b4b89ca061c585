# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of pytest: scipy.fft has sixstep.fft as its backend, numpy.fft its functions. By turns, tests have one
worker and two. Counts what they are asked."""

import collections
import functools
import multiprocessing
import re
import types

import numpy.fft
import pytest
import scipy.fft
import sixstep.fft

calls = collections.Counter()

# What does not apply, by module and test, and why.
LEFT_OUT = {
    r"scipy\..*:test_fft_with_order\[(fft2|fftn)-F-(float32|complex64)\]": "axes of Fortran's order are transformed in "
    "another order: elements that are sums of larger ones differ by those' rounding",
    r"numpy\..*:test_fft_with_order\[fftn-F-(float64|complex128)\]": "the same",
    r"numpy\..*:test_identity_.*\[longdouble\]": "long double is for SciPy, which is the next backend; here is none",
    r"numpy\..*:test_rfftn": "an axis that is named twice is an error, as SciPy's tests have it",
    r"numpy\..*:test_s_axes_none(_2D)?\[.*": "NumPy warns of s without axes, which it will give up; SciPy does not",
    r"numpy\..*:test_s_contains_none\[.*": "the same for None in s",
}


def counted(name, function):
    @functools.wraps(function)
    def call(*arguments, **keywords):
        calls[name] += 1
        return function(*arguments, **keywords)

    return call


def ask(method, arguments, keywords):
    made = sixstep.fft.__ua_function__(method, arguments, keywords)
    calls[f"scipy.fft.{method.__name__}" if made is not NotImplemented else "left to SciPy"] += 1
    return made


backend = types.SimpleNamespace(__ua_domain__=sixstep.fft.__ua_domain__, __ua_function__=ask)
scipy.fft.set_global_backend(backend)
scipy.fft.register_backend("scipy")
# SciPy's conftest makes processes by a server, which has to know the backend too.
multiprocessing.set_forkserver_preload([__name__])

for name in numpy.fft.__all__:
    setattr(numpy.fft, name, counted(f"numpy.fft.{name}", getattr(sixstep.fft, name)))


def pytest_collection_modifyitems(config, items):
    left_out = [item for item in items if re.fullmatch("|".join(LEFT_OUT), f"{item.module.__name__}:{item.name}")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
    for position, item in enumerate(items):  # neighbours are the same test with other arguments
        item.workers = 1 + position % 2


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    # Of which one asks what it is without that.
    with scipy.fft.set_workers(1 if item.name == "test_set_get_workers" else item.workers):
        return (yield)


def pytest_terminal_summary(terminalreporter):
    for name, count in sorted(calls.items()):
        terminalreporter.write_line(f"asked {name}: {count}")

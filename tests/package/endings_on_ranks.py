# SPDX-License-Identifier: BSD-3-Clause
"""Plans that end at different times on the ranks that run this file: held by the traceback of one rank's exception, or
found by the garbage collector earlier on one rank than on others."""

import gc
import os
import shutil
import tempfile

import numpy
import pytest
import sixstep
from mpi4py import MPI
from on_ranks import RANK, RANKS

SHAPE = (6, 5, 4)


def planned(options):
    """A plan that has transformed ones."""
    plan = sixstep.Plan(sixstep.Layout.slab(SHAPE, RANKS), **options)
    if "device" not in options:
        field = plan.empty_input()
        field[...] = 1
        assert numpy.array_equal(plan.forward(field).sum(), 120 if RANK == 0 else 0)
    return plan


def fails_on(rank, options):
    """Raises an exception on one rank, whose traceback holds two plans there."""
    first, second = planned(options), planned(options)
    if RANK == rank:
        raise RuntimeError("of one rank")
    del second, first


@pytest.mark.parametrize("failing", [0, RANKS - 1])
@pytest.mark.parametrize("kind", ["one_sided", "windows", "collective", "trace", "emulated"])
def test_after_an_exception_on_one_rank_the_next_collective_call_works(kind, failing):
    folder = MPI.COMM_WORLD.bcast(tempfile.mkdtemp() if RANK == 0 else None)
    options = {
        "one_sided": {"exchange": "one_sided"},
        "windows": {"exchange": "one_sided", "windows": 3},
        "collective": {"exchange": "collective"},
        "trace": {"trace": os.path.join(folder, "trace.json")},
        "emulated": {"device": "emulated"},
    }[kind]
    held = None
    try:
        fails_on(failing, options)
    except RuntimeError as error:
        held = error
    after = planned(options)
    assert (held is None) == (RANK != failing)
    held = None
    planned(options)
    del after
    assert sixstep.Array.from_function(lambda i, j: i + j, (4, 3)).sum() == 30
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("kind", ["one_sided", "shared"])
def test_the_garbage_collector_may_find_plans_at_any_time(kind):
    gc.collect()
    gc.disable()
    try:
        for round_ in range(6):
            cycle = [planned({"exchange": kind})]
            cycle.append(cycle)
            del cycle
            if round_ % RANKS == RANK:
                gc.collect()
    finally:
        gc.enable()
    planned({"exchange": kind})

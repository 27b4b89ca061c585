# SPDX-License-Identifier: BSD-3-Clause
"""The package's exception, with or without MPI."""


class Error(ValueError):
    """What every function of sixstep raises; it says what was given and what is needed.

    `on_all_ranks`: whether all ranks have raised it, so that none of them waits for another.
    """

    on_all_ranks = False


Error.__module__ = "sixstep"  # where users find it

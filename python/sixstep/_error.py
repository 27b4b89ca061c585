# SPDX-License-Identifier: BSD-3-Clause
"""The exception of the package, which needs no MPI."""


class Error(ValueError):
    """The exception that every function of sixstep raises. It says what was given and what is needed.

    `on_all_ranks`: whether all ranks have raised it, so that no rank waits for another.
    """

    on_all_ranks = False


Error.__module__ = "sixstep"  # where users find it

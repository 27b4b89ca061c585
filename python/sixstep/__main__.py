# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program that ends on all ranks when one of them fails.

    mpiexec -n 4 python -m sixstep program.py [ARGUMENTS]
    mpiexec -n 4 python -m sixstep -m module [ARGUMENTS]
    mpiexec -n 4 python -m sixstep -c 'commands' [ARGUMENTS]

Without this, an exception that nobody catches ends Python on its rank only, and the other ranks wait for it forever.
Here the traceback is written and MPI aborts, as with `python -m mpi4py`.
"""

import os
import runpy
import sys
import time

_USAGE = "usage: python -m sixstep [-m MODULE | -c COMMANDS | PROGRAM] [ARGUMENTS]"


def _begin_path(folder):
    """Makes Python search for modules in this folder first, unless its safe-path option forbids that."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = folder


def _run(arguments):
    """Runs a program as Python itself does with these arguments. Errors: those of the program."""
    kind, rest = arguments[0], arguments[1:]
    if kind in ("-m", "-c"):
        sys.argv = [kind, *rest[1:]]
        _begin_path(os.getcwd() if kind == "-m" else "")
        if kind == "-m":
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        else:
            # The program runs in the module __main__, which pickle, for one, needs.
            module = sys.modules["__main__"] = type(sys)("__main__")
            exec(compile(rest[0], "<string>", "exec"), module.__dict__)
    else:
        sys.argv = [kind, *rest]
        _begin_path(os.path.dirname(os.path.realpath(kind)))
        runpy.run_path(kind, run_name="__main__")


def _without_our_frames(traceback):
    """The traceback without its first frames, those of this file and of runpy."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename in (
        __file__,
        runpy.__file__,
        "<frozen runpy>",
    ):
        traceback = traceback.tb_next
    return traceback


def main(arguments):
    if not arguments or arguments[0] in ("-h", "--help") or arguments in (["-m"], ["-c"]):
        print(__doc__ if "-h" in arguments or "--help" in arguments else _USAGE)
        return 0 if "-h" in arguments or "--help" in arguments else 2
    try:
        _run(arguments)
    except SystemExit as leaving:
        if leaving.code is None or leaving.code == 0:
            raise
        status = leaving.code if isinstance(leaving.code, int) else 1
        if not isinstance(leaving.code, int):
            print(leaving.code, file=sys.stderr)
    except BaseException as error:
        traceback = _without_our_frames(error.__traceback__)
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        status = 1
    else:
        return 0
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        from . import _core
    except ImportError:  # no MPI: there are no other ranks
        return status
    time.sleep(0.2)  # MPICH's launcher may drop output of a rank that aborts too soon
    _core.abort(status)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

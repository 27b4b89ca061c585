# SPDX-License-Identifier: BSD-3-Clause
"""Fourier transforms of NumPy arrays that are spread over MPI ranks.

    import numpy, sixstep
    plan = sixstep.Plan(sixstep.Layout.slab((256, 256, 256), sixstep.ranks()), kinds="r2c")
    field = plan.empty_input()               # this rank's part of the global array
    field[...] = numpy.random.rand(*field.shape)
    spectrum = plan.forward(field)           # collective

Run it with mpiexec, or without, as one rank. MPI is loaded by the first use of a name that needs it; sixstep.fft works
without MPI.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from . import fft
from ._error import Error
from ._serial import good_size
from ._serial import version as __version__

if TYPE_CHECKING:
    from . import fields, symbols
    from ._core import DeviceArray, Layout
    from ._mpi import rank, ranks
    from ._progress import progress
    from ._ranks import Ranks
    from .array import Array
    from .files import load, save
    from .map import Map
    from .operator import Operator
    from .plan import Plan, gather_boxes
    from .redistribution import Redistribution
else:
    # The modules of the names that need MPI. They are imported when a name is first used.
    _HOMES = {
        **{name: "_core" for name in ("DeviceArray", "Layout")},
        **{name: "_mpi" for name in ("rank", "ranks")},
        **{name: "files" for name in ("load", "save")},
        **{name: "plan" for name in ("Plan", "gather_boxes")},
        "Array": "array",
        "Map": "map",
        "Operator": "operator",
        "Ranks": "_ranks",
        "Redistribution": "redistribution",
        "progress": "_progress",
        **{name: name for name in ("fields", "symbols")},  # the modules themselves
    }

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            home = importlib.import_module(f".{_HOMES[name]}", __name__)
        except ImportError as error:
            from . import _library

            raise _library.without_mpi(name, error) from None
        globals()[name] = value = home if _HOMES[name] == name else getattr(home, name)
        return value

    def __dir__():
        return sorted({*globals(), *__all__})


__all__ = [
    "Array",
    "DeviceArray",
    "Error",
    "Layout",
    "Map",
    "Operator",
    "Plan",
    "Ranks",
    "Redistribution",
    "fft",
    "fields",
    "gather_boxes",
    "good_size",
    "load",
    "progress",
    "rank",
    "ranks",
    "save",
    "symbols",
    "__version__",
]

# SPDX-License-Identifier: BSD-3-Clause
"""Bars that show how far tuning and files have come."""

from __future__ import annotations

import contextlib
from typing import Any

from . import _core


@contextlib.contextmanager
def progress():
    """A context in which rank 0 shows the progress of tuning, `save` and `load` as a bar, with tqdm: in a notebook as a
    widget, elsewhere as a line on stderr.

        with sixstep.progress():
            plan = sixstep.Plan(layout, tuning="quick")
            sixstep.save("u.npy", u)

    It holds for calls of the thread that has entered it. Not collective.
    """
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError(f"progress: tqdm is needed ({error}): pip install tqdm") from None
    bars = _Bars(tqdm)
    _core.listen(bars.show)
    try:
        yield
    finally:
        _core.listen(None)
        bars.close()


class _Bars:
    """One bar at a time."""

    def __init__(self, make: Any) -> None:
        self._make = make
        self._bar: Any = None
        self._of = ""

    def show(self, what: str, share: float) -> None:
        """Shows that this share (0 to 1) is done. One bar shows all that is called the same up to the first comma."""
        of = what.partition(",")[0]
        if self._bar is None or of != self._of:
            self.close()
            self._of = of
            self._bar = self._make(total=1.0, bar_format="{desc}{percentage:3.0f}%|{bar}| {elapsed}")
        self._bar.set_description(what, refresh=False)
        self._bar.update(share - self._bar.n)
        if share == 1:
            self.close()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None

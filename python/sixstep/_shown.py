# SPDX-License-Identifier: BSD-3-Clause
"""Shows plans, operators and maps: in a line, in a notebook, and as a timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._error import Error

if TYPE_CHECKING:
    _Made = _core.Plan
else:
    _Made = object


class Shown(_Made):
    """The first base of a class whose second base is one of the extension module's."""

    _rank: int
    _trace: str = ""  # the file of the option `trace`
    _predicted: _core.Prediction | None = None  # by the last predict() for this machine

    def predict(self, machine_file: str = "") -> _core.Prediction:
        """Predicts the time of an execution, forward, on the machine that a file of `sixstep tune --machine` describes;
        without a name, on this machine. Nothing is run. Collective."""
        made = super().predict(machine_file)
        if not machine_file:
            self._predicted = made
        return made

    def plot(self, of: str | None = None, *, machine_file: str = "", executions: int = 1) -> Any:
        """Draws a timeline, with matplotlib, on rank 0. Collective.

        Parameters
        ----------
        of : str, optional
            "trace": of what each thread of each rank did in the last executions, for a plan with the option `trace`;
            "prediction": of the steps of an execution, forward, by predict(). None: a trace if the plan has one.
        machine_file : str
            For predict().
        executions : int
            How many executions of a trace are drawn.

        Returns
        -------
        matplotlib.figure.Figure
            None on other ranks.
        """
        if of not in (None, "trace", "prediction"):
            raise Error(f"of: trace or prediction is possible, {of} was given")
        if of == "trace" and not self._trace:
            raise Error("of: a plan with the option trace is needed for a trace, this one has none")
        if of == "prediction" or not self._trace:
            predicted = self.predict(machine_file)
            return self._drawn(lambda plots: plots.prediction_plot(predicted, repr(self)[1:-1]))
        self.write_trace()
        return self._drawn(lambda plots: plots.trace_plot(self._trace, executions))

    def _drawn(self, draw):
        if self._rank != 0:
            return None
        from . import _plots

        return draw(_plots)

    def __repr__(self) -> str:
        name = type(self).__name__
        shape = " x ".join(map(str, self.input.shape))
        counts = f"{_count(self.exchanges, 'exchange')}, {_count(self.passes, 'pass')}"
        return f"<{name} of {shape} {self.form(True)[2]} over {_count(self.input.ranks, 'rank')}: {counts} over memory>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.plan_html(self, self._known_prediction(), self.breakdown())

    def _known_prediction(self):
        """The prediction that this rank can have alone: a notebook may show a plan on one rank only."""
        if self.input.ranks == 1 and self._predicted is None:
            try:
                self.predict()
            except Error:
                return None
        return self._predicted


def _count(n, word):
    return f"{n} {word}" if n == 1 else f"{n} {word}{'es' if word.endswith('s') else 's'}"

// SPDX-License-Identifier: BSD-3-Clause
// Parts of a plan and its predicted time, for Python.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.hpp"

namespace sixstep::python {

void add_predictions(nb::module_& module) {
  nb::class_<Part>(module, "Part", "A pass over memory or an exchange.")
      .def_ro("what", &Part::what)
      .def_ro("seconds", &Part::seconds,
              "Seconds of this rank in all executions; in a prediction, in one.")
      .def_ro("bytes", &Part::bytes, "Bytes that it reads and writes each time.")
      .def("__repr__", [](Part const& part) {
        return text("<", part.what, ": ", part.seconds, " s, ", part.bytes, " bytes>");
      });
  nb::class_<Verified>(module, "Verified", "What the option verify has found.")
      .def_ro("checked", &Verified::checked, "Executions whose result was right.")
      .def_ro("unchecked", &Verified::unchecked,
              "Executions that could not be checked, because of infinities, NaNs, or numbers whose "
              "squares double cannot hold.")
      .def_ro("repaired", &Verified::repaired, "Executions that were right at the second try.")
      .def_ro("compared", &Verified::compared,
              "Messages, and arrays that rest between two sweeps, whose bits were compared.")
      .def_ro("largest_share", &Verified::largest_share,
              "The largest difference of two sums of a right result, in units of its bound.");
  nb::class_<Detection>(module, "Detection",
                        "An execution that the option verify has found to be wrong: the same on "
                        "all ranks.")
      .def_prop_ro(
          "direction",
          [](Detection const& found) {
            return found.direction == Direction::forward ? "forward" : "backward";
          },
          "forward or backward.")
      .def_ro("repaired", &Detection::repaired,
              "Whether a second execution was right, so that nothing is raised.")
      .def_ro("rank", &Detection::rank,
              "The rank that has computed, or read, other numbers; -1: not known.")
      .def_ro("where", &Detection::where,
              "The step or message, and what the rank has done; empty: not known.")
      .def_ro("difference", &Detection::difference,
              "The difference of two sums of the first result.")
      .def_ro("bound", &Detection::bound,
              "What rounding could make of the difference at most; 0 if the execution cannot be "
              "checked by sums.");
  nb::class_<Prediction>(module, "Prediction", "The predicted time of a forward transform.")
      .def_ro("seconds", &Prediction::seconds, "Seconds in all.")
      .def_ro("communication", &Prediction::communication, "Seconds of exchanges.")
      .def_ro("computation", &Prediction::computation, "Seconds of passes over memory.")
      .def_ro("steps", &Prediction::steps, "The passes and exchanges.")
      .def("__repr__", [](Prediction const& made) {
        return text("<", made.seconds, " s, ", made.communication, " s of communication and ",
                    made.computation, " s of computation>");
      });
}

}  // namespace sixstep::python

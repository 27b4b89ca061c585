// SPDX-License-Identifier: BSD-3-Clause
// The progress of long calls, for Python.
#include "base/progress.hpp"

#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "core.hpp"

namespace sixstep::python {

namespace {

/// Prints what the function raises instead of raising it, because the other ranks are in the middle
/// of a call. An interrupt is raised after the call.
void tell(PyObject* function, std::string const& what, double share) {
  nb::gil_scoped_acquire const this_thread_runs;
  try {
    nb::borrow(function)(what, share);
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_KeyboardInterrupt))
      PyErr_SetInterrupt();
    else
      error.discard_as_unraisable("sixstep.progress");
  }
}

void listen(nb::object const& function) {
  if (function.is_none()) {
    listener() = {};
    return;
  }
  listener() = [held = held_by_library(function)](std::string const& what, double share) {
    tell(held.get(), what, share);
  };
}

}  // namespace

void add_progress(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def(
      "listen", &listen, "function"_a.none(),
      "Calls function(what, share) of this thread's tuning and files, on rank 0, where `share` "
      "(0 to 1) is done; None: calls nothing.");
}

}  // namespace sixstep::python

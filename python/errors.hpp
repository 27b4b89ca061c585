// SPDX-License-Identifier: BSD-3-Clause
// The library's errors as exceptions of the package.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "sixstep/error.hpp"

namespace sixstep::python {

/// A sixstep.Error for an Error.
inline nanobind::object exception_of(Error const& error) {
  return nanobind::module_::import_("sixstep._error").attr("Error")(error.what());
}

/// For register_exception_translator().
inline void translate(std::exception_ptr const& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (Error const& error) {
    nanobind::object const raised = exception_of(error);
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
  }
}

}  // namespace sixstep::python

// SPDX-License-Identifier: BSD-3-Clause
// The library's errors as exceptions of the package.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "sixstep/error.hpp"

namespace sixstep::python {

/// For register_exception_translator(): Error becomes sixstep.Error.
inline void translate(std::exception_ptr const& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (Error const& error) {
    nanobind::object const type = nanobind::module_::import_("sixstep._error").attr("Error");
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace sixstep::python

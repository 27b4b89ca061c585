// SPDX-License-Identifier: BSD-3-Clause
// Declarations that the parts of the extension module share.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "runtime/integer_handle.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::python {

namespace nb = nanobind;

/// The communicator with this handle, as returned by mpi4py's py2f().
inline MPI_Comm comm_of(std::int64_t handle) {
  return mpi::comm_of(static_cast<mpi::Integer>(handle));
}

using Ints = nb::typed<nb::tuple, int, nb::ellipsis>;
using BoxSlices = nb::typed<nb::tuple, nb::slice, nb::ellipsis>;

/// For example (4, 5).
Ints tuple_of(Shape const& shape);
/// Slices, for NumPy arrays of the global shape.
BoxSlices slices_of(Box const& box);

/// An owner that keeps the memory while an array in it is in use.
nb::capsule owner_of(std::shared_ptr<void> memory);
/// Memory as a NumPy array of bytes.
nb::object bytes_of(std::shared_ptr<void> memory, std::size_t bytes);

/// A function that the library copies and destroys while other threads run Python.
std::shared_ptr<PyObject> held_by_library(nb::object function);

/// Calls `function`, which prints what it raises, because the other ranks are in the middle of an
/// execution. Null, or None: calls nobody.
std::function<void(Detection const&)> told_of(std::shared_ptr<PyObject> function,
                                              char const* where);
inline std::function<void(Detection const&)> told_of(nb::object const& function,
                                                     char const* where) {
  return told_of(function.is_none() ? nullptr : held_by_library(function), where);
}

/// Returns call() to the library, while this thread runs Python. An exception becomes an Error.
template <class Call>
auto called_by_library(Call const& call) {
  nb::gil_scoped_acquire const this_thread_runs;
  try {
    return call();
  } catch (nb::python_error const& error) {
    throw Error(nb::cast<std::string>(nb::str(error.value())));
  }
}

/// Replaces a collective call on a rank whose arguments are wrong: all ranks throw Error.
[[noreturn]] void fail(MPI_Comm comm, std::string const& message);

/// Returns convert(), which converts arguments before a collective call over `comm`. If it throws
/// on some ranks, all throw Error.
template <class Convert>
auto converted(MPI_Comm comm, Convert const& convert) {
  std::string message;
  try {
    return convert();
  } catch (std::exception const& error) {
    message = error.what();
  }
  fail(comm, message);
}

/// The value of an option with this name. Errors: there is none.
template <Named Value>
Value named_option(char const* option, std::string const& name) {
  auto const value = named<Value>(name);
  require(value.has_value(), option, ": ", names_in_words<Value>(", "), " are possible, ", name,
          " was given");
  return *value;
}

/// Options from keyword arguments, by name. Errors: an option does not exist, or its value has
/// another type.
Options options_of(nb::dict const& given);
/// Options in which axes below 0 count from the last of `axes` axes.
Options options_of(nb::dict const& given, int axes);
/// The scale with this name: none, by_n or by_sqrt_n. Errors: another word.
Scale scale_of(std::string const& name);

void add_arrays(nb::module_& module);
void add_device_arrays(nb::module_& module);
void add_files(nb::module_& module);
void add_layouts(nb::module_& module);
void add_convolutions(nb::module_& module);
void add_maps(nb::module_& module);
void add_operators(nb::module_& module);
void add_plans(nb::module_& module);
void add_predictions(nb::module_& module);
void add_progress(nb::module_& module);
void add_redistributions(nb::module_& module);
void add_symbols(nb::module_& module);

}  // namespace sixstep::python

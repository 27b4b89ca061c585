// SPDX-License-Identifier: BSD-3-Clause
// What the parts of the extension module share.
#pragma once

#include <mpi.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#include "runtime/integer_handle.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::python {

namespace nb = nanobind;

/// The communicator with this handle, as mpi4py's py2f() tells it.
inline MPI_Comm comm_of(std::int64_t handle) {
  return mpi::comm_of(static_cast<mpi::Integer>(handle));
}

using Ints = nb::typed<nb::tuple, int, nb::ellipsis>;
using BoxSlices = nb::typed<nb::tuple, nb::slice, nb::ellipsis>;

/// (4, 5).
Ints tuple_of(Shape const& shape);
/// Slices, for NumPy arrays of the global shape.
BoxSlices slices_of(Box const& box);

/// What keeps memory as long as an array over it is used.
nb::capsule owner_of(std::shared_ptr<void> memory);
/// Memory as a NumPy array of bytes.
nb::object bytes_of(std::shared_ptr<void> memory, std::size_t bytes);

/// For a rank whose arguments are wrong: throws Error on all ranks, of which the others make a
/// collective call.
[[noreturn]] void fail(MPI_Comm comm, std::string const& message);

/// What `convert` makes of arguments, before a collective call over `comm`. If it throws on some
/// ranks, all throw Error.
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

/// From keyword arguments: every option by its name. Errors: one that is not there, or of another
/// type.
Options options_of(nb::dict const& given);
/// none, by_n or by_sqrt_n. Errors: another word.
Scale scale_of(std::string const& name);

void add_arrays(nb::module_& module);
void add_device_arrays(nb::module_& module);
void add_files(nb::module_& module);
void add_layouts(nb::module_& module);
void add_plans(nb::module_& module);
void add_redistributions(nb::module_& module);

}  // namespace sixstep::python

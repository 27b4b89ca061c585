// SPDX-License-Identifier: BSD-3-Clause
// The extension module: the MPI that this library was built with, and all parts.
#include "core.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string_view>
#include <utility>

#include "device/backend.hpp"
#include "errors.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/error.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/version.hpp"

namespace sixstep::python {

namespace {

#if defined(SIXSTEP_PYTHON_MPI)
// A module that was compiled with the mpi.h of another MPI links, loads, and crashes. MPICH's
// compiler for the standard ABI only adds -DMPI_ABI.
constexpr std::string_view mpi_h =
#if defined(MPI_ABI_VERSION)
    "abi";
#elif defined(OPEN_MPI)
    "openmpi";
#else
    "mpich";
#endif
static_assert(mpi_h == SIXSTEP_PYTHON_MPI, "mpi.h is of another MPI than the module is for");
#endif

/// MPI_COMM_WORLD, for a program that does not initialise MPI itself. Errors: a forked process
/// whose parent has used MPI.
std::int64_t world() {
  mpi::require_own();
  int is_ready = 0;
  MPI_Initialized(&is_ready);
  int provided = 0;
  if (!is_ready) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  return mpi::integer_of(MPI_COMM_WORLD);
}

std::int64_t myself() { return mpi::integer_of(MPI_COMM_SELF); }

/// Finalizes MPI, except in a process that was forked from the one in which MPI runs.
void finalize() {
  if (mpi::is_running()) MPI_Finalize();
}

int size(std::int64_t comm) {
  mpi::require_running("comm");
  int ranks = 0;
  MPI_Comm_size(comm_of(comm), &ranks);
  return ranks;
}

int rank(std::int64_t comm) {
  mpi::require_running("comm");
  int mine = 0;
  MPI_Comm_rank(comm_of(comm), &mine);
  return mine;
}

/// Ends all ranks of the program, if MPI runs.
void abort(int status) {
  int is_ready = 0, is_over = 0;
  MPI_Initialized(&is_ready);
  MPI_Finalized(&is_over);
  if (is_ready && !is_over) MPI_Abort(MPI_COMM_WORLD, status);
}

void translate_agreed(std::exception_ptr const& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (mpi::AgreedError const& error) {
    nb::object const raised = exception_of(error);
    raised.attr("on_all_ranks") = true;
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
  }
}

}  // namespace

std::shared_ptr<PyObject> held_by_library(nb::object function) {
  return {function.release().ptr(), [](PyObject* object) {
            nb::gil_scoped_acquire const this_thread_runs;
            Py_DECREF(object);
          }};
}

std::function<void(Detection const&)> told_of(std::shared_ptr<PyObject> function,
                                              char const* where) {
  if (!function) return {};
  return [held = std::move(function), where](Detection const& found) {
    nb::gil_scoped_acquire const this_thread_runs;
    try {
      nb::borrow(held.get())(found);
    } catch (nb::python_error& error) {
      error.discard_as_unraisable(where);
    }
  };
}

void fail(MPI_Comm comm, std::string const& message) {
  nb::gil_scoped_release const others_run;
  mpi::fail(comm, message);
}

nb::capsule owner_of(std::shared_ptr<void> memory) {
  return {new std::shared_ptr<void>(std::move(memory)),
          [](void* held) noexcept { delete static_cast<std::shared_ptr<void>*>(held); }};
}

nb::object bytes_of(std::shared_ptr<void> memory, std::size_t bytes) {
  void* const data = memory.get();
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(data, {bytes},
                                                                    owner_of(std::move(memory))));
}

}  // namespace sixstep::python

using nanobind::literals::operator""_a;

NB_MODULE(_core, module) {
  using namespace sixstep;
  module.doc() = "sixstep's extension module; import sixstep instead.";
  module.attr("version") = version;
  nanobind::register_exception_translator(&python::translate);
  // The translator that is registered last is asked first.
  nanobind::register_exception_translator(&python::translate_agreed);
  module.attr("address_of_init") = reinterpret_cast<std::uintptr_t>(&MPI_Init);
  module.def("mpi_library", &mpi::library, "The name and version of the MPI library.");
  module.def("world", &python::world, "The handle of MPI_COMM_WORLD. Initialises MPI if needed.");
  module.def("myself", &python::myself, "The handle of MPI_COMM_SELF.");
  module.def("finalize", &python::finalize);
  module.def(
      "fail",
      [](std::int64_t comm, std::string const& message) {
        python::fail(python::comm_of(comm), message);
      },
      "comm"_a, "message"_a,
      "Replaces a collective call on a rank whose arguments are wrong: all ranks raise Error.");
  module.def("abort", &python::abort, "status"_a, "Ends all ranks of the program, if MPI runs.");
  module.def("comm_size", &python::size, "comm"_a);
  module.def("comm_rank", &python::rank, "comm"_a);
  module.def(
      "good_size", [](Index n, Index multiple) { return good_size(n, multiple); }, "n"_a,
      "multiple"_a = 1,
      "The smallest length >= n that is a multiple of `multiple` and fast to transform.");
  module.def(
      "gpu_of",
      [](std::uintptr_t address) { return device::gpu_of(reinterpret_cast<void const*>(address)); },
      "address"_a, "The number of the GPU that has this memory.");
  python::add_layouts(module);
  python::add_device_arrays(module);
  python::add_predictions(module);
  python::add_plans(module);
  python::add_symbols(module);
  python::add_operators(module);
  python::add_maps(module);
  python::add_convolutions(module);
  python::add_redistributions(module);
  python::add_arrays(module);
  python::add_files(module);
  python::add_progress(module);
}

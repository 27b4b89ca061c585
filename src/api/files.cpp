// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files: checks arguments, and compares the contents of a file with the array that is
// asked for.
#include "sixstep/files.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "api/alike.hpp"
#include "base/progress.hpp"
#include "files/collective_new_file.hpp"
#include "files/dataset_name.hpp"
#include "files/element_type.hpp"
#include "files/hdf5.hpp"
#include "files/npy.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

namespace {

namespace npy = files::npy;
namespace hdf5 = files::hdf5;

struct Name {
  ElementType type;
  char const* name;
  npy::Type in_npy;
};

constexpr auto element_names = [] {
  using enum ElementType;
  using Kind = npy::Type::Kind;
  return std::array{Name{boolean, "bool", {Kind::boolean, 1}},
                    Name{int8, "int8", {Kind::integer, 1}},
                    Name{int16, "int16", {Kind::integer, 2}},
                    Name{int32, "int32", {Kind::integer, 4}},
                    Name{int64, "int64", {Kind::integer, 8}},
                    Name{uint8, "uint8", {Kind::unsigned_integer, 1}},
                    Name{uint16, "uint16", {Kind::unsigned_integer, 2}},
                    Name{uint32, "uint32", {Kind::unsigned_integer, 4}},
                    Name{uint64, "uint64", {Kind::unsigned_integer, 8}},
                    Name{float32, "float32", {Kind::real, 4}},
                    Name{float64, "float64", {Kind::real, 8}},
                    Name{complex64, "complex64", {Kind::complex, 8}},
                    Name{complex128, "complex128", {Kind::complex, 16}}};
}();

Name const& name_of(ElementType type) {
  return *std::ranges::find(element_names, type, &Name::type);
}

/// An array to save or load, and the ranks that do it.
struct Task {
  std::string const& path;
  Layout const& layout;
  mpi::Communicator const& comm;
  void const* local;
  ElementType type;
};

void check(Task const& task, std::string const& dataset = "array") {
  Layout const& layout = task.layout;
  mpi::together(task.comm, [&] {
    files::canonical_dataset_name(dataset);
    require(layout.ranks() == task.comm.size(), "layout: a layout for the ", task.comm.size(),
            " ranks of comm is needed, it is for ", layout.ranks());
    require(layout.axes() >= 1 && layout.axes() <= max_axes, "layout: 1 to ", max_axes,
            " axes are needed, it has ", layout.axes());
    require(task.local != nullptr || layout.local_size(task.comm.rank()) == 0,
            "local: an array is needed, a null pointer was given");
  });
  AlikeArguments()
      .add("path", task.path)
      .add("dataset", dataset)
      .add("layout", layout)
      .add("type", task.type)
      .require(task.comm);
}

void require_as_asked(Task const& task, FileHeader const& found) {
  require(found.shape == task.layout.shape(), task.path, ": an array of ",
          to_string(task.layout.shape()), " is needed, it has ",
          found.shape.empty() ? "no axes: it is a single number" : to_string(found.shape));
  require(found.type == task.type, task.path, ": elements of type ", to_string(task.type),
          " are needed, they are ", to_string(found.type));
}

/// An array in Fortran order is one in C order with its axes reversed.
Layout reversed(Layout const& layout) {
  Order axes = c_order(layout.axes());
  std::reverse(axes.begin(), axes.end());
  return layout.transposed(axes);
}

/// Tells the listener of this thread about a file, on rank 0.
std::function<void(double)> watch_of(std::string const& path, mpi::Communicator const& comm) {
  if (comm.rank() != 0) return [](double) {};
  return [path](double share) { tell_progress(path, share); };
}

}  // namespace

npy::Type files::npy_type_of(ElementType type) { return name_of(type).in_npy; }

ElementType files::element_type_of(npy::Type type) {
  type.swapped = false;
  return std::ranges::find(element_names, type, &Name::in_npy)->type;
}

std::string to_string(ElementType type) { return name_of(type).name; }

int bytes_of(ElementType type) { return name_of(type).in_npy.bytes; }

void save_npy(std::string const& path, Layout const& layout, MPI_Comm user_comm, void const* local,
              ElementType type) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  check({path, layout, comm, local, type});
  files::require_writable(path, {}, comm);
  auto const header = npy::make_header(name_of(type).in_npy, layout.shape(), false);
  npy::write({path, header, comm, watch_of(path, comm)}, layout, local);
}

void load_npy(std::string const& path, Layout const& layout, MPI_Comm user_comm, void* local,
              ElementType type) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  Task const task{path, layout, comm, local, type};
  check(task);
  npy::Header const header = npy::read_header(path, comm);
  require_as_asked(task, {header.shape, files::element_type_of(header.type)});
  npy::read_as_stored({path, header, comm, watch_of(path, comm)},
                      header.fortran ? reversed(layout) : layout, local);
}

FileHeader npy_header(std::string const& path, MPI_Comm user_comm) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  npy::Header const header = npy::read_header(path, comm);
  return {header.shape, files::element_type_of(header.type)};
}

void save_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm user_comm, void const* local, ElementType type) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  check({path, layout, comm, local, type}, dataset);
  hdf5::write({path, files::canonical_dataset_name(dataset), comm, watch_of(path, comm)}, layout,
              local, type);
}

void load_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm user_comm, void* local, ElementType type) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  Task const task{path, layout, comm, local, type};
  check(task, dataset);
  hdf5::Dataset const found{path, files::canonical_dataset_name(dataset), comm,
                            watch_of(path, comm)};
  require_as_asked(task, hdf5::read_header(found));
  hdf5::read(found, layout, local, type);
}

FileHeader hdf5_header(std::string const& path, std::string const& dataset, MPI_Comm user_comm) {
  auto const comm = mpi::Communicator::duplicate(user_comm);
  std::string name;
  mpi::together(comm, [&] { name = files::canonical_dataset_name(dataset); });
  return hdf5::read_header({path, name, comm});
}

}  // namespace sixstep

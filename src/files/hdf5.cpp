// SPDX-License-Identifier: BSD-3-Clause
// Datasets in HDF5 files. They are read by HDF5 over MPI-IO, piece by piece: each piece is one
// collective call, and all ranks make the same number of calls. For writing, rank 0 alone uses
// HDF5, and all ranks write the elements as they do for an .npy file.
#include "files/hdf5.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "files/collective_new_file.hpp"
#include "files/element_type.hpp"
#include "files/hdf5_addition.hpp"
#include "files/hdf5_objects.hpp"
#include "files/local_array.hpp"
#include "files/same_file.hpp"

namespace sixstep::files::hdf5 {

namespace fs = std::filesystem;

namespace {

/// The first failure in a series of calls. Later calls are still made, because other ranks wait for
/// them.
class Outcome {
 public:
  template <class Result>
  Result note(Result result) {
    if (result < 0 && failure_.empty()) failure_ = reason();
    return result;
  }
  /// Throws on all ranks if a call failed on any rank. Collective.
  void agree(mpi::Communicator const& comm, std::string const& what) const {
    mpi::agree(comm, failure_.empty() ? "" : text(what, ": ", failure_));
  }

 private:
  std::string failure_;
};

// ---- files ------------------------------------------------------------------------------------

Handle by_mpi(mpi::Communicator const& comm) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  return access;
}

void require_hdf5(std::string const& path) {
  length_of(path);  // throws unless it is a regular file
  require(H5Fis_hdf5(path.c_str()) > 0, path, ": not an HDF5 file");
}

/// Opens the file for reading, on all ranks.
Handle open(Dataset const& dataset) {
  mpi::together(dataset.comm, [&] {
    if (dataset.comm.rank() == 0) require_hdf5(dataset.path);
  });
  require_same_file(dataset.path, dataset.comm);
  Outcome outcome;
  Handle file(outcome.note(H5Fopen(dataset.path.c_str(), H5F_ACC_RDONLY, by_mpi(dataset.comm))),
              H5Fclose);
  outcome.agree(dataset.comm, dataset.path + ": cannot be opened");
  return file;
}

/// Throws unless the name leads to a dataset, or to another file.
void require_dataset(hid_t file, std::string const& path, std::string const& name) {
  auto const there = [&](std::string const& part) {
    Link const link = link_of(file, part);
    require(link != Link::none, path, ": there is no dataset '", name, "'");
    Link const found = link == Link::soft ? behind(file, part) : link;
    require(found != Link::none, path, ": there is no dataset '", name, "': '", part,
            "' is a soft link that leads nowhere");
    return found;
  };
  bool is_elsewhere = false;
  for_each_group(name, [&](std::string const& group) {
    Link const found = there(group);
    is_elsewhere = found == Link::external;
    require(is_elsewhere || found == Link::group, path, ": there is no dataset '", name, "': '",
            group, "' is ", to_string(found), ", not a group");
    return !is_elsewhere;
  });
  if (is_elsewhere) return;
  Link const found = there(name);
  require(found == Link::dataset || found == Link::external, path, ": '", name,
          "' is no dataset, it is ", to_string(found));
}

Handle open_dataset(Dataset const& dataset, hid_t file) {
  mpi::together(dataset.comm, [&] { require_dataset(file, dataset.path, dataset.name); });
  Outcome outcome;
  Handle found(outcome.note(H5Dopen2(file, dataset.name.c_str(), H5P_DEFAULT)), H5Dclose);
  outcome.agree(dataset.comm, text(dataset.path, ": '", dataset.name, "' cannot be opened"));
  return found;
}

/// Selects the part of the whole array that is `piece` of a rank's box.
herr_t select(hid_t space, Box const& box, Box const& piece) {
  std::vector<hsize_t> starts, strides, counts;
  for (int axis = 0; axis < box.axes(); ++axis) {
    Range const &all = box.ranges[axis], &range = piece.ranges[axis];
    starts.push_back(static_cast<hsize_t>(all.lo + range.lo * all.step));
    strides.push_back(static_cast<hsize_t>(all.step));
    counts.push_back(static_cast<hsize_t>(range.count()));
  }
  return H5Sselect_hyperslab(space, H5S_SELECT_SET, starts.data(), strides.data(), counts.data(),
                             nullptr);
}

/// The memory and file selections of one collective call.
struct Call {
  hid_t memory;
  hid_t file;
  hid_t transfer;
  std::byte* buffer;
  Box piece;
  bool is_empty;
};

/// Moves this rank's part piece by piece: move(local, call) reads or writes one piece, which may be
/// empty. Ranks meet before each call, because waits inside it have no limit.
template <class Move>
void move_pieces(Dataset const& dataset, Layout const& layout, ElementType type, Outcome& outcome,
                 Move const& move) {
  LocalArray const local(layout, dataset.comm.rank(), bytes_of(type));
  Pieces const pieces = local.pieces();
  Index rounds = pieces.count();
  mpi::reduce_to_all(dataset.comm, &rounds, 1, MPI_INT64_T, MPI_MAX);
  std::unique_ptr<std::byte[]> buffer;
  mpi::together(dataset.comm, [&] {
    Index const largest = pieces.count() > 0 ? local.bytes(pieces[0]) : 0;
    buffer = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(largest));
  });
  Handle const transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  Handle const file = space_of(layout.shape());
  for (Index round = 0; round < rounds; ++round) {
    bool const is_empty = round >= pieces.count();
    Box const piece = is_empty ? Box{} : pieces[round];
    Handle const memory = space_of(is_empty ? Shape{1} : Shape{piece.volume()});
    if (is_empty) {
      H5Sselect_none(memory);
      H5Sselect_none(file);
    } else {
      outcome.note(select(file, local.box(), piece));
    }
    mpi::meet(dataset.comm);
    move(local, Call{memory, file, transfer, buffer.get(), piece, is_empty});
    dataset.watch(static_cast<double>(round + 1) / static_cast<double>(rounds));
  }
}

/// Adds a dataset to `file`: rank 0 by HDF5, all ranks write the elements.
void add(Dataset const& dataset, std::string const& file, Addition::To to, Layout const& layout,
         void const* data, ElementType type) {
  std::optional<Addition> addition;  // on rank 0
  Index offset = 0;
  mpi::together(dataset.comm, [&] {
    if (dataset.comm.rank() != 0) return;
    addition.emplace(Place{dataset.path, file, dataset.name}, to, layout.shape(), type);
    offset = addition->offset();
  });
  mpi::broadcast(dataset.comm, &offset, sizeof offset);
  npy::Header const header{npy_type_of(type), layout.shape(), false, offset};
  npy::write_data({dataset.path, header, dataset.comm, dataset.watch}, file, layout, data);
  mpi::together(dataset.comm, [&] {
    if (addition) addition->link();
  });
}

/// The header of a dataset. Throws Error, possibly on one rank alone, if it cannot be read.
FileHeader header_of(hid_t found, Dataset const& dataset) {
  Handle const space(H5Dget_space(found), H5Sclose), type(H5Dget_type(found), H5Tclose);
  std::string const subject = text(dataset.path, ": '", dataset.name, "'");
  require(H5Sget_simple_extent_type(space) != H5S_NULL, subject, " is empty: it has no shape");
  int const axes = H5Sget_simple_extent_ndims(space);
  require(axes >= 0 && axes <= max_axes, subject, " has ", axes, " axes; at most ", max_axes,
          " can be read");
  std::vector<hsize_t> extents(static_cast<std::size_t>(axes));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  auto const element = element_type_of(type);
  require(element.has_value(), subject, " has elements that cannot be read: bool, integers, ",
          "float32, float64, complex64 or complex128 are needed");
  return {Shape(extents), *element};
}

}  // namespace

FileHeader read_header(Dataset const& dataset) {
  Quiet const quiet;
  Handle const file = open(dataset);
  Handle const found = open_dataset(dataset, file);
  FileHeader header;
  mpi::together(dataset.comm, [&] { header = header_of(found, dataset); });
  return header;
}

void read(Dataset const& dataset, Layout const& layout, void* data, ElementType type) {
  Quiet const quiet;
  Handle const file = open(dataset);
  Handle const found = open_dataset(dataset, file);
  Handle const element = type_of(type);
  Index bytes = 0;
  mpi::together(dataset.comm, [&] {
    Shape const shape = header_of(found, dataset).shape;
    require(shape == layout.shape(), dataset.path, ": '", dataset.name,
            "' was replaced after its header was read: it had ", to_string(layout.shape()),
            ", it has ", to_string(shape));
    bytes = length_of(dataset.path);
  });
  Outcome outcome;
  auto const read_piece = [&](LocalArray const& local, Call const& call) {
    outcome.note(H5Dread(found, element, call.memory, call.file, call.transfer, call.buffer));
    if (!call.is_empty) local.scatter(call.piece, call.buffer, data);
  };
  move_pieces(dataset, layout, type, outcome, read_piece);
  outcome.agree(dataset.comm, text(dataset.path, ": '", dataset.name, "' cannot be read"));
  // HDF5 returns zeros for elements that are missing in the file.
  require_length(dataset.path, bytes, dataset.comm);
}

void write(Dataset const& dataset, Layout const& layout, void const* data, ElementType type) {
  Quiet const quiet;
  Index exists = 0;
  mpi::together(dataset.comm, [&] {
    if (dataset.comm.rank() != 0) return;
    sixstep::require_writable(dataset.path);
    exists = fs::exists(dataset.path) ? 1 : 0;
    if (exists) require_hdf5(dataset.path);
  });
  mpi::broadcast(dataset.comm, &exists, sizeof exists);
  if (exists) {
    add(dataset, dataset.path, Addition::To::old_file, layout, data, type);
    return;
  }
  CollectiveNewFile beside(dataset.path, dataset.comm);
  add(dataset, beside.name(), Addition::To::new_file, layout, data, type);
  beside.keep();
}

}  // namespace sixstep::files::hdf5

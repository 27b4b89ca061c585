// SPDX-License-Identifier: BSD-3-Clause
// Datasets in HDF5 files by MPI-IO: piece by piece, as .npy files are read and written. Every piece
// is one collective call, and all ranks make the same number of them.
//
// Complex numbers are compounds {r, i} and bool is an enumeration, as h5py has them.
#include "files/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "files/new_file.hpp"
#include "files/part.hpp"

namespace sixstep::files::hdf5 {

namespace fs = std::filesystem;

namespace {

/// What HDF5 has opened, closed with the object.
class Handle {
 public:
  Handle(hid_t id, herr_t (*how)(hid_t)) : id_(id), close_(how) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {
    close_ = other.close_;
  }
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }
  /// Negative if it failed.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, H5I_INVALID_HID)); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// HDF5 keeps its errors to itself as long as this lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(Quiet const&) = delete;
  Quiet& operator=(Quiet const&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// What the innermost of HDF5's calls said of the last failure.
std::string reason() {
  std::string words = "HDF5 does not say why";
  auto const take = [](unsigned, H5E_error2_t const* error, void* to) -> herr_t {
    *static_cast<std::string*>(to) = error->desc;
    return 1;  // the first is enough
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &words);
  return words;
}

/// The first failure of a row of calls; later ones are made all the same, since others wait for
/// them.
class Outcome {
 public:
  template <class Result>
  Result note(Result result) {
    if (result < 0 && failure_.empty()) failure_ = reason();
    return result;
  }
  /// Throws on all ranks if a call failed on any. Collective.
  void agree(mpi::Communicator const& comm, std::string const& what) const {
    mpi::agree(comm, failure_.empty() ? "" : text(what, ": ", failure_));
  }

 private:
  std::string failure_;
};

// ---- types ------------------------------------------------------------------------------------

Handle number_type(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

Handle complex_type(hid_t real) {
  std::size_t const bytes = H5Tget_size(real);
  Handle type(H5Tcreate(H5T_COMPOUND, 2 * bytes), H5Tclose);
  H5Tinsert(type, "r", 0, real);
  H5Tinsert(type, "i", bytes, real);
  return type;
}

Handle boolean_type() {
  Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  std::int8_t value = 0;
  for (char const* name : {"FALSE", "TRUE"}) {
    H5Tenum_insert(type, name, &value);
    ++value;
  }
  return type;
}

Handle type_of(ElementType type) {
  switch (type) {
    using enum ElementType;
    case boolean:
      return boolean_type();
    case int8:
      return number_type(H5T_NATIVE_INT8);
    case int16:
      return number_type(H5T_NATIVE_INT16);
    case int32:
      return number_type(H5T_NATIVE_INT32);
    case int64:
      return number_type(H5T_NATIVE_INT64);
    case uint8:
      return number_type(H5T_NATIVE_UINT8);
    case uint16:
      return number_type(H5T_NATIVE_UINT16);
    case uint32:
      return number_type(H5T_NATIVE_UINT32);
    case uint64:
      return number_type(H5T_NATIVE_UINT64);
    case float32:
      return number_type(H5T_NATIVE_FLOAT);
    case float64:
      return number_type(H5T_NATIVE_DOUBLE);
    case complex64:
      return complex_type(H5T_NATIVE_FLOAT);
    case complex128:
      return complex_type(H5T_NATIVE_DOUBLE);
  }
  return number_type(H5I_INVALID_HID);
}

/// The type that is this one in the machine's byte order, if there is one.
std::optional<ElementType> element_type_of(hid_t in_file) {
  Handle const native(H5Tget_native_type(in_file, H5T_DIR_ASCEND), H5Tclose);
  for (int i = 0; native >= 0 && i <= static_cast<int>(ElementType::complex128); ++i) {
    auto const type = static_cast<ElementType>(i);
    if (H5Tequal(native, type_of(type)) > 0) return type;
  }
  return {};
}

// ---- files ------------------------------------------------------------------------------------

Handle by_mpi(mpi::Communicator const& comm) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL);
  return access;
}

/// Rank 0 sees whether there is a file; all ranks open it.
Handle open(Dataset const& dataset, unsigned mode) {
  mpi::together(dataset.comm, [&] {
    if (dataset.comm.rank() != 0) return;
    std::error_code failure;
    auto const status = fs::status(dataset.path, failure);
    require(!dataset.path.empty(), "'': cannot be read: no name was given");
    require(fs::exists(status), dataset.path, ": ",
            failure ? failure.message() : "No such file or directory");
    require(fs::is_regular_file(status), dataset.path, ": not a file");
    require(H5Fis_hdf5(dataset.path.c_str()) > 0, dataset.path, ": not an HDF5 file");
  });
  Outcome outcome;
  Handle file(outcome.note(H5Fopen(dataset.path.c_str(), mode, by_mpi(dataset.comm))), H5Fclose);
  outcome.agree(dataset.comm, dataset.path + ": cannot be opened");
  return file;
}

/// Whether there is a link of this name; HDF5 asks for each group on the way.
bool is_there(hid_t file, std::string const& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    std::string const begin = name.substr(0, end);
    if (begin != "/" && H5Lexists(file, begin.c_str(), H5P_DEFAULT) <= 0) return false;
  }
  return true;
}

Handle open_dataset(Dataset const& dataset, hid_t file) {
  mpi::together(dataset.comm, [&] {
    require(is_there(file, dataset.name), dataset.path, ": there is no dataset '", dataset.name,
            "'");
  });
  Outcome outcome;
  Handle found(outcome.note(H5Dopen2(file, dataset.name.c_str(), H5P_DEFAULT)), H5Dclose);
  outcome.agree(dataset.comm, text(dataset.path, ": '", dataset.name, "' is no dataset"));
  return found;
}

std::vector<hsize_t> extents_of(Shape const& shape) { return {shape.begin(), shape.end()}; }

Handle space_of(Shape const& shape) {
  return {H5Screate_simple(shape.size(), extents_of(shape).data(), nullptr), H5Sclose};
}

/// Selects what `piece` of a rank's box is of the whole array.
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

/// Memory and file, as one collective call needs them.
struct Call {
  hid_t memory;
  hid_t file;
  hid_t transfer;
  std::byte* buffer;
  Box piece;
  bool is_empty;
};

/// Moves this rank's part piece by piece: move(part, call) reads or writes one, which may be empty.
template <class Move>
void move_pieces(Dataset const& dataset, Layout const& layout, ElementType type, Outcome& outcome,
                 Move const& move) {
  Part const part(layout, dataset.comm.rank(), bytes_of(type));
  Pieces const pieces = part.pieces();
  Index rounds = pieces.count();
  mpi::reduce_to_all(dataset.comm, &rounds, 1, MPI_INT64_T, MPI_MAX);
  std::unique_ptr<std::byte[]> buffer;
  mpi::together(dataset.comm, [&] {
    Index const largest = pieces.count() > 0 ? part.bytes(pieces[0]) : 0;
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
      outcome.note(select(file, part.box(), piece));
    }
    move(part, Call{memory, file, transfer, buffer.get(), piece, is_empty});
  }
}

/// A dataset of this name, in place of any that there is.
Handle create_dataset(Dataset const& dataset, hid_t file, Shape const& shape, hid_t type,
                      Outcome& outcome) {
  if (is_there(file, dataset.name))
    outcome.note(H5Ldelete(file, dataset.name.c_str(), H5P_DEFAULT));
  Handle const links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  Handle const creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  return {outcome.note(H5Dcreate2(file, dataset.name.c_str(), type, space_of(shape), links,
                                  creation, H5P_DEFAULT)),
          H5Dclose};
}

/// Writes the dataset into an open file, and closes that.
void write_into(Handle file, Dataset const& dataset, Layout const& layout, void const* data,
                ElementType type) {
  std::string const failed = text(dataset.path, ": '", dataset.name, "' cannot be written");
  Handle const element = type_of(type);
  Outcome outcome;
  Handle created = create_dataset(dataset, file, layout.shape(), element, outcome);
  outcome.agree(dataset.comm, failed);
  auto const write_piece = [&](Part const& part, Call const& call) {
    if (!call.is_empty) part.gather(call.piece, data, call.buffer);
    outcome.note(H5Dwrite(created, element, call.memory, call.file, call.transfer, call.buffer));
  };
  move_pieces(dataset, layout, type, outcome, write_piece);
  outcome.note(created.close());
  outcome.note(file.close());
  outcome.agree(dataset.comm, failed);
}

}  // namespace

FileHeader read_header(Dataset const& dataset) {
  Quiet const quiet;
  Handle const file = open(dataset, H5F_ACC_RDONLY);
  Handle const found = open_dataset(dataset, file);
  Handle const space(H5Dget_space(found), H5Sclose), type(H5Dget_type(found), H5Tclose);
  FileHeader header;
  mpi::together(dataset.comm, [&] {
    int const axes = H5Sget_simple_extent_ndims(space);
    require(axes >= 0 && axes <= max_axes, dataset.path, ": '", dataset.name, "' has ", axes,
            " axes; at most ", max_axes, " can be read");
    std::vector<hsize_t> extents(static_cast<std::size_t>(axes));
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    header.shape = Shape(extents);
    auto const element = element_type_of(type);
    require(element.has_value(), dataset.path, ": '", dataset.name,
            "' has elements that cannot be read: bool, integers, float32, float64, complex64 or "
            "complex128 are needed");
    header.type = *element;
  });
  return header;
}

void read(Dataset const& dataset, Layout const& layout, void* data, ElementType type) {
  Quiet const quiet;
  Handle const file = open(dataset, H5F_ACC_RDONLY);
  Handle const found = open_dataset(dataset, file);
  Handle const element = type_of(type);
  Outcome outcome;
  auto const read_piece = [&](Part const& part, Call const& call) {
    outcome.note(H5Dread(found, element, call.memory, call.file, call.transfer, call.buffer));
    if (!call.is_empty) part.scatter(call.piece, call.buffer, data);
  };
  move_pieces(dataset, layout, type, outcome, read_piece);
  outcome.agree(dataset.comm, text(dataset.path, ": '", dataset.name, "' cannot be read"));
}

void write(Dataset const& dataset, Layout const& layout, void const* data, ElementType type) {
  Quiet const quiet;
  require_writable(dataset.path, {}, dataset.comm);
  Index exists = dataset.comm.rank() == 0 && fs::exists(dataset.path) ? 1 : 0;
  mpi::reduce_to_all(dataset.comm, &exists, 1, MPI_INT64_T, MPI_MAX);
  if (exists) {
    write_into(open(dataset, H5F_ACC_RDWR), dataset, layout, data, type);
    return;
  }
  NewFile beside(dataset.path, dataset.comm);
  Outcome outcome;
  Handle created(outcome.note(H5Fcreate(beside.name().c_str(), H5F_ACC_EXCL, H5P_DEFAULT,
                                        by_mpi(dataset.comm))),
                 H5Fclose);
  outcome.agree(dataset.comm, dataset.path + ": cannot be created");
  write_into(std::move(created), dataset, layout, data, type);
  beside.keep();
}

}  // namespace sixstep::files::hdf5

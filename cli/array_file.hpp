// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files of any format that the commands read and write: .npy, HDF5, raw.
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "files/npy.hpp"

namespace CLI {
class App;
}

namespace sixstep::cli {

/// Where an array is: FILE.npy, FILE.h5:DATASET, or FILE.raw, which is elements and nothing else.
struct ArrayName {
  enum class Format { npy, hdf5, raw };
  Format format = Format::npy;
  std::string path;
  std::string dataset = {};  // of HDF5, canonical

  /// As it may be given.
  std::string words() const { return dataset.empty() ? path : path + ':' + dataset; }
};

/// What --raw says of a raw file: in C order, in this machine's byte order.
struct RawArray {
  Shape shape;
  files::npy::Type type;
};

/// "a.npy", "a.h5:u", "a.raw": HDF5 by .h5 or .hdf5 before a colon; raw by .raw, .bin or .dat; all
/// else is .npy. Errors: an HDF5 file without a dataset, or with a name that none can have.
ArrayName read_array_name(std::string const& words);
/// "256x256x256:float64". Errors: no such shape, no such type.
RawArray read_raw(std::string const& words);

/// --raw SHAPE:TYPE.
void add_raw(CLI::App& command, std::optional<RawArray>& raw);

/// An array that is there; with --raw the file is raw, whatever its name.
class ArrayFile {
 public:
  /// Reads what it says of itself. Collective; errors are thrown on all ranks: files::npy's and
  /// HDF5's; a raw file without --raw, or of another size.
  ArrayFile(ArrayName name, std::optional<RawArray> const& raw, MPI_Comm comm);

  ArrayName const& name() const { return name_; }
  files::npy::Header const& header() const { return header_; }

  /// Reads what `layout`, a dense one of header().file_shape(), gives this rank, converted. Errors,
  /// thrown on all ranks: what the system says; complex numbers to reals. Collective.
  template <class Element>
  void read(MPI_Comm comm, std::function<void(double)> const& watch, Layout const& layout,
            Element* data) const;

 private:
  ArrayName name_;
  files::npy::Header header_;
};

/// Writes an array, in Fortran order if the header says so (which raw and HDF5 files cannot say of
/// themselves: their axes are reversed then). Collective; errors are thrown on all ranks.
void write(ArrayName const& name, files::npy::Header header, MPI_Comm comm,
           std::function<void(double)> const& watch, Layout const& layout, void const* data);

/// Throws on all ranks unless rank 0 can write the array, and it is not the input. Collective.
void require_writable(ArrayName const& output, ArrayName const& input, MPI_Comm comm);

}  // namespace sixstep::cli

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

/// The place of an array: FILE.npy, FILE.h5:DATASET, or FILE.raw, which only has the elements.
struct ArrayName {
  enum class Format { npy, hdf5, raw };
  Format format = Format::npy;
  std::string path;
  std::string dataset = {};  // in an HDF5 file, canonical

  /// The name as a user would write it.
  std::string words() const { return dataset.empty() ? path : path + ':' + dataset; }
};

/// The array in a raw file, as --raw describes it: in C order, in this machine's byte order.
struct RawArray {
  Shape shape;
  files::npy::Type type;
};

/// "a.npy", "a.h5:u", "a.raw". A name with .h5 or .hdf5 before a colon is HDF5; .raw, .bin or .dat
/// is raw; all others are .npy. Errors: an HDF5 file without a dataset, or with an impossible name.
ArrayName read_array_name(std::string const& words);
/// "256x256x256:float64". Errors: a word that is no shape or no type.
RawArray read_raw(std::string const& words);

/// --raw SHAPE:TYPE.
void add_raw(CLI::App& command, std::optional<RawArray>& raw);

/// An array in a file that exists. If --raw was given, the file is raw, whatever its name.
class ArrayFile {
 public:
  /// Reads the file's header. Collective. Errors, on all ranks: those of files::npy and HDF5; a raw
  /// file without --raw, or of another size.
  ArrayFile(ArrayName name, std::optional<RawArray> const& raw, MPI_Comm comm);

  ArrayName const& name() const { return name_; }
  files::npy::Header const& header() const { return header_; }

  /// Reads this rank's part in `layout`, a dense layout of header().file_shape(), and converts it.
  /// Collective. Errors, on all ranks: the system reports one; complex numbers to be read as reals.
  template <class Element>
  void read(MPI_Comm comm, std::function<void(double)> const& watch, Layout const& layout,
            Element* data) const;

 private:
  ArrayName name_;
  files::npy::Header header_;
};

/// Writes an array, in Fortran order if the header says so; raw and HDF5 files have no such mark,
/// so their axes are reversed then. Collective; errors are thrown on all ranks.
void write(ArrayName const& name, files::npy::Header header, MPI_Comm comm,
           std::function<void(double)> const& watch, Layout const& layout, void const* data);

/// Throws on all ranks unless rank 0 can write the array, and it is another one than the input.
/// Collective.
void require_writable(ArrayName const& output, ArrayName const& input, MPI_Comm comm);

}  // namespace sixstep::cli

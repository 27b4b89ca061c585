// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files: each rank writes and reads its own part of an array. Any number of ranks, in any
// layout, can read what other ranks have written.
//
// All functions here are collective: ranks give the same layout, path and type, and all of them
// throw the same Error, or none.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstdint>
#include <string>
#include <type_traits>

#include "sixstep/array.hpp"
#include "sixstep/layout.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The type of the elements in a file, by NumPy's names.
enum class ElementType {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  complex64,
  complex128
};

/// NumPy's name of the type, for example "float64".
std::string to_string(ElementType type);

/// Bytes of an element.
int bytes_of(ElementType type);

/// The ElementType of the C++ type T.
template <class T>
constexpr ElementType element_type() {
  using enum ElementType;
  constexpr auto by_size = [](ElementType one, ElementType two, ElementType four,
                              ElementType eight) {
    return sizeof(T) == 1 ? one : sizeof(T) == 2 ? two : sizeof(T) == 4 ? four : eight;
  };
  if constexpr (std::is_same_v<T, bool>) {
    return boolean;
  } else if constexpr (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? by_size(int8, int16, int32, int64)
                               : by_size(uint8, uint16, uint32, uint64);
  } else if constexpr (std::is_same_v<T, float>) {
    return float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return float64;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return complex64;
  } else {
    static_assert(std::is_same_v<T, std::complex<double>>,
                  "bool, integers, float, double and complex numbers of these go to files");
    return complex128;
  }
}

/// The shape and the element type of an array in a file.
struct FileHeader {
  Shape shape;
  ElementType type = ElementType::float64;
  bool operator==(FileHeader const&) const = default;
};

// ---- NumPy's .npy files ------------------------------------------------------------------------

/// Writes an array for numpy.load(), in C order. `local` is the rank's array in `layout`; ghosts
/// are not written. A rank needs at most 32 MiB of memory beyond its array.
///
/// Until the file is complete it has a temporary name in the same folder, sixstep-*.tmp; then it
/// takes its name, and the place of a file that had it. If anything fails, the old file remains.
/// The new file keeps the mode of the old one, and its owner where the system permits that. If the
/// path is a symbolic link, the link stays and the file that it leads to is replaced.
///
/// Errors
/// - if the layout is for another number of ranks, or has not 1 to max_axes axes;
/// - if layouts, types or paths differ from rank to rank;
/// - if `local` is null and its array is not empty;
/// - if the path is empty, has a zero byte, or leads to something other than a regular file;
/// - if the folder is not the same one for all ranks;
/// - if the system reports an error, a full disk included.
void save_npy(std::string const& path, Layout const& layout, MPI_Comm comm, void const* local,
              ElementType type);

/// Reads an array that has the shape of `layout` and elements of this type, in C or Fortran order
/// and either byte order. Ghosts are not written. Errors: those of save_npy(), and
/// - if the file is no .npy file, or is damaged, or becomes shorter while it is read;
/// - if the array in the file has another shape or type;
/// - if a rank cannot open the file, or finds another file at this path.
void load_npy(std::string const& path, Layout const& layout, MPI_Comm comm, void* local,
              ElementType type);

/// The shape and type that load_npy() will find. Errors: the file is no .npy file or is damaged, or
/// its elements have no ElementType.
FileHeader npy_header(std::string const& path, MPI_Comm comm);

template <class T>
void save_npy(std::string const& path, Array<T> const& array) {
  save_npy(path, array.layout(), array.ranks().comm(), array.data(), element_type<T>());
}
template <class T>
void load_npy(std::string const& path, Array<T>& array) {
  load_npy(path, array.layout(), array.ranks().comm(), array.data(), element_type<T>());
}

// ---- HDF5 files --------------------------------------------------------------------------------

/// Writes an array as a dataset of its shape, into an existing file or a new one. `dataset` is the
/// name of the dataset with its groups, in UTF-8: "fields/u" or "/fields/u". Missing groups are
/// made. Complex numbers are written as the compound {r, i} that h5py knows.
///
/// A new file appears when it is complete, as with save_npy(). In an existing file the dataset
/// appears when it is complete, and then replaces a dataset of the same name. If anything fails, or
/// the program ends earlier, the file keeps what it had. The room of a replaced dataset is returned
/// to the disk where the file system can do that; the file does not become shorter (h5repack
/// shortens it). Several processes may add to one file: they wait for each other. A program that
/// reads the file at the same time must open it again to see the new dataset.
///
/// Errors: those of save_npy(), and
/// - if the file is no HDF5 file, or HDF5 reports an error;
/// - if the name is empty or has an empty part;
/// - if the name belongs to something other than a dataset, or a group above it to something other
///   than a group;
/// - if the library was built without a parallel HDF5 (ErrorCode::library).
void save_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm comm, void const* local, ElementType type);

/// Reads a dataset that has the shape of `layout` and elements of this type, in either byte order,
/// chunked or compressed, whatever program wrote it. Ghosts are not written. Errors: those of
/// save_hdf5() and load_npy(); the dataset does not exist, or has another shape or type.
void load_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm comm, void* local, ElementType type);

/// The shape and type that load_hdf5() will find. Errors: the dataset does not exist, or its
/// elements have no ElementType.
FileHeader hdf5_header(std::string const& path, std::string const& dataset, MPI_Comm comm);

template <class T>
void save_hdf5(std::string const& path, std::string const& dataset, Array<T> const& array) {
  save_hdf5(path, dataset, array.layout(), array.ranks().comm(), array.data(), element_type<T>());
}
template <class T>
void load_hdf5(std::string const& path, std::string const& dataset, Array<T>& array) {
  load_hdf5(path, dataset, array.layout(), array.ranks().comm(), array.data(), element_type<T>());
}

}  // namespace sixstep
#pragma GCC visibility pop

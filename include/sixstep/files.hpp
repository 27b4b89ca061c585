// SPDX-License-Identifier: BSD-3-Clause
// Arrays in files: each rank writes and reads what it has of an array, any number of ranks and any
// layout what others have written.
//
// Everything here is collective: ranks give the same layout, path and type, and have the same Error
// thrown, or none.
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

/// What the elements of an array in a file are, by NumPy's names.
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

/// NumPy's name of it: "float64".
std::string to_string(ElementType type);

/// Bytes of an element.
int bytes_of(ElementType type);

/// That of a C++ type.
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

/// The array that a file holds.
struct FileHeader {
  Shape shape;
  ElementType type = ElementType::float64;
  bool operator==(FileHeader const&) const = default;
};

// ---- NumPy's .npy files ------------------------------------------------------------------------

/// Writes an array for numpy.load(), in C order. `local` is the rank's array as `layout` says;
/// ghosts are not written. Beyond the array, at most 32 MiB are held.
///
/// The file appears, or takes the place of another one, when it is complete; until then it has a
/// temporary name of its own in the same folder, sixstep-*.tmp. If anything fails, what was there
/// before is still there. A replaced file's mode stays, and its owner where the system permits
/// that; a symbolic link stays, and the file that it leads to is replaced.
///
/// Errors: a layout of another number of ranks or not of 1 to max_axes axes; layouts, types or
/// paths that differ from rank to rank; a null pointer for an array that is not empty; a path that
/// is empty, has a zero byte or leads to something else than a regular file; a folder that is not
/// the same for all ranks; what the system says of the file, a full disk included.
void save_npy(std::string const& path, Layout const& layout, MPI_Comm comm, void const* local,
              ElementType type);

/// Reads an array that has the shape of `layout` and elements of this type, in C or Fortran order
/// and either byte order. Ghosts are left alone. Errors as save_npy(); also no .npy file, a damaged
/// one, one of another shape or type, one that some rank cannot open or that is another one there,
/// one that becomes shorter meanwhile.
void load_npy(std::string const& path, Layout const& layout, MPI_Comm comm, void* local,
              ElementType type);

/// What load_npy() will find. Errors: no .npy file, a damaged one, or one whose elements are of no
/// ElementType.
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

/// Writes an array as a dataset of its shape, into a file that is there or a new one. `dataset` is
/// its name, groups and all: "fields/u" or "/fields/u", in UTF-8; groups that are missing are made.
/// Complex numbers are the compound {r, i} that h5py knows.
///
/// A new file appears when it is complete, as one of save_npy() does. In a file that is there
/// nobody finds the dataset before it is complete; one that has its name is then replaced. If
/// anything fails, or the program ends before, the file has what it had. The room of a replaced
/// dataset is given back to the disk where the file system can do that, but the file does not
/// become shorter: h5repack does that. Several processes may add to one file: they wait for each
/// other. Who reads it meanwhile must open it anew.
///
/// Errors as save_npy(); also what HDF5 says, a file that is no HDF5 file, a name that is empty or
/// has an empty part; anything but a dataset that has this name, and anything but a group above it;
/// and a library that was built without a parallel HDF5, ErrorCode::library.
void save_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm comm, void const* local, ElementType type);

/// Reads a dataset that has the shape of `layout` and elements of this type in either byte order;
/// by whomever it was written, chunked or packed. Ghosts are left alone. Errors as save_hdf5() and
/// load_npy(); also no such dataset, another shape or type.
void load_hdf5(std::string const& path, std::string const& dataset, Layout const& layout,
               MPI_Comm comm, void* local, ElementType type);

/// What load_hdf5() will find. Errors: no such dataset, or one of elements of no ElementType.
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

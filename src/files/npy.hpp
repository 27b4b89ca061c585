// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy files. All ranks read or write at once, each only the part that it holds.
//
// Knows layouts and MPI-IO, but nothing about transforms. Format: numpy.lib.format, versions 1.0,
// 2.0 and 3.0.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>

#include "sixstep/layout.hpp"

namespace sixstep::files::npy {

/// The type of a file's elements.
struct Type {
  enum class Kind { boolean, integer, unsigned_integer, real, complex };
  Kind kind = Kind::complex;
  int bytes = 16;        // of an element, both parts if it is complex
  bool swapped = false;  // stored in the other byte order than this machine's

  bool operator==(Type const&) const = default;
};

/// float32 for float, float64 for double, complex64 and complex128 for complex numbers of these,
/// all in this machine's byte order.
template <class Element>
Type type_of() {
  bool const is_real = std::is_floating_point_v<Element>;
  return {is_real ? Type::Kind::real : Type::Kind::complex, static_cast<int>(sizeof(Element)),
          false};
}

/// The header, which precedes a file's data.
struct Header {
  Type type;
  Shape shape;           // as NumPy shows it
  bool fortran = false;  // the first axis is contiguous in the file, not the last
  Index data_offset = 0;

  /// The shape with the slowest axis of the file first: reversed if `fortran`.
  Shape file_shape() const;
  /// Bytes of the whole file.
  Index file_bytes() const;

  bool operator==(Header const&) const = default;
};

/// No header of an array of numbers has more bytes.
inline constexpr std::size_t most_header_bytes = 1 << 16;

/// Parses the header at the beginning of `file`, which is the first most_header_bytes of a file or
/// all of it. `file_bytes` is the length of the file.
///
/// Throws Error, saying what was found,
/// - if it is no .npy file, or its header is damaged;
/// - if its version, dtype or number of axes cannot be read;
/// - if the file is shorter than its shape needs.
Header parse_header(std::string_view file, Index file_bytes);

/// The first bytes of a file with this header, up to the data.
std::string header_text(Header const& header);

/// The header of a new file, with data_offset set.
Header make_header(Type const& type, Shape const& shape, bool fortran);

/// Reads a header on rank 0 for all ranks. Collective. Throws the errors of parse_header(), with
/// the path, on all ranks.
Header read_header(std::string const& path, MPI_Comm comm);

/// A file, the ranks that open it, and a function that is told the share (0 to 1) moved so far.
struct File {
  std::string path;
  Header header;
  MPI_Comm comm = MPI_COMM_NULL;
  std::function<void(double)> watch = [](double) {};
};

/// Reads this rank's part of `layout`, a layout of header.file_shape(), and converts the elements
/// to Element. Complex numbers cannot become reals.
///
/// `data` is arranged as `layout` says; ghosts are not written. Uses at most 32 MiB besides `data`.
/// Collective. Throws Error on all ranks
/// - if some rank cannot open the file, or the file differs between ranks;
/// - if the file no longer is what its header said.
template <class Element>
void read(File const& file, Layout const& layout, Element* data);

/// Reads like read(), but leaves elements in header.type, except that it puts them in this
/// machine's byte order.
void read_as_stored(File const& file, Layout const& layout, void* data);

/// Writes a file with its header, or without one if data_offset is 0. The elements of `data` are of
/// header.type, in this machine's byte order, and arranged as for read(). The file is a
/// CollectiveNewFile, which takes its path when it is complete. Collective. Errors are thrown on
/// all ranks, and the old file stays then.
void write(File const& file, Layout const& layout, void const* data);

/// Writes only elements, from header.data_offset on, into the file `name`, which must exist and be
/// long enough. Messages call it file.path. Collective. Errors are thrown on all ranks.
void write_data(File const& file, std::string const& name, Layout const& layout, void const* data);

extern template void read(File const&, Layout const&, float*);
extern template void read(File const&, Layout const&, double*);
extern template void read(File const&, Layout const&, std::complex<float>*);
extern template void read(File const&, Layout const&, std::complex<double>*);

}  // namespace sixstep::files::npy

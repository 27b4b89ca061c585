// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npy files, read and written by all ranks at once, each only the part that it holds.
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

/// What a file's elements are.
struct Type {
  enum class Kind { boolean, integer, unsigned_integer, real, complex };
  Kind kind = Kind::complex;
  int bytes = 16;        // of one element; half of it is the real part of a complex one
  bool swapped = false;  // stored in the byte order that is not this machine's

  bool operator==(Type const&) const = default;
};

/// float32 for float, float64 for double, complex64 and complex128 for complex numbers of these, in
/// this machine's byte order.
template <class Element>
Type type_of() {
  bool const is_real = std::is_floating_point_v<Element>;
  return {is_real ? Type::Kind::real : Type::Kind::complex, static_cast<int>(sizeof(Element)),
          false};
}

/// What stands before a file's data.
struct Header {
  Type type;
  Shape shape;           // as NumPy shows it
  bool fortran = false;  // the first axis lies contiguous in the file, not the last
  Index data_offset = 0;

  /// The shape with the slowest axis of the file first: reversed if `fortran`.
  Shape file_shape() const;
  /// Bytes of the whole file.
  Index file_bytes() const;

  bool operator==(Header const&) const = default;
};

/// More than any header of an array of numbers takes.
inline constexpr std::size_t most_header_bytes = 1 << 16;

/// The header that a file begins with. `file` is its first most_header_bytes, or all of it;
/// `file_bytes` is the length of the file.
///
/// Errors say what was found: no .npy file; a version, dtype or number of axes that cannot be read;
/// a damaged header; a file that is shorter than its shape needs.
Header parse_header(std::string_view file, Index file_bytes);

/// The first bytes of a file with this type, shape and order, up to the data.
std::string header_text(Header const& header);

/// The header of a new file; its data_offset is set.
Header make_header(Type const& type, Shape const& shape, bool fortran);

/// Reads a header on rank 0 for all. Collective; errors as parse_header(), with the path, on all
/// ranks.
Header read_header(std::string const& path, MPI_Comm comm);

/// A file, who opens it, and who is told of the share (0 to 1) that has been moved.
struct File {
  std::string path;
  Header header;
  MPI_Comm comm = MPI_COMM_NULL;
  std::function<void(double)> watch = [](double) {};
};

/// Reads what `layout`, a layout of header.file_shape(), gives this rank, converted to elements:
/// real or complex, and not complex numbers to reals.
///
/// `data` lies as the layout says, ghosts left alone. Beyond it, at most 32 MiB are held.
/// Collective; errors are thrown on all ranks: a file that some rank cannot open, that differs from
/// rank to rank, or that is no longer what its header said.
template <class Element>
void read(File const& file, Layout const& layout, Element* data);

/// The same of elements that are of header.type but for the order of their bytes.
void read_as_stored(File const& file, Layout const& layout, void* data);

/// Writes a file, header and all, or, with a data_offset of 0, without one: `data` are elements of
/// header.type, in this machine's byte order. It is a CollectiveNewFile, which takes its path when
/// it is complete. `layout` as for read(). Collective; errors are thrown on all ranks, and what was
/// there before stays then.
void write(File const& file, Layout const& layout, void const* data);

/// Writes elements alone, from header.data_offset on, into the file `name`, which is there and long
/// enough. Messages call it file.path. Collective; errors are thrown on all ranks.
void write_data(File const& file, std::string const& name, Layout const& layout, void const* data);

extern template void read(File const&, Layout const&, float*);
extern template void read(File const&, Layout const&, double*);
extern template void read(File const&, Layout const&, std::complex<float>*);
extern template void read(File const&, Layout const&, std::complex<double>*);

}  // namespace sixstep::files::npy

// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of an array, piece by piece: moved from its place in memory to a buffer in C order,
// the order of files, and back.
//
// Knows layouts, but neither files nor MPI.
#pragma once

#include <cstddef>

#include "sixstep/layout.hpp"

namespace sixstep::files {

/// The most bytes of a piece.
inline constexpr Index piece_bytes = Index{32} << 20;

/// The local positions [0, count) along each axis of a rank's part, cut into pieces of at most
/// `most` points. A piece has the whole fast axes, a block of one axis, and single positions of the
/// slow ones.
class Pieces {
 public:
  Pieces(Shape const& counts, Index most);

  Index count() const { return count_; }
  Box operator[](Index piece) const;

 private:
  Shape counts_;
  int cut_;
  Index block_ = 1;
  Index blocks_ = 0;
  Index count_ = 0;
};

/// The box that `rank` holds, and its place in the rank's local array.
class LocalArray {
 public:
  LocalArray(Layout const& layout, int rank, Index element_bytes);

  Box const& box() const { return box_; }
  Index element_bytes() const { return element_bytes_; }
  Pieces pieces() const { return {box_.shape(), piece_bytes / element_bytes_}; }
  Index bytes(Box const& piece) const { return piece.volume() * element_bytes_; }

  /// Calls row(offset) for every row along the last axis of `piece`, in C order. `offset` is the
  /// element of the local array at which the row begins.
  template <class Row>
  void for_each_row(Box const& piece, Row const& row) const {
    Shape position;
    for (Range const& range : piece.ranges) position.push_back(range.lo);
    int axis = 0;
    do {
      row(offset(position));
      for (axis = piece.axes() - 2; axis >= 0; --axis) {
        if (++position[axis] < piece.ranges[axis].hi) break;
        position[axis] = piece.ranges[axis].lo;
      }
    } while (axis >= 0);
  }
  /// Distance, in elements, between neighbours of a row in the local array.
  Index row_stride() const { return strides_.back(); }

  void gather(Box const& piece, void const* array, std::byte* buffer) const;
  void scatter(Box const& piece, std::byte const* buffer, void* array) const;

 private:
  Index offset(Shape const& position) const;

  Box box_;
  Shape strides_;
  Index offset_;
  Index element_bytes_;
};

}  // namespace sixstep::files

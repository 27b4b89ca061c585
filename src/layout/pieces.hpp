// SPDX-License-Identifier: BSD-3-Clause
// Pieces: boxes of indices, and where their elements lie in memory.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::layout {

/// A box of working indices and where its elements lie: the element with counts t[a] along the axes
/// (its index there is box.ranges[a].lo + t[a] step) is element offset + sum_a t[a] strides[a] of a
/// buffer. Where the ranks of a node share memory, the buffer may be in the segment of another
/// rank.
struct Piece {
  Box box;
  Index offset = 0;
  Shape strides;
  int segment = 0;  // the segment in which it lies, counted from the rank's own
  bool operator==(Piece const&) const = default;
};

/// A list of pieces with the same number of axes. A Piece has room for the largest number of axes,
/// but a list may have a piece for each rank, so it stores only the axes in use. Pieces are
/// returned by value.
class Pieces {
 public:
  class Iterator {
   public:
    Iterator(Pieces const& pieces, std::size_t i) : pieces_(&pieces), i_(i) {}
    Piece operator*() const { return (*pieces_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(Iterator const&) const = default;

   private:
    Pieces const* pieces_;
    std::size_t i_;
  };

  Pieces() = default;
  Pieces(std::initializer_list<Piece> pieces) {
    for (Piece const& piece : pieces) push_back(piece);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Piece operator[](std::size_t i) const;
  Piece front() const { return (*this)[0]; }
  Piece back() const { return (*this)[size_ - 1]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }
  bool operator==(Pieces const& other) const;

  void push_back(Piece const& piece);
  /// Replaces piece i.
  void put(std::size_t i, Piece const& piece);
  /// Keeps only the first `size` pieces.
  void shrink(std::size_t size);

 private:
  std::size_t words_a_piece() const { return 2 + 4 * static_cast<std::size_t>(axes_); }

  int axes_ = 0;
  std::size_t size_ = 0;
  std::vector<Index> words_;  // of each: offset, segment; lo, hi, step and stride along each axis
};

/// Elements from the first point of a box to its last one. It is not empty.
Index reach(Shape const& extents, Shape const& strides);

/// Joins neighbours in the list wherever they make one piece: an array that was packed in parts,
/// but lies in memory as a whole, becomes one piece again.
Pieces coalesce(Pieces pieces);

/// Whether two lists of pieces place every element alike.
bool same_places(Pieces const& a, Pieces const& b);

/// The part of a piece whose indices are in `region` too.
Piece restrict(Piece const& piece, Box const& region);

}  // namespace sixstep::layout

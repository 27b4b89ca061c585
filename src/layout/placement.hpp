// SPDX-License-Identifier: BSD-3-Clause
// Placements: where each part of a rank's local array lies in memory, in the indices a transform
// works in.
//
// A transform may work in more axes than the user's array has: a long axis is viewed as two (the
// six-step). A placement is a layout of the user's axes together with that view. It knows nothing
// about MPI, and holds no data.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

#include "layout/deals.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::layout {

/// A box of working indices and where its elements lie: the one with counts t[a] along the axes
/// (its index there is box.ranges[a].lo + t[a] step) is element offset + sum_a t[a] strides[a] of a
/// buffer. Where the ranks of a node have a segment of common memory each, the buffer may be that
/// of another rank.
struct Piece {
  Box box;
  Index offset = 0;
  Shape strides;
  int segment = 0;  // segments from the rank's own to that in which it lies
  bool operator==(Piece const&) const = default;
};

/// A list of pieces that have as many axes each. A Piece has room for as many as there may be, a
/// list may have one for each rank: here they take what they need. They come as values.
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
  /// In the place of number i.
  void put(std::size_t i, Piece const& piece);
  /// Leaves the first `size`.
  void shrink(std::size_t size);

 private:
  std::size_t words_a_piece() const { return 2 + 4 * static_cast<std::size_t>(axes_); }

  int axes_ = 0;
  std::size_t size_ = 0;
  std::vector<Index> words_;  // of each: offset, segment; lo, hi, step and stride along each axis
};

/// Elements from the first point of a box to its last one. It is not empty.
Index reach(Shape const& extents, Shape const& strides);

/// The pieces joined wherever two neighbours in the list make one piece: what is packed in parts
/// but lies in memory as one array becomes one piece again.
Pieces coalesce(Pieces pieces);

/// The part of a piece whose indices are in `region` too.
Piece restrict(Piece const& piece, Box const& region);

/// A part of the work: what lies in [lo, hi) of an axis. Indices of the whole array where ranks
/// must agree on it, counts of a rank's box where the rank is alone with it.
struct Window {
  int axis = -1;  // none: everything
  Index lo = 0;
  Index hi = 0;

  Index count() const { return hi - lo; }
};

/// How a layout's axes appear as working axes: digits[u] names the working axes of axis u, slowest
/// first. Two of them split it: index = slow * extent(fast) + fast.
struct View {
  Shape shape;  // extents of the working axes
  PerAxis<PerAxis<int>> digits;

  static View identity(Shape const& shape);
  bool operator==(View const&) const = default;
};

/// What an element of an array is.
enum class Number { real, complex };

/// What an r2c makes of it.
constexpr Number other(Number number) {
  return number == Number::real ? Number::complex : Number::real;
}

/// Reals that an element takes.
constexpr Index reals_of(Number number) { return number == Number::real ? 1 : 2; }

/// A layout seen in working axes, and what its elements are.
struct Placement {
  Layout layout;
  View view;
  Number number = Number::complex;
  Index row = 0;  // of a padded axis of the layout, which every rank has whole, where there are no
  int row_axis = 0;   // ghosts: so many elements, and which it is; 0: none
  Index tile = 0;     // so many counts of an axis, with all of the faster ones, lie side by side;
  int tile_axis = 0;  // behind them comes the same of the next slower axis, then the next such
                      // counts; and which axis it is. 0: as many as there are; otherwise neither
                      // of the two is split, and rows lie dense
  Shape own_strides = {};  // the caller's, of the layout's axes, on one rank; empty: as above

  /// What `rank` holds: one piece, or for each axis that is split where the layout's blocks do not
  /// end up to three (a ragged head, whole rows, a ragged tail), of a cyclic axis one more for each
  /// part that the axis is dealt out to; none if the rank is empty.
  Pieces pieces(int rank) const;
  /// Ranks that may hold a part of `region`, ascending; some of them may turn out not to, if an
  /// axis is split.
  std::vector<int> ranks_meeting(Box const& region) const;
  /// What is `region` in the layout's axes, and perhaps some more.
  Box in_layout(Box const& region) const;
  /// Whether every rank holds a single piece or none: only then can it be transformed in place
  /// here.
  bool is_boxes() const;
  /// Whether every rank that holds anything holds this working axis whole. Needs is_boxes().
  bool whole(int axis) const;
  /// How the working axes are dealt out, if each of them is on its own.
  std::optional<PerAxis<Dealt>> deals() const;
  /// Elements between neighbours in the rank's array, along each of the layout's axes; not of
  /// tiles.
  Shape strides(int rank) const;
  /// Elements of the rank's array in memory, and the reals that they take.
  Index memory_size(int rank) const;
  Index reals(int rank) const { return memory_size(rank) * reals_of(number); }
  /// Whether elements that are not the array's lie between its own.
  bool has_gaps() const { return layout.has_ghosts() || !own_strides.empty(); }
  /// The same without them; rows stay padded.
  Placement dense() const;
  /// The same ranks hold the same of all other axes; this one, which is whole and no digit of a
  /// split axis, has another extent. Rows lie dense, without ghosts.
  Placement with_extent(int axis, Index extent) const;
  /// Whether the other's working axes have the same extents, and its elements the same numbers.
  bool holds_alike(Placement const& other) const {
    return view.shape == other.view.shape && number == other.number;
  }
  /// The same elements, each on the same rank at the same place.
  bool operator==(Placement const&) const = default;
};

/// A layout in its own axes.
Placement place(Layout const& layout, Number number = Number::complex);

/// Whether the two place every point on the same rank, each rank's part being one box.
bool same_boxes(Placement const& a, Placement const& b);

}  // namespace sixstep::layout

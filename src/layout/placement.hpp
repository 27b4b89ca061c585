// SPDX-License-Identifier: BSD-3-Clause
// Placements: where each part of a rank's local array lies in memory, in the indices of the working
// axes.
//
// A transform may work in more axes than the user's array has: a long axis is viewed as two (the
// six-step). A placement is a layout of the user's axes together with that view. It knows nothing
// about MPI, and holds no data.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "layout/deals.hpp"
#include "layout/pieces.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::layout {

/// A part of the work: [lo, hi) of an axis. These are indices of the whole array where ranks must
/// agree on the window, and counts of the rank's box where only one rank uses it.
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
  /// The indices along the layout's axes of the point with these working indices.
  Shape point_of(Shape const& index) const;
  /// The layout's axis that has a working axis as a digit, and what one count of it adds to its
  /// index.
  std::pair<int, Index> axis_of(int working) const;
  bool operator==(View const&) const = default;
};

/// The kind of number that an element of an array is.
enum class Number { real, complex };

/// The kind of number on the other side of an r2c.
constexpr Number other(Number number) {
  return number == Number::real ? Number::complex : Number::real;
}

/// Reals that an element takes.
constexpr Index reals_of(Number number) { return number == Number::real ? 1 : 2; }

/// A layout seen in working axes, and the kind of its elements.
struct Placement {
  Layout layout;
  View view;
  Number number = Number::complex;
  // A row has `row` elements along the padded axis `row_axis` of the layout, which every rank holds
  // whole, without ghosts. 0: rows are not padded.
  Index row = 0;
  int row_axis = 0;
  // `tile` counts of `tile_axis`, with all faster axes, lie side by side. These counts follow for
  // each index of the next slower axis, then the next `tile` counts. 0: there are no tiles.
  // Otherwise neither of the two axes is split, and rows lie dense.
  Index tile = 0;
  int tile_axis = 0;
  // The caller's strides along the layout's axes, on one rank; empty: as above.
  Shape own_strides = {};

  /// The pieces that `rank` holds: usually one, none if it holds nothing. An axis that is split
  /// where the layout's blocks do not end makes up to three (a ragged head, whole rows, a ragged
  /// tail). If it is cyclic, it makes one more for each part to which it is dealt out.
  Pieces pieces(int rank) const;
  /// Ranks that may hold a part of `region`, ascending; if an axis is split, some of them may hold
  /// none.
  std::vector<int> ranks_meeting(Box const& region) const;
  /// A box in the layout's axes that contains `region`; it may contain other indices too.
  Box in_layout(Box const& region) const;
  /// Whether every rank holds a single piece or none: only then can the array be transformed in
  /// place.
  bool is_boxes() const;
  /// Whether every rank that holds anything holds this working axis whole. Needs is_boxes().
  bool whole(int axis) const;
  /// How the working axes are dealt out, if each one is dealt out independently.
  std::optional<PerAxis<Dealt>> deals() const;
  /// Elements between neighbours in the rank's array, along each of the layout's axes, without
  /// tiles.
  Shape strides(int rank) const;
  /// Elements of the rank's array in memory, and the reals that they take.
  Index memory_size(int rank) const;
  Index reals(int rank) const { return memory_size(rank) * reals_of(number); }
  /// Whether other elements lie between those of the array.
  bool has_gaps() const { return layout.has_ghosts() || !own_strides.empty(); }
  /// This placement without gaps; rows stay padded.
  Placement dense() const;
  /// This placement with another extent of `axis`, which must be whole and no digit of a split
  /// axis. Ranks hold the same parts of all other axes. Rows lie dense, without ghosts.
  Placement with_extent(int axis, Index extent) const;
  /// This placement with another extent of an axis as with_extent() takes it, and with the same
  /// ghosts and padding.
  Placement with_fields(int axis, Index extent) const;
  /// Whether the other's working axes have the same extents, and its elements are the same kind of
  /// number.
  bool holds_alike(Placement const& other) const {
    return view.shape == other.view.shape && number == other.number;
  }
  /// Whether both have the same elements, each on the same rank at the same place.
  bool operator==(Placement const&) const = default;
};

/// A placement whose working axes are the layout's axes.
Placement place(Layout const& layout, Number number = Number::complex);

/// Whether the two place every point on the same rank, each rank's part being one box.
bool same_boxes(Placement const& a, Placement const& b);

}  // namespace sixstep::layout

// SPDX-License-Identifier: BSD-3-Clause
// Deals: how the axes of a layout are dealt out, in a few numbers for any number of ranks.
//
// Pure. Knows nothing about memory order, and nothing about lists of boxes that are not a product
// of ranges.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep {

/// Parts first, first + 1, ... of an axis: the first part has `range`, and each other part has the
/// range of the part before it, shifted by `distance`. Ranges adjoin, upwards or downwards; those
/// with a step interleave.
struct Series {
  int first = 0;
  int parts = 1;
  Range range = {};
  Index distance = 0;  // 0 for a single part

  int end() const { return first + parts; }
  Range of(int part) const;
  /// The bounds of all parts together.
  Index lo() const;
  Index hi() const;
  bool operator==(Series const&) const = default;
};

/// Appends parts behind those of all series. The resulting series do not depend on how the parts
/// were grouped.
void append(std::vector<Series>& series, Series each);

/// Consecutive parts.
struct Parts {
  int first;
  int count;
  auto operator<=>(Parts const&) const = default;
};

/// The range of an axis that each part has. Parts that are in no series have nothing.
class Deal {
 public:
  Deal() = default;
  /// The series are ascending by part, and no two ranges share an index.
  Deal(Index extent, std::vector<Series> series);
  static Deal even(Index extent, int parts, Distribution distribution);

  Index extent() const { return extent_; }
  std::vector<Series> const& series() const { return series_; }
  /// The number of parts that indices are dealt out to in turn; 0: in blocks.
  int period() const { return period_; }
  Range range(int part) const;
  /// The parts that share an index with `region`, ascending. Cost: at most proportional to their
  /// number; if neither `region` nor the ranges have a step, to the number of series that they are
  /// in.
  std::vector<Parts> meeting(Range const& region) const;
  /// The first of the longest parts.
  int longest() const;
  /// Whether one part has the whole axis.
  bool whole() const;
  bool operator==(Deal const& other) const { return series_ == other.series_; }

 private:
  std::vector<Parts> meeting_in_turn(Range const& region) const;

  Index extent_ = 0;
  std::vector<Series> series_;
  std::vector<int> by_position_;  // numbers of series; empty if that is their order
  int period_ = 0;
};

/// An axis dealt out to ranks: rank r has part number r / stride mod parts.
struct Dealt {
  Deal deal = {};
  int stride = 1;
  int parts = 1;

  Range range(int rank) const { return deal.range(rank / stride % parts); }
  /// Whether the numbers show that every rank has the same part of both.
  bool operator==(Dealt const& other) const;
};

// An axis seen as two, index = i fast + j.

/// Whether every part is a product of some i and some j; whether every part has all i; whether
/// every part has all j.
bool splits_into_boxes(Deal const& deal, Index fast);
bool has_whole_columns(Deal const& deal, Index fast);
bool has_whole_rows(Deal const& deal, Index fast);

/// How i and j are dealt out, if every rank has a product of some i and some j, and these products
/// are those of two axes dealt out independently.
struct Digits {
  Dealt slow;
  Dealt fast;
};
std::optional<Digits> digits_of(Dealt const& axis, Index fast);

/// How a layout deals out all axes.
struct Deals {
  PerAxis<Dealt> axes;
  std::vector<Dealt> idle = {};  // removed axes of one point: ranks without that point have nothing

  /// Null for a list of boxes that are not such products.
  static Deals const* of(Layout const& layout);
  /// `layout` with transposed, added or removed axes, but the same ranks and memory. Axis a of the
  /// result is axis axes[a] of `layout`; where axes[a] is -1, it is a new axis of `extent`, which
  /// every rank holds whole. Axes that are not named must have one point. `order` is the order of
  /// the result. Errors: too many axes, points or elements.
  static Layout in_axes(Layout const& layout, Order const& axes, Order const& order,
                        Index extent = 1);
  /// A layout with these deals; its description calls it a list of boxes.
  Layout boxes(int ranks, Order const& order = {}) const;
  /// Cyclic for axes whose indices are dealt out in turn.
  PerAxis<Distribution> distribution() const;
  /// The ranks along each axis, if Layout::grid() deals out the axes in this way; otherwise empty.
  Grid grid(int ranks, PerAxis<Distribution> const& distribution) const;

  /// Along each axis, the parts that share an index with `region`; and the ranks that have such
  /// parts, ascending.
  std::vector<std::vector<Parts>> meeting(Box const& region) const;
  std::vector<int> ranks(std::vector<std::vector<Parts>> const& parts) const;
  bool is_idle(int rank) const;
  /// The first of the ranks that hold most.
  int busiest() const;
};

/// The number of parts to which a cyclic axis is dealt out in turn; 0 for any other axis.
int cyclic_parts(Layout const& layout, int axis);

/// The first of the ranks that hold most.
int busiest_rank(Layout const& layout);

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Deals: how the axes of a layout are dealt out, in a few numbers however many ranks there are.
//
// Pure. Knows nothing about memory order, and nothing about boxes that are no products of ranges.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep {

/// Parts first, first + 1, ... of an axis: the first has `range`, each of the others what the one
/// before it has, `distance` further on. Ranges adjoin, upwards or downwards; those with a step
/// interleave.
struct Series {
  int first = 0;
  int parts = 1;
  Range range = {};
  Index distance = 0;  // of a single part, none

  int end() const { return first + parts; }
  Range of(int part) const;
  /// What all parts have together.
  Index lo() const;
  Index hi() const;
  bool operator==(Series const&) const = default;
};

/// Appends parts behind those of all series; however they are appended, the series come out alike.
void append(std::vector<Series>& series, Series each);

/// Consecutive parts.
struct Parts {
  int first;
  int count;
  auto operator<=>(Parts const&) const = default;
};

/// Which range of an axis each part has. Parts that are in no each have nothing.
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
  /// number; if neither has a step, to the number of series they are in.
  std::vector<Parts> meeting(Range const& region) const;
  /// The first of the longest parts.
  int longest() const;
  /// Whether one part has all.
  bool whole() const;
  bool operator==(Deal const& other) const { return series_ == other.series_; }

 private:
  std::vector<Parts> meeting_in_turn(Range const& region) const;

  Index extent_ = 0;
  std::vector<Series> series_;
  std::vector<int> by_position_;  // numbers of series; empty if that is their order
  int period_ = 0;
};

/// An axis dealt out to ranks: of `parts` parts, rank r has number r / stride mod parts.
struct Dealt {
  Deal deal = {};
  int stride = 1;
  int parts = 1;

  Range range(int rank) const { return deal.range(rank / stride % parts); }
  /// Whether every rank has the same of both, as can be told from the numbers.
  bool operator==(Dealt const& other) const;
};

// An axis seen as two, index = i fast + j.

/// Whether every part is a product of some i and some j; whether it has all i, or all j.
bool splits_into_boxes(Deal const& deal, Index fast);
bool has_whole_columns(Deal const& deal, Index fast);
bool has_whole_rows(Deal const& deal, Index fast);

/// How i and j are dealt out, if every rank has a product of some i and some j, and the ranks'
/// products are those of two such axes.
struct Digits {
  Dealt slow;
  Dealt fast;
};
std::optional<Digits> digits_of(Dealt const& axis, Index fast);

/// How a layout deals out all axes.
struct Deals {
  PerAxis<Dealt> axes;
  std::vector<Dealt> idle = {};  // axes of one point, which no longer are: ranks without a part of
                                 // it have nothing

  /// None of a list of boxes that are no such products.
  static Deals const* of(Layout const& layout);
  /// The same ranks and memory in other axes, as transposing, adding and removing axes need it:
  /// axis a of the result is axis axes[a] of `layout`; where axes[a] is -1, a new one of `extent`,
  /// which every rank holds whole. Axes that are not named must be of one point. `order` is the
  /// result's. Errors: too many axes, points or elements.
  static Layout in_axes(Layout const& layout, Order const& axes, Order const& order,
                        Index extent = 1);
  /// Where it is told how ranks are numbered, a list of boxes.
  Layout boxes(int ranks, Order const& order = {}) const;
  /// Cyclic where parts have indices in turn.
  PerAxis<Distribution> distribution() const;
  /// Ranks along each axis, if Layout::grid() deals out the axes so; else none.
  Grid grid(int ranks, PerAxis<Distribution> const& distribution) const;

  /// Along each axis, the parts that share an index with `region`; and who has them, ascending.
  std::vector<std::vector<Parts>> meeting(Box const& region) const;
  std::vector<int> ranks(std::vector<std::vector<Parts>> const& parts) const;
  bool is_idle(int rank) const;
  /// The first of the ranks that hold most.
  int busiest() const;
};

/// The number of parts that a cyclic axis of a layout is dealt out to in turn; 0 of any other.
int cyclic_parts(Layout const& layout, int axis);

/// The first of the ranks that hold most.
int busiest_rank(Layout const& layout);

}  // namespace sixstep

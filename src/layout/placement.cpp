// SPDX-License-Identifier: BSD-3-Clause
// Placements: a layout's boxes cut into pieces of working indices.
#include "layout/placement.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace sixstep::layout {

namespace {

/// A part of one axis in its two working axes: their ranges, the count along the user's axis at
/// which the part begins, and the distance, in such counts, of neighbours along the slow axis.
struct AxisPart {
  Range slow;
  Range fast;
  Index begin;
  Index distance;
};

/// Splits index = slow * fast_extent + fast, for all indices of `range`, into as few products as
/// possible: a ragged first row, rows that have the same digits, and a ragged last row. If the step
/// does not divide a row, the digits of rows repeat only after `period` rows.
std::vector<AxisPart> split(Range const& range, Index fast_extent) {
  std::vector<AxisPart> parts;
  if (range.empty()) return parts;
  Index const step = range.step;
  Index const last = range.lo + (range.count() - 1) * step;
  Index const first_row = range.lo / fast_extent, last_row = last / fast_extent;
  Index const head = range.lo % fast_extent, tail = last % fast_extent;
  Index const period = step / std::gcd(step, fast_extent);
  // Rows first, first + period, ... up to last, digits lo, lo + step, ... up to hi.
  auto const add = [&](Index first, Index last_of_them, Index lo, Index hi) {
    Index const begin = (first * fast_extent + lo - range.lo) / step;
    parts.push_back({{first, last_of_them + 1, period},
                     {lo, hi + 1, step},
                     begin,
                     period * fast_extent / step});
  };
  auto const last_digit = [&](Index digit) {
    return digit + (fast_extent - 1 - digit) / step * step;
  };
  auto const first_digit = [&](Index row) {
    Index const digit = (range.lo - row * fast_extent) % step;
    return digit < 0 ? digit + step : digit;
  };
  if (first_row == last_row) {
    add(first_row, first_row, head, tail);
    return parts;
  }
  bool const ragged_head = head >= step, ragged_tail = tail + step < fast_extent;
  Index const first_full = first_row + (ragged_head ? 1 : 0);
  Index const last_full = last_row - (ragged_tail ? 1 : 0);
  if (ragged_head) add(first_row, first_row, head, last_digit(head));
  for (Index row = first_full; row < first_full + period && row <= last_full; ++row) {
    Index const digit = first_digit(row);
    if (digit >= fast_extent) continue;
    add(row, row + (last_full - row) / period * period, digit, last_digit(digit));
  }
  if (ragged_tail) add(last_row, last_row, first_digit(last_row), tail);
  return parts;
}

/// A range that contains all indices slow * fast_extent + fast; it may contain others too.
Range join(Range const& slow, Range const& fast, Index fast_extent) {
  if (slow.empty() || fast.empty()) return {0, 0, 1};
  Index const last_slow = slow.lo + (slow.count() - 1) * slow.step;
  Index const last_fast = fast.lo + (fast.count() - 1) * fast.step;
  Index step = slow.count() == 1 ? fast.step : std::gcd(slow.step * fast_extent, fast.step);
  if (fast.count() == 1) step = slow.step * fast_extent;
  return {slow.lo * fast_extent + fast.lo, last_slow * fast_extent + last_fast + 1, step};
}

}  // namespace

View View::identity(Shape const& shape) {
  View view{shape, {}};
  for (int axis = 0; axis < shape.size(); ++axis) view.digits.push_back(PerAxis<int>{axis});
  return view;
}

Shape View::point_of(Shape const& index) const {
  Shape point;
  for (PerAxis<int> const& of_axis : digits) {
    Index at = 0;
    for (int digit : of_axis) at = at * shape[digit] + index[digit];
    point.push_back(at);
  }
  return point;
}

std::pair<int, Index> View::axis_of(int working) const {
  for (int axis = 0; axis < digits.size(); ++axis) {
    Index unit = 1;
    for (int digit = digits[axis].size() - 1; digit >= 0; --digit) {
      if (digits[axis][digit] == working) return {axis, unit};
      unit *= shape[digits[axis][digit]];
    }
  }
  return {0, 0};
}

Placement place(Layout const& layout, Number number) {
  return {layout, View::identity(layout.shape()), number};
}

Shape Placement::strides(int rank) const {
  if (!own_strides.empty()) return own_strides;
  if (row == 0) return layout.strides(rank);
  Shape strides(layout.axes(), 1);
  Index stride = 1;
  for (int position = layout.axes() - 1; position >= 0; --position) {
    int const axis = layout.order()[position];
    strides[axis] = stride;
    stride *= axis == row_axis ? row : layout.box(rank).ranges[axis].count();
  }
  return strides;
}

Pieces Placement::pieces(int rank) const {
  Box const box = layout.box(rank);
  if (box.empty()) return {};
  Shape const strides = this->strides(rank);
  Piece blank;
  blank.box.ranges = PerAxis<Range>(view.shape.size(), Range{0, 1, 1});
  blank.strides = Shape(view.shape.size(), 0);
  blank.offset = layout.offset(rank);
  for (int axis = 0; axis < layout.axes(); ++axis) {
    if (view.digits[axis].size() == 2) continue;
    blank.box.ranges[view.digits[axis][0]] = box.ranges[axis];
    blank.strides[view.digits[axis][0]] = strides[axis];
  }
  Pieces found{blank};
  for (int axis = 0; axis < layout.axes(); ++axis) {
    PerAxis<int> const& digits = view.digits[axis];
    if (digits.size() == 1) continue;
    std::vector<AxisPart> const parts = split(box.ranges[axis], view.shape[digits[1]]);
    Pieces longer;
    for (Piece piece : found) {
      Index const offset = piece.offset;
      for (AxisPart const& part : parts) {
        piece.offset = offset + part.begin * strides[axis];
        piece.box.ranges[digits[0]] = part.slow;
        piece.box.ranges[digits[1]] = part.fast;
        piece.strides[digits[0]] = part.distance * strides[axis];
        piece.strides[digits[1]] = strides[axis];
        longer.push_back(piece);
      }
    }
    found = std::move(longer);
  }
  if (tile == 0) return found;
  Order const& order = layout.order();
  auto const slower = std::find(order.begin(), order.end(), tile_axis) - 1;
  int const column = view.digits[tile_axis][0], next = view.digits[*slower][0];
  Pieces tiles;
  for (Index lo = 0, n = view.shape[column]; lo < n; lo += tile) {
    Piece piece = found[0];
    Index const width = std::min(tile, n - lo);
    piece.box.ranges[column] = {lo, lo + width, 1};
    piece.strides[next] = width * piece.strides[column];
    piece.offset += lo * piece.strides[column] * piece.box.ranges[next].count();
    tiles.push_back(piece);
  }
  return tiles;
}

std::vector<int> Placement::ranks_meeting(Box const& region) const {
  if (region.empty()) return {};
  return layout.ranks_meeting(in_layout(region));
}

Box Placement::in_layout(Box const& region) const {
  Box users;
  for (int axis = 0; axis < layout.axes(); ++axis) {
    PerAxis<int> const& digits = view.digits[axis];
    users.ranges.push_back(
        digits.size() == 2
            ? join(region.ranges[digits[0]], region.ranges[digits[1]], view.shape[digits[1]])
            : region.ranges[digits[0]]);
  }
  return users;
}

bool Placement::is_boxes() const {
  if (view.shape.size() == layout.axes()) return true;
  if (Deals const* deals = Deals::of(layout)) {
    for (int axis = 0; axis < layout.axes(); ++axis)
      if (PerAxis<int> const& digits = view.digits[axis];
          digits.size() == 2 && !splits_into_boxes(deals->axes[axis].deal, view.shape[digits[1]]))
        return false;
    return true;
  }
  for (int rank = 0; rank < layout.ranks(); ++rank)
    if (pieces(rank).size() > 1) return false;
  return true;
}

bool Placement::whole(int axis) const {
  Deals const* const deals = Deals::of(layout);
  for (int user = 0; user < layout.axes(); ++user) {
    PerAxis<int> const& digits = view.digits[user];
    if (digits.size() == 1 && digits[0] == axis) return layout.whole(user);
    if (!deals || std::find(digits.begin(), digits.end(), axis) == digits.end()) continue;
    Deal const& deal = deals->axes[user].deal;
    Index const fast = view.shape[digits[1]];
    return digits[0] == axis ? has_whole_columns(deal, fast) : has_whole_rows(deal, fast);
  }
  for (int rank = 0; rank < layout.ranks(); ++rank)
    for (Piece const& piece : pieces(rank))
      if (piece.box.ranges[axis].count() != view.shape[axis]) return false;
  return true;
}

std::optional<PerAxis<Dealt>> Placement::deals() const {
  Deals const* const users = Deals::of(layout);
  if (!users) return std::nullopt;
  PerAxis<Dealt> found(view.shape.size(), {Deal::even(1, 1, Distribution::block)});
  for (int axis = 0; axis < layout.axes(); ++axis) {
    PerAxis<int> const& digits = view.digits[axis];
    if (digits.size() == 1) {
      found[digits[0]] = users->axes[axis];
      continue;
    }
    std::optional<Digits> const both = digits_of(users->axes[axis], view.shape[digits[1]]);
    if (!both) return std::nullopt;
    found[digits[0]] = both->slow;
    found[digits[1]] = both->fast;
  }
  return found;
}

Index Placement::memory_size(int rank) const {
  Index const points = layout.local_size(rank);
  if (!own_strides.empty()) return reach(layout.shape(), own_strides);
  if (row == 0 || points == 0) return layout.array_size(rank);
  return points / layout.shape()[row_axis] * row;
}

Placement Placement::dense() const {
  Placement other = *this;
  other.layout = layout.dense();
  other.own_strides = {};
  return other;
}

Placement Placement::with_extent(int axis, Index extent) const {
  Placement other{layout, view, number};
  other.view.shape[axis] = extent;
  for (int user = 0; user < layout.axes(); ++user)
    if (view.digits[user].size() == 1 && view.digits[user][0] == axis)
      other.layout = layout.with_extent(user, extent);
  return other;
}

Placement Placement::with_fields(int axis, Index extent) const {
  Placement other = *this;
  other.view.shape[axis] = extent;
  Order axes = c_order(layout.axes());
  axes[view.axis_of(axis).first] = -1;
  other.layout = Deals::in_axes(layout, axes, layout.order(), extent);
  return other;
}

bool same_boxes(Placement const& a, Placement const& b) {
  auto const mine = a.deals(), theirs = b.deals();
  if (mine && theirs && *mine == *theirs) return true;
  // Boxes of ranks in a grid are the same product of deals for both, or they differ.
  bool const in_grids = !a.layout.grid().empty() && !b.layout.grid().empty();
  if (in_grids && (mine || theirs)) return false;
  for (int rank = 0; rank < a.layout.ranks(); ++rank) {
    Pieces const held = a.pieces(rank), wanted = b.pieces(rank);
    if (held.size() != wanted.size() || held.size() > 1) return false;
    if (!held.empty() && !(held[0].box == wanted[0].box)) return false;
  }
  return true;
}

}  // namespace sixstep::layout

// SPDX-License-Identifier: BSD-3-Clause
// Tallies: rectangles of elements, summed row by row.
#include "sweep/tally.hpp"

#include <algorithm>
#include <array>

namespace sixstep::sweep {

namespace {

/// The weight of an element is 1 + sum over its indices i along axis a of i weight_along(a), which
/// is odd. The numbers are those of SplitMix64 (Steele et al. 2014).
std::uint64_t weight_along(int axis) {
  std::uint64_t z = static_cast<std::uint64_t>(axis + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return 2 * (z ^ (z >> 31));
}

/// Sorts axes from the densest in memory on.
void sort(PerAxis<int>& axes, Shape const& strides) {
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return strides[a] < strides[b]; });
}

}  // namespace

Tally::Tally(End end, Box const& box, Index element_bytes, std::size_t parcels,
             BeforeAdding const& before)
    : end_(end),
      box_(box),
      element_bytes_(element_bytes),
      kernel_(local::bit_sum(local::chosen_target(), element_bytes)),
      before_(before),
      sums_(parcels) {}

void Tally::take(layout::Piece const& piece, std::size_t parcel) {
  if (piece.box.empty()) return;
  Rectangle made{localise(piece, box_), {}, 1, {}, parcel};
  for (int axis = 0; axis < piece.box.axes(); ++axis) {
    Range const& range = piece.box.ranges[axis];
    made.weights.push_back(weight_along(axis) * static_cast<std::uint64_t>(range.step));
    made.first += weight_along(axis) * static_cast<std::uint64_t>(range.lo);
    if (range.count() > 1) made.axes.push_back(axis);
  }
  sort(made.axes, piece.strides);
  rectangles_.push_back(made);
}

void Tally::begin() {
  for (auto& sum : sums_) sum.store(0, std::memory_order_relaxed);
}

void Tally::add(Region const& region, void const* array) {
  Block block{{}, {}, array};
  region.clip(Shape(box_.axes(), 0), box_.shape(), block.lo, block.hi);
  add(block);
}

void Tally::add(Block const& block) {
  for (Rectangle const& rectangle : rectangles_)
    if (std::uint64_t const sum = sum_of(rectangle, block))
      sums_[rectangle.parcel].fetch_add(sum, std::memory_order_relaxed);
}

namespace {

/// Finds the elements that a block has of a piece: [lo, hi) in counts of the piece. False: none.
bool meets(LocalPiece const& piece, Block const& block, Shape& lo, Shape& hi) {
  for (int axis = 0; axis < piece.start.size(); ++axis) {
    Index const step = piece.step[axis];
    auto const from = [&](Index count) {
      Index const behind = std::max<Index>(count - piece.start[axis], 0);
      return step == 1 ? behind : (behind + step - 1) / step;
    };
    Index const begin = from(block.lo[axis]);
    Index const end = std::min(from(block.hi[axis]), piece.extent[axis]);
    if (begin >= end) return false;
    lo.push_back(begin);
    hi.push_back(end);
  }
  return true;
}

/// The place of a piece in a copy of a block.
LocalPiece in_copy(LocalPiece piece, Block const& block) {
  piece.offset = 0;
  for (int axis = 0; axis < piece.start.size(); ++axis) {
    piece.offset += (piece.start[axis] - block.lo[axis]) * block.strides[axis];
    piece.strides[axis] = piece.step[axis] * block.strides[axis];
  }
  return piece;
}

}  // namespace

std::uint64_t Tally::sum_of(Rectangle const& rectangle, Block const& block) const {
  Shape lo, hi;
  if (!meets(rectangle.place, block, lo, hi)) return 0;
  bool const is_copy = !block.strides.empty();
  LocalPiece const place = is_copy ? in_copy(rectangle.place, block) : rectangle.place;
  // The densest axis is that of rows, if its elements lie side by side; the next one numbers rows.
  PerAxis<int> axes;
  for (int axis : rectangle.axes)
    if (hi[axis] - lo[axis] > 1) axes.push_back(axis);
  if (is_copy) sort(axes, place.strides);
  auto const* const array = static_cast<std::byte const*>(block.data);
  int next = 0;
  auto const has_next = [&] { return next < axes.size(); };
  local::WeightedRows rows{1, 1, 0, 0, 0, 0};
  if (has_next() && place.strides[axes[0]] == 1) {
    rows.elements = hi[axes[0]] - lo[axes[0]];
    rows.of_element = rectangle.weights[axes[0]];
    ++next;
  }
  if (has_next()) {
    rows.rows = hi[axes[next]] - lo[axes[next]];
    rows.row_bytes = place.strides[axes[next]] * element_bytes_;
    rows.of_row = rectangle.weights[axes[next]];
    ++next;
  }
  PerAxis<int> outer;
  for (int i = axes.size() - 1; i >= next; --i) outer.push_back(axes[i]);
  // The loops are over the other axes. Rows begin at `lo` of the first two.
  std::uint64_t sum = 0;
  for_each(outer, lo, hi, [&](Shape const& counts) {
    Index offset = place.offset;
    rows.first = rectangle.first;
    for (int axis = 0; axis < counts.size(); ++axis) {
      offset += counts[axis] * place.strides[axis];
      rows.first += static_cast<std::uint64_t>(counts[axis]) * rectangle.weights[axis];
    }
    if (before_) before_(end_, array + offset * element_bytes_, rows);
    sum += kernel_(array + offset * element_bytes_, rows);
  });
  return sum;
}

}  // namespace sixstep::sweep

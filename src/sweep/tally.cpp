// SPDX-License-Identifier: BSD-3-Clause
// Tallies: rectangles of elements, summed row by row.
#include "sweep/tally.hpp"

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
  Rectangle made{localise(piece, box_), {}, 1, parcel};
  for (int axis = 0; axis < piece.box.axes(); ++axis) {
    Range const& range = piece.box.ranges[axis];
    made.weights.push_back(weight_along(axis) * static_cast<std::uint64_t>(range.step));
    made.first += weight_along(axis) * static_cast<std::uint64_t>(range.lo);
  }
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

std::uint64_t Tally::sum_of(Rectangle const& rectangle, Block const& block) const {
  auto const* const data = static_cast<std::byte const*>(block.data);
  auto const weight = [&](int axis) { return axis < 0 ? 0 : rectangle.weights[axis]; };
  std::uint64_t sum = 0;
  for_each_rows(rectangle.place, block, [&](BlockRows const& found) {
    local::WeightedRows rows{found.rows,      found.elements,      found.step * element_bytes_,
                             rectangle.first, weight(found.outer), weight(found.inner)};
    for (int axis = 0; axis < found.counts.size(); ++axis)
      rows.first += static_cast<std::uint64_t>(found.counts[axis]) * rectangle.weights[axis];
    void const* const begin = data + found.offset * element_bytes_;
    if (before_) before_(end_, begin, rows);
    sum += kernel_(begin, rows);
  });
  return sum;
}

}  // namespace sixstep::sweep

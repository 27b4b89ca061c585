// SPDX-License-Identifier: BSD-3-Clause
// Sides: the elements of a box in memory order.
#include "side.hpp"

#include <utility>

namespace soak {

namespace {

/// Distances between neighbours along each axis of a row-major array.
Shape row_major(Shape const& shape) {
  Shape strides(shape.size(), 1);
  for (int axis = shape.size() - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * shape[axis + 1];
  return strides;
}

/// The numbers of a box's elements, the last axis of `order` fastest.
std::vector<std::size_t> numbers_of(Box const& box, Order const& order, Shape const& strides) {
  if (box.empty()) return {};
  std::vector<Index> numbers{0};
  for (int axis : order) {
    Range const& range = box.ranges[axis];
    std::vector<Index> longer;
    for (Index number : numbers)
      for (Index i = range.lo; i < range.hi; i += range.step)
        longer.push_back(number + i * strides[axis]);
    numbers = std::move(longer);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace

Side::Side(Layout const& layout, int rank, Options const& options, bool is_real, Index row)
    : is_real_(is_real), has_ghosts_(layout.has_ghosts()) {
  Shape shape = layout.shape();
  Box box = layout.box(rank);
  sixstep::Ghosts ghosts = layout.ghosts(rank);
  shape.push_back(options.fields);
  box.ranges.push_back({0, options.fields});
  ghosts.before.push_back(0);
  ghosts.after.push_back(0);
  Order order;
  if (!options.interleaved) order.push_back(layout.axes());
  for (int axis : layout.order()) order.push_back(axis);
  if (options.interleaved) order.push_back(layout.axes());
  numbers_ = numbers_of(box, order, row_major(shape));
  if (numbers_.empty()) return;
  Shape const extents = box.shape();
  places_ = {0};
  size_ = 1;
  for (int axis : order) {
    bool const pads = row > 0 && axis == layout.order().back();
    Index const padding = pads ? row - extents[axis] : ghosts.after[axis];
    Index const room = ghosts.before[axis] + extents[axis] + padding;
    std::vector<Index> longer;
    for (Index place : places_)
      for (Index i = 0; i < extents[axis]; ++i)
        longer.push_back(place * room + ghosts.before[axis] + i);
    places_ = std::move(longer);
    size_ *= room;
  }
}

Side::Side(Shape const& shape, Shape const& strides, bool is_real)
    : size_(1), is_real_(is_real), has_ghosts_(true) {
  Box box;
  Order order;
  for (int axis = 0; axis < shape.size(); ++axis) {
    box.ranges.push_back({0, shape[axis]});
    order.push_back(axis);
    size_ += (shape[axis] - 1) * strides[axis];
  }
  numbers_ = numbers_of(box, order, row_major(shape));
  for (std::size_t const place : numbers_of(box, order, strides))
    places_.push_back(static_cast<Index>(place));
}

}  // namespace soak

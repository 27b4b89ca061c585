// SPDX-License-Identifier: BSD-3-Clause
// Slabs in blocks of one length.
#include "mpi_layouts.hpp"

#include <utility>
#include <vector>

#include "mpi_sizes.hpp"

namespace sixstep::fftw {

namespace {

int split_axis(End const& end, Shape const& shape) {
  return end.transposed && shape.size() > 1 ? 1 : 0;
}

}  // namespace

bool is_complete(End const& end, Shape const& shape, int ranks) {
  Index const n = shape[split_axis(end, shape)];
  return holds_all(n, block_length(n, end.block, ranks), ranks);
}

Layout blocks_along(int axis, Index block, Shape const& shape, int ranks, Order const& order) {
  // A slab is known to be a grid, which planning is faster with.
  Layout const even = Layout::slab(shape, ranks, axis).with_order(order);
  std::vector<Box> boxes;
  bool is_even = true;
  for (int rank = 0; rank < ranks; ++rank) {
    Slice const part = slice(shape[axis], block, rank);
    Box box;
    for (int each = 0; each < shape.size(); ++each)
      box.ranges.push_back(each == axis ? Range{part.start, part.start + part.count}
                                        : Range{0, shape[each]});
    is_even = is_even && box == even.box(rank);
    boxes.push_back(box);
  }
  return is_even ? even : Layout::boxes(shape, boxes, order);
}

Layout layout_of(End const& end, Shape const& shape, int ranks) {
  int const axis = split_axis(end, shape);
  Order order = c_order(shape.size());
  if (axis == 1) std::swap(order[0], order[1]);
  return blocks_along(axis, block_length(shape[axis], end.block, ranks), shape, ranks, order);
}

}  // namespace sixstep::fftw

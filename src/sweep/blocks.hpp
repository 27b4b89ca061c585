// SPDX-License-Identifier: BSD-3-Clause
// Blocks: rectangles of elements at one end of a sweep, taken row by row.
#pragma once

#include <algorithm>

#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// Some elements at one end of a sweep: [lo, hi) in counts of its box.
struct Block {
  Shape lo, hi;
  void const* data;    // the array, in which elements lie as its pieces say; with `strides`, the
                       // element at `lo` of a copy
  Shape strides = {};  // of the copy

  bool is_copy() const { return !strides.empty(); }
};

/// Somebody who takes blocks, from any thread.
class BlockTaker {
 public:
  BlockTaker() = default;  // nobody
  /// Calls to->add(block); null: nobody. `to` must outlive the taker.
  template <class Sums>
  explicit BlockTaker(Sums* to) : to_(to) {
    if (to != nullptr)
      take_ = [](void* sums, Block const& block) { static_cast<Sums*>(sums)->add(block); };
  }

  explicit operator bool() const { return to_ != nullptr; }
  void operator()(Block const& block) const { take_(to_, block); }

 private:
  void* to_ = nullptr;
  void (*take_)(void*, Block const&) = nullptr;
};

/// Rows that a block has of a piece. Elements of a row lie side by side; an axis of -1 has a single
/// count.
struct BlockRows {
  Index offset;                // of the first element from Block::data
  Index rows, elements, step;  // `step` elements from a row to the next
  int inner, outer;            // the axes along rows, and from row to row
  Shape const& counts;         // of the first element in the piece
};

/// Finds the elements that a block has of a piece: [lo, hi) in counts of the piece. False: none.
inline bool meets(LocalPiece const& piece, Block const& block, Shape& lo, Shape& hi) {
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
inline LocalPiece in_copy(LocalPiece piece, Block const& block) {
  piece.offset = 0;
  for (int axis = 0; axis < piece.start.size(); ++axis) {
    piece.offset += (piece.start[axis] - block.lo[axis]) * block.strides[axis];
    piece.strides[axis] = piece.step[axis] * block.strides[axis];
  }
  return piece;
}

/// Calls take(rows) until all elements that the block has of a piece have been taken.
template <class Take>
void for_each_rows(LocalPiece const& piece, Block const& block, Take const& take) {
  Shape lo, hi;
  if (!meets(piece, block, lo, hi)) return;
  LocalPiece const place = block.is_copy() ? in_copy(piece, block) : piece;
  PerAxis<int> axes;  // from the densest in memory on
  for (int axis = 0; axis < lo.size(); ++axis)
    if (hi[axis] - lo[axis] > 1) axes.push_back(axis);
  std::sort(axes.begin(), axes.end(),
            [&](int a, int b) { return place.strides[a] < place.strides[b]; });
  int next = 0;
  auto const take_axis = [&] { return next < axes.size() ? axes[next++] : -1; };
  bool const adjoin = !axes.empty() && place.strides[axes[0]] == 1;
  int const inner = adjoin ? take_axis() : -1, outer = take_axis();
  PerAxis<int> others;
  for (int i = axes.size() - 1; i >= next; --i) others.push_back(axes[i]);
  auto const extent = [&](int axis) { return axis < 0 ? 1 : hi[axis] - lo[axis]; };
  // The loops are over the other axes. Rows begin at `lo` of the first two.
  for_each(others, lo, hi, [&](Shape const& counts) {
    Index offset = place.offset;
    for (int axis = 0; axis < counts.size(); ++axis) offset += counts[axis] * place.strides[axis];
    take(BlockRows{offset, extent(outer), extent(inner), outer < 0 ? 0 : place.strides[outer],
                   inner, outer, counts});
  });
}

}  // namespace sixstep::sweep

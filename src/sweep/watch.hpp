// SPDX-License-Identifier: BSD-3-Clause
// Tells somebody of the columns of a batch, part by part, while they are in cache.
#pragma once

#include <algorithm>

#include "sweep/blocks.hpp"
#include "sweep/cells.hpp"

namespace sixstep::sweep {

/// The columns of a batch on one side. `begin` and `end` are counts of the cell, along the lanes
/// those of all its columns.
struct ColumnsOfSide {
  Cell const& cell;
  Shape const& begin;
  Shape const& end;
  int transformed;  // the axis of rows, of which there are `rows`
  Index rows;
  void const* array;
  Index element_bytes;

  /// Gives columns [first, first + count), which lie in the array, or with a pitch in `buffer`.
  void give(BlockTaker const& to, Index first, Index count, void const* buffer, Index pitch) const {
    for (Index column = first; column < first + count;) {
      Block block = alone();
      Index const columns = spread(block, column, first + count - column);
      if (buffer != nullptr) {
        block.data = static_cast<std::byte const*>(buffer) + (column - first) * element_bytes;
        block.strides = strides_of_copy(pitch);
      } else {
        block.data = array;
      }
      to(block);
      column += columns;
    }
  }

 private:
  Index extent(int lane) const { return end[lane] - begin[lane]; }

  /// The first column.
  Block alone() const {
    Block made{begin, begin, nullptr};
    for (int axis = 0; axis < begin.size(); ++axis) {
      made.lo[axis] += cell.start[axis];
      made.hi[axis] = made.lo[axis] + 1;
    }
    made.lo[transformed] = 0;
    made.hi[transformed] = rows;
    return made;
  }

  /// Makes the block that of as many columns from `column` on as are a rectangle, `most` at most.
  Index spread(Block& block, Index column, Index most) const {
    Index whole = 1, rest = column;  // columns of the faster lanes
    bool is_full = true;             // the block has all of these
    Index columns = 1;
    for (int i = cell.lanes.size() - 1; i >= 0; --i) {
      int const lane = cell.lanes[i];
      Index const at = rest % extent(lane);
      rest /= extent(lane);
      block.lo[lane] += at;
      Index const counts = is_full ? std::min(extent(lane) - at, most / whole) : 1;
      block.hi[lane] = block.lo[lane] + counts;
      columns *= counts;
      is_full = is_full && counts == extent(lane);
      whole *= extent(lane);
    }
    return columns;
  }

  Shape strides_of_copy(Index pitch) const {
    Shape strides(begin.size(), 0);
    Index stride = 1;
    for (int i = cell.lanes.size() - 1; i >= 0; --i) {
      strides[cell.lanes[i]] = stride;
      stride *= extent(cell.lanes[i]);
    }
    strides[transformed] = pitch;
    return strides;
  }
};

/// The watch of a batch for local::Staged.
struct GivingWatch {
  static constexpr bool watches = true;
  ColumnsOfSide const& source;
  ColumnsOfSide const& target;
  BlockTaker reads, writes;

  void read(Index first, Index count, void const* buffer = nullptr, Index pitch = 0) const {
    if (reads) source.give(reads, first, count, buffer, pitch);
  }
  void written(Index first, Index count, void const* buffer = nullptr, Index pitch = 0) const {
    if (writes) target.give(writes, first, count, buffer, pitch);
  }
};

}  // namespace sixstep::sweep

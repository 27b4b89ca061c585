// SPDX-License-Identifier: BSD-3-Clause
// Where the batches of a cell lie.
#pragma once

#include <optional>
#include <utility>

#include "local/transform.hpp"
#include "sweep/cells.hpp"
#include "sweep/loops.hpp"

namespace sixstep::sweep {

/// The first column of a batch of a cell.
struct BatchStart {
  Cell const& cell;
  Region const& region;
  Shape const& lo;      // of all batches
  Shape const& counts;  // along the other axes

  /// How far its first column is behind that of the cell.
  Index shift(Shape const& strides, bool in_scratch) const {
    Index const shift = dot(cell.outer, counts, strides) + dot(cell.lanes, lo, strides);
    return in_scratch ? shift - region.offset(strides) : shift;
  }

  /// The distance to the next batch with counts from `lo` to `hi`, or to the first one of the part
  /// behind the region; none behind the last.
  std::optional<Index> to_next(Shape const& hi, Shape const& strides) const {
    Index distance = 0;
    for (int i = cell.outer.size() - 1; i >= 0; --i) {
      int const axis = cell.outer[i];
      if (counts[axis] + 1 < hi[axis]) return distance + strides[axis];
      distance -= (counts[axis] - lo[axis]) * strides[axis];
    }
    if (region.ahead.empty()) return {};
    return distance + dot(cell.outer, region.ahead, strides) +
           dot(cell.lanes, region.ahead, strides);
  }
};

/// The place of column 0 of a batch: a shift of all rows alike, or the table `rows`, which is
/// filled anew.
inline std::pair<Index, local::RowMap> place(BatchStart const& start, Cell::Side const& side,
                                             bool in_scratch, Index* rows) {
  Cell::Rows const& first = side.rows[0];
  if (side.rows.size() == 1)
    return {first.offset + start.shift(first.strides, in_scratch),
            local::RowMap::every(first.stride)};
  if (side.alike) return {start.shift(first.strides, in_scratch), side.table.data()};
  for (Cell::Rows const& some : side.rows) {
    Index const begin = some.offset + start.shift(some.strides, in_scratch);
    for (Index i = 0; i < some.count; ++i)
      rows[some.first + i * some.step] = begin + i * some.stride;
  }
  return {0, rows};
}

}  // namespace sixstep::sweep

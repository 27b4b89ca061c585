// SPDX-License-Identifier: BSD-3-Clause
// Batches that are gathered in a block in cache, so that the kernels get more columns at a time.
#pragma once

#include <cstddef>

#include "sweep/batches.hpp"
#include "sweep/multiply.hpp"
#include "sweep/runs.hpp"

namespace sixstep::sweep {

/// Several batches that are gathered into one in a block in cache.
struct Gathering {
  /// The distances of the rows and of the columns of a side of the block, in elements.
  struct Side {
    Index row;
    Index column;
  };

  Index batches = 1;  // at a time
  Index columns = 1;  // of each
  Side source = {};
  Side target = {};
  std::size_t source_bytes = 0;  // offset of the target behind the source; 0: both use the same
                                 // memory
  std::size_t bytes = 0;
};

inline std::byte const* bytes_at(void const* place) { return static_cast<std::byte const*>(place); }
inline std::byte* bytes_at(void* place) { return static_cast<std::byte*>(place); }

/// One side of batches that are gathered in a block: the distances of rows and batches in the array
/// and in the block.
template <class Element>
struct GatheredSide {
  Cell::Side const& side;
  bool in_scratch;
  int axis;       // of the batches
  Index columns;  // of each batch
  Gathering::Side block;

  Spacing in_array(Cell::Rows const& rows) const {
    return {rows.stride * Index{sizeof(Element)}, rows.strides[axis] * Index{sizeof(Element)}};
  }
  Spacing in_block(Cell::Rows const& rows) const {
    return {rows.step * block.row * Index{sizeof(Element)},
            columns * block.column * Index{sizeof(Element)}};
  }
  Runs runs(Cell::Rows const& rows, Index batches) const {
    return {rows.count, batches, columns * Index{sizeof(Element)}};
  }

  /// Copies batches from the array to the block.
  void fetch(BatchStart const& start, Element const* array, Element* to, Index batches) const {
    for (Cell::Rows const& rows : side.rows)
      copy_runs(bytes_at(array + rows.offset + start.shift(rows.strides, in_scratch)),
                in_array(rows), bytes_at(to + rows.first * block.row), in_block(rows),
                runs(rows, batches));
  }
  /// Copies batches from the block to the array, and multiplies them by the table there.
  void put(BatchStart const& start, Element const* from, Element* array, Index batches,
           void const* table) const {
    for (Cell::Rows const& rows : side.rows) {
      Index const at = rows.offset + start.shift(rows.strides, in_scratch);
      copy_runs(bytes_at(from + rows.first * block.row), in_block(rows), bytes_at(array + at),
                in_array(rows), runs(rows, batches));
      for (Index batch = 0; batch < batches; ++batch)
        multiply_by_table(table, array, at + batch * rows.strides[axis], {rows.stride, 1},
                          rows.count, columns);
    }
  }
};

}  // namespace sixstep::sweep

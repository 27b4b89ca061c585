// SPDX-License-Identifier: BSD-3-Clause
// Cells: how the columns of a pass lie in memory, worked out from pieces.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace sixstep::sweep {

/// A piece in counts of a local box: start + i step, i < extent, along each axis.
struct LocalPiece {
  Shape start, step, extent, strides;
  Index offset;
};

/// `piece` in counts of `box`, which holds it.
LocalPiece localise(layout::Piece const& piece, Box const& box);

/// A rectangle of columns whose rows lie alike: counts extent[x] from start[x] along each axis x
/// but the transformed one. Both sides cut the box into such cells, most often into a single one.
struct Cell {
  /// Rows first, first + step, ... of the transform, and where they lie at the cell's start.
  struct Rows {
    Index first, step, count;
    Index offset, stride;
    Shape strides;  // along the axes of the box
  };
  /// One side: its rows; of several, a table if they all move alike from column to column.
  struct Side {
    std::vector<Rows> rows;
    std::vector<Index> table;  // by row, at the cell's start
    bool alike = false;
  };

  Shape start;
  Shape extent;
  Side source;
  Side target;
  PerAxis<int> lanes;  // axes that together are the columns of a batch, slowest first
  PerAxis<int> outer;  // the others but the transformed one, slowest first
  int bundle = -1;     // where there are no lanes, or where those of a batch lie side by side: the
                       // one of `outer` along which several batches may be gathered to one
};

/// The cells of a pass with a transform; what the sweep does at a time is to be a run of columns.
std::vector<Cell> make_cells(program::Pass const& pass, program::Sweep const& sweep);

}  // namespace sixstep::sweep

// SPDX-License-Identifier: BSD-3-Clause
// Cells: how the columns of a pass lie in memory, computed from pieces.
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

/// A rectangle of columns whose rows lie alike: `extent` counts from `start` along each axis but
/// the transformed one. The box is cut into cells that suit both sides, most often a single one.
struct Cell {
  /// Rows first, first + step, ... of the transform, and their places at the cell's start.
  struct Rows {
    Index first, step, count;
    Index offset, stride;
    Shape strides;  // along the axes of the box
  };
  /// One side: its rows. Several have a table; `alike` says whether they all move alike from column
  /// to column.
  struct Side {
    std::vector<Rows> rows;
    std::vector<Index> table;  // by row, at the cell's start
    bool alike = false;
  };

  Shape start;
  Shape extent;
  Side source;
  Side target;
  PerAxis<int> lanes;  // axes that together number the columns of a batch, slowest first
  PerAxis<int> outer;  // the other axes but the transformed one, slowest first
  int bundle = -1;     // if there are no lanes, or those of a batch lie side by side: the one of
                       // `outer` along which several batches may be gathered into one; else -1
};

/// The cells of a pass with a transform. Each part that the sweep runs at a time is a run of
/// columns.
std::vector<Cell> make_cells(program::Pass const& pass, program::Sweep const& sweep);

}  // namespace sixstep::sweep

// SPDX-License-Identifier: BSD-3-Clause
// Cells: cuts the box of a pass where pieces begin and end, and chooses columns.
#include "sweep/cells.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace sixstep::sweep {

using layout::Piece;

LocalPiece localise(layout::Piece const& piece, Box const& box) {
  LocalPiece local{{}, {}, {}, piece.strides, piece.offset};
  for (int axis = 0; axis < box.axes(); ++axis) {
    Range const& inner = piece.box.ranges[axis];
    Range const& outer = box.ranges[axis];
    local.start.push_back((inner.lo - outer.lo) / outer.step);
    local.step.push_back(inner.count() > 1 ? inner.step / outer.step : 1);
    local.extent.push_back(inner.count());
  }
  return local;
}

namespace {

/// The counts at which some piece begins or ends along `axis`; every count if a piece has gaps
/// there.
std::vector<Index> cuts(std::vector<LocalPiece> const& pieces, int axis, Index extent) {
  std::set<Index> at{0, extent};
  for (LocalPiece const& piece : pieces) {
    if (piece.step[axis] != 1) {
      for (Index i = 0; i < extent; ++i) at.insert(i);
      break;
    }
    at.insert(piece.start[axis]);
    at.insert(piece.start[axis] + piece.extent[axis]);
  }
  return {at.begin(), at.end()};
}

/// Whether the piece holds the cell's columns.
bool covers(LocalPiece const& piece, Cell const& cell, int transformed) {
  for (int axis = 0; axis < cell.start.size(); ++axis) {
    if (axis == transformed) continue;
    Index const from_start = cell.start[axis] - piece.start[axis];
    if (from_start < 0 || from_start % piece.step[axis] != 0) return false;
    if (from_start / piece.step[axis] + cell.extent[axis] > piece.extent[axis]) return false;
  }
  return true;
}

Cell::Side side_of(Cell const& cell, std::vector<LocalPiece> const& pieces, int transformed,
                   Index n) {
  Cell::Side side;
  for (LocalPiece const& piece : pieces) {
    if (!covers(piece, cell, transformed)) continue;
    Index offset = piece.offset;
    for (int axis = 0; axis < cell.start.size(); ++axis)
      if (axis != transformed)
        offset += (cell.start[axis] - piece.start[axis]) / piece.step[axis] * piece.strides[axis];
    side.rows.push_back({piece.start[transformed], piece.step[transformed],
                         piece.extent[transformed], offset, piece.strides[transformed],
                         piece.strides});
  }
  if (side.rows.size() == 1) return side;
  side.table.assign(static_cast<std::size_t>(n), 0);
  for (Cell::Rows const& rows : side.rows)
    for (Index i = 0; i < rows.count; ++i)
      side.table[static_cast<std::size_t>(rows.first + i * rows.step)] =
          rows.offset + i * rows.stride;
  side.alike = std::all_of(side.rows.begin(), side.rows.end(), [&](Cell::Rows const& rows) {
    for (int axis = 0; axis < cell.start.size(); ++axis)
      if (axis != transformed && cell.extent[axis] > 1 &&
          rows.strides[axis] != side.rows[0].strides[axis])
        return false;
    return true;
  });
  return side;
}

/// Whether all rows of a side have the same distance along `axis`; then it can number columns.
bool even_along(Cell::Side const& side, int axis) {
  return std::all_of(side.rows.begin(), side.rows.end(), [&](Cell::Rows const& rows) {
    return rows.strides[axis] == side.rows[0].strides[axis];
  });
}

/// How badly `axis` serves as the axis of columns: the local transforms are fast where columns lie
/// side by side or rows are contiguous, and want at least a vector of columns.
int lane_penalty(Cell const& cell, int axis, int window_axis) {
  constexpr Index vector = 8;
  int penalty = 0;
  for (Cell::Side const* side : {&cell.source, &cell.target}) {
    bool const columns_adjoin = side->rows[0].strides[axis] == 1;
    bool const rows_adjoin = side->rows[0].stride == 1;
    penalty += columns_adjoin ? 0 : rows_adjoin ? 1 : 20;
  }
  if (cell.extent[axis] < vector) penalty += 10;
  if (axis == window_axis) penalty += 3;
  return penalty;
}

/// Whether axis `outer` continues the columns of `inner`, which has `count` of them.
bool continues(Cell const& cell, int outer, int inner, Index count) {
  for (Cell::Side const* side : {&cell.source, &cell.target}) {
    if (!even_along(*side, outer)) return false;
    if (side->rows[0].strides[outer] != count * side->rows[0].strides[inner]) return false;
  }
  return true;
}

/// Chooses the axis along which batches may be gathered: the longest, but the window axis only if
/// there is no other, because a window may have few counts.
void choose_bundle(Cell& cell, program::Sweep const& sweep, int twiddle_axis) {
  if (!cell.lanes.empty()) {
    int const lane = cell.lanes.back();
    bool const adjoin =
        cell.source.rows[0].strides[lane] == 1 && cell.target.rows[0].strides[lane] == 1;
    if (!adjoin || program::contains(cell.lanes, twiddle_axis)) return;
  }
  auto const extent = [&](int axis) { return axis < 0 ? 1 : cell.extent[axis]; };
  auto const is_longer = [&](int axis, int than) {
    if (extent(axis) == 1 || than < 0) return extent(axis) > 1;
    if (axis == sweep.window_axis || than == sweep.window_axis) return than == sweep.window_axis;
    return extent(axis) > extent(than);
  };
  for (int axis : cell.outer) {
    bool const twisted = !cell.lanes.empty() && axis == twiddle_axis;
    if (!twisted && sweep.stacked_counts(axis) == 0 && is_longer(axis, cell.bundle))
      cell.bundle = axis;
  }
}

/// Chooses the axes that number the columns of a batch; the others become loops.
void choose_lanes(Cell& cell, program::Pass const& pass, program::Sweep const& sweep) {
  int const transformed = *pass.axis, window_axis = sweep.window_axis;
  int const twiddle_axis = pass.twiddle_axis.value_or(-1);
  auto const may_be_lane = [&](int axis) {
    return axis != transformed && cell.extent[axis] > 1 && sweep.stacked_counts(axis) != 1;
  };
  auto const is_cut = [&](int axis) {
    return axis == window_axis || sweep.stacked_counts(axis) > 0;
  };
  int best = -1;
  for (int axis = 0; axis < cell.start.size(); ++axis) {
    if (!may_be_lane(axis)) continue;
    if (!even_along(cell.source, axis) || !even_along(cell.target, axis)) continue;
    if (best < 0 || lane_penalty(cell, axis, window_axis) <= lane_penalty(cell, best, window_axis))
      best = axis;
  }
  PerAxis<int> inside_out;
  if (best >= 0) inside_out.push_back(best);
  Index count = best >= 0 ? cell.extent[best] : 1;
  // An axis that is cut may only be the slowest of the lanes, so that a part of it is still a run
  // of columns.
  for (bool more = best >= 0 && !is_cut(best) && best != twiddle_axis; more;) {
    more = false;
    for (int axis = 0; axis < cell.start.size(); ++axis) {
      if (program::contains(inside_out, axis) || !may_be_lane(axis) || axis == twiddle_axis)
        continue;
      if (!continues(cell, axis, best, count)) continue;
      inside_out.push_back(axis);
      count *= cell.extent[axis];
      more = !is_cut(axis);
      break;
    }
  }
  cell.lanes = PerAxis<int>(inside_out);
  std::reverse(cell.lanes.begin(), cell.lanes.end());
  for (int axis = 0; axis < cell.start.size(); ++axis)
    if (axis != transformed && !program::contains(cell.lanes, axis)) cell.outer.push_back(axis);
  choose_bundle(cell, sweep, twiddle_axis);
}

std::vector<LocalPiece> localise_all(layout::Pieces const& pieces, Box const& box) {
  std::vector<LocalPiece> local;
  for (layout::Piece const& piece : pieces) local.push_back(localise(piece, box));
  return local;
}

}  // namespace

std::vector<Cell> make_cells(program::Pass const& pass, program::Sweep const& sweep) {
  std::vector<Cell> cells;
  if (pass.box.empty()) return cells;
  Shape const extents = pass.box.shape();
  int const transformed = *pass.axis;
  std::vector<LocalPiece> const source = localise_all(pass.source, pass.box);
  std::vector<LocalPiece> const target = localise_all(pass.target, pass.target_box);
  std::vector<LocalPiece> both = source;
  both.insert(both.end(), target.begin(), target.end());
  cells.push_back({Shape(extents.size(), 0), extents, {}, {}, {}, {}});
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (axis == transformed) continue;
    std::vector<Index> const at = cuts(both, axis, extents[axis]);
    std::vector<Cell> finer;
    for (Cell const& cell : cells) {
      for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        finer.push_back(cell);
        finer.back().start[axis] = at[i];
        finer.back().extent[axis] = at[i + 1] - at[i];
      }
    }
    cells = std::move(finer);
  }
  for (Cell& cell : cells) {
    cell.source = side_of(cell, source, transformed, extents[transformed]);
    cell.target = side_of(cell, target, transformed, pass.target_box.ranges[transformed].count());
    choose_lanes(cell, pass, sweep);
  }
  return cells;
}

}  // namespace sixstep::sweep

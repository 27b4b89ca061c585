// SPDX-License-Identifier: BSD-3-Clause
// Scratch is as large as a window, with padded rows.
#include "program/scratch.hpp"

#include <algorithm>

namespace sixstep::program {

/// The box of one window in scratch. Rows are padded, because a power of two between them would
/// send a column to few sets of the cache. Short rows of an axis that is not transformed (the
/// fields of a point) are padded together with the axis that continues them.
layout::Piece Scratch::piece(End const& end, Shape const& extents, Sweep const& sweep) const {
  layout::Piece scratch{end.box, 0, Shape(end.box.axes(), 0)};
  Index const far = tuning_.far_row_bytes / leg_.bytes_of(end.number);
  Index stride = 1;
  bool padded = false;
  for (int position = leg_.order.size() - 1; position >= 0; --position) {
    int const axis = leg_.order[position];
    Index const stacked = sweep.stacked_counts(axis);
    scratch.strides[axis] = stride;
    if (axis == sweep.window_axis || stacked == 1) continue;
    stride *= stacked > 0 ? std::min(stacked, extents[axis]) : extents[axis];
    if (padded || stride == 1 || (contains(leg_.untransformed, axis) && stride < far)) continue;
    stride += tuning_.strip_pad_bytes / leg_.bytes_of(end.number);
    padded = true;
  }
  scratch.strides[sweep.window_axis] = stride;
  return scratch;
}

/// Numbers points window by window; in a window, by the counts of stacked axes.
Numbering Scratch::numbering(Pass const& pass, Sweep const& sweep) const {
  Numbering made{.box = pass.box, .strides = Shape(pass.box.axes(), 0)};
  Index stride = 1;
  auto const count = [&](int axis) {
    Index const all = pass.box.ranges[axis].count();
    if (axis == pass.at_points->axis) return;
    Index const at_once = sweep.stacked_counts(axis);
    if (at_once > 1 && made.strides[axis] == 0) {
      made.strides[axis] = stride;
      made.block_axis = axis;
      made.block = at_once;
      stride *= at_once;
    } else if (at_once > 1) {
      made.block_stride = stride;
      stride *= (all + at_once - 1) / at_once;
    } else {
      made.strides[axis] = stride;
      stride *= all;
    }
  };
  auto const count_if = [&](auto const& wanted) {
    for (int position = leg_.order.size() - 1; position >= 0; --position)
      if (wanted(leg_.order[position])) count(leg_.order[position]);
  };
  count_if([&](int axis) { return axis != sweep.window_axis && sweep.stacked_counts(axis) != 1; });
  count_if([&](int axis) { return sweep.stacked_counts(axis) > 0; });
  if (sweep.window_axis >= 0) count(sweep.window_axis);
  made.size = pass.box.empty() ? 0 : stride;
  return made;
}

void Scratch::connect(Sweep& sweep, std::size_t first, layout::Pieces const& source,
                      layout::Pieces const& target) const {
  for (std::size_t i = 0; i < sweep.passes.size(); ++i) {
    Pass& pass = sweep.passes[i];
    pass.box = leg_.ends[first + i].box;
    pass.target_box = leg_.ends[first + i + 1].box;
    if (pass.at_points) pass.numbering = numbering(pass, sweep);
    pass.from_scratch = i > 0;
    pass.to_scratch = i + 1 < sweep.passes.size();
    pass.has_room = pass.to_scratch && !pass.target_box.empty() && pass.drops_rows();
  }
  sweep.passes.front().source = source;
  sweep.passes.back().target = target;
  for (std::size_t i = 1; i < sweep.passes.size(); ++i)
    sweep.passes[i].source = sweep.passes[i - 1].target =
        behind(sweep, sweep.passes[i - 1], leg_.ends[first + i - 1], leg_.ends[first + i]);
}

/// The scratch that a pass writes. If the pass drops rows of its transform, there is room for
/// them, so that nothing is copied.
layout::Pieces Scratch::behind(Sweep& sweep, Pass const& pass, End const& before,
                               End const& end) const {
  bool const is_alike = before.number == end.number && before.box == end.box;
  if (pass.from_scratch && is_alike && !pass.has_room) return pass.source;
  Shape extents = end.box.shape();
  if (pass.has_room) extents[*pass.axis] = pass.all_rows(pass.target_number);
  layout::Piece piece = this->piece(end, extents, sweep);
  Index const reals = layout::reals_of(end.number);
  piece.offset = (sweep.scratch_reals + reals - 1) / reals;
  sweep.scratch_reals = (piece.offset + piece.strides[sweep.window_axis] * sweep.window) * reals;
  if (!pass.has_room) return {piece};
  layout::Pieces pieces;
  for (Pass::Stretch const& stretch : pass.target_rows()) {
    if (stretch.count == 0) continue;
    layout::Piece part = piece;
    Range& rows = part.box.ranges[*pass.axis];
    rows = {rows.lo + stretch.index, rows.lo + stretch.index + stretch.count, 1};
    part.offset += stretch.row * piece.strides[*pass.axis];
    pieces.push_back(part);
  }
  return pieces;
}

}  // namespace sixstep::program

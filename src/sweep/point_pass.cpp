// SPDX-License-Identifier: BSD-3-Clause
// Passes with an operation at points: rows run along the axis that lies densest on both sides.
#include "sweep/point_pass.hpp"

namespace sixstep::sweep {

using layout::Piece;

PointPass::PointPass(program::Pass const& pass, Index element_bytes)
    : element_bytes_(element_bytes),
      fields_axis_(pass.at_points->mixes ? pass.at_points->axis : -1),
      from_scratch_(pass.from_scratch),
      to_scratch_(pass.to_scratch),
      numbering_(pass.numbering) {
  if (pass.box.empty() || pass.target_box.empty()) return;
  // The two sides may differ in the number of fields.
  auto const restricted = [&](Piece const& piece, Box region) {
    if (fields_axis_ >= 0) region.ranges[fields_axis_] = piece.box.ranges[fields_axis_];
    return layout::restrict(piece, region);
  };
  for (Piece const& from : pass.source)
    for (Piece const& to : pass.target) {
      Piece const source = restricted(from, to.box);
      if (source.box.empty()) continue;
      Rectangle made{localise(source, pass.box), localise(restricted(to, from.box), pass.target_box),
                     -1, {}};
      auto const distance = [&](int axis) {
        return made.source.strides[axis] + made.target.strides[axis];
      };
      for (int axis = 0; axis < pass.box.axes(); ++axis) {
        if (axis == fields_axis_) continue;
        bool const is_better = made.row < 0 || made.source.extent[made.row] == 1 ||
                               distance(axis) < distance(made.row);
        if (made.source.extent[axis] > 1 ? is_better : made.row < 0) made.row = axis;
      }
      for (int axis = 0; axis < pass.box.axes(); ++axis)
        if (axis != fields_axis_ && axis != made.row) made.outer.push_back(axis);
      rectangles_.push_back(made);
    }
}

void PointPass::run(void const* source, void* target, Region const& region, Mode const& mode,
                    std::byte*) const {
  for (Rectangle const& rectangle : rectangles_) {
    LocalPiece const &from = rectangle.source, &to = rectangle.target;
    Shape lo, hi;
    region.clip(from.start, from.step, from.extent, lo, hi);
    int const row = rectangle.row;
    if (lo[row] >= hi[row]) continue;
    auto const at = [&](Shape const& counts, LocalPiece const& side, bool in_scratch) {
      Index const offset = side.offset + dot(rectangle.outer, counts, side.strides) +
                           lo[row] * side.strides[row] -
                           (in_scratch ? region.offset(side.strides) : 0);
      return offset * element_bytes_;
    };
    auto const steps = [&](LocalPiece const& side) {
      return program::PointRow::Steps{side.strides[row],
                                      fields_axis_ < 0 ? 0 : side.strides[fields_axis_]};
    };
    Box const& box = numbering_.box;
    program::PointRow points{.source = nullptr,
                             .target = nullptr,
                             .from = steps(from),
                             .to = steps(to),
                             .count = hi[row] - lo[row],
                             .number = 0,
                             .number_step = from.step[row] * numbering_.strides[row],
                             .index = Shape(box.axes(), 0),
                             .axis = row,
                             .index_step = from.step[row] * box.ranges[row].step};
    for_each(rectangle.outer, lo, hi, [&](Shape const& counts) {
      points.source = static_cast<std::byte const*>(source) + at(counts, from, from_scratch_);
      points.target = static_cast<std::byte*>(target) + at(counts, to, to_scratch_);
      points.number = 0;
      for (int axis = 0; axis < box.axes(); ++axis) {
        if (axis == fields_axis_) continue;
        Index const count = from.start[axis] + counts[axis] * from.step[axis];
        points.number += count * numbering_.strides[axis];
        points.index[axis] = box.ranges[axis].lo + count * box.ranges[axis].step;
      }
      mode.operation->apply(points);
    });
  }
}

}  // namespace sixstep::sweep

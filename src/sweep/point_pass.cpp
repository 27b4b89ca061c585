// SPDX-License-Identifier: BSD-3-Clause
// Passes with an operation at points: points follow each other along the axis that lies densest on
// both sides, rows along the longest of the others.
#include "sweep/point_pass.hpp"

#include <algorithm>

namespace sixstep::sweep {

using layout::Piece;

PointPass::PointPass(program::Pass const& pass, program::Sweep const& sweep, Index element_bytes)
    : element_bytes_(element_bytes),
      operation_(pass.at_points->number),
      fields_axis_(pass.at_points->mixes ? pass.at_points->axis : -1),
      from_scratch_(pass.from_scratch),
      to_scratch_(pass.to_scratch),
      numbering_(pass.numbering),
      target_box_(pass.target_box) {
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
      Rectangle made{localise(source, pass.box),
                     localise(restricted(to, from.box), pass.target_box),
                     from.strides,
                     to.strides,
                     -1,
                     -1,
                     {}};
      choose_axes(made, sweep);
      rectangles_.push_back(made);
    }
}

void PointPass::choose_axes(Rectangle& rectangle, program::Sweep const& sweep) const {
  Shape const& extent = rectangle.source.extent;
  auto const best = [&](int but, auto const& is_better) {
    int found = -1;
    for (int axis = 0; axis < extent.size(); ++axis)
      if (axis != fields_axis_ && axis != but && (found < 0 || is_better(axis, found)))
        found = axis;
    return found;
  };
  rectangle.points = best(-1, [&](int a, int b) {
    auto const distance = [&](int axis) {
      return rectangle.source.strides[axis] + rectangle.target.strides[axis];
    };
    return extent[a] > 1 && (extent[b] == 1 || distance(a) < distance(b));
  });
  auto const in_block = [&](int axis) {
    return axis == sweep.window_axis ? std::min(sweep.window, extent[axis]) : extent[axis];
  };
  rectangle.rows = best(rectangle.points, [&](int a, int b) { return in_block(a) > in_block(b); });
  for (int axis = 0; axis < extent.size(); ++axis)
    if (axis != fields_axis_ && axis != rectangle.points && axis != rectangle.rows)
      rectangle.outer.push_back(axis);
}

/// Gives counts [lo, hi) of one side, all fields included. `window` is where the elements of the
/// part of the sweep begin. Counts along an axis that steps over others go one by one.
void PointPass::give(BlockTaker const& to, LocalPiece const& side, Shape const& lo, Shape hi,
                     void const* window) const {
  if (fields_axis_ >= 0) hi[fields_axis_] = side.extent[fields_axis_];
  PerAxis<int> stepping;
  for (int axis = 0; axis < hi.size(); ++axis)
    if (side.step[axis] > 1 && hi[axis] - lo[axis] > 1) stepping.push_back(axis);
  for_each(stepping, lo, hi, [&](Shape const& counts) {
    Shape end = hi;
    for (int axis : stepping) end[axis] = counts[axis] + 1;
    Block block{lo, hi, nullptr, side.strides};
    Index place = side.offset;
    for (int axis = 0; axis < hi.size(); ++axis) {
      place += counts[axis] * side.strides[axis];
      block.lo[axis] = side.start[axis] + counts[axis] * side.step[axis];
      block.hi[axis] = block.lo[axis] + end[axis] - counts[axis];
    }
    block.data = static_cast<std::byte const*>(window) + place * element_bytes_;
    to(block);
  });
}

void PointPass::run(void const* source, void* target, Region const& region, Mode const& mode,
                    std::byte*) const {
  for (Rectangle const& rectangle : rectangles_) {
    LocalPiece const &from = rectangle.source, &to = rectangle.target;
    Shape lo, hi;
    region.clip(from.start, from.step, from.extent, lo, hi);
    Box const& box = numbering_.box;
    auto const steps = [&](LocalPiece const& side) {
      auto const stride = [&](int axis) { return axis < 0 ? 0 : side.strides[axis]; };
      return program::PointBlock::Steps{stride(rectangle.points), stride(rectangle.rows),
                                        stride(fields_axis_)};
    };
    auto const along = [&](int axis) {
      if (axis < 0) return program::PointBlock::Along{0, 1, 0, 0};
      return program::PointBlock::Along{axis, hi[axis] - lo[axis],
                                        from.step[axis] * box.ranges[axis].step,
                                        from.step[axis] * numbering_.strides[axis]};
    };
    program::PointBlock block{.source = nullptr,
                              .target = nullptr,
                              .from = steps(from),
                              .to = steps(to),
                              .points = along(rectangle.points),
                              .rows = along(rectangle.rows),
                              .numbering = numbering_.id,
                              .number = 0,
                              .index = Shape(box.axes(), 0)};
    if (block.points.count <= 0 || block.rows.count <= 0) continue;
    auto const place = [&](Shape const& counts, LocalPiece const& side, Index window) {
      Index sum = side.offset - window;
      for (int axis = 0; axis < counts.size(); ++axis)
        if (axis != fields_axis_) sum += counts[axis] * side.strides[axis];
      return sum * element_bytes_;
    };
    // Scratch begins with the window.
    Index const in_source = from_scratch_ ? region.offset(rectangle.source_scratch) : 0;
    Index const in_target = to_scratch_ ? region.offset(rectangle.target_scratch) : 0;
    auto const begin = [&](auto* array, Index window) { return array - window * element_bytes_; };
    if (before_)
      give(before_, from, lo, hi, begin(static_cast<std::byte const*>(source), in_source));
    for_each(rectangle.outer, lo, hi, [&](Shape const& counts) {
      block.source = static_cast<std::byte const*>(source) + place(counts, from, in_source);
      block.target = static_cast<std::byte*>(target) + place(counts, to, in_target);
      Shape in_box = counts;
      for (int axis = 0; axis < box.axes(); ++axis) {
        in_box[axis] = axis == fields_axis_ ? 0 : from.start[axis] + counts[axis] * from.step[axis];
        block.index[axis] = box.ranges[axis].lo + in_box[axis] * box.ranges[axis].step;
      }
      block.number = numbering_.number(in_box);
      mode.operations[operation_]->apply(block);
    });
    if (behind_) give(behind_, to, lo, hi, begin(static_cast<std::byte const*>(target), in_target));
  }
}

}  // namespace sixstep::sweep

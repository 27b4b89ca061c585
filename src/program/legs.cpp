// SPDX-License-Identifier: BSD-3-Clause
// Legs of a schedule, and how they are cut in windows.
#include "program/legs.hpp"

#include <algorithm>

#include "base/match.hpp"

namespace sixstep::program {

std::vector<Leg> legs(schedule::Schedule const& schedule) {
  std::vector<Leg> found{{schedule.input, schedule.input.dense()}};
  auto const append = [&](Pass const& pass, auto const& stage) {
    Leg& leg = found.back();
    leg.before.push_back(leg.passes.empty() ? leg.here : leg.there);
    leg.passes.push_back(pass);
    leg.there = stage.from(leg.there);
  };
  auto const append_fft = [&](schedule::Fft const& fft) {
    Pass pass;
    pass.axis = fft.axis;
    pass.kind = fft.kind;
    pass.points = fft.length;
    pass.first = fft.first;
    pass.to_points = fft.to_points;
    pass.source_number = fft.before.number;
    pass.target_number = fft.after.number;
    pass.undoes = fft.undoes;
    pass.splits = fft.splits;
    append(pass, fft);
  };
  auto const append_points = [&](schedule::AtPoints const& points) {
    Pass pass;
    pass.at_points = points;
    pass.source_number = pass.target_number = found.back().there.number;
    append(pass, points);
  };
  auto const append_gather = [&](schedule::Gather const& gather) {
    Pass pass;
    pass.gather = gather;
    pass.source_number = pass.target_number = found.back().there.number;
    append(pass, gather);
  };
  auto const twiddle_last = [&](schedule::Twiddle const& twiddle) {
    // The schedule puts it right behind an Fft along one of its axes.
    Pass& pass = found.back().passes.back();
    pass.twiddle_axis = pass.axis == twiddle.axis ? twiddle.other : twiddle.axis;
    pass.twiddle_period = schedule.shape[twiddle.axis] * schedule.shape[twiddle.other];
  };
  for (schedule::Stage const& stage : schedule.stages)
    std::visit(match{append_fft, append_points, append_gather, twiddle_last,
                     [&](schedule::Transpose const& exchange) {
                       found.push_back({exchange.to, exchange.to});
                     }},
               stage);
  for (schedule::Stage const& stage : schedule.stages)
    if (auto const* points = std::get_if<schedule::AtPoints>(&stage); points && points->mixes)
      for (Leg& leg : found) leg.mixed = points->axis;
  return found;
}

Order memory_order(layout::Placement const& placement) {
  Order order;
  for (int axis : placement.layout.order())
    for (int digit : placement.view.digits[axis]) order.push_back(digit);
  return order;
}

redistribution::Cut cut_of(Leg const& leg, int windows) {
  redistribution::Cut cut{-1, windows};
  if (windows <= 1) return {};
  layout::Pieces pieces;
  for (int rank = 0; pieces.empty() && rank < leg.here.layout.ranks(); ++rank)
    pieces = leg.here.pieces(rank);
  if (pieces.size() != 1) return {};
  Index most = 1;
  for (int axis : memory_order(leg.here)) {
    bool const touched =
        axis == leg.mixed || std::any_of(leg.passes.begin(), leg.passes.end(),
                                         [&](Pass const& pass) { return pass.joins(axis); });
    Index const count = pieces.front().box.ranges[axis].count();
    if (touched || count <= most) continue;
    cut.axis = axis;
    most = count;
    if (count >= windows) break;
  }
  return cut.axis < 0 ? redistribution::Cut{} : cut;
}

Box local_box(layout::Pieces const& pieces, int axes) {
  if (pieces.empty()) return {PerAxis<Range>(axes, Range{})};
  Box box = pieces.front().box;
  if (pieces.size() == 1) return box;
  for (layout::Piece const& piece : pieces)
    for (int axis = 0; axis < axes; ++axis) {
      Range const& range = piece.box.ranges[axis];
      Range& around = box.ranges[axis];
      around = {std::min(around.lo, range.lo), std::max(around.hi, range.hi), 1};
    }
  return box;
}

Index reach(layout::Pieces const& pieces) {
  Index most = 0;
  for (layout::Piece const& piece : pieces)
    most = std::max(most, piece.offset + layout::reach(piece.box.shape(), piece.strides));
  return most;
}

}  // namespace sixstep::program

// SPDX-License-Identifier: BSD-3-Clause
// Costs of the search: transforms by arithmetic and memory, exchanges by messages and points.
#include "schedule/costs.hpp"

#include <algorithm>
#include <cmath>

#include "local/numbers/factor.hpp"

namespace sixstep::schedule {

SearchNode make_node(layout::Placement const& placement, Mask layer, bool may_end) {
  SearchNode node{placement, 0, 0, busiest_rank(placement.layout), may_end};
  node.layer = layer;
  node.fullest = placement.layout.local_size(node.busiest);
  if (placement.is_boxes())
    for (int axis = 0; axis < placement.view.shape.size(); ++axis)
      if (placement.whole(axis)) node.whole |= bit(axis);
  return node;
}

namespace {

/// The axes along which the two grids number the ranks differently.
int axes_regrouped(Layout const& from, Layout const& to) {
  if (from.grid().size() != to.grid().size()) return 0;
  int regrouped = 0;
  int from_stride = 1, to_stride = 1;
  for (int axis = from.grid().size() - 1; axis >= 0; --axis) {
    int const parts = from.grid()[axis];
    if (parts != to.grid()[axis] || (parts > 1 && from_stride != to_stride)) ++regrouped;
    from_stride *= parts;
    to_stride *= to.grid()[axis];
  }
  return regrouped;
}

/// The traffic of one rank: the ranks that it exchanges with, and the points that it sends or
/// receives.
struct Traffic {
  double messages = 0;
  double points = 0;
};
/// The traffic of the points that `rank` has in `here` and not in `there`.
Traffic traffic(layout::Placement const& here, layout::Placement const& there, int rank) {
  layout::Pieces const kept = there.pieces(rank);
  Traffic sum;
  for (layout::Piece const& piece : here.pieces(rank)) {
    sum.messages += static_cast<double>(there.ranks_meeting(piece.box).size());
    sum.points += static_cast<double>(piece.box.volume());
    for (layout::Piece const& own : kept)
      sum.points -= static_cast<double>(intersect(piece.box, own.box).volume());
  }
  return sum;
}

}  // namespace

double Costs::bytes_of(SearchNode const& node) const {
  return static_cast<double>(real_bytes * layout::reals_of(node.placement.number));
}

double Costs::fft_seconds(SearchNode const& node, Index rows, Index length) const {
  double const n = static_cast<double>(length);
  double const columns = static_cast<double>(node.fullest) / static_cast<double>(rows);
  double const all = columns * n;
  double const idle =
      std::max(1.0, static_cast<double>(tuning.fast_columns) / std::max(columns, 1.0));
  double const spill = length > tuning.long_axis_points ? 2.0 : 1.0;
  double const flops = (local::is_smooth(length) ? 1 : tuning.convolved_work) * 2.5 *
                       static_cast<double>(layout::reals_of(node.placement.number)) * std::log2(n);
  return all *
         (flops * idle / rates.kernel_flops_per_s + 2 * spill * bytes_of(node) / rates.memory_Bps);
}

double Costs::exchange_seconds(SearchNode const& from, SearchNode const& to) const {
  Traffic const sent = traffic(from.placement, to.placement, from.busiest);
  Traffic const received = traffic(to.placement, from.placement, to.busiest);
  double const messages = std::max(sent.messages, received.messages);
  double const moving = std::max(sent.points, received.points);
  double const points = static_cast<double>(std::max(from.fullest, to.fullest));
  // If two ways cost the same, the one that regroups ranks along fewer axes wins.
  double const regrouping =
      1e-3 * rates.latency_s * axes_regrouped(from.placement.layout, to.placement.layout);
  return messages * rates.latency_s + regrouping +
         bytes_of(from) * (moving / rates.bandwidth_Bps + 2 * points / rates.memory_Bps);
}

}  // namespace sixstep::schedule

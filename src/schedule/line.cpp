// SPDX-License-Identifier: BSD-3-Clause
// Layouts of one axis.
#include "schedule/line.hpp"

#include <algorithm>

namespace sixstep::plan {

Range range_of(Layout const& line, int rank) {
  Box const box = line.box(rank);
  return box.empty() ? Range{} : box.ranges[0];
}

bool is_cyclic(Layout const& line) {
  return line.distribution()[0] == Distribution::cyclic && line.grid()[0] > 1;
}

Layout blocks(Index n, std::vector<Range> const& ranges) {
  std::vector<Box> boxes;
  for (Range const& range : ranges) boxes.push_back({{range.empty() ? Range{} : range}});
  return Layout::boxes({n}, boxes);
}

std::optional<Layout> line_of(Layout const& layout, int axis) {
  Index const n = layout.shape()[axis];
  if (layout.distribution()[axis] == Distribution::cyclic && layout.grid()[axis] > 1) {
    if (layout.grid()[axis] != layout.ranks()) return std::nullopt;
    return Layout::grid({n}, {layout.ranks()}, {Distribution::cyclic});
  }
  std::vector<Range> ranges;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    Box const box = layout.box(rank);
    ranges.push_back(box.empty() ? Range{} : box.ranges[axis]);
  }
  return blocks(n, ranges);
}

Layout cut(Layout const& line, Index n) {
  if (is_cyclic(line)) return Layout::grid({n}, line.grid(), line.distribution());
  std::vector<Range> ranges;
  for (int rank = 0; rank < line.ranks(); ++rank) {
    Range const range = range_of(line, rank);
    ranges.push_back({range.lo, std::min(range.hi, n)});
  }
  return blocks(n, ranges);
}

bool same_points(Layout const& a, Layout const& b) {
  if (a.shape() != b.shape()) return false;
  for (int rank = 0; rank < a.ranks(); ++rank)
    if (!(range_of(a, rank) == range_of(b, rank))) return false;
  return true;
}

Schedule reroute(Layout const& from, Layout const& to, Number number, Problem const& problem,
                 Choices const& choices) {
  Schedule moves;
  moves.shape = from.shape();
  moves.input = exchange::place(from, number);
  moves.output = exchange::place(to, number);
  moves.stages = {Exchange{moves.input, moves.output}};
  moves.real_bytes = problem.real_bytes;
  moves.fullest = std::max(from.largest_local_size(), to.largest_local_size());
  double const bytes =
      static_cast<double>(moves.fullest) * static_cast<double>(moves.bytes_of(number));
  constexpr double messages = 3;  // blocks meet with few others
  moves.seconds = messages * choices.machine.latency_s + bytes / choices.machine.bandwidth_Bps +
                  2 * bytes / choices.machine.memory_Bps;
  return moves;
}

}  // namespace sixstep::plan

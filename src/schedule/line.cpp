// SPDX-License-Identifier: BSD-3-Clause
// Layouts of one axis.
#include "schedule/line.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::schedule {

Range range_of(Layout const& line, int rank) {
  Box const box = line.box(rank);
  return box.empty() ? Range{} : box.ranges[0];
}

bool is_cyclic(Layout const& line) { return cyclic_parts(line, 0) > 1; }

std::vector<Series> const& series_of(Layout const& line) {
  return Deals::of(line)->axes[0].deal.series();
}

Layout blocks(Layout const& line, Index n, std::vector<Series> series) {
  Deals deals = *Deals::of(line);
  deals.axes[0].deal = Deal(n, std::move(series));
  return deals.boxes(line.ranks());
}

std::optional<Layout> line_of(Layout const& layout, int axis) {
  Index const n = layout.shape()[axis];
  if (int const parts = cyclic_parts(layout, axis); parts > 1) {
    if (parts != layout.ranks()) return std::nullopt;
    return Layout::grid({n}, {layout.ranks()}, {Distribution::cyclic});
  }
  Deals line;
  if (Deals const* deals = Deals::of(layout)) {
    line.idle = deals->idle;
    for (int other = 0; other < layout.axes(); ++other)
      if (other != axis) line.idle.push_back(deals->axes[other]);
    line.axes = {deals->axes[axis]};
  } else {
    std::vector<Series> series;
    for (int rank = 0; rank < layout.ranks(); ++rank)
      if (Box const box = layout.box(rank); !box.empty())
        append(series, {rank, 1, box.ranges[axis]});
    line.axes = {{Deal(n, std::move(series)), 1, layout.ranks()}};
  }
  return line.boxes(layout.ranks());
}

Layout cut(Layout const& line, Index n) {
  if (is_cyclic(line)) return Layout::grid({n}, {line.ranks()}, {Distribution::cyclic});
  std::vector<Series> series;
  for (Series const& each : series_of(line)) {
    // If the parts run downwards, the last ones stay.
    Index const length = each.range.count();
    auto const kept = static_cast<int>(std::clamp<Index>((n - each.lo()) / length, 0, each.parts));
    bool const is_down = each.distance < 0;
    int const first = is_down ? each.end() - kept : each.first;
    int const ragged = is_down ? first - 1 : first + kept;
    auto const append_ragged = [&] {
      if (kept == each.parts) return;
      Range const range = each.of(ragged);
      append(series, {ragged, 1, {range.lo, std::min(range.hi, n)}});
    };
    if (is_down) append_ragged();
    append(series, {first, kept, each.of(first), each.distance});
    if (!is_down) append_ragged();
  }
  return blocks(line, n, std::move(series));
}

Schedule reroute(Layout const& from, Layout const& to, layout::Number number,
                 Problem const& problem, Choices const& choices) {
  Schedule moves;
  moves.shape = from.shape();
  moves.input = layout::place(from, number);
  moves.output = layout::place(to, number);
  if (!layout::same_boxes(moves.input, moves.output))
    moves.stages = {Transpose{moves.input, moves.output}};
  moves.real_bytes = problem.real_bytes;
  moves.fullest = std::max(from.largest_local_size(), to.largest_local_size());
  double const bytes =
      static_cast<double>(moves.fullest) * static_cast<double>(moves.bytes_of(number));
  constexpr double messages = 3;  // each block meets few others
  moves.seconds = messages * choices.rates.latency_s + bytes / choices.rates.bandwidth_Bps +
                  2 * bytes / choices.rates.memory_Bps;
  return moves;
}

}  // namespace sixstep::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Layouts as numbers: a grid is its entries, deals are their series, other boxes are listed.
#include "layout_state.hpp"

#include <algorithm>

#include "layout/deals.hpp"

namespace sixstep::python {

namespace {

template <class Values, class Convert>
auto each(Values const& values, Convert const& convert) {
  std::vector<decltype(convert(*values.begin()))> made;
  for (auto const& value : values) made.push_back(convert(value));
  return made;
}

template <class T>
std::vector<T> list_of(PerAxis<T> const& values) {
  return {values.begin(), values.end()};
}

AxisState axis_state(Dealt const& axis) {
  auto const series = each(axis.deal.series(), [](Series const& one) {
    return SeriesState(one.first, one.parts, one.range.lo, one.range.hi, one.range.step,
                       one.distance);
  });
  return {axis.deal.extent(), axis.deal.period(), axis.stride, axis.parts, series};
}

Dealt dealt_of(AxisState const& state) {
  auto const& [extent, period, stride, parts, all_series] = state;
  if (period > 0) return {Deal::even(extent, period, Distribution::cyclic), stride, parts};
  auto series = each(all_series, [](SeriesState const& one) {
    auto const& [first, count, lo, hi, step, distance] = one;
    return Series{first, count, {lo, hi, step}, distance};
  });
  return {Deal(extent, std::move(series)), stride, parts};
}

BoxState box_state(Box const& box) {
  return each(box.ranges, [](Range const& range) { return std::pair(range.lo, range.hi); });
}

Box box_of(BoxState const& state) {
  Box box;
  for (auto const& [lo, hi] : state) box.ranges.push_back({lo, hi});
  return box;
}

std::vector<GhostsState> ghosts_state(Layout const& layout) {
  std::vector<GhostsState> all, held;  // of each rank; of ranks that hold points
  for (int rank = 0; layout.has_ghosts() && rank < layout.ranks(); ++rank) {
    Ghosts const ghosts = layout.ghosts(rank);
    all.emplace_back(list_of(ghosts.before), list_of(ghosts.after));
    if (layout.local_size(rank) > 0) held.push_back(all.back());
  }
  if (all.empty()) return {};
  // If no rank holds points, any ghosts make an equal layout.
  std::vector<Index> const some(static_cast<std::size_t>(layout.axes()), 1);
  if (held.empty()) return {{some, some}};
  bool const alike = std::count(held.begin(), held.end(), held.front()) == std::ssize(held);
  return alike ? std::vector{held.front()} : all;
}

Layout with_ghosts(Layout const& dense, std::vector<GhostsState> const& ghosts) {
  if (ghosts.empty()) return dense;
  if (ghosts.size() == 1) return dense.with_ghosts(Shape(ghosts[0].first), Shape(ghosts[0].second));
  std::vector<Shape> extents, starts;
  for (int rank = 0; rank < std::ssize(ghosts); ++rank) {
    Shape const before(ghosts[static_cast<std::size_t>(rank)].first);
    Shape const after(ghosts[static_cast<std::size_t>(rank)].second);
    Shape& extent = extents.emplace_back(dense.local_shape(rank));
    for (int axis = 0; axis < dense.axes(); ++axis) extent[axis] += before[axis] + after[axis];
    starts.push_back(before);
  }
  return dense.in_arrays(extents, starts);
}

Layout without_ghosts(LayoutState const& state) {
  auto const& [extents, memory, ranks, grid, cyclic, axes, idle, boxes, ghosts] = state;
  Shape const shape(extents);
  Order const order(memory);
  if (!grid.empty()) {
    PerAxis<Distribution> distribution;
    for (bool const in_turn : cyclic)
      distribution.push_back(in_turn ? Distribution::cyclic : Distribution::block);
    return Layout::grid(shape, Grid(grid), distribution, order);
  }
  if (!boxes.empty()) return Layout::boxes(shape, each(boxes, box_of), order);
  PerAxis<Dealt> dealt;
  for (AxisState const& axis : axes) dealt.push_back(dealt_of(axis));
  return Deals{dealt, each(idle, dealt_of)}.boxes(ranks, order);
}

}  // namespace

LayoutState state_of(Layout const& layout) {
  std::vector<bool> cyclic;
  std::vector<AxisState> axes, idle;
  std::vector<BoxState> boxes;
  Deals const* const deals = Deals::of(layout);
  if (!layout.grid().empty()) {
    for (Distribution const each : layout.distribution())
      cyclic.push_back(each == Distribution::cyclic);
  } else if (deals) {
    axes = each(deals->axes, axis_state);
    idle = each(deals->idle, axis_state);
  } else {
    for (int rank = 0; rank < layout.ranks(); ++rank) boxes.push_back(box_state(layout.box(rank)));
  }
  return {list_of(layout.shape()),
          list_of(layout.order()),
          layout.ranks(),
          list_of(layout.grid()),
          cyclic,
          axes,
          idle,
          boxes,
          ghosts_state(layout)};
}

Layout layout_of(LayoutState const& state) {
  return with_ghosts(without_ghosts(state), std::get<8>(state));
}

}  // namespace sixstep::python

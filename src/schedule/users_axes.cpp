// SPDX-License-Identifier: BSD-3-Clause
// Working axes and the axes that the user sees.
#include "schedule/users_axes.hpp"

#include <algorithm>

#include "layout/deals.hpp"

namespace sixstep::schedule {

Order order_of(layout::Placement const& placement, Order const& working) {
  if (placement.layout.axes() == working.size()) return working;
  Order order;
  for (int axis : working)
    for (int user = 0; user < placement.layout.axes(); ++user) {
      PerAxis<int> const& digits = placement.view.digits[user];
      bool const is_there = std::find(digits.begin(), digits.end(), axis) != digits.end();
      if (is_there && std::find(order.begin(), order.end(), user) == order.end())
        order.push_back(user);
    }
  return order;
}

Placement present(layout::Placement const& here, layout::View const& output_view) {
  PerAxis<int> shown;  // working axes as the user sees them
  for (PerAxis<int> const& digits : output_view.digits)
    for (int digit : digits) shown.push_back(digit);
  Shape shape;
  Grid grid;
  Order order;
  layout::View view{here.view.shape, {}};
  for (int axis : shown) {
    shape.push_back(here.view.shape[axis]);
    if (!here.layout.grid().empty()) grid.push_back(here.layout.grid()[axis]);
    view.digits.push_back({axis});
  }
  for (int axis : here.layout.order()) {
    auto const place = std::find(shown.begin(), shown.end(), axis);
    if (place != shown.end()) order.push_back(static_cast<int>(place - shown.begin()));
  }
  // An axis of one point that was split and has grown since makes boxes that are no grid.
  if (!grid.empty()) {
    layout::Placement presented{Layout::grid(shape, grid, {}, order), view, here.number};
    if (presented.layout.ranks() == here.layout.ranks() && layout::same_boxes(presented, here))
      return presented;
  }
  Deals const& working = *Deals::of(here.layout);
  Deals deals;
  for (int axis : shown) deals.axes.push_back(working.axes[axis]);
  for (int axis = 0; axis < here.layout.axes(); ++axis)
    if (std::find(shown.begin(), shown.end(), axis) == shown.end())
      deals.idle.push_back(working.axes[axis]);
  return {deals.boxes(here.layout.ranks(), order), view, here.number};
}

}  // namespace sixstep::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Strides that a caller gives.
#include "serial/strides.hpp"

#include <algorithm>

#include "layout/counting.hpp"
#include "sixstep/error.hpp"

namespace sixstep::serial {

namespace {

__extension__ using Wide = __int128;

constexpr Index most_elements = Index{1} << 57;

/// An axis of several points, and the elements from the first point to the last along it and all
/// axes of smaller strides.
struct Axis {
  Index points;
  Index stride;
  Index reach = 0;
};

/// Whether two points whose indices differ by some d_i, |d_i| < points of axis i, from axis number
/// `first` on are `distance` elements apart: sum d_i stride_i = -distance. Equal points count only
/// if they `differ` along an earlier axis.
bool meet(PerAxis<Axis> const& axes, int first, Index distance, bool differ) {
  if (first == axes.size()) return distance == 0 && differ;
  auto const& [points, stride, reach] = axes[first];
  Index const beyond = first + 1 < axes.size() ? axes[first + 1].reach : 0;
  // The rest must be within the reach of the axes behind.
  Index const low = std::max(1 - points, (-distance - beyond) / stride);
  Index const high = std::min(points - 1, (-distance + beyond) / stride);
  for (Index d = differ ? low : std::max<Index>(low, 0); d <= high; ++d)
    if (meet(axes, first + 1, distance + d * stride, differ || d != 0)) return true;
  return false;
}

bool points_meet(Shape const& shape, Shape const& strides) {
  PerAxis<Axis> axes;
  for (int axis : order_of(strides))
    if (shape[axis] > 1) axes.push_back({shape[axis], strides[axis]});
  Index reach = 0;
  for (int i = axes.size() - 1; i >= 0; --i)
    axes[i].reach = reach += (axes[i].points - 1) * axes[i].stride;
  return meet(axes, 0, 0, false);
}

}  // namespace

Order order_of(Shape const& strides) {
  Order order = c_order(strides.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return strides[a] > strides[b]; });
  return order;
}

void check_strides(char const* argument, Shape const& shape, Shape const& strides) {
  int const axes = shape.size();
  require(strides.size() == axes, argument, ": one for each of the ", axes, " axes is needed, ",
          strides.size(), " were given");
  Wide elements = 1;
  for (int axis = 0; axis < axes; ++axis) {
    require(strides[axis] >= 0, argument, ": 0 or more elements are needed, axis ", axis, " has ",
            strides[axis]);
    require(strides[axis] > 0 || shape[axis] == 1, argument,
            ": at least 1 element is needed, axis ", axis, " has 0 between ", shape[axis],
            " points");
    elements += Wide{shape[axis] - 1} * strides[axis];
    require(
        elements <= most_elements, argument, ": at most 2^57 elements can be reached, the ",
        [&] { return to_string(shape); }, " points with strides {",
        [&] { return list(strides, ", "); }, "} reach further");
  }
  require(
      !points_meet(shape, strides), argument, ": a place for each point is needed, two of the ",
      [&] { return to_string(shape); }, " points lie at the same place with strides {",
      [&] { return list(strides, ", "); }, "}");
}

}  // namespace sixstep::serial

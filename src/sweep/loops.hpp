// SPDX-License-Identifier: BSD-3-Clause
// What passes loop over, and what is the same for all of them.
#pragma once

#include <algorithm>

#include "layout/placement.hpp"

namespace sixstep::sweep {

using layout::Window;

/// What passes do at a time: a window, and of it one count along each of the stacked axes.
struct Region {
  layout::Window window;
  PerAxis<int> stacked;
  Shape at;  // along these

  /// Of the counts [start, start + extent) along each axis of a box, those in the region, less the
  /// start.
  void clip(Shape const& start, Shape const& extent, Shape& lo, Shape& hi) const {
    lo = Shape(start.size(), 0);
    hi = extent;
    auto const narrow = [&](int axis, Index first, Index end) {
      lo[axis] = std::max<Index>(first - start[axis], 0);
      hi[axis] = std::min(end - start[axis], extent[axis]);
    };
    if (window.axis >= 0) narrow(window.axis, window.lo, window.hi);
    for (int axis : stacked) narrow(axis, at[axis], at[axis] + 1);
  }

  /// From the box's first element to the region's.
  Index offset(Shape const& strides) const {
    Index sum = window.axis < 0 ? 0 : window.lo * strides[window.axis];
    for (int axis : stacked) sum += at[axis] * strides[axis];
    return sum;
  }
};

/// What is the same for all passes of one execution.
struct Mode {
  bool backward = false;
  double scale = 1;             // of the pass that scales
  void const* table = nullptr;  // complex numbers, as the output lies: the pass that ends the
                                // program multiplies each of its results by the one in its place
};

/// Calls `body(shift of the counts from the cell's start)` for every combination of counts in
/// [lo[x], hi[x]) along `axes`.
template <class Body>
void for_each(PerAxis<int> const& axes, Shape const& lo, Shape const& hi, Body const& body) {
  for (int axis : axes)
    if (lo[axis] >= hi[axis]) return;
  Shape counts = lo;
  for (;;) {
    body(counts);
    int position = axes.size() - 1;
    for (; position >= 0; --position) {
      int const axis = axes[position];
      if (++counts[axis] < hi[axis]) break;
      counts[axis] = lo[axis];
    }
    if (position < 0) return;
  }
}

/// The offset of `counts` along `axes`.
inline Index dot(PerAxis<int> const& axes, Shape const& counts, Shape const& strides) {
  Index sum = 0;
  for (int axis : axes) sum += counts[axis] * strides[axis];
  return sum;
}

}  // namespace sixstep::sweep

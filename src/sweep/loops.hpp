// SPDX-License-Identifier: BSD-3-Clause
// The loops of passes, and the settings that all of them share.
#pragma once

#include <algorithm>

#include "layout/placement.hpp"

namespace sixstep::sweep {

using layout::Window;

/// The part that passes process at a time: a window, and in it one count along each of the stacked
/// axes.
struct Region {
  layout::Window window;
  PerAxis<int> stacked;
  Shape at;  // along these

  /// Sets [lo, hi) along each axis to the counts of [start, start + extent) in the region, relative
  /// to start.
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

  /// The offset of the region's first element from the box's.
  Index offset(Shape const& strides) const {
    Index sum = window.axis < 0 ? 0 : window.lo * strides[window.axis];
    for (int axis : stacked) sum += at[axis] * strides[axis];
    return sum;
  }
};

/// The settings that all passes of one execution share.
struct Mode {
  bool backward = false;
  double scale = 1;             // used by the pass that scales
  void const* table = nullptr;  // complex numbers that lie as the output does: the pass that ends
                                // the program multiplies each result by the one in its place
};

/// Calls `body(counts from the cell's start)` for every combination of counts in [lo[x], hi[x])
/// along `axes`.
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

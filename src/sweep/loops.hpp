// SPDX-License-Identifier: BSD-3-Clause
// The loops of passes, and the settings that all of them share.
#pragma once

#include <algorithm>

#include "layout/loops.hpp"
#include "program/points.hpp"

namespace sixstep::sweep {

using layout::dot;
using layout::for_each;
using layout::Window;

/// The part that passes process at a time: a window, and in it some counts along each of the
/// stacked axes.
struct Region {
  layout::Window window;
  PerAxis<program::Stacked> stacked;
  Shape at;          // along these
  Shape ahead = {};  // counts from this part to the next along each axis; empty: it is the last

  /// Sets [lo, hi) along each axis to the i < extent for which start + i step is in the region.
  void clip(Shape const& start, Shape const& step, Shape const& extent, Shape& lo,
            Shape& hi) const {
    lo = Shape(start.size(), 0);
    hi = extent;
    auto const narrow = [&](int axis, Index first, Index end) {
      auto const from = [&](Index count) {
        return (std::max<Index>(count - start[axis], 0) + step[axis] - 1) / step[axis];
      };
      lo[axis] = from(first);
      hi[axis] = std::min(from(end), extent[axis]);
    };
    if (window.axis >= 0) narrow(window.axis, window.lo, window.hi);
    for (program::Stacked const& one : stacked)
      narrow(one.axis, at[one.axis], at[one.axis] + one.counts);
  }
  void clip(Shape const& start, Shape const& extent, Shape& lo, Shape& hi) const {
    clip(start, Shape(start.size(), 1), extent, lo, hi);
  }

  /// The offset of the region's first element from the box's.
  Index offset(Shape const& strides) const {
    Index sum = window.axis < 0 ? 0 : window.lo * strides[window.axis];
    for (program::Stacked const& one : stacked) sum += at[one.axis] * strides[one.axis];
    return sum;
  }
};

/// The settings that all passes of one execution share.
struct Mode {
  bool backward = false;
  double scale = 1;             // used by the pass that scales
  double back = 1;              // likewise, by the one that runs against the direction
  void const* table = nullptr;  // complex numbers that lie as the output does: the pass that ends
                                // the program multiplies each result by the one in its place
  program::OnPoints const* const* operations = nullptr;  // by their numbers
  program::PointTables const* point_tables = nullptr;    // on a device, in its memory: those of the
                                                         // operations, by their numbers
};

}  // namespace sixstep::sweep

// SPDX-License-Identifier: BSD-3-Clause
// Copies of a device, made axis by axis with as few axes as will do.
#pragma once

#include <algorithm>

#include "device/works.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::device {

static_assert(Copy::most_axes >= 2 * max_axes);  // the most working axes that there may be

/// An axis of a copy, its number among the axes of the box, and the stride of its table.
struct CopyAxis {
  Index extent, from, to;
  int axis;
  Index in_table = 0;
};

/// Makes a copy, axis by axis.
class CopyMaker {
 public:
  void append(CopyAxis const& axis) {
    if (axis.extent != 1) axes_.push_back(axis);
  }

  /// Takes axes in the order in which elements lie on the side that is not a block. Axes that
  /// continue each other are joined, if nothing counts along them.
  enum class Order { of_source, of_target };
  Copy made(Copy copy, Order order) {
    auto const stride = order == Order::of_source ? &CopyAxis::from : &CopyAxis::to;
    std::sort(axes_.begin(), axes_.end(),
              [&](CopyAxis const& a, CopyAxis const& b) { return a.*stride > b.*stride; });
    auto const is_counted = [&](int axis) {
      return copy.changes && (axis == copy.row.axis || axis == copy.phase.row.axis ||
                              axis == copy.phase.column.axis);
    };
    PerAxis<CopyAxis> merged;
    for (CopyAxis const& axis : axes_) {
      if (merged.size() > 0) {
        CopyAxis& slower = merged[merged.size() - 1];
        bool const continues = slower.from == axis.extent * axis.from &&
                               slower.to == axis.extent * axis.to &&
                               slower.in_table == axis.extent * axis.in_table;
        if (continues && !is_counted(slower.axis) && !is_counted(axis.axis)) {
          slower = {slower.extent * axis.extent, axis.from, axis.to, axis.axis, axis.in_table};
          continue;
        }
      }
      merged.push_back(axis);
    }
    auto const place = [&](device::Along& along) {
      int found = -1;
      for (int i = 0; i < merged.size(); ++i)
        if (along.axis >= 0 && merged[i].axis == along.axis) found = i;
      along.axis = found;  // along an extent of 1 the count is 0
    };
    place(copy.row);
    place(copy.phase.row);
    place(copy.phase.column);
    copy.axes = merged.size();
    for (int i = 0; i < merged.size(); ++i) {
      copy.extent[i] = merged[i].extent;
      copy.from[i] = merged[i].from;
      copy.to[i] = merged[i].to;
      copy.in_table[i] = merged[i].in_table;
    }
    return copy;
  }

 private:
  PerAxis<CopyAxis> axes_;
};

}  // namespace sixstep::device

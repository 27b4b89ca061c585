// SPDX-License-Identifier: BSD-3-Clause
// Axes of arrays, and loops over transforms, whose elements lie anywhere.
#pragma once

#include <vector>

#include "sixstep/index.hpp"

namespace sixstep::serial {

/// Its points, and the reals between neighbours in the input and in the output.
struct StridedAxis {
  Index n;
  Index in;
  Index out;

  bool operator==(StridedAxis const&) const = default;
};
using StridedAxes = std::vector<StridedAxis>;

/// Whether the turns of a loop lie side by side: the points of an axis are farther apart.
bool lie_side_by_side(StridedAxis const& loop, StridedAxis const& axis);

/// The product of all n.
Index points_of(StridedAxes const& axes);

/// These loops without those of one turn, sorted by stride, the largest first, and joined where
/// they continue each other in both arrays.
StridedAxes joined(StridedAxes loops);

}  // namespace sixstep::serial

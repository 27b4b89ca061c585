// SPDX-License-Identifier: BSD-3-Clause
// Checks of what layouts are made of; each throws Error.
#pragma once

#include "layout/counting.hpp"
#include "sixstep/layout.hpp"

namespace sixstep {

__extension__ using Wide = __int128;

inline constexpr Index largest_volume = Index{1} << 62;

inline void check_shape(Shape const& shape) {
  require(shape.size() >= 1, "shape: at least one axis is needed, none was given");
  Wide product = 1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    require(shape[axis] >= 0, "shape: extents must not be negative, axis ",
            axis_name(axis, shape.size()), " is ", shape[axis]);
    if (shape[axis] > 0) product *= shape[axis];
    require(
        product <= largest_volume, "shape: at most 2^62 points are possible, ",
        [&] { return to_string(shape); }, " has more");
  }
}

inline void check_axis(int axis, int axes) {
  require(
      axis >= 0 && axis < axes, "axis: ", [&] { return axis_names(axes); }, " is needed, ",
      axis_name(axis, axes), " was given");
}

inline void check_rank(int rank, int ranks) {
  require(rank >= 0 && rank < ranks, "rank: 0 to ", ranks - 1, " is needed, ", rank, " was given");
}

/// The local array of a box of these extents with these ghosts.
void check_array(Shape const& extents, Ghosts const& ghosts);

}  // namespace sixstep

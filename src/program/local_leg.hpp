// SPDX-License-Identifier: BSD-3-Clause
// The way of one rank's part of an array from an exchange to the next.
#pragma once

#include <vector>

#include "layout/placement.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::program {

/// The Ffts between two exchanges, as one rank has them.
struct LocalLeg {
  /// The rank's part of the array before one of them, or behind the last.
  struct End {
    Box box;
    layout::Number number;
    layout::Pieces between;  // where it lies between two sweeps

    Index extent(int axis) const { return box.ranges[axis].count(); }
  };

  std::vector<End> ends;
  Order order;  // memory order of the array
  int real_bytes;
  PerAxis<int> untransformed = {};  // by the whole schedule
  redistribution::Cut cut = {};     // for the exchanges next to it

  Index bytes_of(layout::Number number) const { return real_bytes * layout::reals_of(number); }
};

}  // namespace sixstep::program

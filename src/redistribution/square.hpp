// SPDX-License-Identifier: BSD-3-Clause
// A square matrix of items that ranks hold by rows, and how much of it moves at a time.
#pragma once

#include <algorithm>

#include "sixstep/layout.hpp"

namespace sixstep::redistribution {

/// side x side items of `item` complex numbers each; each of `ranks` ranks has side / ranks rows.
struct Square {
  Index side;
  Index item;
  int ranks;

  Index points() const { return side * side * item; }
  /// Rows of a rank, and items of a row that belong to one rank after the transposition.
  Index block() const { return side / ranks; }
  /// Rows of a block that are sent at a time. Together with the received rows they take a 64th of
  /// the rank's data, but at least one row, and few enough bytes to stay in cache.
  Index rows_at_once() const {
    constexpr Index share = 128, largest_points = Index{1} << 16;
    return std::clamp(std::min(side / share, largest_points / (block() * item)), Index{1}, block());
  }
  /// The points that both buffers hold together.
  Index buffer_points() const { return ranks == 1 ? 0 : 2 * rows_at_once() * block() * item; }
};

}  // namespace sixstep::redistribution

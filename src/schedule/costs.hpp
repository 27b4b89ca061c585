// SPDX-License-Identifier: BSD-3-Clause
// Nodes of the search, and the seconds of steps between them.
#pragma once

#include <map>

#include "schedule/frame.hpp"

namespace sixstep::schedule {

/// A node of the search: a placement that the array may have between exchanges.
struct SearchNode {
  layout::Placement placement;
  Mask whole = 0;                         // axes that can be transformed here
  Index fullest = 0;                      // points on the rank that holds most
  int busiest = 0;                        // that rank
  bool may_end = false;                   // the transform may stop here
  bool users = false;                     // laid out by the user, memory order included
  Mask layer = 0;                         // axes that have been crossed
  std::map<int, std::size_t> twins = {};  // by axis: the node that crossing it leads to
};

SearchNode make_node(layout::Placement const& placement, Mask layer, bool may_end);

/// Prices of the search, of which only the order matters.
struct Costs {
  int real_bytes;
  RoughRates rates;
  Tuning tuning;

  /// A transform of this length along an axis of so many rows, on the rank that holds most.
  double fft_seconds(SearchNode const& node, Index rows, Index length) const;
  /// Seconds of the rank that sends most or of the one that receives most, whichever takes longer.
  double exchange_seconds(SearchNode const& from, SearchNode const& to) const;

 private:
  double bytes_of(SearchNode const& node) const;
};

}  // namespace sixstep::schedule

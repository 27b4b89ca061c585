// SPDX-License-Identifier: BSD-3-Clause
// Limits: what compiling a program needs to know besides the schedule. Knows nothing about MPI.
#pragma once

#include <algorithm>
#include <vector>

#include "base/short_form.hpp"
#include "program/program.hpp"
#include "redistribution/by_nodes.hpp"
#include "tuning.hpp"

namespace sixstep::program {

/// How messages between nodes carry reals.
struct Wire {
  double tolerance = 0;  // of the result; 0: nothing is shortened
  ShortForm form = {};
  double bound = 0;            // of the relative error of the result
  std::vector<int> node = {};  // of each rank; empty: each rank has a node of its own

  /// The ranks of the node of `rank`, ascending.
  std::vector<int> near(int rank) const {
    if (node.empty()) return {rank};
    std::vector<int> found;
    for (std::size_t other = 0; other < node.size(); ++other)
      if (node[other] == node[static_cast<std::size_t>(rank)])
        found.push_back(static_cast<int>(other));
    return found;
  }
};

/// The limits of one rank.
struct Limits {
  Index cache_bytes = Index{1} << 20;       // a window should fit in this
  Index last_cache_bytes = Index{1} << 22;  // a window must fit in this; else its passes become
                                            // separate sweeps
  int threads = 1;
  std::vector<redistribution::Medium> media = {};  // of each exchange; empty: all by messages
  redistribution::Nodes nodes = {};                // if there are other media
  int windows = 1;  // more than 1: exchanges away from a placement and back to it may run in this
                    // many windows, with work arrays for one of them
  int exchange_windows = 1;  // of exchanges by messages, and of the sweeps next to them
  bool in_arrays = true;     // whether messages may be sent from an array and received into it
  Wire wire = {};
  Tuning tuning = {};

  /// Whether all exchanges are among ranks that have memory in common.
  bool stays_on_a_node() const {
    return std::all_of(media.begin(), media.end(), [](redistribution::Medium medium) {
      return medium == redistribution::Medium::in_memory;
    });
  }
  redistribution::Medium medium_of(std::size_t exchange) const {
    return exchange < media.size() ? media[exchange] : redistribution::Medium::messages;
  }
  /// The limits that are the same on all ranks; decisions that ranks must make alike use only
  /// these.
  Limits common() const {
    return {.media = media,
            .nodes = nodes,
            .windows = windows,
            .exchange_windows = exchange_windows,
            .in_arrays = in_arrays,
            .wire = wire,
            .tuning = tuning};
  }
  /// These limits for the reversed schedule.
  Limits reversed() const {
    Limits limits = *this;
    std::reverse(limits.media.begin(), limits.media.end());
    return limits;
  }
};

}  // namespace sixstep::program

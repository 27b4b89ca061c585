// SPDX-License-Identifier: BSD-3-Clause
// Limits: what compiling a program needs to know of the machine. Knows nothing about MPI.
#pragma once

#include <algorithm>
#include <vector>

#include "program/program.hpp"
#include "redistribution/by_nodes.hpp"

namespace sixstep::program {

/// What is the case on a rank.
struct Limits {
  Index cache_bytes = Index{1} << 20;       // what a window should fit in
  Index last_cache_bytes = Index{1} << 22;  // what it must fit in, lest its passes become sweeps
  int threads = 1;
  std::vector<redistribution::Medium> media = {};  // of each exchange; empty: all by messages
  redistribution::Nodes nodes = {};                // if there are other media
  int windows = 1;  // over 1: exchanges there and back again may go by so many windows, which take
                    // as much less work memory
  int exchange_windows = 1;  // that exchanges by messages go in, and the sweeps next to them
  bool in_arrays = true;     // whether messages may go from and to where they lie in an array

  /// Whether all exchanges are among ranks that have memory in common.
  bool stays_on_a_node() const {
    return std::all_of(media.begin(), media.end(), [](redistribution::Medium medium) {
      return medium == redistribution::Medium::in_memory;
    });
  }
  redistribution::Medium medium_of(std::size_t exchange) const {
    return exchange < media.size() ? media[exchange] : redistribution::Medium::messages;
  }
  /// What is the same on all ranks: whatever they must decide alike is decided by it.
  Limits common() const {
    return {.media = media,
            .nodes = nodes,
            .windows = windows,
            .exchange_windows = exchange_windows,
            .in_arrays = in_arrays};
  }
  /// The same on a device, where each pass is a sweep.
  Limits on_device() const {
    Limits limits = *this;
    limits.last_cache_bytes = -1;
    limits.threads = 1;
    limits.in_arrays = false;
    return limits;
  }
  /// The same for the schedule reversed.
  Limits reversed() const {
    Limits limits = *this;
    std::reverse(limits.media.begin(), limits.media.end());
    return limits;
  }
};

}  // namespace sixstep::program

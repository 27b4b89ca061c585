// SPDX-License-Identifier: BSD-3-Clause
// The sizes of the caches that a core has or shares. The widths of tiles and strips, and which data
// counts as out of cache, follow from them.
#pragma once

#include "sixstep/index.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// Bytes of data that each level of cache holds.
struct Caches {
  Index first = Index{1} << 15;
  Index second = Index{1} << 20;
  Index third = Index{1} << 22;
  int third_cores = 1;  // that share one third-level cache
};

/// The sizes that the system reports for this machine, or the defaults above if it reports none. A
/// last-level cache of more than 256 MiB, which dozens of cores share, counts as 256 MiB: one core
/// keeps no larger part of it.
Caches const& caches();

/// How many of `rows` rows, step_bytes apart, compete for each line of the sets of a cache that
/// they are in. If `spread` is the largest power of two that divides the step, these are the sets
/// that are `spread` bytes apart.
inline double rows_a_line(Index step_bytes, Index rows, Index cache_bytes = caches().first) {
  Index const spread = step_bytes & -step_bytes;
  return static_cast<double>(rows) * static_cast<double>(spread) / static_cast<double>(cache_bytes);
}
/// Whether they compete in the first-level cache at all: then it pays to take more of a row at a
/// time.
inline bool shares_sets(Index step_bytes, Index rows) { return rows_a_line(step_bytes, rows) > 1; }

/// The bytes of the last-level cache that the ranks which share it keep.
inline Index third_bytes(Tuning const& tuning, Caches const& sizes = caches()) {
  return tuning.third_bytes > 0 ? tuning.third_bytes : sizes.third;
}

/// How many of a node's `ranks` share a last-level cache, if they are spread over its cores.
constexpr int third_sharers(int ranks, int cores, int third_cores) {
  int const parts = third_cores < cores ? cores / third_cores : 1;
  return ranks <= parts ? 1 : (ranks + parts - 1) / parts;
}
/// How many of a node's `ranks` share a last-level cache of this machine.
int third_sharers(int ranks);

}  // namespace sixstep::local

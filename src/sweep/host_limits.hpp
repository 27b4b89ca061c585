// SPDX-License-Identifier: BSD-3-Clause
// What compiling a program needs to know of the processor and its caches.
#pragma once

#include <algorithm>

#include "local/caches.hpp"
#include "program/limits.hpp"
#include "tuning.hpp"

namespace sixstep::plan {

/// Limits of a rank on the host with so many threads. What exchanges need is not in them.
inline Limits host_limits(int threads, Tuning const& tuning) {
  Limits limits{.cache_bytes = local::caches().second, .threads = threads};
  limits.last_cache_bytes =
      std::max(limits.cache_bytes, tuning.window_of_third.of(local::caches().third));
  return limits;
}

}  // namespace sixstep::plan

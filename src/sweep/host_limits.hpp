// SPDX-License-Identifier: BSD-3-Clause
// What compiling a program needs to know of the processor and its caches.
#pragma once

#include <algorithm>

#include "local/caches.hpp"
#include "program/limits.hpp"
#include "tuning.hpp"

namespace sixstep::sweep {

/// Limits of a rank on the host with such caches and so many threads. What exchanges need is not in
/// them.
inline program::Limits host_limits(local::Caches const& caches, int threads, Tuning const& tuning) {
  Index const third = tuning.third_bytes > 0 ? tuning.third_bytes : caches.third;
  return {.cache_bytes = tuning.window_of_second.of(caches.second),
          .last_cache_bytes = std::max(caches.second, tuning.window_of_third.of(third)),
          .threads = threads};
}

}  // namespace sixstep::sweep

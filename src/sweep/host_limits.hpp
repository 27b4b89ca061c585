// SPDX-License-Identifier: BSD-3-Clause
// Limits: what compiling a program needs to know about the processor and its caches.
#pragma once

#include <algorithm>

#include "local/caches.hpp"
#include "program/limits.hpp"
#include "tuning.hpp"

namespace sixstep::sweep {

/// Limits of a rank with these caches and `threads` threads on the host. They leave out what
/// exchanges need.
inline program::Limits host_limits(local::Caches const& caches, int threads, Tuning const& tuning) {
  Index const third = local::third_bytes(tuning, caches);
  return {.cache_bytes = tuning.window_of_second.of(caches.second),
          .last_cache_bytes = std::max(caches.second, tuning.window_of_third.of(third)),
          .threads = threads,
          .tuning = tuning};
}

}  // namespace sixstep::sweep

// SPDX-License-Identifier: BSD-3-Clause
// A rank that computes as slowly as a benchmark wants it to: one machine cannot compute as fast as
// the hosts that it emulates.
#pragma once

#include <chrono>
#include <thread>

#include "program/program.hpp"

namespace sixstep::plan {

/// Seconds of idle time for each byte that a sweep reads and writes; 0 but in the benchmark of
/// overlap.
inline double idle_seconds_per_byte = 0;

/// Waits for that share of a sweep's bytes.
inline void stretch(Step const& step, Index counts, Index extent, int real_bytes) {
  if (idle_seconds_per_byte <= 0) return;
  double const share = static_cast<double>(counts) / static_cast<double>(extent);
  double const bytes = share * static_cast<double>(bytes_of(step, real_bytes));
  std::this_thread::sleep_for(std::chrono::duration<double>(bytes * idle_seconds_per_byte));
}

}  // namespace sixstep::plan

// SPDX-License-Identifier: BSD-3-Clause
// Makes a rank compute as slowly as a benchmark asks for: one machine cannot compute as fast as the
// hosts that it emulates.
#pragma once

#include <chrono>
#include <functional>
#include <thread>

#include "program/program.hpp"

namespace sixstep::runners {

/// The seconds of idle time that a whole sweep takes; empty except in benchmarks.
inline std::function<double(program::Step const&, int real_bytes)> idle_seconds;

/// Sleeps for the part of the sweep's idle time that `counts` of its `extent` take.
inline void stretch(program::Step const& step, Index counts, Index extent, int real_bytes) {
  if (!idle_seconds) return;
  double const share = static_cast<double>(counts) / static_cast<double>(extent);
  std::this_thread::sleep_for(
      std::chrono::duration<double>(share * idle_seconds(step, real_bytes)));
}

}  // namespace sixstep::runners

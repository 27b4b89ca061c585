// SPDX-License-Identifier: BSD-3-Clause
// Time on one rank, and how it becomes rank 0's.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/mpi.hpp"

namespace sixstep {

using Nanoseconds = std::int64_t;

/// This rank's time, which no one sets back.
inline Nanoseconds now() {
  auto const since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

/// What ping-pongs tell at one moment: how far rank 0's clock is ahead, with an error of at most
/// half the time that the question and its answer were under way.
struct ClockReading {
  Nanoseconds local = 0;  // when it was taken
  Nanoseconds ahead = 0;
  Nanoseconds round_trip = 0;

  Nanoseconds error() const { return (round_trip + 1) / 2; }
};

/// The quickest of a few ping-pongs with rank 0; `time` is this rank's clock. Collective.
ClockReading read_clock(mpi::Communicator const& comm, int tag = 0, Nanoseconds (*time)() = &now);

/// This rank's times as rank 0's, by two readings: by the better one, unless they differ by more
/// than their errors; then clocks drift, evenly from one reading to the other.
class Clock {
 public:
  Clock(ClockReading const& first, ClockReading const& last) : first_(first), last_(last) {}

  bool drifts() const;
  Nanoseconds ahead(Nanoseconds local) const;
  Nanoseconds error() const;

 private:
  ClockReading const& better() const;

  ClockReading first_;
  ClockReading last_;
};

}  // namespace sixstep

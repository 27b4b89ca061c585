// SPDX-License-Identifier: BSD-3-Clause
// Time on one rank, and its conversion to rank 0's time.
#pragma once

#include <chrono>
#include <cstdint>

#include "runtime/mpi.hpp"

namespace sixstep {

using Nanoseconds = std::int64_t;

/// This rank's monotonic time.
inline Nanoseconds now() {
  auto const since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

/// Result of ping-pongs at one moment: how far rank 0's clock is ahead. The error is at most half
/// the round trip.
struct ClockReading {
  Nanoseconds local = 0;  // time of the reading
  Nanoseconds ahead = 0;
  Nanoseconds round_trip = 0;

  Nanoseconds error() const { return (round_trip + 1) / 2; }
};

/// The quickest of a few ping-pongs with rank 0. `time` reads this rank's clock. Collective.
ClockReading read_clock(mpi::Communicator const& comm, int tag = 0, Nanoseconds (*time)() = &now);

/// Converts this rank's times to rank 0's by two readings. It uses the better one, unless they
/// differ by more than their errors: then it assumes that the clocks drift linearly between the
/// readings.
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

// SPDX-License-Identifier: BSD-3-Clause
// How many counts along its window axis a sweep takes at a time.
#pragma once

#include <cstddef>

#include "program/limits.hpp"
#include "program/local_leg.hpp"
#include "program/program.hpp"

namespace sixstep::program {

/// The sizes of windows of a leg's sweeps.
class WindowSizes {
 public:
  /// `leg` and `limits` outlive this.
  WindowSizes(LocalLeg const& leg, Limits const& limits) : leg_(leg), limits_(limits) {}

  /// Bytes of the box per count along the window axis and the stacked ones: the most among passes
  /// first..last-1.
  Index unit_bytes(std::size_t first, std::size_t last, Sweep const& sweep) const;
  /// Windows along the contiguous axis are whole vectors.
  Index least(int axis) const {
    return axis == leg_.order.back() ? limits_.tuning.window_elements : 1;
  }
  /// The counts in a window of a sweep of passes first..last-1.
  ///
  /// A window is as large as the cache allows, but each thread gets several unless they would be
  /// too small to be worth waking a thread. A lone pass `alone` leaves nothing in cache for the
  /// next: its windows have as many columns as suit Staged's strips, unless columns are contiguous.
  Index window(std::size_t first, std::size_t last, Sweep const& sweep, Pass const* alone) const;

 private:
  Index threads_share(Index all, Index unit) const;

  LocalLeg const& leg_;
  Limits const& limits_;
};

}  // namespace sixstep::program

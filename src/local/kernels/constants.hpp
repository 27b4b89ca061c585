// SPDX-License-Identifier: BSD-3-Clause
// Numbers that the kernels are compiled with. Choices that can be made at run time are
// tuning.hpp's.
#pragma once

#include "sixstep/index.hpp"

namespace sixstep::local {

/// A cache line of all processors that there are kernels for.
inline constexpr Index line_bytes = 64;

/// How many rows ahead the copy of a strip fetches the side that is out of cache.
inline constexpr Index rows_ahead = 8;

/// How many points ahead short contiguous transforms are fetched if they are out of cache.
inline constexpr Index points_ahead = 32;

/// The blocks of two neighbouring passes go through them together, not one after another, up to so
/// many rows: that many fit the first-level cache, and a block of fewer is hardly worth a call.
inline constexpr Index rows_together = 256;

}  // namespace sixstep::local

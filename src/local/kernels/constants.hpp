// SPDX-License-Identifier: BSD-3-Clause
// Constants that the kernels are compiled with. tuning.hpp has the numbers that can be chosen at
// run time.
#pragma once

#include "sixstep/index.hpp"

namespace sixstep::local {

/// The cache line of all processors that have kernels.
inline constexpr Index line_bytes = 64;

/// How many rows ahead the copy of a strip prefetches the side that is out of cache.
inline constexpr Index rows_ahead = 8;

/// Up to this many rows, the blocks of two neighbouring passes go through them together instead of
/// one after another: these rows fit in the first-level cache, and a single block has too little
/// work for a call.
inline constexpr Index rows_together = 256;

}  // namespace sixstep::local

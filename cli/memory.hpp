// SPDX-License-Identifier: BSD-3-Clause
// Memory of this process, as Linux counts it.
#pragma once

#include "base/machine_memory.hpp"
#include "sixstep/index.hpp"

namespace sixstep::cli {

/// The largest resident memory so far; pages that other processes share count in full.
inline Index peak_bytes() { return bytes_in("/proc/self/status", "VmHWM:"); }

/// The resident memory now; of a page that n processes share, 1/n counts.
inline Index proportional_bytes() { return bytes_in("/proc/self/smaps_rollup", "Pss:"); }

}  // namespace sixstep::cli

// SPDX-License-Identifier: BSD-3-Clause
// Memory of this process, as Linux counts it.
#pragma once

#include "base/machine_memory.hpp"
#include "sixstep/index.hpp"

namespace sixstep::cli {

/// The most that was ever resident, pages shared with other processes in full.
inline Index peak_bytes() { return bytes_in("/proc/self/status", "VmHWM:"); }

/// What is resident now, of pages shared by some processes this one's share.
inline Index proportional_bytes() { return bytes_in("/proc/self/smaps_rollup", "Pss:"); }

}  // namespace sixstep::cli

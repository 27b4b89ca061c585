// SPDX-License-Identifier: BSD-3-Clause
// Memory of this process, as Linux counts it.
#pragma once

#include "base/machine_memory.hpp"
#include "sixstep/index.hpp"

namespace sixstep::cli {

/// The largest resident memory so far; pages that other processes share count in full.
inline Index peak_bytes() { return bytes_in("/proc/self/status", "VmHWM:"); }

/// Memory that this process has touched, but for pages of files, such as libraries. Pages that
/// processes share are divided among them. Before Linux 5.9 it has pages of files, too.
inline Index proportional_bytes() {
  char const* const file = "/proc/self/smaps_rollup";
  Index const bytes = bytes_in(file, "Pss_Anon:") + bytes_in(file, "Pss_Shmem:");
  return bytes > 0 ? bytes : bytes_in(file, "Pss:");
}

}  // namespace sixstep::cli

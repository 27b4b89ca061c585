// SPDX-License-Identifier: BSD-3-Clause
// The memory of this process, as Linux counts it.
#pragma once

#include <fstream>
#include <string>

#include "sixstep/layout.hpp"

namespace sixstep::bench::node {

/// The bytes that a line such as "VmHWM:  1234 kB" of a file in /proc tells; 0 if there is none.
inline Index bytes_in(std::string const& file, std::string const& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;)
    if (word == name) {
      Index kibibytes = 0;
      lines >> kibibytes;
      return kibibytes * 1024;
    }
  return 0;
}

/// The most that was ever resident, pages shared with other processes in full.
inline Index peak_bytes() { return bytes_in("/proc/self/status", "VmHWM:"); }

/// What is resident now, of pages shared by some processes this one's share.
inline Index proportional_bytes() { return bytes_in("/proc/self/smaps_rollup", "Pss:"); }

}  // namespace sixstep::bench::node

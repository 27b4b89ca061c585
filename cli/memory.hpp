// SPDX-License-Identifier: BSD-3-Clause
// Memory, as Linux counts it: that of this process, and that of the machine it runs on.
#pragma once

#include <fstream>
#include <string>

#include "sixstep/layout.hpp"

namespace sixstep::cli {

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

struct MachineMemory {
  Index total_bytes;
  Index available_bytes;  // without swapping
};

/// Of the machine, or of the control groups that this process is in where they allow less.
MachineMemory machine_memory();

}  // namespace sixstep::cli

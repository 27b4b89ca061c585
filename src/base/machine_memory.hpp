// SPDX-License-Identifier: BSD-3-Clause
// Memory of the machine, and what control groups allow of it.
//
// Knows nothing about MPI.
#pragma once

#include <cstdint>
#include <string>

namespace sixstep {

/// Bytes of memory.
struct MachineMemory {
  std::int64_t total_bytes;
  std::int64_t available_bytes;  // without swapping
};

/// Of the machine, or of the control groups that this process is in where they allow less: the
/// smallest limit of its groups and of those around them, of either version of control groups.
/// `root` is the folder that has the system's files, "/proc/meminfo" and so on; tests give another.
MachineMemory machine_memory(std::string const& root = "");

/// What this machine has, swap and all, or what the control groups of this process allow, whichever
/// is less. It is found once.
std::int64_t machine_bytes();

/// The bytes that a line such as "VmHWM:  1234 kB" of a file in /proc tells; 0 if there is none.
std::int64_t bytes_in(std::string const& file, std::string const& name);

}  // namespace sixstep

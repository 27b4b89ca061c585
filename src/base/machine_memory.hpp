// SPDX-License-Identifier: BSD-3-Clause
// Memory of the machine, and the limits that control groups set. Knows nothing about MPI.
#pragma once

#include <cstdint>
#include <string>

namespace sixstep {

/// Bytes of memory.
struct MachineMemory {
  std::int64_t total_bytes;
  std::int64_t available_bytes;  // without swapping
};

/// Memory of the machine, or of the control groups of this process where they allow less: the
/// smallest limit of its groups and of the groups around them, in either version of control groups.
/// `root` is prepended to the paths of the system's files ("/proc/meminfo", ..), for tests.
MachineMemory machine_memory(std::string const& root = "");

/// The memory and swap of this machine, or the limit of this process's control groups if that is
/// less. It is read once.
std::int64_t machine_bytes();

/// The bytes in the line `name` of a file in /proc, as in "VmHWM:  1234 kB"; 0 if there is no such
/// line.
std::int64_t bytes_in(std::string const& file, std::string const& name);

}  // namespace sixstep

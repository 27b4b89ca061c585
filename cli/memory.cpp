// SPDX-License-Identifier: BSD-3-Clause
// Memory of the machine, and what control groups allow of it.
#include "memory.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace sixstep::cli {
namespace {

// The files in which a version of control groups tells about memory.
struct Files {
  std::string folder;
  std::string limit;
  std::string used;
  std::string reclaimable;  // a line of memory.stat
};

std::optional<Index> number_in(std::string const& file) {
  Index number = 0;
  return std::ifstream(file) >> number ? std::optional(number) : std::nullopt;
}

// memory.stat has a name and a number of bytes a line.
Index reclaimable_bytes(std::string const& folder, Files const& files) {
  std::ifstream stat(folder + "/memory.stat");
  Index bytes = 0;
  for (std::string name; stat >> name >> bytes;)
    if (name == files.reclaimable) return bytes;
  return 0;
}

// A group and all those it is in have limits; a container sees its own as the root.
void apply_limits(MachineMemory& memory, Files const& files, std::string group) {
  for (;; group.resize(group.rfind('/'))) {
    while (group.ends_with('/')) group.pop_back();
    std::string const folder = files.folder + group;
    auto const limit = number_in(folder + "/" + files.limit);
    auto const used = number_in(folder + "/" + files.used);
    if (limit && used) {
      memory.total_bytes = std::min(memory.total_bytes, *limit);
      memory.available_bytes =
          std::min(memory.available_bytes, *limit - *used + reclaimable_bytes(folder, files));
    }
    if (group.empty()) return;
  }
}

}  // namespace

MachineMemory machine_memory() {
  Files const first = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                       "total_inactive_file"};
  Files const second = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};
  MachineMemory memory{bytes_in("/proc/meminfo", "MemTotal:"),
                       bytes_in("/proc/meminfo", "MemAvailable:")};
  // Lines such as 4:memory:/group of the first version, 0::/group of the second.
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    auto const group = line.find(':', line.find(':') + 1);
    if (group == std::string::npos) continue;
    std::string controllers = line.substr(0, group + 1);
    std::replace(controllers.begin(), controllers.end(), ':', ',');
    if (controllers == "0,,") apply_limits(memory, second, line.substr(group + 1));
    if (controllers.find(",memory,") != std::string::npos)
      apply_limits(memory, first, line.substr(group + 1));
  }
  return memory;
}

}  // namespace sixstep::cli

// SPDX-License-Identifier: BSD-3-Clause
// Memory of the machine, and the limits that control groups set.
#include "base/machine_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

namespace sixstep {

namespace {

/// The files in which a version of control groups reports memory.
struct Files {
  std::string folder;
  std::string limit;
  std::string used;
  std::string reclaimable;  // name of a line of memory.stat
};

std::optional<std::int64_t> number_in(std::string const& file) {
  std::int64_t number = 0;
  return std::ifstream(file) >> number ? std::optional(number) : std::nullopt;
}

/// A line of memory.stat has a name and a number of bytes.
std::int64_t reclaimable_bytes(std::string const& folder, Files const& files) {
  std::ifstream stat(folder + "/memory.stat");
  std::int64_t bytes = 0;
  for (std::string name; stat >> name >> bytes;)
    if (name == files.reclaimable) return bytes;
  return 0;
}

/// Applies the limits of a group and of all groups around it. A container sees its own group as the
/// root.
void apply_limits(MachineMemory& memory, Files const& files, std::string group) {
  for (;; group.resize(group.rfind('/'))) {
    while (group.ends_with('/')) group.pop_back();
    std::string const folder = files.folder + group;
    if (auto const limit = number_in(folder + "/" + files.limit)) {
      std::int64_t const used = number_in(folder + "/" + files.used).value_or(0);
      memory.total_bytes = std::min(memory.total_bytes, *limit);
      memory.available_bytes =
          std::min(memory.available_bytes, *limit - used + reclaimable_bytes(folder, files));
    }
    if (group.empty()) return;
  }
}

void apply_limits(MachineMemory& memory, std::string const& root) {
  std::string const folder = root + "/sys/fs/cgroup";
  Files const first = {folder + "/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                       "total_inactive_file"};
  Files const second = {folder, "memory.max", "memory.current", "inactive_file"};
  // Lines are like 4:memory:/group in the first version, and like 0::/group in the second.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    auto const group = line.find(':', line.find(':') + 1);
    if (group == std::string::npos) continue;
    std::string controllers = line.substr(0, group + 1);
    std::replace(controllers.begin(), controllers.end(), ':', ',');
    if (controllers == "0,,") apply_limits(memory, second, line.substr(group + 1));
    if (controllers.find(",memory,") != std::string::npos)
      apply_limits(memory, first, line.substr(group + 1));
  }
}

}  // namespace

std::int64_t bytes_in(std::string const& file, std::string const& name) {
  std::ifstream lines(file);
  for (std::string word; lines >> word;)
    if (word == name) {
      std::int64_t kibibytes = 0;
      lines >> kibibytes;
      return kibibytes * 1024;
    }
  return 0;
}

MachineMemory machine_memory(std::string const& root) {
  std::string const file = root + "/proc/meminfo";
  MachineMemory memory{bytes_in(file, "MemTotal:"), bytes_in(file, "MemAvailable:")};
  apply_limits(memory, root);
  return memory;
}

std::int64_t machine_bytes() {
  static std::int64_t const bytes = [] {
    std::string const file = "/proc/meminfo";
    std::int64_t const all = bytes_in(file, "MemTotal:") + bytes_in(file, "SwapTotal:");
    MachineMemory allowed{all, all};
    apply_limits(allowed, "");
    return allowed.total_bytes;
  }();
  return bytes;
}

}  // namespace sixstep

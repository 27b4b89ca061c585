// SPDX-License-Identifier: BSD-3-Clause
// The memory of a machine, as the files of a folder tell it, and limits of control groups.
#include "base/machine_memory.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sixstep {
namespace {

namespace fs = std::filesystem;

/// A folder with the files of a machine of 8 MiB, of which 6 MiB are available.
class machine_memory_of : public testing::Test {
 protected:
  machine_memory_of() {
    std::string name = fs::temp_directory_path() / "sixstep.XXXXXX";
    root_ = mkdtemp(name.data());
    write("/proc/meminfo", "MemTotal:  8192 kB\nMemFree: 1 kB\nMemAvailable:  6144 kB\n");
  }
  ~machine_memory_of() override { fs::remove_all(root_); }

  void write(std::string const& file, std::string const& words) const {
    fs::create_directories(fs::path(root_ + file).parent_path());
    std::ofstream(root_ + file) << words;
  }

  void expect(std::int64_t total_kib, std::int64_t available_kib) const {
    MachineMemory const found = machine_memory(root_);
    EXPECT_EQ(found.total_bytes, total_kib * 1024);
    EXPECT_EQ(found.available_bytes, available_kib * 1024);
  }

  std::string root_;
};

TEST_F(machine_memory_of, a_process_without_control_groups) { expect(8192, 6144); }

TEST_F(machine_memory_of, groups_without_limits) {
  write("/proc/self/cgroup", "4:cpu,memory:/job\n0::/a/b\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  write("/sys/fs/cgroup/a/b/memory.current", "1048576\n");
  expect(8192, 6144);
}

TEST_F(machine_memory_of, the_second_version_with_the_limit_of_a_parent) {
  write("/proc/self/cgroup", "0::/a/b/c\n");
  write("/sys/fs/cgroup/a/b/c/memory.max", "max\n");
  write("/sys/fs/cgroup/a/b/memory.max", "4194304\n");
  write("/sys/fs/cgroup/a/b/memory.current", "3145728\n");
  write("/sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file 1048576\nfile 7\n");
  write("/sys/fs/cgroup/a/memory.max", "5242880\n");
  write("/sys/fs/cgroup/a/memory.current", "0\n");
  expect(4096, 2048);
}

TEST_F(machine_memory_of, the_first_version_and_the_root_of_a_container) {
  write("/proc/self/cgroup", "5:devices:/x\n4:cpu,memory:/docker/123\n0::/\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2097152\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n");
  write("/sys/fs/cgroup/devices/memory.max", "1\n");
  expect(2048, 1024);
}

TEST_F(machine_memory_of, both_versions_of_which_the_smallest_counts) {
  write("/proc/self/cgroup", "4:memory:/job\n0::/a\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3145728\n");
  write("/sys/fs/cgroup/a/memory.max", "2097152\n");
  expect(2048, 2048);
}

TEST(machine_bytes, are_those_of_this_machine_and_no_more_than_groups_allow) {
  EXPECT_GT(machine_bytes(), 0);
  EXPECT_LE(machine_bytes(),
            bytes_in("/proc/meminfo", "MemTotal:") + bytes_in("/proc/meminfo", "SwapTotal:"));
}

}  // namespace
}  // namespace sixstep

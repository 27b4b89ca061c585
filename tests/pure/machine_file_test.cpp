// SPDX-License-Identifier: BSD-3-Clause
// Machine files: what is written is read, what is wrong is named.
#include "model/machine_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "refuses.hpp"

namespace sixstep::model {
namespace {

std::string contents(std::filesystem::path const& file) {
  std::ifstream in(file);
  std::ostringstream words;
  words << in.rdbuf();
  return words.str();
}

std::string good() {
  static std::string const words =
      contents(std::filesystem::path(SIXSTEP_MACHINES) / "bluegene-q.json");
  return words;
}

/// The good file with one thing changed.
std::string changed(std::string const& from, std::string const& to) {
  std::string words = good();
  auto const at = words.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return words.replace(at, from.size(), to);
}

TEST(machine_files, that_are_installed_are_read_and_written_alike) {
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(SIXSTEP_MACHINES)) {
    std::string const words = contents(entry.path());
    Machine const machine = from_json(words, entry.path());
    EXPECT_EQ(to_json(machine), words) << entry.path();
    EXPECT_EQ(machine.name, entry.path().stem());
    EXPECT_FALSE(machine.source.empty()) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 6);
}

TEST(machine_files, that_are_written_are_read) {
  std::string const file = testing::TempDir() + text("sixstep-machine-", getpid(), ".json");
  Machine const machine = from_json(good(), "");
  write_machine(machine, file);
  EXPECT_EQ(to_json(read_machine(file)), good());
  std::filesystem::remove(file);
  EXPECT_TRUE(refuses("/no/such/machine.json", {"cannot be written"},
                      [&] { write_machine(machine, "/no/such/machine.json"); }));
  EXPECT_TRUE(refuses("/no/such/machine.json", {"machine file is needed", "there is none"},
                      [] { read_machine("/no/such/machine.json"); }));
}

TEST(machine_files, of_before_stay_where_the_disk_is_full) {
  std::string const file = testing::TempDir() + text("sixstep-machine-", getpid(), ".json");
  Machine const machine = from_json(good(), "");
  write_machine(machine, file);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit const small{100, before.rlim_max};
  auto const handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::string const message = message_of([&] { write_machine(machine, file); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, file + ": cannot be written: File too large");
  EXPECT_EQ(contents(file), good());
  std::filesystem::remove(file);
}

TEST(machine_files, are_regular_files_of_a_size_that_machines_need) {
  std::string const file = testing::TempDir() + text("sixstep-machine-", getpid());
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  for (std::string const& other : {file, std::string("/dev/zero"), testing::TempDir()})
    EXPECT_TRUE(refuses(other, {"it is not a regular file"}, [&] { read_machine(other); }));
  std::filesystem::remove(file);
  std::ofstream(file) << good();
  std::filesystem::resize_file(file, (16 << 20) + 1);
  EXPECT_TRUE(refuses(file, {"at most 16777216 are possible"}, [&] { read_machine(file); }));
  std::filesystem::remove(file);
}

TEST(machine_files, hold_no_values_that_lie_deep_in_each_other) {
  std::string const deep(100000, '['), closed(100000, ']');
  for (std::string const& value : {deep, deep + closed, "{\"name\":" + deep + closed + '}'}) {
    EXPECT_TRUE(
        refuses("some.json", {"at most 16 nested levels"}, [&] { from_json(value, "some.json"); }));
    EXPECT_TRUE(refuses("some.json", {"at most 16 nested levels"}, [&] {
      from_json(changed("\"ranks\": 1", "\"ranks\": " + value), "some.json");
    }));
  }
}

TEST(machine_files, are_not_shown_whole_in_errors) {
  std::string const lengthy(100000, 'x');
  for (std::string const& words :
       {changed("\"ranks\": 1", "\"ranks\": \"" + lengthy + '"'),
        changed("\"ranks\"", '"' + lengthy + "\": 1, \"ranks\""),
        changed("\"ranks\"", '"' + lengthy + "\": 1, \"" + lengthy + "\": 1, \"ranks\""),
        '"' + lengthy})
    EXPECT_LT(message_of([&] { from_json(words, "some.json"); }).size(), 1000u);
}

TEST(machine_files, hold_what_can_be_measured) {
  Machine machine = from_json(good(), "");
  machine.node_ranks = 64;  // more than cores
  machine.network.reset();
  machine.inside.rank_bytes_per_s = Curve::Points{{1024, 1e9}, {4096, 2e9}};
  machine.inside.meeting_s = 1e-5;
  machine.memory->together.strip_share = Curve::Points{{1 << 20, 0.25}};
  machine.memory->alone = Copies{Curve::Points{{1 << 20, 3e9}}, 0.5};
  machine.double_gflops = {.rows = Curve::Points{{8, 1}},
                           .columns = Curve::Points{{8, 2}},
                           .strips = Curve::Points{{8, 3}},
                           .twiddled = Curve::Points{{8, 4}},
                           .reals = Curve::Points{{8, 5}}};
  std::string const words = to_json(machine);
  Machine const read = from_json(words, "");
  EXPECT_EQ(to_json(read), words);
  EXPECT_FALSE(read.network);
  EXPECT_EQ(read.inside.rank_bytes_per_s.at(4096), 2e9);
  EXPECT_EQ(*read.inside.meeting_s, 1e-5);
  EXPECT_EQ(read.memory->together.strip_share.at(1), 0.25);
  EXPECT_EQ(read.memory->alone->copied_bytes_per_s.at(1), 3e9);
  EXPECT_EQ(read.double_gflops.strips.at(8), 3);
  EXPECT_EQ(read.double_gflops.reals.at(8), 5);
}

TEST(machine_files, have_bandwidths_of_a_node_by_the_size_of_messages) {
  Machine machine = from_json(good(), "");
  EXPECT_EQ(machine.network->node_bytes_per_s.at(1), machine.network->node_bytes_per_s.at(1e9))
      << "one for all sizes";
  machine.network->node_bytes_per_s = Curve::Points{{1024, 1e8}, {65536, 2e9}};
  machine.network->overhead_s = machine.network->latency_s / 2;
  std::string const words = to_json(machine);
  Machine const read = from_json(words, "");
  EXPECT_EQ(to_json(read), words);
  EXPECT_EQ(read.network->node_bytes_per_s.at(65536), 2e9);
  EXPECT_EQ(read.network->overhead_s, machine.network->latency_s / 2);
}

TEST(machine_files, without_an_overhead_of_messages_have_none) {
  std::string words = good();
  for (std::size_t at; (at = words.find("\"overhead_s\"")) != std::string::npos;)
    words.erase(at, words.find('\n', at) - at);
  Machine const read = from_json(words, "");
  EXPECT_EQ(read.network->overhead_s, 0);
  EXPECT_EQ(read.inside.overhead_s, 0);
  EXPECT_EQ(to_json(read).find("\"overhead_s\""), std::string::npos);
}

TEST(machine_files, of_what_was_measured_are_where_the_environment_says) {
  setenv("HOME", "/home/me", 1);
  unsetenv("XDG_DATA_HOME");
  unsetenv("SIXSTEP_MACHINE");
  EXPECT_EQ(default_machine_file(), "/home/me/.local/share/sixstep/machine.json");
  setenv("XDG_DATA_HOME", "/data", 1);
  EXPECT_EQ(default_machine_file(), "/data/sixstep/machine.json");
  setenv("SIXSTEP_MACHINE", "mine.json", 1);
  EXPECT_EQ(default_machine_file(), "mine.json");
  for (char const* name : {"HOME", "XDG_DATA_HOME", "SIXSTEP_MACHINE"}) unsetenv(name);
  EXPECT_TRUE(refuses("machine file", {"SIXSTEP_MACHINE"}, [] { default_machine_file(); }));
}

TEST(machine_files, name_what_is_wrong_its_value_and_what_is_needed) {
  struct Case {
    std::string from, to;
    std::vector<char const*> said;
  };
  std::string const partitions = "4 x 4 x 2m x 2m x 2";
  for (auto const& [from, to, said] : std::vector<Case>{
           {"\"latency_s\": 2e-06", "\"latency_s\": -1", {"network.latency_s", "at least 0", "-1"}},
           {"\"latency_s\": 2e-06", "\"latency_s\": \"2 us\"", {"a number", "\"2 us\""}},
           {"\"latency_s\": 2e-06", "\"latency\": 2e-06", {"network.latency_s", "there is none"}},
           {"\"latency_s\": 2e-06", "\"latency_s\": 1, \"latency_s\": 2", {"latency_s", "two"}},
           {"\"latency_s\": 2e-06", "\"latency_s\": 2e-06, \"W\": 1", {"network.W", "no such key"}},
           {"\"overhead_s\": 2e-06",
            "\"overhead_s\": 3e-06",
            {"network.overhead_s", "at most 2e-06", "3e-06"}},
           {"\"node_bytes_per_s\": 20000000000.0",
            "\"node_bytes_per_s\": {\"1024\": 0}",
            {"network.node_bytes_per_s.1024", "above 0"}},
           {"\"ranks\": 1", "\"ranks\": 1.5", {"node.ranks", "whole number", "1.5"}},
           {"\"ranks\": 1", "\"ranks\": 0", {"node.ranks", "from 1", "0 was given"}},
           {"\"kind\": \"torus\"", "\"kind\": \"ring\"", {"flat, fat_tree or torus", "\"ring\""}},
           {"\"efficiency\": 0.9", "\"efficiency\": 1.1", {"efficiency", "at most 1", "1.1"}},
           {"\"rank_bytes_per_s\": 14000000000.0",
            "\"rank_bytes_per_s\": {\"many\": 1}",
            {"inside.rank_bytes_per_s", "by bytes", "\"many\""}},
           {"\"rank_bytes_per_s\": 14000000000.0",
            "\"rank_bytes_per_s\": {}",
            {"inside.rank_bytes_per_s", "by bytes", "{}"}},
           {"\"rank_bytes_per_s\": 14000000000.0",
            "\"rank_bytes_per_s\": 1, \"meeting_s\": -1",
            {"inside.meeting_s", "at least 0", "-1"}},
           {"\"cache_bytes\": 33554432.0",
            "\"cache_bytes\": 0, \"alone\": {\"copied_bytes_per_s\": 1}",
            {"memory.alone.strip_share", "there is none"}},
           {partitions, "4 by 4", {"partitions", "m marks a mesh", "\"4 by 4\""}},
           {partitions,
            "1048576 x 1048576 x 1048576 x 1048576",
            {"partitions", "at most 2147483647 nodes", "\"1048576 x"}},
           {partitions, "2", {"partitions", "more nodes than the 64", "\"2\""}},
           {"\"1024\": 0.95", "\"kilo\": 0.95", {"core_gflops.double", "by length", "\"kilo\""}},
           {"\"1024\": 0.95", "\"1024\": 0.95, \"01024\": 1", {"by length", "\"01024\""}},
           {"\"1024\": 0.95", "\"1024\": 0", {"core_gflops.double.1024", "above 0"}},
           {"\"name\": \"bluegene-q\"", "\"name\": \"\"", {"name", "a text"}},
           {"\"strip_share\": 0.5", "\"strip_share\": 1e999", {"JSON is needed"}},
           {"{", "[", {"JSON is needed"}}}) {
    std::string const message = message_of([&] { from_json(changed(from, to), "some.json"); });
    EXPECT_EQ(message.rfind("some.json: ", 0), 0u) << to << ": " << message;
    for (char const* part : said)
      EXPECT_NE(message.find(part), std::string::npos) << to << ": " << message;
  }
  EXPECT_TRUE(refuses("some.json", {"an object", "[]"}, [] { from_json("[]", "some.json"); }));
}

}  // namespace
}  // namespace sixstep::model

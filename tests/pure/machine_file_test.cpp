// SPDX-License-Identifier: BSD-3-Clause
// Machine files: what is written is read, what is wrong is named.
#include "model/machine_file.hpp"

#include <gtest/gtest.h>

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
  std::string const file = testing::TempDir() + "machine.json";
  Machine const machine = from_json(good(), "");
  write_machine(machine, file);
  EXPECT_EQ(to_json(read_machine(file)), good());
  EXPECT_TRUE(refuses("/no/such/machine.json", {"cannot be written"},
                      [&] { write_machine(machine, "/no/such/machine.json"); }));
  EXPECT_TRUE(refuses("/no/such/machine.json", {"machine file is needed"},
                      [] { read_machine("/no/such/machine.json"); }));
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
           {"\"ranks\": 1", "\"ranks\": 1.5", {"node.ranks", "whole number", "1.5"}},
           {"\"ranks\": 1", "\"ranks\": 0", {"node.ranks", "from 1", "0 was given"}},
           {"\"kind\": \"torus\"", "\"kind\": \"ring\"", {"flat, fat_tree or torus", "\"ring\""}},
           {"\"efficiency\": 0.9", "\"efficiency\": 1.1", {"efficiency", "at most 1", "1.1"}},
           {partitions, "4 by 4", {"partitions", "m marks a mesh", "\"4 by 4\""}},
           {partitions, "2", {"partitions", "more nodes than the 64", "\"2\""}},
           {"\"1024\": 0.95", "\"kilo\": 0.95", {"core_gflops.double", "by length", "\"kilo\""}},
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

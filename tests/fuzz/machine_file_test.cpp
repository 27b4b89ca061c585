// SPDX-License-Identifier: BSD-3-Clause
// Machine files: whatever the bytes are, they are refused by a short Error that names the file, or
// are a machine that is written and read again.
#include "model/machine_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "fuzz/fuzz.hpp"
#include "sixstep/error.hpp"

namespace sixstep::model {
namespace {

std::string complaint(std::string const& words) {
  std::string written;
  try {
    Machine const machine = from_json(words, "some.json");
    written = to_json(machine);
    if (auto const* torus = machine.network ? std::get_if<Torus>(&machine.network->shape) : nullptr)
      for (Partition const& partition : torus->partitions)
        if (partition.nodes() < 1 || partition.longest() < 1) return "a partition is impossible";
  } catch (Error const& error) {
    std::string const message = error.what();
    bool const is_right = error.code() == ErrorCode::argument && message.size() < 1500 &&
                          message.starts_with("some.json: ");
    return is_right ? "" : message;
  }
  return to_json(from_json(written, "written")) == written ? ""
                                                           : "it is written as another machine";
}

/// All that a file may hold, in few words.
std::string const everything =
    R"({"name":"m","source":["s"],"notes":[],"node":{"ranks":4,"cores":8},
"network":{"latency_s":2e-06,"node_bytes_per_s":1e9,"rank_bytes_per_s":{"64":1e8,"4096":1e9},
"shape":{"kind":"torus","link_bytes_per_s":2e9,"efficiency":0.9,"partitions":["2m","4 x 2"]}},
"inside":{"latency_s":0,"rank_bytes_per_s":1e9,"meeting_s":1e-06},
"device":{"name":"d","staged_bytes_per_s":1e9},
"memory":{"copied_bytes_per_s":1e9,"strip_share":0.5,"cache_bytes":1e6,
"alone":{"copied_bytes_per_s":{"1":1e9},"strip_share":1}},
"core_gflops":{"double":{"64":2.5},"double_columns":{"64":2},"single":{},"single_reals":{"8":1}},
"published":[{"source":"p","shape":[256,256],"kind":"c2c","precision":"double","output":"natural",
"layout":"slab","windows":1,"seconds":{"64":0.25},"communication_s":{"64":0.1}}]})";

TEST(fuzz, machine_file) {
  fuzz::Target target;
  target.samples = {everything};
  for (auto const& entry : std::filesystem::directory_iterator(SIXSTEP_MACHINES)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path()).rdbuf();
    target.samples.push_back(std::move(bytes).str());
  }
  std::ranges::sort(target.samples);  // folders have no order, and seeds make the same inputs
  target.words = {
      "null",        "true",       "\"\"",       "[]",
      "{}",          ",",          ":",          "\"2m\"",
      " x ",         "x",          "1048576 x ", "\"fat_tree\",\"leaf_nodes\":4,\"taper\":0.5",
      "\"flat\"",    "\"gflops\"", "\"064\":1,", "\"name\":\"n\",",
      "\"\\ud800\"", "\xc3",       "\\u0000",    "//",
      "/*"};
  target.complaint = complaint;
  target.runs = 6'000;
  fuzz::run(target);
}

}  // namespace
}  // namespace sixstep::model

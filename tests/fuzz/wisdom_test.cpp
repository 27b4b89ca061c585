// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files: whatever the bytes are, they are reported as damaged and nothing of them is used,
// or they are byte for byte what is written for the entries that were read. Reading changes
// nothing.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "fuzz/fuzz.hpp"
#include "wisdom/wisdom_file.hpp"
#include "wisdom_bytes.hpp"

namespace sixstep::wisdom {
namespace {

namespace fs = std::filesystem;
using wisdom_bytes::a_line;
using wisdom_bytes::framed;

std::string contents(fs::path const& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return std::move(bytes).str();
}

class FuzzedWisdom : public testing::Test {
 protected:
  void SetUp() override {
    // In memory where that can be: each file that is written waits for the disk.
    fs::path const memory = "/dev/shm";
    std::string name =
        (fs::exists(memory) ? memory : fs::path(testing::TempDir())) / "wisdom.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string complaint(std::string const& bytes) const {
    fs::path const file = folder_ / "wisdom.json", again = folder_ / "again.json";
    std::ofstream(file, std::ios::binary) << bytes;
    Read const found = read(file);
    if (contents(file) != bytes) return "the file was changed";
    if (found.report.empty()) {
      if (bytes.empty()) return found.entries.empty() ? "" : "there are entries of no bytes";
      write(again, found.entries);
      return contents(again) == bytes ? "" : "it is trusted, but would be written otherwise";
    }
    bool const is_right =
        found.entries.empty() && found.report.starts_with(file.string() + ": it is ") &&
        found.report.ends_with("; it is not used") && found.report.find('\n') == std::string::npos;
    return is_right ? "" : "the report is " + found.report;
  }

  fs::path folder_;
};

std::string two_lines() {
  std::string other = a_line;
  return a_line + ",\n" + other.replace(other.find("\"a\""), 3, "\"b\\u0000\\\"\"");
}

std::vector<std::string> const words{"\"sixstep_wisdom\": ",
                                     "\"key\":",
                                     "\"found\":",
                                     "\"level\":",
                                     "\"exhaustive\"",
                                     "\"when\":",
                                     ",\n",
                                     a_line,
                                     "\n]}\n",
                                     "null",
                                     "\xff",
                                     "\\ud800",
                                     "\\u0061",
                                     "NaN"};

TEST_F(FuzzedWisdom, of_any_bytes) {
  fuzz::Target target;
  target.samples = {framed(a_line), framed(two_lines())};
  target.words = words;
  target.letters = "\"1{";
  target.complaint = [&](std::string const& bytes) { return complaint(bytes); };
  target.runs = 4'000;
  fuzz::run(target);
}

TEST_F(FuzzedWisdom, with_the_right_checksum_of_any_lines) {
  fuzz::Target target;
  target.samples = {a_line, two_lines()};
  target.words = words;
  target.letters = "\"{}[],:0\\";
  target.complaint = [&](std::string const& lines) { return complaint(framed(lines)); };
  target.runs = 4'000;
  fuzz::run(target);
}

}  // namespace
}  // namespace sixstep::wisdom

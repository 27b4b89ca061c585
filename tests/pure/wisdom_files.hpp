// SPDX-License-Identifier: BSD-3-Clause
// Wisdom files in a folder of a test's own, and what must happen to those that are not used.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "wisdom/wisdom_file.hpp"

namespace sixstep::wisdom {

namespace fs = std::filesystem;
using Random = std::mt19937_64;

/// A folder of one test; others than its owner may look into it.
class Folder {
 public:
  Folder() {
    std::string name = testing::TempDir() + "wisdom.XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
    fs::permissions(path_, fs::perms(0755));
  }
  ~Folder() {
    fs::permissions(path_, fs::perms(0755));
    fs::remove_all(path_);
  }
  Folder(Folder const&) = delete;
  Folder& operator=(Folder const&) = delete;

  fs::path operator/(char const* name) const { return path_ / name; }
  fs::path const& path() const { return path_; }

  std::set<std::string> names() const {
    std::set<std::string> found;
    for (auto const& file : fs::directory_iterator(path_)) found.insert(file.path().filename());
    return found;
  }

 private:
  fs::path path_;
};

inline std::string contents(fs::path const& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

inline void put(fs::path const& file, std::string const& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

inline Entry entry_of(std::string const& problem) {
  return {{{"problem", problem}, {"ranks", "4"}},
          {{"exchange", "pairwise"}, {"windows", "8"}},
          "quick",
          0.0125,
          0.1,
          "2026-11-22T21:45:00Z"};
}

inline bool holds(std::string const& words, std::string const& part) {
  return words.find(part) != std::string::npos;
}

inline std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

inline std::string replaced(std::string words, std::string const& from, std::string const& to) {
  auto const at = words.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return words.replace(at, from.size(), to);
}

inline std::string keep(fs::path const& file, Entry const& entry) {
  return wisdom::keep(file, std::vector{entry});
}

/// Expects of a file with these bytes that nothing of it is taken, and that it stays as it is.
inline void expect_ignored(fs::path const& file, std::string const& bytes, std::string const& why) {
  put(file, bytes);
  Read const found = read(file);
  EXPECT_TRUE(found.entries.empty()) << bytes.substr(0, 2000);
  EXPECT_TRUE(holds(found.report, why)) << found.report;
  EXPECT_TRUE(holds(found.report, file.string() + ": ")) << found.report;
  EXPECT_TRUE(holds(found.report, "it is not used")) << found.report;
  EXPECT_EQ(found.report.find('\n'), std::string::npos);
  EXPECT_EQ(contents(file), bytes);
}

/// Expects of a file with these bytes that no writer changes it.
inline void expect_left(fs::path const& file, std::string const& bytes, std::string const& why) {
  expect_ignored(file, bytes, why);
  std::string const report = keep(file, entry_of("a"));
  EXPECT_TRUE(holds(report, "wisdom is not kept: " + file.string() + ": " + why)) << report;
  EXPECT_TRUE(holds(report, "it is left as it is")) << report;
  EXPECT_EQ(contents(file), bytes);
}

}  // namespace sixstep::wisdom

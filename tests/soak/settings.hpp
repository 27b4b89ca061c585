// SPDX-License-Identifier: BSD-3-Clause
// What the command line asks of soak.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace soak {

struct Settings {
  std::uint64_t seed = 0;
  double seconds = 0;
  std::uint64_t first = 0;
  std::uint64_t problems = 0;  // 0: any number
  std::string problem;
  std::string only;
  std::string avoid;
  std::string log;
  unsigned patience_s = 60;
  double shrink_s = 20;
  int times = 1;
  bool keep_going = false;
  bool list_simpler = false;
};

/// Names and explains the settings.
void add_settings(CLI::App& app, Settings& settings);

/// What was not given: a new seed, and how long to go on.
void complete(CLI::App const& app, Settings& settings);

}  // namespace soak

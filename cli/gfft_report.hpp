// SPDX-License-Identifier: BSD-3-Clause
// The figures that `sixstep gfft` reports: a table, HPCC's lines, JSON.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "measure.hpp"

namespace sixstep::cli {

/// All figures of the report.
struct GfftReport {
  Index points;
  std::string why;
  int ranks;
  int threads;
  int exchanges;
  std::string plan;
  double planning_seconds;
  double generating_seconds = 0;
  std::vector<double> seconds = {};  // of the timed transforms
  double inverse_seconds = 0;
  double check_seconds = 0;
  double all_to_all_seconds = 0;  // 0: nothing to send
  std::vector<Part> parts = {};
  double array_bytes = 0;  // of a rank, as the next two
  double work_bytes = 0;
  Index peak_bytes = 0;
  double vectors = 0;  // all memory used, in vectors
  double error = 0;    // max|x - x0|
  double residual = 0;
  nlohmann::ordered_json samples = {};

  double gigaflop() const {
    auto const n = static_cast<double>(points);
    return 5e-9 * n * std::log2(n);
  }
  double rate() const { return gigaflop() / median(seconds); }
  double best_rate() const {
    return gigaflop() / *std::min_element(seconds.begin(), seconds.end());
  }
  double limit() const { return gigaflop() / (exchanges * all_to_all_seconds); }
};

/// Prints a table of the figures.
void print(GfftReport const& report);
/// Prints HPCC's lines, so that programs which read HPCC's output can read this one.
void print_hpcc(GfftReport const& report);
nlohmann::ordered_json to_json(GfftReport const& report, Precision precision,
                               Options const& options);

}  // namespace sixstep::cli

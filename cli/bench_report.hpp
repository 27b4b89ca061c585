// SPDX-License-Identifier: BSD-3-Clause
// What `sixstep bench` is asked for, and the figures that it reports.
#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "domain.hpp"
#include "measure.hpp"
#include "oracle.hpp"

namespace sixstep::cli {

struct BenchArguments {
  Shape shape;
  std::vector<Shape> sizes;  // replace the shape if there are any
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Index> modes;
  Precision precision = Precision::double_;
  LayoutChoice layout;
  Options options = {};
  int repeats = 10;
  bool in_place = false;
  bool plan_arrays = false;
  bool breakdown = false;
  bool verify = false;
  std::optional<std::string> machine;  // a file; empty: the default one
  bool against_fftw = false;
  std::string operator_words;  // empty: a transform
  Domain domain = {};          // replaces the kinds if it has walls
  std::string plot;
  std::string json;
};

/// Times of single transforms, on the slowest rank.
struct Times {
  std::vector<double> seconds;
  std::vector<Part> parts;            // averages
  double comm_seconds = 0;            // average of the rank that communicates longest
  std::vector<double> rival_seconds;  // of the rival, each after one of our transforms

  double min() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double mean() const {
    return std::accumulate(seconds.begin(), seconds.end(), 0.0) /
           static_cast<double>(seconds.size());
  }
  double median() const { return cli::median(seconds); }
  // The rival's time divided by ours: the median over pairs of successive transforms.
  double advantage() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < seconds.size(); ++i)
      ratios.push_back(rival_seconds[i] / seconds[i]);
    return cli::median(ratios);
  }
};

/// All figures of a report.
struct Report {
  BenchArguments arguments;
  Layout input;
  Layout output;
  std::string plan;
  int threads = 0;
  std::string binding = {};
  int passes = 0;
  int exchanges = 0;
  int transforms = 1;  // of one field; an operator transforms its fields, and back its results
  double planning_seconds = 0;
  Times times = {};
  Index peak_bytes = 0;
  std::optional<Errors> errors = {};
  std::optional<Prediction> prediction = {};
  std::string rival = {};
  std::optional<double> difference = {};  // of an operator's result from that of its parts

  // The relative error of the predicted time; positive if the prediction is too long.
  double prediction_error() const { return prediction->seconds / times.median() - 1; }
  // Floating-point operations per point and level, by the usual convention.
  double flop() const { return (is_real_input(arguments.kinds) ? 2.5 : 5) * transforms; }
  // All operations, in units of 1e9: log2(n) levels along each transformed axis of n points.
  double gigaflop() const {
    double levels = 0;
    for (int axis = 0; axis < input.axes(); ++axis)
      if (is_transformed(axis)) levels += std::log2(static_cast<double>(input.shape()[axis]));
    return 1e-9 * flop() * static_cast<double>(volume(input.shape())) * levels;
  }
  bool is_transformed(int axis) const {
    std::vector<int> const axes = axes_of(arguments.axes, input.axes());
    return axes.empty() || std::find(axes.begin(), axes.end(), axis) != axes.end();
  }
};

/// Prints a table of one transform.
void print(Report const& report);
/// Print a line for each of several sizes, under a heading; `rival` is empty if there is none.
void print_heading(std::string const& rival);
void print_line(Report const& report);
nlohmann::ordered_json to_json(Report const& report);
/// Draws GFLOP/s, by median times, over sizes.
void plot(std::vector<Report> const& reports, std::string const& file);

}  // namespace sixstep::cli

// SPDX-License-Identifier: BSD-3-Clause
// Prices of plans on machines that files describe.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/machine_file.hpp"
#include "model/price.hpp"

namespace sixstep::model {

inline Machine machine(std::string const& name) {
  return read_machine(std::string(SIXSTEP_MACHINES) + '/' + name + ".json");
}

/// Figures that are easy to reckon with.
inline Machine simple() {
  Machine on;
  on.name = "simple";
  on.node_ranks = 4;
  on.node_cores = 8;
  on.network = {1e-5, 4e9, 2e9, Flat{}};
  on.inside = {1e-6, 4e9};
  on.memory = Memory{{1e9, 0.5}};
  on.double_gflops.rows = Curve::Points{{16, 1}, {256, 2}};
  on.single_gflops.rows = Curve::Points{{16, 4}};
  return on;
}

inline Price priced(schedule::Problem const& problem, Machine const& on,
                    program::Limits const& limits = {}) {
  formulas::Composition const composition = formulas::compose(problem);
  return price(composition, std::vector(composition.schedules.size(), limits), on);
}

/// The output stays where it is cheapest.
inline Price slabs(Shape const& shape, int ranks, Machine const& on) {
  return priced({.input = Layout::slab(shape, ranks)}, on);
}

/// How far, as a share of the larger.
inline double apart(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(a, b); }

inline constexpr double rounding = 1e-12;

}  // namespace sixstep::model

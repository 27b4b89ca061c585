// SPDX-License-Identifier: BSD-3-Clause
// Maps: compositions of one schedule that transforms back to points, calls a function of the values
// there, and transforms forward.
#pragma once

#include <optional>
#include <vector>

#include "formulas/calls_function.hpp"
#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The data that a map needs besides its problem.
struct MapNeeds {
  /// A function, and the number of its results.
  struct Step {
    AnyFunction function;
    int results;
  };

  std::optional<Step> before;  // of the coefficients of the input
  Step at_points;
  std::optional<Step> after;           // of the coefficients of the result
  std::vector<double> sides = {};      // as Spectrum takes them
  Index batch = 1;                     // the least points of a batch
  int fields_axis = -1;                // -1: one field throughout
  std::optional<Layout> results = {};  // of the coefficients of the result; empty: as the input's
};

/// The composition whose forward run leads from the coefficients of `problem` to those of what the
/// functions make of it. It has no backward run. Throws the errors of schedule().
Composition compose_map(schedule::Problem const& problem, schedule::Choices const& choices,
                        MapNeeds const& needs);

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Operators: compositions of one schedule that transforms, does an operation at points, and
// transforms back.
#pragma once

#include <vector>

#include "formulas/composition.hpp"
#include "sixstep/symbol.hpp"

namespace sixstep::formulas {

/// What an operator needs besides its problem.
struct OperatorNeeds {
  Symbol symbol;
  bool kept = true;                // in a table
  std::vector<double> sides = {};  // as Spectrum takes them
  int fields_axis = -1;            // -1: one field
};

/// The composition whose forward run multiplies the coefficients of `problem` by a symbol: from the
/// input to an array that lies like it, with as many fields as the symbol has results. It has no
/// backward run. Throws the errors of schedule(), and those of the symbol where it is kept.
Composition compose_operator(schedule::Problem const& problem, schedule::Choices const& choices,
                             OperatorNeeds const& needs);

}  // namespace sixstep::formulas

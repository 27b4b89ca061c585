// SPDX-License-Identifier: BSD-3-Clause
// Operators: compositions of one schedule that transforms, does an operation at points, and
// transforms back.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formulas/composition.hpp"
#include "formulas/spectrum.hpp"
#include "formulas/times_symbol.hpp"

namespace sixstep::formulas {

/// The product of an operator.
struct OperatorProduct {
  std::string name = "times symbol";
  bool is_matrix = false;      // results depend on several fields
  int results = 1;             // of a matrix
  bool in_users_axes = false;  // coefficients lie in the axes of the user's, none of them split
  bool is_table = false;       // the formula does nothing but multiply by a table that it keeps
  Index numbers = 0;           // of a table, for each coefficient; 0: it reads none
  bool are_real = false;       // these numbers
  using MakeFormula = std::function<std::shared_ptr<Formula const>(Spectrum const&)>;
  MakeFormula formula = {};
};

/// The product with a symbol.
OperatorProduct times_symbol(Symbol const& symbol, TimesSymbol::Way way = TimesSymbol::Way::kept);

/// The data that an operator needs besides its problem.
struct OperatorNeeds {
  OperatorProduct product;
  std::vector<double> sides = {};  // as Spectrum takes them
  int fields_axis = -1;            // -1: one field
  // The problem that leads from the result to the same coefficients. Empty: that of the input.
  std::optional<schedule::Problem> result = {};
};

/// The composition whose forward run multiplies the coefficients of `problem`: from the input to an
/// array that lies like it, or like the input of `needs.result`, with as many fields as the product
/// has results. It has no backward run. Throws the errors of schedule().
Composition compose_operator(schedule::Problem const& problem, schedule::Choices const& choices,
                             OperatorNeeds const& needs);

}  // namespace sixstep::formulas

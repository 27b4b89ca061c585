// SPDX-License-Identifier: BSD-3-Clause
// What operators have in common, whatever they multiply coefficients by.
#pragma once

#include <memory>
#include <optional>

#include "formulas/operators.hpp"
#include "runners/composition_runner.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/operator.hpp"

namespace sixstep {

/// An operator's arguments: the layouts of its input and its result, options, and the product.
struct OperatorWanted {
  Layout input;
  std::optional<OperatorResult> result;  // empty: as the input
  OperatorOptions options;
  formulas::OperatorProduct product;
};

/// A runner for an operator. Collective. Throws the errors of an Operator.
std::unique_ptr<runners::CompositionRunner> make_operator(OperatorWanted const& wanted,
                                                          MPI_Comm comm, int real_bytes);

}  // namespace sixstep

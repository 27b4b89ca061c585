// SPDX-License-Identifier: BSD-3-Clause
// Multiplies coefficients by an array of numbers, one for each, in the midst of a schedule.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "formulas/formula.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::formulas {

/// Numbers for the coefficients of a rank, in the plan's precision. They lie in memory as the
/// coefficients of one field do after the transform, without gaps.
struct Factors {
  std::shared_ptr<void const> numbers = {};
  bool are_real = false;
};

/// The formula of a convolution: complex coefficients times numbers that may change between
/// executions. Several fields are multiplied by the same numbers.
class TimesArray : public Formula {
 public:
  /// `coefficients` is the layout of one field; working axes are those of the layout and, behind
  /// them, an axis of fields, if there is one.
  TimesArray(Layout coefficients, std::shared_ptr<Factors const> factors)
      : coefficients_(std::move(coefficients)), factors_(std::move(factors)) {}

  std::string name() const override { return "convolution"; }
  std::string name(int) const override { return "times kernel"; }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const override;

 private:
  Layout coefficients_;
  std::shared_ptr<Factors const> factors_;
};

}  // namespace sixstep::formulas

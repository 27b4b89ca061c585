// SPDX-License-Identifier: BSD-3-Clause
// Multiplies coefficients by an array of numbers, one for each, in the midst of a schedule.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "formulas/formula.hpp"
#include "layout/placement.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::formulas {

/// Numbers for the coefficients of a rank, in the plan's precision. They lie in memory as the
/// coefficients of one field do after the transform, without gaps.
struct Factors {
  std::shared_ptr<void const> numbers = {};
  bool are_real = false;
};

/// The formula of a convolution, or of an operator whose symbol is an array: coefficients times
/// numbers that may change between executions. Several fields are multiplied by the same numbers.
class TimesArray : public Formula {
 public:
  /// `coefficients` is the layout of one field; working axes are those of the layout and, behind
  /// them, an axis of fields, if there is one.
  TimesArray(Layout coefficients, std::shared_ptr<Factors const> factors,
             layout::Number number = layout::Number::complex, std::string what = "kernel")
      : coefficients_(std::move(coefficients)),
        factors_(std::move(factors)),
        number_(number),
        what_(std::move(what)) {}

  /// The same for other numbers.
  TimesArray with(std::shared_ptr<Factors const> factors) const {
    return {coefficients_, std::move(factors), number_, what_};
  }

  Layout const& coefficients() const { return coefficients_; }
  layout::Number number() const { return number_; }

  std::string name() const override { return "times " + what_; }
  std::string name(int) const override { return "times " + what_; }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const override;

 private:
  Layout coefficients_;
  std::shared_ptr<Factors const> factors_;
  layout::Number number_;  // of the coefficients
  std::string what_;
};

}  // namespace sixstep::formulas

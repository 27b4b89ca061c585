// SPDX-License-Identifier: BSD-3-Clause
// Multiplies coefficients by an array of numbers, one for each, in the midst of a schedule.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "formulas/formula.hpp"
#include "formulas/times_symbol.hpp"
#include "layout/placement.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::formulas {

/// Where the numbers for the coefficients of a rank lie: as the coefficients of one field do after
/// the transform, without gaps; but along folded axes numbers k and n - k are the same, and only
/// the first n/2 + 1 are there.
struct Folding {
  Shape folded = {};   // the extent of each axis that is folded; 0: it is not
  Shape strides = {};  // of numbers, along each axis
  Index size = 0;      // numbers

  /// The number of a coefficient along an axis, from its index k and the first one of the rank.
  Index number(int axis, Index k) const {
    return folded[axis] > 0 ? std::min(k, folded[axis] - k) : k;
  }
};

/// Folds all axes that `may_fold` names, that the rank holds whole, and that are not the fastest in
/// memory.
Folding folding_of(Layout const& coefficients, int rank, std::vector<int> const& may_fold);

/// Numbers for the coefficients of a rank, in the plan's precision.
struct Factors {
  std::shared_ptr<void const> numbers = {};
  bool are_real = false;
  std::vector<int> folded = {};  // axes that may be folded
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

  /// The product with other numbers.
  TimesArray with(std::shared_ptr<Factors const> factors) const {
    TimesArray made = *this;
    made.factors_ = std::move(factors);
    return made;
  }
  /// The product of the same coefficients and a function of k, which may take the place of the
  /// array; null for a convolution.
  std::shared_ptr<TimesSymbol const> const& function() const { return function_; }
  void keep(std::shared_ptr<TimesSymbol const> function) { function_ = std::move(function); }

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
  std::shared_ptr<TimesSymbol const> function_;
};

}  // namespace sixstep::formulas

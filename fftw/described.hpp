// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <string>

#include "plan_object.hpp"
#include "problem.hpp"

namespace sixstep::fftw {

/// What all plans have: words, and a count of operations.
class Described : public PlanObject<Real> {
 public:
  Described(Problem const& problem, char const* how)
      : words_("(sixstep-" + std::string(how) + ' ' + words(problem) + ')'),
        points_(points(problem)) {
    for (Axis const& axis : problem.axes) levels_ += std::log2(static_cast<double>(axis.n));
    if (problem.numbers != Numbers::c2c) levels_ /= 2;
  }

  /// Those of radix 2: for each point and level 3 additions and 2 multiplications.
  void flops(double* add, double* multiply, double* fused) const override {
    *add = 3 * points_ * levels_;
    *multiply = 2 * points_ * levels_;
    *fused = 0;
  }
  std::string describe() const override { return words_; }

 private:
  std::string words_;
  double points_;
  double levels_ = 0;
};

}  // namespace sixstep::fftw

// SPDX-License-Identifier: BSD-3-Clause
// What all plans of several ranks have in common.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "names.hpp"
#include "plan_object.hpp"

namespace sixstep::fftw {

/// A plan of several ranks. Executions that fail end the program, since FFTW's functions have no
/// way to report it.
class MpiObject : public PlanObject<Real> {
 public:
  /// `points` are those of the whole array, `transformed` those along its transformed axes.
  MpiObject(double points, double transformed) : points_(points), transformed_(transformed) {}

  void execute(Arrays<Real> const& arrays) const final {
    try {
      run(arrays);
    } catch (std::exception const& error) {
      std::fprintf(stderr, "sixstep: a plan of FFTW's interface failed: %s\n", error.what());
      std::abort();
    }
  }
  /// Those of a complex transform of length 2^k: 3 N log2 N and 2 N log2 N.
  void flops(double* add, double* multiply, double* fused) const final {
    double const terms = transformed_ > 1 ? points_ * std::log2(transformed_) : 0;
    *add = 3 * terms;
    *multiply = 2 * terms;
    *fused = 0;
  }

 private:
  virtual void run(Arrays<Real> const& arrays) const = 0;

  double points_;
  double transformed_;
};

}  // namespace sixstep::fftw

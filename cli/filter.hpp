// SPDX-License-Identifier: BSD-3-Clause
// The filters of `sixstep fft --filter`: a factor for each wave vector.
//
// This file knows nothing about arrays, plans or MPI.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/indices.hpp"

namespace sixstep::cli {

/// A periodic domain with these sides, sampled by an array of this shape.
struct Domain {
  Shape shape;
  PerAxis<double> sides;
  std::vector<int> axes;  // the transformed axes
};

class Filter {
 public:
  /// `words` is one of
  ///   lowpass=K, highpass=K   keeps the waves with |k| <= K, or with |k| >= K
  ///   derivative=A            i k along axis A: the derivative
  ///   laplacian               -|k|^2
  ///   inverse-laplacian       -1/|k|^2, and 0 at k = 0: the solution of Poisson's equation
  ///   a formula               in k0, k1 ... along the axes and k = |k|: "exp(-(k/20)^2)"
  ///
  /// Errors: the axis is not transformed; muParser does not understand the formula, or the command
  /// was built without muParser.
  Filter(std::string words, Domain domain);
  ~Filter();
  Filter(Filter&&) noexcept;

  /// The factor of the wave with `waves` periods in the domain along each axis of the array.
  /// Errors: the formula has no finite value there; with `of_reals`, its value at -k differs, which
  /// would make a real array complex.
  std::complex<double> operator()(PerAxis<double> const& waves, bool of_reals) const;

 private:
  class Formula;
  enum class Kind { lowpass, highpass, derivative, laplacian, inverse_laplacian, formula };

  double real_factor(PerAxis<double> const& k) const;

  std::string words_;
  Domain domain_;
  Kind kind_ = Kind::formula;
  double limit_ = 0;
  int axis_ = 0;
  std::unique_ptr<Formula> formula_;
};

}  // namespace sixstep::cli

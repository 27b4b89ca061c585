// SPDX-License-Identifier: BSD-3-Clause
// What `sixstep fft --filter` multiplies a transform by: a factor for each wave vector.
//
// Knows nothing about arrays, plans or MPI.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "sixstep/indices.hpp"

namespace sixstep::cli {

/// Where a factor is asked for: on a periodic domain with these sides, an array of this shape.
struct Domain {
  Shape shape;
  PerAxis<double> sides;
  std::vector<int> axes;  // that are transformed
};

class Filter {
 public:
  /// `words` is one of
  ///   lowpass=K, highpass=K   the waves up to |k| = K, or from there on
  ///   derivative=A            i k along axis A: the derivative
  ///   laplacian               -|k|^2
  ///   inverse-laplacian       -1/|k|^2, and 0 at k = 0: the solution of Poisson's equation
  ///   a formula               of k0, k1 ... along the axes and k = |k|: "exp(-(k/20)^2)"
  ///
  /// Errors: an axis that is not transformed; a formula that muParser does not understand, or any
  /// where the command was built without muParser.
  Filter(std::string words, Domain domain);
  ~Filter();
  Filter(Filter&&) noexcept;

  /// The factor of the wave that has so many periods in the domain along each axis of the array.
  /// Errors: a formula that has no finite value there; with `of_reals`, one that differs at -k, by
  /// which a real array would become complex.
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

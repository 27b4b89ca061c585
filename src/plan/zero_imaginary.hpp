// SPDX-License-Identifier: BSD-3-Clause
// A transform of an odd number n of reals, as one of complex numbers.
//
// Back, the coefficients k > n/2 need not be made: x[j] is the real part of
// X[0] + sum_(0<k<n/2) 2 X[k] w_n^-jk.
#pragma once

#include "plan/composition.hpp"
#include "plan/pointwise.hpp"

namespace sixstep::plan {

/// The composition for an r2c along the only axis of `line`, of an odd length.
Composition zero_imaginary(Problem const& line, Choices const& choices);

/// What one rank has of both.
template <class Real>
class Widening {
 public:
  Widening(ZeroImaginary const& formula, int rank);

  void apply(Map map, bool backward, Operands<Real> const& on);

 private:
  Index points_;
  Index kept_;
  bool has_first_;
};

extern template class Widening<float>;
extern template class Widening<double>;

}  // namespace sixstep::plan

// SPDX-License-Identifier: BSD-3-Clause
// A transform of n reals, n even, as one of n/2 complex numbers z[j] = x[2j] + i x[2j + 1], whose
// coefficients Z give those of the reals, and back (Cooley, Lewis, Welch 1970):
//   2 X[k] = Z[k] + conj Z[n/2 - k] - i w_n^k (Z[k] - conj Z[n/2 - k]),  k = 0 ... n/2,
//   Z[k] = X[k] + conj X[n/2 - k] + i w_n^-k (X[k] - conj X[n/2 - k]), scaled as a transform back.
#pragma once

#include <complex>
#include <vector>

#include "plan/composition.hpp"
#include "plan/pointwise.hpp"

namespace sixstep::plan {

/// The composition for an r2c along the only axis of `line`, of an even length.
Composition half_complex(Problem const& line, Choices const& choices);

/// One rank's table: a root of unity for each of its coefficients.
template <class Real>
class Halves {
 public:
  Halves(HalfComplex const& formula, int rank);

  /// join: of coefficients of complex numbers, and `other`, the same mirrored, those of reals.
  /// split: the other way round; target is other.
  void apply(Map map, bool backward, Operands<Real> const& on);

 private:
  using Complex = std::complex<Real>;

  Range range_;
  Index last_;  // n/2
  std::vector<Complex> roots_;
};

extern template class Halves<float>;
extern template class Halves<double>;

}  // namespace sixstep::plan

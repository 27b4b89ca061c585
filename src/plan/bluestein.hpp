// SPDX-License-Identifier: BSD-3-Clause
// A transform of any length, as cyclic convolutions of a length that ranks share well.
//
// With the chirp c[j] = exp(-i pi j^2/n) (Bluestein 1970),
//   X[k] = c[k] sum_j (c[j] x[j]) b[k - j],  b[m] = conj c[m].
// Of 2L >= 2n points the second half are zeros, so that the first step of their transform is known:
// it is two transforms of L points, of a[j] = c[j] x[j] and of a[j] w_2L^j. So every rank keeps its
// points, twice, and no zero is ever sent.
#pragma once

#include <complex>
#include <vector>

#include "plan/composition.hpp"
#include "plan/pointwise.hpp"

namespace sixstep::plan {

/// The composition for a c2c along the only axis of `line`.
Composition bluestein(Problem const& line, Choices const& choices);

/// One rank's tables: of O(n / ranks) entries, rounded to nearest.
template <class Real>
class Chirps {
 public:
  Chirps(Bluestein const& formula, int rank);

  void apply(Map map, bool backward, Operands<Real> const& on);

 private:
  using Complex = std::complex<Real>;

  void write_chirp(Complex* columns) const;

  Bluestein formula_;
  Range range_;
  Index points_;                      // of either column
  Index filled_;                      // of these, below n
  std::vector<Complex> chirp_;        // c[j]
  std::vector<Complex> turn_;         // w_2L^j
  std::vector<Complex> transformed_;  // of b, both columns
};

extern template class Chirps<float>;
extern template class Chirps<double>;

}  // namespace sixstep::plan

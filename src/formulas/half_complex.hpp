// SPDX-License-Identifier: BSD-3-Clause
// A transform of n reals, n even, computed as one of n/2 complex numbers
//   z[j] = x[2j] + i x[2j + 1].
// Their coefficients Z give those of the reals, and the reverse (Cooley, Lewis, Welch 1970):
//   2 X[k] = Z[k] + conj Z[n/2 - k] - i w_n^k (Z[k] - conj Z[n/2 - k]),  k = 0 ... n/2,
//   Z[k] = X[k] + conj X[n/2 - k] + i w_n^-k (X[k] - conj X[n/2 - k]), scaled as a transform back.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for an r2c along the only axis of `line`, of an even length.
Composition half_complex(schedule::Problem const& line, schedule::Choices const& choices);

}  // namespace sixstep::formulas

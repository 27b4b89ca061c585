// SPDX-License-Identifier: BSD-3-Clause
// A transform of any length, as cyclic convolutions of a length that ranks share well.
//
// The chirp is c[j] = exp(-i pi j^2/n) (Bluestein 1970):
//   X[k] = c[k] sum_j (c[j] x[j]) b[k - j],  b[m] = conj c[m].
// The convolution has 2L >= 2n points, and the second half are zeros. So the first step of its
// transform leaves two transforms of L points, of a[j] = c[j] x[j] and of a[j] w_2L^j. Every rank
// keeps its points, twice, and no zero is ever sent. The product with the transform of b is made
// where the transforms of a end.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for a c2c along the only axis of `line`.
Composition bluestein(schedule::Problem const& line, schedule::Choices const& choices);

}  // namespace sixstep::formulas

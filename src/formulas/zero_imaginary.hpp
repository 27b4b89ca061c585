// SPDX-License-Identifier: BSD-3-Clause
// A transform of an odd number n of reals, as one of complex numbers.
//
// Back, the coefficients k > n/2 need not be made: x[j] is the real part of
// X[0] + sum_(0<k<n/2) 2 X[k] w_n^-jk.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for an r2c along the only axis of `line`, of an odd length.
Composition zero_imaginary(schedule::Problem const& line, schedule::Choices const& choices);

}  // namespace sixstep::formulas

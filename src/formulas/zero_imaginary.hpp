// SPDX-License-Identifier: BSD-3-Clause
// A transform of an odd number n of reals, computed as one of complex numbers.
//
// The backward transform does not need the coefficients k > n/2: x[j] is the real part of
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for an r2c along the only axis of `line`, of an odd length.
Composition zero_imaginary(schedule::Problem const& line, schedule::Choices const& choices);

}  // namespace sixstep::formulas

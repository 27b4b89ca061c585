// SPDX-License-Identifier: BSD-3-Clause
// Multiplies coefficients by a product of one number for each axis, in the midst of a schedule.
#pragma once

#include <memory>

#include "formulas/formula.hpp"
#include "formulas/spectrum.hpp"

namespace sixstep::formulas {

/// The pointwise work of a symbol that is a product, on a spectrum that has weights: a table of
/// numbers for each axis. `in_order`: they are multiplied from the first axis to the last. Throws
/// Error
/// - if there is not one factor for each axis;
/// - if a number is infinite or no number;
/// - if coefficients are real, or the symbol is said to be real, and a number is not.
std::unique_ptr<Pointwise> times_factors(Spectrum const& spectrum, Symbol const& symbol,
                                         int real_bytes, bool in_order);

}  // namespace sixstep::formulas

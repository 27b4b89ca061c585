// SPDX-License-Identifier: BSD-3-Clause
// A transform of n reals on one rank, n even, in two levels that threads share
// (local/two_level_reals.hpp).
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The composition for an r2c along the only axis of `line`, of an even length of at least 4.
Composition reals_in_two_levels(schedule::Problem const& line, schedule::Choices const& choices);

}  // namespace sixstep::formulas

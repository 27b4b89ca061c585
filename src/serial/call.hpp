// SPDX-License-Identifier: BSD-3-Clause
// Checks calls of execute(), for plans of any kind.
#pragma once

#include "layout/placement.hpp"
#include "sixstep/direction.hpp"

namespace sixstep::serial {

using layout::Number;

/// Throws Error unless a plan with these elements on its sides can transform arrays of `in` to
/// arrays of `out` in that direction. The message names the possible calls.
void check_call(layout::Number input, layout::Number output, layout::Number in, layout::Number out,
                Direction direction);

}  // namespace sixstep::serial

// SPDX-License-Identifier: BSD-3-Clause
// Measures memory by copies like those of a plan's passes.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// Takes about `seconds`. Copies rows from array to array, past the caches where a pass would do
/// so, and strips to a buffer and back. The arrays lie in the same kind of memory as those of a
/// plan: shared by the ranks of a node. Collective. Throws Error if there is not enough memory.
model::Memory memory(Team const& team, double seconds);

}  // namespace sixstep::measure

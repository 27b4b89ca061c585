// SPDX-License-Identifier: BSD-3-Clause
// Measuring memory: copies as the passes of a plan make them.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// In so many seconds, about. Rows are copied from array to array, past the caches where a pass
/// would do so; strips to a buffer and back. Arrays lie where those of a plan do: in memory that
/// the ranks of a node have in common. Collective. Errors: memory that cannot be had.
model::Memory memory(Team const& team, double seconds);

}  // namespace sixstep::measure

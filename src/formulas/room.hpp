// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a machine has the memory that a plan needs. Call it before tables and arrays are
// made: these could take minutes, and all memory of other processes, before they fail.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// The arrays and ranks that share the memory of a machine.
struct Needs {
  int arrays = 1;      // of each rank at the same time
  int node_ranks = 1;  // on the machine
};

/// Throws Error with ErrorCode::memory if the machine has less memory than the arrays take.
void require_room(Composition const& composition, Needs const& needs = {});

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Whether a machine has the memory that a plan needs. Ask before tables and arrays are made: they
// could take minutes, and all memory of others, before they failed.
#pragma once

#include "formulas/composition.hpp"

namespace sixstep::formulas {

/// Who needs the memory of a machine.
struct Needs {
  int arrays = 1;      // that each rank has at the same time
  int node_ranks = 1;  // that share the machine
};

/// Throws Error, of ErrorCode::memory, if the machine has less memory than the arrays take.
void require_room(Composition const& composition, Needs const& needs = {});

}  // namespace sixstep::formulas

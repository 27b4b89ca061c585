// SPDX-License-Identifier: BSD-3-Clause
// How many threads a rank should use.
#pragma once

#include "runtime/mpi.hpp"

namespace sixstep {

/// OMP_NUM_THREADS if it is set; otherwise this rank's fair share of the cores that the ranks of
/// its node may run on, at least 1. Collective.
int fair_threads(mpi::Communicator const& comm);

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Compiles a schedule to the program of one rank. Pure: no MPI, no data.
#pragma once

#include <vector>

#include "program/limits.hpp"
#include "program/program.hpp"

namespace sixstep::program {

/// The programs of `rank`, one for each of `arrays`, with the fewest sweeps and then the least
/// memory; in windows if that takes less. An array rests in the same buffer on all ranks.
std::vector<Program> compile(schedule::Schedule const& schedule, int rank, Limits const& limits,
                             std::vector<Arrays> const& arrays);
Program compile(schedule::Schedule const& schedule, int rank, Limits const& limits = {},
                Arrays const& arrays = {});

}  // namespace sixstep::program

// SPDX-License-Identifier: BSD-3-Clause
// How each exchange is done: all ways are tried by compiling the program of one rank.
#pragma once

#include <array>

#include "plan/buffers.hpp"
#include "plan/steps.hpp"

namespace sixstep::plan {

/// The rank by whose program all ranks choose the transfers, so that they choose alike.
int reference_rank(Schedule const& schedule);

/// What is the same on all ranks.
Limits common(Limits const& limits);

/// Whether all exchanges are among ranks that have memory in common.
bool stays_on_a_node(Limits const& limits);

/// The program with these transfers; without buffers if none costs less than `bound` sweeps and
/// reals.
Program make_program(Schedule const& schedule, int rank, Transfers const& transfers,
                     Limits const& limits, Arrays const& arrays, Block const* block,
                     std::array<Index, 2> const& bound = {unbounded, unbounded});

/// The transfers of the program with the fewest sweeps and then the least memory; the same on all
/// ranks. Errors: there is none.
Transfers choose_transfers(Schedule const& schedule, Limits const& limits, Arrays const& arrays,
                           Block const* block);

}  // namespace sixstep::plan

// SPDX-License-Identifier: BSD-3-Clause
// Ways: how each exchange is done. All are tried by compiling the program of one rank.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "program/buffers.hpp"
#include "program/draft.hpp"

namespace sixstep::plan {

/// The rank by whose program all ranks choose the ways, so that they choose alike.
int reference_rank(Schedule const& schedule);

/// What programs are compared by: sweeps, then reals of work arrays.
using Cost = std::array<Index, 2>;
inline constexpr Cost unbounded_cost{unbounded, unbounded};

/// A program, and what it costs.
struct Priced {
  Program program;
  Cost cost;
};

/// The program with these ways; none if there are no buffers for it that cost less than `bound`.
std::optional<Priced> make_program(Job const& job, int rank, std::vector<Way> const& ways,
                                   Cost const& bound = unbounded_cost);

/// The ways of the program with the fewest sweeps and then the least memory; the same on all
/// ranks. Errors: there are none.
std::vector<Way> choose_ways(Job const& job);

}  // namespace sixstep::plan

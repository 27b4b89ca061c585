// SPDX-License-Identifier: BSD-3-Clause
// Ways: how each exchange is done. All are tried by compiling the program of one rank.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "program/buffers.hpp"
#include "program/draft.hpp"

namespace sixstep::program {

/// The rank by whose program all ranks choose the ways, so that they choose alike.
int reference_rank(schedule::Schedule const& schedule);

/// What programs are compared by: how many quarters of the step before others wait for (in
/// windows), then sweeps, then reals of work arrays.
struct Cost {
  Index waits = unbounded;
  Index sweeps = unbounded;
  Index reals = unbounded;

  auto operator<=>(Cost const&) const = default;
};

/// A program, and what it costs.
struct Priced {
  Program program;
  Cost cost;
};

/// The program with these ways; none if there are no buffers for it that cost less than `bound`,
/// with at most so many reals of work arrays.
std::optional<Priced> make_program(Job const& job, int rank, std::vector<Way> const& ways,
                                   Cost const& bound = {}, Index most_reals = unbounded);

/// Ways, the same on all ranks.
struct Chosen {
  std::vector<Way> ways;
  int exchange_windows;           // for which they are
  std::vector<Way> in_turn = {};  // those of a single window, if that is another program
};

/// The ways of the cheapest program; in windows it takes no more work arrays than in turn, or it is
/// that in turn. Errors: there are none.
Chosen choose_ways(Job const& job);

/// The program with these ways.
Program make_program(Job job, int rank, Chosen const& chosen);

}  // namespace sixstep::program

// SPDX-License-Identifier: BSD-3-Clause
// Ways: how each exchange is done. All are tried by compiling the program of one rank.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "program/buffers.hpp"
#include "program/draft.hpp"

namespace sixstep::program {

/// The rank whose program decides the ways for all ranks, so that all choose alike.
int reference_rank(schedule::Schedule const& schedule);

/// Programs are compared first by the quarters of previous steps that steps wait for (in windows),
/// then by sweeps, then by the reals of work arrays.
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

/// The program with these ways; empty if no buffers for it cost less than `bound` with at most
/// `most_reals` reals of work arrays.
std::optional<Priced> make_program(ToCompile const& given, int rank, std::vector<Way> const& ways,
                                   Cost const& bound = {}, Index most_reals = unbounded);

/// Ways, the same on all ranks.
struct Chosen {
  std::vector<Way> ways;
  int exchange_windows;           // the number of windows for `ways`
  std::vector<Way> in_turn = {};  // the ways of the program in turn; empty if `ways` are those
};

/// The ways of the cheapest program. A program in windows must take no more work arrays than one in
/// turn; else the ways are those in turn. Throws an internal error if no ways are possible.
Chosen choose_ways(ToCompile const& given);

/// The program with these ways.
Program make_program(ToCompile given, int rank, Chosen const& chosen);

}  // namespace sixstep::program

// SPDX-License-Identifier: BSD-3-Clause
// Dials: numbers of Tuning that depend on the processor or the network rather than on the problem.
//
// Pure: knows nothing about MPI or clocks.
#pragma once

#include <string>
#include <vector>

#include "tuner/knobs.hpp"

namespace sixstep::tuner {

struct Dial {
  std::string name;
  bool of_messages;  // of a network, the same on all ranks; else of a processor
  Index least;
  Index most;
  Index unit;  // values are multiples of it
  Index (*value)(Tuning const&);
  void (*set)(Tuning&, Index value);
};

std::vector<Dial> const& dials();

/// Throws Error if no dial has that name.
Dial const& dial(std::string const& name);

/// `tuning` with these values of dials of a network if `of_messages`, else of a processor.
/// Throws Error
/// - if a dial does not exist, or is of the other kind
/// - if a value is not a whole number, is out of bounds, or is not a multiple of the dial's unit.
Tuning with_dials(Tuning tuning, Settings const& values, bool of_messages);

}  // namespace sixstep::tuner

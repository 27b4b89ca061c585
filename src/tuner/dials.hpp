// SPDX-License-Identifier: BSD-3-Clause
// Dials: numbers of Tuning that depend on the processor or the network rather than on the problem.
//
// Pure: knows no MPI, and no clock.
#pragma once

#include <string>
#include <vector>

#include "tuner/knobs.hpp"

namespace sixstep::tuner {

struct Dial {
  std::string name;
  bool of_messages;  // of a network, the same on all ranks; otherwise of a processor
  Index least;
  Index most;
  Index unit;  // values are multiples of it
  Index (*value)(Tuning const&);
  void (*set)(Tuning&, Index value);
};

std::vector<Dial> const& dials();

/// Errors: there is none of that name.
Dial const& dial(std::string const& name);

/// `tuning` with these values of dials of a network, or of those of a processor. Errors: a dial
/// that there is not, or that is of the other; a value that is no whole number, out of bounds or no
/// multiple of the dial's unit.
Tuning with_dials(Tuning tuning, Settings const& values, bool of_messages);

}  // namespace sixstep::tuner

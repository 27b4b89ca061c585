// SPDX-License-Identifier: BSD-3-Clause
// Running a problem on the ranks of MPI_COMM_WORLD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem.hpp"

namespace soak {

/// Runs the problem, its arrays filled as `seed` says. Returns what went wrong on the first rank
/// that has something to complain about, the same on all ranks; "" if all is well. Collective.
std::string run(Problem const& problem, std::uint64_t seed);

/// What else this machine offers: other libraries' kernels, and instruction sets.
struct Machine {
  std::vector<sixstep::Local> locals;
  std::vector<std::string> isas;
};
Machine this_machine();

}  // namespace soak

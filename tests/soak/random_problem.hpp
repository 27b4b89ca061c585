// SPDX-License-Identifier: BSD-3-Clause
// Random problems: everything that plans, operators, maps and convolutions may be asked, small odd
// cases more often than others.
#pragma once

#include "cases.hpp"
#include "problem.hpp"
#include "run.hpp"

namespace soak {

/// The same for the same random numbers.
Problem random_problem(cases::Random& random, int ranks, Machine const& machine);

}  // namespace soak

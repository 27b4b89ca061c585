// SPDX-License-Identifier: BSD-3-Clause
// Random operators, maps and convolutions.
#pragma once

#include "cases.hpp"
#include "problem.hpp"

namespace soak {

/// What is made, of which shape, kinds and layouts.
void choose_solver(cases::Random& random, Job& job, int ranks);

/// What depends on the options and executions of the job, which are changed to what solvers have.
void complete_solver(cases::Random& random, Job& job, int ranks);

}  // namespace soak

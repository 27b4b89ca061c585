// SPDX-License-Identifier: BSD-3-Clause
// Mistakes that every rank must refuse with the same Error.
#pragma once

#include "cases.hpp"
#include "problem.hpp"

namespace soak {

/// Makes one in a job that was valid.
void make_mistake(cases::Random& random, Job& job, int ranks);

}  // namespace soak

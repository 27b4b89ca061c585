// SPDX-License-Identifier: BSD-3-Clause
// Simpler problems: one step each from a problem that fails towards one that is easy to read.
#pragma once

#include <vector>

#include "problem.hpp"

namespace soak {

/// The largest steps first. Some may not be valid.
std::vector<Problem> simpler(Problem const& problem);

}  // namespace soak

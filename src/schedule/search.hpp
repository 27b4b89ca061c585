// SPDX-License-Identifier: BSD-3-Clause
// Searches the shortest path through the layouts of one frame.
#pragma once

#include "schedule/frame.hpp"
#include "schedule/output_rules.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// The cheapest schedule of a settled problem in these working axes; its seconds are infinite if
/// there is none. `rules` are those of the problem.
Schedule search(Problem const& problem, Choices const& choices, Frame const& frame,
                OutputRules const& rules);

}  // namespace sixstep::schedule

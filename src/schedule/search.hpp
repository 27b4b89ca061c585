// SPDX-License-Identifier: BSD-3-Clause
// Searches the shortest path through the layouts of one frame.
#pragma once

#include "schedule/ends.hpp"
#include "schedule/frame.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// The cheapest schedule of a settled problem in these working axes; its seconds are infinite if
/// there is none. `ends` are those of the problem.
Schedule search(Problem const& problem, Choices const& choices, Frame const& frame,
                Ends const& ends);

}  // namespace sixstep::schedule

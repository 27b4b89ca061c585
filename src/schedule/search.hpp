// SPDX-License-Identifier: BSD-3-Clause
// The shortest path through the layouts of one frame.
#pragma once

#include "schedule/frame.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::plan {

/// The cheapest schedule in these working axes; its seconds are infinite if there is none.
Schedule search(Problem const& problem, Choices const& choices, Frame const& frame);

}  // namespace sixstep::plan

// SPDX-License-Identifier: BSD-3-Clause
// Measuring kernels: the library's own transforms, by length, on data in cache.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// Of a core, while all work, in so many seconds, about. Collective.
model::Rates double_gflops(Team const& team, double seconds);
model::Rates single_gflops(Team const& team, double seconds);

}  // namespace sixstep::measure

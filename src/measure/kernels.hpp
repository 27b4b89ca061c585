// SPDX-License-Identifier: BSD-3-Clause
// Measures kernels: the library's own transforms, by length, on data in cache.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// Rates of one core while all cores work. Each call takes about `seconds`. Collective.
model::Rates double_gflops(Team const& team, double seconds);
model::Rates single_gflops(Team const& team, double seconds);

}  // namespace sixstep::measure

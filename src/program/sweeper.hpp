// SPDX-License-Identifier: BSD-3-Clause
// Joins the passes between two exchanges to sweeps, each of which reads and writes main memory
// once.
#pragma once

#include "program/limits.hpp"
#include "program/local_leg.hpp"
#include "program/program.hpp"

namespace sixstep::program {

/// The sweeps that run these passes, or a copy if there are none, from `source` to `target`. A
/// sweep takes as many passes as leave alone an axis along which windows of the box fit the cache.
/// If needed, the passes process the counts along axes that are not transformed one after another.
std::vector<Sweep> make_sweeps(LocalLeg const& leg, std::vector<Pass> passes,
                               layout::Pieces const& source, layout::Pieces const& target,
                               Limits const& limits);

}  // namespace sixstep::program

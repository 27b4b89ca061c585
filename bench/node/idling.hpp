// SPDX-License-Identifier: BSD-3-Clause
// Plans that compute as slowly as a benchmark asks for: one machine cannot compute as fast as the
// hosts that it emulates.
#pragma once

#include <utility>

#include "runners/composition_runner.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::bench::node {

/// A plan whose threads sleep for some seconds of each sweep.
class IdlingPlan : public Plan<double> {
 public:
  using Plan::Plan;
  void idle(runners::IdleSeconds seconds) { runner().idle(std::move(seconds)); }
};

}  // namespace sixstep::bench::node

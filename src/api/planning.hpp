// SPDX-License-Identifier: BSD-3-Clause
// Planning: what a plan and an operator do before they can run.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "formulas/composition.hpp"
#include "runners/composition_runner.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"
#include "tuner/tuner.hpp"

namespace sixstep {

/// What a user asks for, as the tuner takes it. Nothing is checked.
tuner::Recipe recipe_of(Layout const& input, std::optional<Layout> const& output,
                        Options const& options, int real_bytes);

/// Checks everything, and returns the job with the settings that tuning has found. Collective.
tuner::Outcome tuned(tuner::Job job, mpi::Communicator const& comm);

/// Makes the composition of a tuned recipe.
using Compose = std::function<formulas::Composition(tuner::Recipe const&)>;

/// A runner for what is wanted. Collective. Throws the errors of a plan.
std::unique_ptr<runners::CompositionRunner> make_runner(tuner::Recipe const& wanted,
                                                        mpi::Communicator comm,
                                                        Compose const& compose);

}  // namespace sixstep

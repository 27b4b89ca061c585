// SPDX-License-Identifier: BSD-3-Clause
// Planning: what a plan and an operator do before they can run.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "formulas/composition.hpp"
#include "runners/composition_runner.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"
#include "tuner/tuner.hpp"

namespace sixstep {

/// The user's request in the form that the tuner takes. Nothing is checked.
tuner::Design design_of(Layout const& input, std::optional<Layout> const& output,
                        Options const& options, int real_bytes);

/// Adds an axis of fields, even if there is only one field now, because there will be several.
tuner::Design with_fields_axis(tuner::Design design, Layout const& layout);

/// Throws Error unless `sides` are empty or a length above 0 for each of the axes.
void require_sides(std::vector<double> const& sides, int axes);

/// Throws Error if `given` is not the number of the runner's input. `what`: "operator".
void require_number(runners::CompositionRunner const& runner, layout::Number given,
                    std::string_view what);

/// Checks everything, and returns what was wanted with the settings that tuning has found.
/// Collective.
tuner::Outcome tuned(tuner::ToTune wanted, mpi::Communicator const& comm);

/// A runner for what is wanted. Collective. Throws the errors of a plan.
std::unique_ptr<runners::CompositionRunner> make_runner(tuner::Design const& wanted,
                                                        mpi::Communicator comm);

}  // namespace sixstep

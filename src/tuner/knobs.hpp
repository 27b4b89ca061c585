// SPDX-License-Identifier: BSD-3-Clause
// Knobs: the choices about a plan that its user leaves open, by name and in words.
//
// Pure: knows nothing about MPI or clocks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "decision/decision.hpp"
#include "formulas/composition.hpp"
#include "schedule/schedule.hpp"
#include "sixstep/options.hpp"

namespace sixstep::tuner {

/// Everything that a plan is made from.
struct Design {
  schedule::Problem problem;
  Options options;
  schedule::Choices choices;
  /// Makes the composition of an operator or a map; empty: the design is a plan's.
  std::function<formulas::Composition(Design const&)> compose = {};
  std::string what = {};  // all that the composition depends on besides, in words
};

/// The composition that stands for a design in prices and races. A plan's sphere counts as the
/// modes around it. Operations at points are left out: they cost the same in all compositions, and
/// may be functions of the user's.
formulas::Composition composed(Design const& design);

/// Facts about the job, the same on all ranks.
struct Facts {
  int ranks = 1;
  int nodes = 1;
  int node_ranks = 1;  // the most on any node
  int threads = 1;     // the fewest of any rank
  decision::Mpi mpi = {};
  bool picks_grid = false;  // the input may lie in any blocks
  Index split_points = 0;   // of the axis that is viewed as two; 0: there is none
};

/// Names of knobs and words for their values; the plan chooses where a knob is not named.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Knob {
  std::string name;
  bool of_messages;  // it changes the messages of ranks; else only the work of each
  /// The values that make sense for a design in which the knobs before this one are set. The first
  /// is the value without the knob.
  std::vector<std::string> (*values)(Facts const&, Design const&);
  void (*set)(Design&, std::string const& value, Facts const&);
};

/// All knobs in the order in which they are set; the most important come first.
std::vector<Knob> const& knobs();

/// The value of a knob, if it is set.
std::optional<std::string> value_of(Settings const& settings, std::string const& knob);

/// `design` with these settings. Throws Error if a knob does not exist or a value makes no sense.
Design with(Design design, Settings const& settings, Facts const& facts);

/// `settings` without those that make no sense beside the others.
Settings sensible(Design const& design, Settings const& settings, Facts const& facts);

/// The settings in words, like "pairwise, 4 windows"; "as without tuning" if there are none.
std::string to_words(Settings const& settings);

}  // namespace sixstep::tuner

// SPDX-License-Identifier: BSD-3-Clause
// Knobs: what can be chosen about a plan beyond what its user says, by name and in words.
//
// Pure: knows no MPI, and no clock.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"
#include "sixstep/options.hpp"

namespace sixstep::tuner {

/// All that a plan is made of.
struct Recipe {
  schedule::Problem problem;
  Options options;
  schedule::Choices choices;
};

/// Of the job, the same on all ranks.
struct Facts {
  int ranks = 1;
  int nodes = 1;
  int node_ranks = 1;  // the most on any
  int threads = 1;     // the fewest of any rank
  int thread_level = 0;
  bool calls_collectives = true;  // or sends messages instead, with the MPI at hand
  bool puts = true;               // the same of one-sided exchanges
  bool picks_grid = false;        // the input may lie in any blocks
  Index split_points = 0;         // of the axis that is viewed as two; 0: none is
};

/// Names of knobs and words for their values; what is not named is as the plan chooses by itself.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct Knob {
  std::string name;
  bool of_messages;  // it changes what ranks send, or else how each works
  /// Those that make sense for such a recipe, which the knobs before this one have set already; the
  /// first is as it is without the knob.
  std::vector<std::string> (*values)(Facts const&, Recipe const&);
  void (*set)(Recipe&, std::string const& value, Facts const&);
};

/// In the order in which they are set; what matters most comes first.
std::vector<Knob> const& knobs();

/// The value of a knob, if it is set.
std::optional<std::string> value_of(Settings const& settings, std::string const& knob);

/// `recipe` with these settings. Errors: a knob that there is not; a value that makes no sense.
Recipe with(Recipe recipe, Settings const& settings, Facts const& facts);

/// The same without what makes no sense beside the rest.
Settings sensible(Recipe const& recipe, Settings const& settings, Facts const& facts);

/// "pairwise, 4 windows": in words; "as without tuning" if there are none.
std::string to_words(Settings const& settings);

}  // namespace sixstep::tuner

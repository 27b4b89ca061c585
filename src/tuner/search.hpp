// SPDX-License-Identifier: BSD-3-Clause
// Searches through the settings of knobs: which are tried, and in which order. Pure: who wins is
// somebody else's to tell.
#pragma once

#include <optional>

#include "tuner/knobs.hpp"

namespace sixstep::tuner {

/// A race between the settings that hold the title, at first none, and a challenger.
class Contest {
 public:
  virtual ~Contest() = default;
  /// Whether there is time left; asked before each race.
  virtual bool goes_on() = 0;
  /// Whether the challenger wins; it holds the title then.
  virtual bool wins(Settings const& challenger) = 0;
  /// What it would cost by the model, in any unit; none: it cannot tell.
  virtual std::optional<double> price(Settings const& settings) = 0;
};

/// Of the whole space, from the settings of a recipe.
struct Space {
  Recipe const& recipe;
  Facts const& facts;
};

/// One knob after the other, those of messages first, round after round until nothing has changed.
/// Returns what holds the title.
Settings quick_search(Space const& space, Contest& contest);

/// All combinations of knobs of messages, and then as quick_search().
Settings exhaustive_search(Space const& space, Contest& contest);

/// How many combinations of knobs of messages there are.
Index combinations(Space const& space);

}  // namespace sixstep::tuner

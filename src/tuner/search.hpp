// SPDX-License-Identifier: BSD-3-Clause
// Searches the settings of knobs: decides which are tried, and in which order. Pure: a Contest
// decides who wins.
#pragma once

#include <optional>

#include "tuner/knobs.hpp"

namespace sixstep::tuner {

/// A race between the settings that hold the title (at first none) and a challenger.
class Contest {
 public:
  virtual ~Contest() = default;
  /// Whether there is time left; asked before each race.
  virtual bool goes_on() = 0;
  /// Whether the challenger wins; then it holds the title.
  virtual bool wins(Settings const& challenger) = 0;
  /// The cost of the settings by the model, in any unit; empty if it cannot tell.
  virtual std::optional<double> price(Settings const& settings) = 0;
};

/// The space of all settings of a design.
struct Space {
  Design const& design;
  Facts const& facts;
};

/// Tries one knob after the other, those of messages first, in rounds until nothing changes.
/// Returns the settings that hold the title.
Settings quick_search(Space const& space, Contest& contest);

/// Tries all combinations of knobs of messages, and then searches like quick_search().
Settings exhaustive_search(Space const& space, Contest& contest);

/// The number of combinations of knobs of messages.
Index combinations(Space const& space);

}  // namespace sixstep::tuner

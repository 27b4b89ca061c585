// SPDX-License-Identifier: BSD-3-Clause
// Tags of messages: every exchange of a schedule has tags of its own, because all of them may be
// under way at the same time, and ranks may be at different ones.
#pragma once

#include "redistribution/redistribution.hpp"

namespace sixstep::redistribution {

/// Two tags for every exchange, window of its senders and window of its receivers. A message itself
/// needs one; ranks that put it tell each other two facts about it.
struct TagRange {
  static constexpr int each = 2;

  int first = 0;
  int windows = most_windows;

  /// The first tag of a message.
  int of(int exchange, Message const& message) const {
    int const place = (exchange * windows + message.before) * windows + message.behind;
    return first + each * place;
  }
  static constexpr Index count(int exchanges, int windows) {
    return Index{each} * exchanges * windows * windows;
  }
  /// The most windows for which the tags that every MPI has suffice.
  static constexpr int most_windows_of(int exchanges) {
    constexpr Index tags = 32768;
    int windows = most_windows;
    while (windows > 1 && count(exchanges, windows) > tags) --windows;
    return windows;
  }
};

}  // namespace sixstep::redistribution

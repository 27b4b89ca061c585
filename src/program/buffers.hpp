// SPDX-License-Identifier: BSD-3-Clause
// In which buffer the array is at each stop of a program.
#pragma once

#include <compare>
#include <limits>
#include <vector>

#include "program/draft.hpp"

namespace sixstep::program {

inline constexpr Index unbounded = std::numeric_limits<Index>::max();

/// What assignments are compared by: how many quarters of the step before others wait for, as they
/// write where that reads; then reals of work arrays, but for padding; then changes of the buffer.
struct Burden {
  Index waits = unbounded;
  Index reals = unbounded;
  Index changes = 0;

  auto operator<=>(Burden const&) const = default;
};

/// A buffer for each stop.
struct Assignment {
  std::vector<Buffer> buffers;  // none if there is no way
  Burden burden;
};

/// The best buffers, better than `bound` and with at most so many reals of work arrays. In place,
/// the input may be copied to a work array first if `may_copy`.
Assignment assign_buffers(Draft const& draft, Arrays const& arrays, bool may_copy,
                          Burden const& bound, Index most_reals = unbounded);

}  // namespace sixstep::program

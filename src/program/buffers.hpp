// SPDX-License-Identifier: BSD-3-Clause
// Chooses the buffer that holds the array at each stop of a program.
#pragma once

#include <compare>
#include <limits>
#include <vector>

#include "program/draft.hpp"

namespace sixstep::program {

inline constexpr Index unbounded = std::numeric_limits<Index>::max();

/// Assignments are compared first by the quarters of previous steps that steps wait for because
/// they write where those read, then by the reals of work arrays without padding, then by the
/// changes of buffer.
struct Burden {
  Index waits = unbounded;
  Index reals = unbounded;
  Index changes = 0;

  auto operator<=>(Burden const&) const = default;
};

/// A buffer for each stop.
struct Assignment {
  std::vector<Buffer> buffers;  // empty if no assignment is possible
  Burden burden;
};

/// The best buffers, if they are better than `bound` and their work arrays have at most
/// `most_reals` reals. In place, the input may be copied to a work array first if `may_copy`.
Assignment assign_buffers(Draft const& draft, Arrays const& arrays, bool may_copy,
                          Burden const& bound, Index most_reals = unbounded);

}  // namespace sixstep::program

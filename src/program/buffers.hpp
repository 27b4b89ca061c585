// SPDX-License-Identifier: BSD-3-Clause
// In which buffer the array is at each stop of a program.
#pragma once

#include <limits>
#include <vector>

#include "program/draft.hpp"

namespace sixstep::plan {

inline constexpr Index unbounded = std::numeric_limits<Index>::max();

/// A buffer for each stop, and the reals of work arrays that it takes, but for padding.
struct Assignment {
  std::vector<Buffer> buffers;  // none if there is no way
  Index reals = 0;
};

/// The buffers that take the least work memory, less than `bound`, and then change the least; of an
/// excerpt, which may touch nothing else of the output, or of the whole array.
Assignment assign_buffers(Draft const& draft, Arrays const& arrays, bool of_excerpt, Index bound);

}  // namespace sixstep::plan

// SPDX-License-Identifier: BSD-3-Clause
// Rows: elements of a buffer that do not lie one behind the other. Knows nothing about MPI.
#pragma once

#include <cstdint>
#include <vector>

namespace sixstep {

/// So many of what the next entry of the list says, or of elements, and the elements from one to
/// the next.
struct Row {
  std::int64_t count;
  std::int64_t stride;
};

/// Slowest first; empty: as many elements as there are, one behind the other.
using Rows = std::vector<Row>;

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Rows: elements of a buffer that are not contiguous. Knows nothing about MPI.
#pragma once

#include <cstdint>
#include <vector>

namespace sixstep {

/// `count` rows of the next entry of the list (elements for the last entry), with `stride` elements
/// from one to the next.
struct Row {
  std::int64_t count;
  std::int64_t stride;
};

/// Slowest first. Empty means contiguous elements, however many there are.
using Rows = std::vector<Row>;

}  // namespace sixstep

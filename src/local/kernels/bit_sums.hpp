// SPDX-License-Identifier: BSD-3-Clause
// Sums over the bits of elements, which tell whether elements are the same in two places.
#pragma once

#include <cstdint>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// Rows of elements that lie side by side. The element i of row r has the weight
/// first + r of_row + i of_element.
struct WeightedRows {
  Index rows, elements;
  Index row_bytes;  // from a row to the next
  std::uint64_t first, of_row, of_element;
};

/// Returns the sum of weight(e) digest(e) over the elements e, modulo 2^64. The digest of an
/// element is the sum of its words of 32 bits or less, each multiplied by an odd number of its own,
/// so an odd weight shows every change of a single word. The result is the same with every
/// instruction set. Arrays need no alignment.
using BitSum = std::uint64_t (*)(void const* begin, WeightedRows const& rows);

/// The kernel for elements of 1, 2, 4, 8 or 16 bytes.
BitSum bit_sum(Target target, Index element_bytes);

}  // namespace sixstep::local

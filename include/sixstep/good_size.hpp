// SPDX-License-Identifier: BSD-3-Clause
// Lengths that are fast to transform.
#pragma once

#include "sixstep/index.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The smallest length >= n that is `multiple` times a product of 2, 3, 5 and 7. Plans take all
/// lengths, but these need the fewest operations a point. If `multiple` is the number of ranks
/// along an axis, all ranks have equal blocks. Errors: n or `multiple` < 1 or > 2^57.
Index good_size(Index n, Index multiple = 1);

}  // namespace sixstep
#pragma GCC visibility pop

// SPDX-License-Identifier: BSD-3-Clause
// The type of indices and counts.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
namespace sixstep {

/// Global indices, extents and counts, always of 64 bits.
using Index = std::int64_t;

}  // namespace sixstep
#pragma GCC visibility pop

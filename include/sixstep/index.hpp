// SPDX-License-Identifier: BSD-3-Clause
// What counts points.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)
namespace sixstep {

/// Global indices, extents and counts. Always 64-bit.
using Index = std::int64_t;

}  // namespace sixstep
#pragma GCC visibility pop

// SPDX-License-Identifier: BSD-3-Clause
// What counts points.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] sixstep {

/// Global indices, extents and counts. Always 64-bit.
using Index = std::int64_t;

}  // namespace gnu::visibility("default")]]sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Indices of the standard library's containers.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// Converts an index to the type that std::vector uses.
inline std::size_t at(Index index) { return static_cast<std::size_t>(index); }

}  // namespace sixstep::local

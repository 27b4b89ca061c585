// SPDX-License-Identifier: BSD-3-Clause
// Indices of the standard library's containers.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

namespace sixstep::local {

/// The index as those of a std::vector are.
inline std::size_t at(Index index) { return static_cast<std::size_t>(index); }

}  // namespace sixstep::local

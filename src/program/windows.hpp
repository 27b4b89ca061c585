// SPDX-License-Identifier: BSD-3-Clause
// Programs in windows: what leads away from a placement and back to it, past an axis that all ranks
// hold whole, is a transform of its own on each window of that axis, and takes work arrays for one.
#pragma once

#include <optional>

#include "program/draft.hpp"

namespace sixstep::program {

/// The program of `rank` in limits.windows windows of the output; none if that is not
/// possible, or takes no less memory. All ranks find the same.
std::optional<Program> compile_in_windows(Job const& job, int rank);

/// The program as a whole. Errors: there are no buffers for it.
Program compile_whole(Job const& job, int rank);

}  // namespace sixstep::program

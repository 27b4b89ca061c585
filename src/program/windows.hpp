// SPDX-License-Identifier: BSD-3-Clause
// Programs in windows: stages that lead away from a placement and back to it, and leave alone an
// axis that all ranks hold whole, are a separate transform of each window of that axis. They need
// work arrays for one window only.
#pragma once

#include <optional>

#include "program/draft.hpp"

namespace sixstep::program {

/// The program of `rank` in limits.windows windows of the output; empty if that is not possible or
/// saves no memory. All ranks get the same answer.
std::optional<Program> compile_in_windows(ToCompile const& given, int rank);

/// The program as a whole. Throws an internal error if no buffers are possible.
Program compile_whole(ToCompile const& given, int rank);

}  // namespace sixstep::program

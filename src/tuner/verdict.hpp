// SPDX-License-Identifier: BSD-3-Clause
// The rules of a race between two plans. They know neither plans nor clocks.
#pragma once

#include <cstddef>
#include <optional>

namespace sixstep::tuner {

/// No race needs more runs of each plan, and none ends with a win after fewer.
inline constexpr std::size_t most_runs = 15, least_runs = 3;

/// Whether a challenger wins whose median is `ratio` times the holder's after `runs` runs of each;
/// none if they should run again. `ends`: they cannot.
std::optional<bool> verdict(std::size_t runs, double ratio, bool ends);

}  // namespace sixstep::tuner

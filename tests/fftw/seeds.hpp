// SPDX-License-Identifier: BSD-3-Clause
// Seeds of random problems: known ones, which find what they found before, and new ones.
//
// Environment: FFTW_TEST_SEED=N takes this seed alone, SIXSTEP_TEST_ROUNDS=N takes N times as many.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cases.hpp"

namespace seeds {

/// Where new seeds begin. Ranks must take that of one of them.
inline std::uint64_t new_start() { return std::uint64_t{std::random_device{}()} << 20; }

/// The seeds 1 to `known`, and a third as many from `start` on.
inline std::vector<std::uint64_t> of(int known, std::uint64_t start) {
  if (char const* const only = std::getenv("FFTW_TEST_SEED")) return {std::stoull(only)};
  std::vector<std::uint64_t> seeds;
  for (int i = 1; i <= known; ++i) seeds.push_back(static_cast<std::uint64_t>(i));
  for (int i = 0; i < known / 3; ++i) seeds.push_back(start + static_cast<std::uint64_t>(i));
  return seeds;
}

}  // namespace seeds

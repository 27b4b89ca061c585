// SPDX-License-Identifier: BSD-3-Clause
// Splits a length into radices, and says which lengths are cheap.
//
// Pure arithmetic: knows nothing about kernels except which radices they have and their rough cost.
#pragma once

#include <array>
#include <vector>

#include "sixstep/index.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// The radices that have a butterfly.
inline constexpr std::array<int, 15> small_radices{2,  3,  4,  5,  6,  7,  8, 9,
                                                   10, 11, 12, 13, 14, 15, 16};

/// The smallest and the largest prime whose transform is computed by the definition. Smaller primes
/// have a butterfly; for larger ones a convolution is faster.
inline constexpr Index smallest_direct = 17;
inline constexpr Index largest_direct = 83;

/// Whether the transform of the prime p is computed by the definition.
constexpr bool is_direct(Index p) { return p >= smallest_direct && p <= largest_direct; }

/// The radices of the passes of a transform of length n, in the order of the passes; their product
/// is n. The small_radices with the cheapest passes come first, sorted as `order` says; then each
/// prime above 13 that divides n. Empty if n == 1. Throws Error if n < 1.
std::vector<Index> radices(Index n, RadixOrder order = RadixOrder::measured);

/// Whether n has no prime factor that needs a convolution.
bool is_smooth(Index n);

/// A rough count of the vector instructions of a transform of the smooth length n.
double smooth_cost(Index n);

/// The cheapest smooth length >= n among the multiples of `multiple`, which must be smooth. Throws
/// Error if n or `multiple` is above 2^62.
Index cheapest_smooth(Index n, Index multiple = 1);

}  // namespace sixstep::local

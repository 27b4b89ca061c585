// SPDX-License-Identifier: BSD-3-Clause
// How a length is cut into radices, and which lengths are cheap.
//
// Pure arithmetic: knows nothing about kernels beyond the radices there are and their rough cost.
#pragma once

#include <array>
#include <vector>

#include "sixstep/index.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// The radices that have a butterfly of their own.
inline constexpr std::array<int, 15> small_radices{2,  3,  4,  5,  6,  7,  8, 9,
                                                   10, 11, 12, 13, 14, 15, 16};

/// The primes, from the one to the other, whose transforms are summed up by the definition. Smaller
/// ones have a butterfly; for larger ones a convolution is faster.
inline constexpr Index smallest_direct = 17;
inline constexpr Index largest_direct = 83;

/// Whether the prime p is summed up by the definition.
constexpr bool is_direct(Index p) { return p >= smallest_direct && p <= largest_direct; }

/// The radices of the passes of a transform of length n, in the order of the passes; their product
/// is n. First come small_radices, chosen so that their passes together are the cheapest, in such
/// an order, then each prime above 13 that divides n. Empty if n == 1. Errors: n < 1.
std::vector<Index> radices(Index n, RadixOrder order = RadixOrder::measured);

/// Whether n has no prime factor that needs a convolution.
bool is_smooth(Index n);

/// Roughly how many vector instructions a transform of the smooth length n takes.
double smooth_cost(Index n);

/// The smooth length >= n that is the cheapest to transform, among the multiples of `multiple`,
/// which is smooth itself. Errors: n or `multiple` over 2^62.
Index cheapest_smooth(Index n, Index multiple = 1);

}  // namespace sixstep::local

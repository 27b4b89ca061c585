// SPDX-License-Identifier: BSD-3-Clause
// How a length is cut into radices, and which lengths are cheap.
//
// Pure arithmetic: knows nothing about kernels beyond the radices there are and their rough cost.
#pragma once

#include <array>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::local {

/// The radices that have a butterfly of their own.
inline constexpr std::array<int, 15> small_radices{2,  3,  4,  5,  6,  7,  8, 9,
                                                   10, 11, 12, 13, 14, 15, 16};

/// The primes that are summed up by the definition; of larger ones a convolution is faster.
inline constexpr Index smallest_direct = 17;
inline constexpr Index largest_direct = 83;

/// Whether a prime is one of them.
constexpr bool is_direct(Index p) { return p >= smallest_direct && p <= largest_direct; }

/// The factors of the passes of a transform of length n, in the order of the passes: first those of
/// small_radices, then each prime above 13 that divides n.
///
/// The small ones are the cheapest product; empty if n == 1. Errors: n < 1.
std::vector<Index> radices(Index n);

/// Whether no prime factor of n takes a convolution.
bool is_smooth(Index n);

/// The cost of a transform of length n in vector instructions, about; n is smooth.
double smooth_cost(Index n);

/// The smooth length >= n that is the cheapest to transform, among multiples of `multiple`, which
/// is smooth itself. Errors: n or `multiple` over 2^62.
Index cheapest_smooth(Index n, Index multiple = 1);

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Transforms that are too long for the kernels to work in cache. They are made of shorter ones, one
// column after another.
//
// Composed of Transforms; knows nothing about vectors. A column is contiguous during the work.
// Other columns are copied, as many at once as a cache line has elements.
#pragma once

#include <memory>

#include "local/transform.hpp"

namespace sixstep::local {

/// The largest prime with a butterfly of its own.
inline constexpr Index largest_butterfly = 13;

/// Length n = slow * fast in two levels (Bailey, 1990), for j = fast j1 + j2 and k = k1 + slow k2:
///   X[k1 + slow k2] = sum_j2 w_fast^(j2 k2) [ w_n^(j2 k1) sum_j1 w_slow^(j1 k1) x[fast j1 + j2] ].
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_two_level(Index slow, Index fast,
                                                              Tuning const& tuning = {});

/// A length above the codelets' whose largest prime factor has no butterfly, for single columns;
/// null for other lengths, and where instruction sets have no codelet for the prime.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_with_prime(Index n, Tuning const& tuning = {});

/// Copies columns that lie anywhere for `rows`, which transforms contiguous columns only.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_gathered(
    std::unique_ptr<Transform<std::complex<Real>>> rows);

/// A prime length n as a cyclic convolution by Rader or Bluestein, whichever is cheaper; see
/// Convolution in numbers/recipe.hpp.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_convolved(Index n, Tuning const& tuning = {});

}  // namespace sixstep::local

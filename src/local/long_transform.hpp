// SPDX-License-Identifier: BSD-3-Clause
// Transforms that are too long for the kernels' rows: made of shorter ones, a column at a time.
//
// Both are plain compositions of Transforms and know nothing about vectors. A column is contiguous
// while it is worked on; columns that are not are copied, a cache line's worth at a time.
#pragma once

#include <memory>

#include "local/transform.hpp"

namespace sixstep::local {

/// n = slow fast as two levels (Bailey, 1990), with j = fast j1 + j2 and k = k1 + slow k2:
///   X[k1 + slow k2] = sum_j2 w_fast^(j2 k2) [ w_n^(j2 k1) sum_j1 w_slow^(j1 k1) x[fast j1 + j2] ].
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_two_level(Index slow, Index fast);

/// The length of `rows`, which transforms contiguous columns alone.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_gathered(
    std::unique_ptr<Transform<std::complex<Real>>> rows);

/// A prime length as a cyclic convolution, Rader's or Bluestein's, whichever is cheaper. See
/// recipe.hpp.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_convolved(Index n);

}  // namespace sixstep::local

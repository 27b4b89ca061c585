// SPDX-License-Identifier: BSD-3-Clause
// What a program between two transforms of cuFFT's does: a kernel that multiplies coefficients.
#pragma once

#include <cstddef>

#include "sixstep/index.hpp"

namespace sixstep::bench {

/// Divides the coefficients of an array of n0 x n1 x n2 points by -k^2 and by the number of points,
/// in place, in the default stream; `kept` of them along the last axis. The coefficient of k = 0
/// becomes 0. The numbers are computed from the indices.
template <class Real>
bool divide_by_laplacian(void* coefficients, Index n0, Index n1, Index n2, Index kept);

}  // namespace sixstep::bench

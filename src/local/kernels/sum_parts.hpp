// SPDX-License-Identifier: BSD-3-Clause
// Sums of some hundred doubles without rounding: the terms are cut at fixed powers of two.
#pragma once

#include <span>

#include "local/targets.hpp"

namespace sixstep::local {

/// The sums of the parts of terms, and the sum of what is left of them in absolute value.
struct SumParts {
  double high = 0, low = 0, left = 0;
};

struct SumKernels {
  /// The sum of the absolute values, rounded. NaN or infinity if a term is.
  double (*magnitude)(std::span<double const> terms);
  /// Cuts each term at the last bits of `high` and of `low`, and replaces it by what is left. Both
  /// are 1.5 times a power of two. If there are at most 512 terms, the sums of the parts are exact
  /// where the sum of absolute values is below high / 4, and low is at least 2^-45 high.
  SumParts (*cut)(std::span<double> terms, double high, double low);
};

SumKernels sum_kernels(Target target);

}  // namespace sixstep::local

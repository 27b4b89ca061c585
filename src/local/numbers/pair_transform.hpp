// SPDX-License-Identifier: BSD-3-Clause
// A transform to about 65 bits, for tables that are rounded once (kernels/pair_transform.cpp).
// Every instruction set gives the same bits.
#pragma once

#include <vector>

#include "local/numbers/pairs.hpp"

namespace sixstep::local {

/// The transform of `values`, whose parts are at most 1, divided by their number: [re, im] of each
/// coefficient.
template <class Real>
std::vector<Real> mean_transform(std::vector<WidePair> const& values);

/// Transforms n numbers x[k] = x[n - k] like mean_transform(), in half of the time. `first` are
/// x[0], x[1], ..., and others up to x[n / 2] are zero.
template <class Real>
std::vector<Real> mean_transform_of_even(std::vector<WidePair> const& first, Index n);

extern template std::vector<float> mean_transform(std::vector<WidePair> const&);
extern template std::vector<double> mean_transform(std::vector<WidePair> const&);
extern template std::vector<float> mean_transform_of_even(std::vector<WidePair> const&, Index);
extern template std::vector<double> mean_transform_of_even(std::vector<WidePair> const&, Index);

}  // namespace sixstep::local

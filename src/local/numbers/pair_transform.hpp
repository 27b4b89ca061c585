// SPDX-License-Identifier: BSD-3-Clause
// A transform to about 65 bits, for tables that are rounded once.
#pragma once

#include <vector>

#include "local/numbers/pairs.hpp"

namespace sixstep::local {

/// The transform of `values`, whose parts are at most 1, divided by their number: [re, im] of each
/// coefficient.
template <class Real>
std::vector<Real> mean_transform(std::vector<WidePair> values);

extern template std::vector<float> mean_transform(std::vector<WidePair>);
extern template std::vector<double> mean_transform(std::vector<WidePair>);

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Transforms of an odd number of reals, one column after another: by butterflies of reals where
// 3, 5, 7, 11 or 13 divides the number, else as complex numbers without imaginary parts.
#pragma once

#include <memory>

#include "local/transform.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// r2c or c2r with our own kernels.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_odd_reals(Index n, Tuning const& tuning);

/// Whether contiguous columns of n reals are faster one after another than side by side, and as
/// accurate, however many there are: n is odd and has a large prime factor, and vectors hold few.
template <class Real>
bool are_odd_reals_alone(Index n);

/// r2c or c2r, also with other libraries' kernels.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_long_odd_reals(Index n, Local whose, Tuning const& tuning);

}  // namespace sixstep::local

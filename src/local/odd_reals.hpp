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

/// r2c or c2r, also with other libraries' kernels.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_long_odd_reals(Index n, Local whose, Tuning const& tuning);

}  // namespace sixstep::local

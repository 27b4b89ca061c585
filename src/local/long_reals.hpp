// SPDX-License-Identifier: BSD-3-Clause
// Transforms of long columns of reals: of even length in two levels (two_level_reals.hpp), of odd
// length by butterflies of reals (kernels/odd_products.hpp), to cosines and sines by halves. Those
// of shorter columns have tables of several numbers a row. The last functions transform few or
// single shorter columns.
#pragma once

#include <complex>
#include <memory>

#include "local/transform.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::local {

/// Whether columns of n reals are long: of at least tuning.least_two_level_reals, and not to be
/// reproducible.
bool are_long_reals(Index n, Tuning const& tuning);

/// Like make_r2c() and make_c2r() for such n.
template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_long_r2c(Index n, Local whose,
                                                                   Tuning const& tuning);
template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_long_c2r(Index n, Local whose,
                                                                   Tuning const& tuning);
/// Like make_r2r() for such an even n, and DCT-II, DCT-III, DST-II or DST-III.
template <class Real>
std::unique_ptr<Transform<Real>> make_long_cosines(Kind kind, Index n, Local whose,
                                                   Tuning const& tuning);

/// Like make_r2c() and make_c2r() with our own kernels, for few contiguous columns: one after
/// another, they fill vectors along the column. Null where others are as fast.
template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c_alone(Index n);
template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r_alone(Index n);

/// Like make_r2c() and make_c2r() for one contiguous column a call, without the tables for columns
/// side by side. Null where these are short. Other batches are right, but slow.
template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c_one_column(Index n);
template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r_one_column(Index n);

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums of powers of roots of unity, for a row of exponents at once.
#pragma once

#include <complex>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// The sums factor (1 + w + w^2 + ... + w^(m-1)) for the roots w = exp(i (a + t b)), t = 0, 1, ...
struct GeometricSums {
  double factor;
  std::complex<double> begin;  // factor exp(i m a)
  double cotangent;            // of a / 2
};

/// Adds the first `count` sums to `to`. `powers` are exp(i m t b), `tangents` are those of t b / 2.
/// Arrays need no alignment.
using AddGeometricSums = void (*)(GeometricSums const& sums, std::complex<double> const* powers,
                                  double const* tangents, Index count, std::complex<double>* to);

AddGeometricSums add_geometric_sums(Target target);

}  // namespace sixstep::local

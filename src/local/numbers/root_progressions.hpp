// SPDX-License-Identifier: BSD-3-Clause
// Roots of unity whose powers are an arithmetic progression, by vectors: half of the time that
// one after another takes (kernels/root_progressions.cpp). Every instruction set gives the same
// bits.
#pragma once

#include "local/numbers/roots.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// The powers first + step k, 0 <= k < count; first and step are not negative.
struct Powers {
  Index first, step, count;
};

/// Stores the parts of the roots of these powers, rounded to nearest, as Roots::at() gives them.
template <class Real>
void store_roots(Roots const& roots, Powers const& powers, Real* re, Real* im);

template <>
void store_roots(Roots const& roots, Powers const& powers, float* re, float* im);
template <>
void store_roots(Roots const& roots, Powers const& powers, double* re, double* im);

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// What transforms are, on whole arrays, by their definitions.
//
// Shares no code with the library. Real is what is summed in: more precise than what is tested. A
// long axis is summed as a convolution with a chirp, by a transform of a power of two, because by
// the definition it would take too long.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace soak {

/// A whole array, row-major, in rows of the last axis; reals have no imaginary parts.
template <class Real>
struct Whole {
  Shape shape;
  std::vector<std::complex<Real>> values;
};

/// Values between -1 and 1 that depend on an element's number and on the seed; exact in single
/// precision.
template <class Real>
Whole<Real> random_whole(Shape const& shape, bool is_real, std::uint64_t seed);

/// The kinds along their axes, unscaled. Backward of an r2c, `points` are those along its axis.
template <class Real>
Whole<Real> transformed(Whole<Real> x, std::vector<AxisKind> const& kinds, Direction direction,
                        Index points);

/// The points of the transforms: those that there are, and zeros behind them.
template <class Real>
Whole<Real> followed_by_zeros(Whole<Real> x, std::vector<AxisKind> const& kinds);

/// The first points along each axis.
template <class Real>
Whole<Real> first_points(Whole<Real> x, Shape const& shape);

/// `count` points along an axis from `first` on; point 0 follows the last one.
template <class Real>
Whole<Real> points_from(Whole<Real> x, int axis, Index count, Index first);

/// What is kept of a result with all its coefficients.
template <class Real>
Whole<Real> kept_of(Whole<Real> y, std::vector<AxisKind> const& kinds);

/// The same with zeros for all that was not kept.
template <class Real>
Whole<Real> among_zeros(Whole<Real> y, std::vector<AxisKind> const& kinds);

}  // namespace soak

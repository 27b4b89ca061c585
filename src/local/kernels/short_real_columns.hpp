// SPDX-License-Identifier: BSD-3-Clause
// Transforms of short columns from or to reals, a vector of columns at a time: of contiguous ones
// r2c, c2r, and types II and III of cosines and sines, of columns side by side r2c and c2r.
#pragma once

#include "local/targets.hpp"
#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::local {

/// Columns of n reals, or of n/2 + 1 complex numbers as pairs of reals. Distances between columns
/// count reals. The output may be the input.
template <class Real>
struct ShortColumns {
  Real const* in;
  Real* out;
  Index in_lane;
  Index out_lane;
  Index columns;
  Real scale;  // of the results
  /// Cosines and sines have m cos(pi k / 2n) at 2k and m sin(pi k / 2n) at 2k + 1, k = 0 ... n/2,
  /// where m is 2 for types II and 1 for types III. If n is even, types III have the square root of
  /// 2 at n.
  Real const* factors;
};

template <class Real>
using ShortTransform = void (*)(ShortColumns<Real> const&);

/// The function for a kind and n points, with the vectors of an instruction set; null if there is
/// none. `backward`: c2r in place of r2c.
template <class Real>
ShortTransform<Real> short_transform(Kind kind, bool backward, Index n, Target target);

template <>
ShortTransform<float> short_transform(Kind kind, bool backward, Index n, Target target);
template <>
ShortTransform<double> short_transform(Kind kind, bool backward, Index n, Target target);

/// Columns like those of r2c and c2r above, side by side: the elements of a row are neighbours.
/// Distances between rows count reals. The output is not the input.
template <class Real>
struct ColumnsBeside {
  Real const* in;
  Real* out;
  Index in_row;
  Index out_row;
  Index columns;
  Real scale;  // of the results
};

template <class Real>
using TransformBeside = void (*)(ColumnsBeside<Real> const&);

/// r2c, or c2r if `backward`, of n points; null if there is none.
template <class Real>
TransformBeside<Real> transform_beside(bool backward, Index n, Target target);

template <>
TransformBeside<float> transform_beside(bool backward, Index n, Target target);
template <>
TransformBeside<double> transform_beside(bool backward, Index n, Target target);

}  // namespace sixstep::local

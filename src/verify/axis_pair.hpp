// SPDX-License-Identifier: BSD-3-Clause
// Weights of both sides of a transform along an axis: a random one for each index of its result,
// and those of its source that give the same sum.
//
// If X = A x along an axis, sum_k r_k X_k = sum_j w_j x_j for w = A^T r.
#pragma once

#include <cstdint>
#include <optional>

#include "sixstep/direction.hpp"
#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"
#include "verify/axis_weights.hpp"

namespace sixstep::verify {

/// An axis of a transform. Without a kind it is not transformed, and has `points`.
struct Axis {
  std::optional<Kind> kind;
  Index points = 1;
  Index length = 1;
  Index modes = 1;
  Index first = 0;      // the first point, as in schedule::Problem
  bool splits = false;  // likewise: the highest mode stands for waves of either sign

  /// The index of a point in the transform.
  Index point(Index i) const { return (first + i) % length; }
};

/// The weights of both sides of a transform along an axis.
struct AxisPair {
  AxisWeights source;
  AxisWeights result;
  double norm = 1;  // the largest singular value of the transform, or a little more
};

/// The side whose weights are to be reals. Rows that have these weights take half the
/// multiplications. For a c2r the weights of the result must be reals, and the source's weights w
/// give the sum as the real part of sum_k w_k X_k.
enum class Reals { neither, of_source, of_result };

/// Weights of a source are reals where that is possible: along a c2c of all modes in a table.
AxisPair weights_of(Axis const& axis, Direction direction, Reals reals, std::uint64_t seed);

}  // namespace sixstep::verify

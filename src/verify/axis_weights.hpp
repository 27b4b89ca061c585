// SPDX-License-Identifier: BSD-3-Clause
// Weights along an axis: a random one for each index of a transform's result, and those of its
// source that give the same sum.
//
// If X = A x along an axis, sum_k r_k X_k = sum_j w_j x_j for w = A^T r. Weights of short axes
// are random, of absolute value 1, and lie in tables. Those of long axes are powers of a root of
// unity, whose w are geometric sums. Nothing here knows ranks or memory.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "local/targets.hpp"
#include "sixstep/direction.hpp"
#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::verify {

using Weight = std::complex<double>;

/// The most weights that row() returns at a time.
inline constexpr Index row_weights = 512;

/// A part of the weights of a long axis. Let w = exp(2 pi i / period) and e = start + slope i:
/// the weight of index i is factor w^e, or factor sum_(m < terms) w^(e m).
struct Progression {
  Index period;
  Index start;
  Index slope;
  Index terms = 0;  // 0: no sum
  double factor = 1;
};

/// A weight for each index of an axis.
class AxisWeights {
 public:
  AxisWeights() = default;
  explicit AxisWeights(std::vector<Weight> table) : table_(std::move(table)) {}
  /// `single` are indices whose weights are half of what the parts give.
  explicit AxisWeights(std::vector<Progression> parts, std::vector<Index> single = {})
      : parts_(std::move(parts)), single_(std::move(single)) {}

  /// Makes row() fast for rows of this step.
  void prepare(Index step);
  /// Weights that have a factor in common.
  struct Row {
    Weight const* weights;
    Weight factor = 1;
  };
  /// The weights of the indices first, first + step, ... They may be in `buffer`, which has room
  /// for row_weights of them.
  Row row(Index first, Index step, Index count, Weight* buffer) const;
  Weight operator[](Index i) const;

 private:
  /// The factors that a row's weights share, whatever its first index.
  struct Prepared {
    std::vector<Weight> powers;    // w^(slope step t), to the power of `terms` if it is a sum
    std::vector<double> tangents;  // of pi slope step t / period, if it is a sum
  };
  bool is_prepared(Index step) const { return step == step_ && !prepared_.empty(); }
  Index exponent(Progression const& part, Index i) const;
  Weight at_once(Progression const& part, Index i) const;
  void add(std::size_t part, Index first, Index step, Index count, Weight* to) const;

  std::vector<Weight> table_;
  std::vector<Progression> parts_;
  std::vector<Index> single_;
  local::Target target_ = 0;
  Index step_ = 0;  // of `prepared_`
  std::vector<Prepared> prepared_;
};

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

/// `real`: the weights of the result are reals. For a c2r the source's weights w give the sum as
/// the real part of sum_k w_k X_k.
AxisPair weights_of(Axis const& axis, Direction direction, bool real, std::uint64_t seed);

}  // namespace sixstep::verify

// SPDX-License-Identifier: BSD-3-Clause
// A weight for each index of an axis: from a table, or for long axes a power of a root of unity or
// a geometric sum of such powers. Nothing here knows ranks or memory.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "local/kernels/geometric_sums.hpp"
#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::verify {

using Weight = std::complex<double>;

/// exp(2 pi i k / n) for 0 <= k < n.
Weight power(Index k, Index n);

/// Longer axes have no tables of weights.
inline constexpr Index longest_table = Index{1} << 16;

/// The most weights that row() returns at a time, and that by_cotangents() describes.
inline constexpr Index row_weights = 512, long_row_weights = 4096;

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
  explicit AxisWeights(std::vector<Weight> table);
  /// `single` are indices whose weights are half of what the parts give.
  explicit AxisWeights(std::vector<Progression> parts, std::vector<Index> single = {})
      : parts_(std::move(parts)), single_(std::move(single)) {}

  /// Makes rows of this step fast.
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

  /// Whether all weights are known to be reals.
  bool are_real() const { return are_real_; }
  /// Whether by_cotangents() may describe weights.
  bool are_sums() const { return !parts_.empty() && parts_[0].terms > 0; }
  /// Whether the weight of a sum of indices is a product.
  bool are_powers() const { return parts_.size() == 1 && parts_[0].terms == 0; }
  /// If are_powers(): the quotients of the weights of indices step, 2 step, ... behind each other
  /// and the first one, beginning with 1. They may be in `buffer`.
  Weight const* quotients(Index step, Index count, Weight* buffer) const;

  /// Weights that are affine in a sum c of cotangents. Those of the elements with odd numbers in a
  /// row have other coefficients if they `alternate`.
  struct ByCotangents {
    struct Affine {
      Weight constant, slope;  // the weight is constant + slope c
    };
    std::size_t terms;
    std::array<local::Angles, local::most_cotangents> angles;
    std::array<Affine, 2> affine;
    bool alternate;
  };
  /// The weights of the indices first, first + step, ... as those of rows of `width` elements, one
  /// of widths_of_rows. Empty if the weights are others, if the step has not been prepared, or if a
  /// pole is too near for the width.
  std::optional<ByCotangents> by_cotangents(Index first, Index step, Index count,
                                            std::size_t width) const;
  static constexpr std::array<Index, 2> widths_of_rows{2 * local::half_of_row, 16};

 private:
  /// The factors that a row's weights share, whatever its first index.
  struct Prepared {
    std::vector<Weight> powers;    // w^(slope step t), to the power of `terms` if it is a sum
    std::vector<double> tangents;  // of pi slope step t / period, if it is a sum
    std::array<std::vector<double>, 2> of_middles{};  // tangents of the middles of rows
    double turn = 0;                                  // pi slope step / period
    Index whole = 0;  // so many terms of a sum end with the same power for all even indices, and
                      // for all odd ones, and one term at most is left; 0: none do
    std::array<Weight, 2> last{};  // these powers
  };
  struct PreparedStep {
    Index step;
    std::vector<Prepared> parts;
  };
  static Index whole_terms(Progression const& part);
  std::vector<Prepared> const* prepared(Index step) const;
  Index exponent(Progression const& part, Index i) const;
  bool is_near_pole(Progression const& part, Index e, Index span) const;
  Weight at_once(Progression const& part, Index i) const;
  void add(std::size_t part, Index first, Index step, Index count, Weight* to) const;

  std::vector<Weight> table_;
  bool are_real_ = false;
  std::vector<Progression> parts_;
  std::vector<Index> single_;
  local::Target target_ = 0;
  std::vector<PreparedStep> prepared_;
};

}  // namespace sixstep::verify

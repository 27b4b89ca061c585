// SPDX-License-Identifier: BSD-3-Clause
// Spectrum: the wave vector of each coefficient of a transform, wherever it lies.
#pragma once

#include <complex>
#include <vector>

#include "layout/placement.hpp"
#include "schedule/waves.hpp"
#include "sixstep/symbol.hpp"

namespace sixstep::formulas {

/// The wave vectors of the coefficients of a transform, which lie in a placement.
class Spectrum {
 public:
  /// `sides` has the length along each axis of the input; empty: 2 pi along periodic axes, pi
  /// between walls. `axes` are those of a field.
  Spectrum(schedule::Waves waves, layout::Placement placement, int axes,
           std::vector<double> const& sides);

  layout::Placement const& placement() const { return placement_; }
  /// The components of a wave vector.
  int axes() const { return static_cast<int>(along_.size()); }
  /// The wave vector of the coefficient at these working indices.
  Wavevector at(Shape const& index) const;
  /// Whether the problem keeps this coefficient, or it is 0, as it lies outside of a sphere or a
  /// list of columns.
  bool keeps(Shape const& index) const;
  /// Whether a coefficient's number along each axis of the input, in natural order, is a sum of its
  /// working indices times weights: not where columns are kept.
  bool has_weights() const { return !waves_.keeps_some(); }
  /// Whether coefficients lie in the axes of the layout, none of which is two working axes.
  bool is_in_users_axes() const;
  /// The coefficients along an axis of the input, and what the number of one of them grows by with
  /// a working index; 1 and 0 along an axis that is not transformed.
  Index count(int axis) const { return waves_.count(axis); }
  Index weight(int axis, int working_axis) const {
    return count(axis) == 1 ? 0 : along_[static_cast<std::size_t>(axis)].weights[working_axis];
  }
  /// The components of the waves that a coefficient along an axis stands for: one, or two of either
  /// sign.
  PerAxis<double> components(int axis, Index natural) const {
    double const k = component(axis, natural);
    bool const two = natural == along_[static_cast<std::size_t>(axis)].of_either_sign;
    return two ? PerAxis<double>{k, -k} : PerAxis<double>{k};
  }
  /// Writes the components of `count` wave vectors to k[axis][at] and on: that of the coefficient
  /// at these working indices, and those that follow it in steps along a working axis.
  void in_row(Shape const& index, int along, Index step, Index count, Index at,
              std::vector<double*> const& k) const;

  /// Coefficients, and the numbers that a symbol has for them. A coefficient that stands for
  /// several waves (n/2 and -n/2) gets the mean of their numbers; one that is not kept gets 0.
  class Values {
   public:
    Values(Spectrum const& spectrum, Symbol const& symbol)
        : spectrum_(spectrum), symbol_(symbol), zeros_(numbers_each()) {}

    Index count() const { return static_cast<Index>(first_.size()); }
    /// Adds the coefficient at these working indices.
    void add(Shape const& index);
    /// Calls use(i, numbers) for each coefficient that was added, and forgets them.
    template <class Use>
    void evaluate(Use const& use) {
      call();
      std::size_t const each = numbers_each();
      for (std::size_t i = 0; i < first_.size(); ++i) {
        std::size_t const end = i + 1 < first_.size() ? first_[i + 1] : vectors_.size();
        std::size_t const waves = end - first_[i];
        if (waves == 0) {
          use(i, static_cast<std::complex<double> const*>(zeros_.data()));
          continue;
        }
        std::complex<double>* const mean = numbers_.data() + first_[i] * each;
        for (std::size_t wave = 1; wave < waves; ++wave)
          for (std::size_t j = 0; j < each; ++j) mean[j] += mean[wave * each + j];
        for (std::size_t j = 0; waves > 1 && j < each; ++j) mean[j] /= static_cast<double>(waves);
        use(i, static_cast<std::complex<double> const*>(mean));
      }
      first_.clear();
      vectors_.clear();
    }

   private:
    std::size_t numbers_each() const {
      return static_cast<std::size_t>(symbol_.results()) *
             static_cast<std::size_t>(symbol_.fields());
    }
    void call();

    Spectrum const& spectrum_;
    Symbol const& symbol_;
    std::vector<Wavevector> vectors_;
    std::vector<std::size_t> first_;  // of the vectors of each coefficient
    std::vector<std::complex<double>> numbers_;
    std::vector<std::complex<double>> zeros_;
  };

 private:
  /// The waves along an axis of the input.
  struct Along {
    double unit;             // of k
    Index of_either_sign;    // the index of a coefficient that stands for two waves; -1: none
    PerAxis<Index> weights;  // of the working indices, whose sum is the index in natural order;
                             // empty: the column has it
  };

  /// The point of the output that has these working indices.
  Shape point_of(Shape const& index) const { return placement_.view.point_of(index); }
  /// The index in natural order along an axis.
  Index natural(int axis, Shape const& index) const {
    PerAxis<Index> const& weights = along_[static_cast<std::size_t>(axis)].weights;
    if (weights.empty()) return waves_.index(axis, point_of(index));
    Index sum = 0;
    for (int digit = 0; digit < weights.size(); ++digit) sum += weights[digit] * index[digit];
    return sum;
  }
  double component(int axis, Index natural) const {
    return along_[static_cast<std::size_t>(axis)].unit * waves_.number(axis, natural);
  }

  schedule::Waves waves_;
  layout::Placement placement_;
  std::vector<Along> along_;
};

}  // namespace sixstep::formulas

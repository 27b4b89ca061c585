// SPDX-License-Identifier: BSD-3-Clause
// Spectrum: the wave vector of each coefficient of a transform, wherever it lies.
#pragma once

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

  /// Writes the numbers that the symbol has for the coefficient at these working indices. If the
  /// coefficient stands for two waves of opposite sign (n/2 of n), they are the mean of both.
  void evaluate(Symbol const& symbol, Shape const& index, std::complex<double>* numbers) const;
  /// The wave vector of the coefficient at these working indices.
  Wavevector at(Shape const& index) const;

 private:
  PerAxis<double> waves_at(Shape const& index) const;

  schedule::Waves waves_;
  layout::Placement placement_;
  int axes_;
  PerAxis<double> units_;  // of k, along each axis
};

}  // namespace sixstep::formulas

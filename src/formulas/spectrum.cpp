// SPDX-License-Identifier: BSD-3-Clause
// Finds wave vectors, and takes means where a coefficient stands for two waves.
#include "formulas/spectrum.hpp"

#include <numbers>
#include <utility>

namespace sixstep::formulas {

Spectrum::Spectrum(schedule::Waves waves, layout::Placement placement, int axes,
                   std::vector<double> const& sides)
    : waves_(std::move(waves)), placement_(std::move(placement)), axes_(axes) {
  for (int axis = 0; axis < axes; ++axis) {
    double const around = waves_.is_periodic(axis) ? 2 * std::numbers::pi : std::numbers::pi;
    units_.push_back(sides.empty() ? 1 : around / sides[static_cast<std::size_t>(axis)]);
  }
}

PerAxis<double> Spectrum::waves_at(Shape const& index) const {
  Shape point;
  layout::View const& view = placement_.view;
  for (PerAxis<int> const& digits : view.digits) {
    Index at = 0;
    for (int digit : digits) at = at * view.shape[digit] + index[digit];
    point.push_back(at);
  }
  return waves_.at(point);
}

Wavevector Spectrum::at(Shape const& index) const {
  PerAxis<double> const waves = waves_at(index);
  Wavevector k;
  for (int axis = 0; axis < axes_; ++axis) k.push_back(units_[axis] * waves[axis]);
  return k;
}

void Spectrum::Values::add(Shape const& index) {
  PerAxis<double> const waves = spectrum_.waves_at(index);
  first_.push_back(vectors_.size());
  vectors_.emplace_back();
  for (int axis = 0; axis < spectrum_.axes_; ++axis)
    vectors_.back().push_back(spectrum_.units_[axis] * waves[axis]);
  for (int axis = 0; axis < spectrum_.axes_; ++axis) {
    if (!spectrum_.waves_.has_either_sign(axis, waves[axis])) continue;
    for (std::size_t i = first_.back(), end = vectors_.size(); i < end; ++i) {
      vectors_.push_back(vectors_[i]);
      vectors_.back()[axis] = -vectors_.back()[axis];
    }
  }
}

void Spectrum::Values::call() {
  numbers_.resize(vectors_.size() * numbers_each());
  symbol_.at(static_cast<Index>(vectors_.size()), vectors_.data(), numbers_.data());
}

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Finds wave vectors, and takes means where a coefficient stands for two waves.
#include "formulas/spectrum.hpp"

#include <numbers>
#include <utility>

namespace sixstep::formulas {

Spectrum::Spectrum(schedule::Waves waves, layout::Placement placement, int axes,
                   std::vector<double> const& sides)
    : waves_(std::move(waves)), placement_(std::move(placement)) {
  for (int axis = 0; axis < axes; ++axis) {
    double const around = waves_.is_periodic(axis) ? 2 * std::numbers::pi : std::numbers::pi;
    double const unit = sides.empty() ? 1 : around / sides[static_cast<std::size_t>(axis)];
    Along& along = along_.emplace_back(Along{unit, waves_.of_either_sign(axis), {}});
    if (waves_.tells_columns(axis)) continue;
    int const digits = placement_.view.shape.size();
    for (int digit = 0; digit < digits; ++digit) {
      Shape one(digits, 0);
      one[digit] = 1;
      along.weights.push_back(waves_.index(axis, point_of(one)));
    }
  }
}

Wavevector Spectrum::at(Shape const& index) const {
  Wavevector k;
  for (int axis = 0; axis < static_cast<int>(along_.size()); ++axis)
    k.push_back(component(axis, natural(axis, index)));
  return k;
}

bool Spectrum::keeps(Shape const& index) const {
  return !waves_.keeps_some() || waves_.keeps(point_of(index));
}

bool Spectrum::is_in_users_axes() const {
  auto const& digits = placement_.view.digits;
  for (int axis = 0; axis < digits.size(); ++axis)
    if (digits[axis].size() != 1 || digits[axis][0] != axis) return false;
  return true;
}

void Spectrum::in_row(Shape const& index, int along, Index step, Index count, Index at,
                      std::vector<double*> const& k) const {
  for (std::size_t axis = 0; axis < along_.size(); ++axis)
    waves_.numbers(static_cast<int>(axis), natural(static_cast<int>(axis), index),
                   step * along_[axis].weights[along], count, along_[axis].unit, k[axis] + at);
}

void Spectrum::Values::add(Shape const& index) {
  first_.push_back(vectors_.size());
  if (!spectrum_.keeps(index)) return;
  Wavevector& k = vectors_.emplace_back();
  int const axes = static_cast<int>(spectrum_.along_.size());
  PerAxis<int> of_either_sign;
  for (int axis = 0; axis < axes; ++axis) {
    Index const natural = spectrum_.natural(axis, index);
    k.push_back(spectrum_.component(axis, natural));
    if (natural == spectrum_.along_[static_cast<std::size_t>(axis)].of_either_sign)
      of_either_sign.push_back(axis);
  }
  for (int axis : of_either_sign)
    for (std::size_t i = first_.back(), end = vectors_.size(); i < end; ++i) {
      vectors_.push_back(vectors_[i]);
      vectors_.back()[axis] = -vectors_.back()[axis];
    }
}

void Spectrum::Values::call() {
  numbers_.resize(vectors_.size() * numbers_each());
  symbol_.at(static_cast<Index>(vectors_.size()), vectors_.data(), numbers_.data());
}

}  // namespace sixstep::formulas

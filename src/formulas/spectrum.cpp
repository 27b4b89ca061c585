// SPDX-License-Identifier: BSD-3-Clause
// Finds wave vectors, and takes means where a coefficient stands for two waves.
#include "formulas/spectrum.hpp"

#include <algorithm>
#include <array>
#include <complex>
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

void Spectrum::evaluate(Symbol const& symbol, Shape const& index,
                        std::complex<double>* numbers) const {
  PerAxis<double> const waves = waves_at(index);
  Wavevector k;
  PerAxis<int> both;  // axes along which the wave has either sign
  for (int axis = 0; axis < axes_; ++axis) {
    k.push_back(units_[axis] * waves[axis]);
    if (waves_.has_either_sign(axis, waves[axis])) both.push_back(axis);
  }
  symbol.at(k, numbers);
  if (both.empty()) return;
  auto const count = static_cast<std::size_t>(symbol.results() * symbol.fields());
  std::vector<std::complex<double>> other(count);
  unsigned const signs = 1U << both.size();
  for (unsigned sign = 1; sign < signs; ++sign) {
    Wavevector turned = k;
    for (int i = 0; i < both.size(); ++i)
      if (sign >> i & 1) turned[both[i]] = -turned[both[i]];
    symbol.at(turned, other.data());
    for (std::size_t i = 0; i < count; ++i) numbers[i] += other[i];
  }
  for (std::size_t i = 0; i < count; ++i) numbers[i] /= signs;
}

}  // namespace sixstep::formulas

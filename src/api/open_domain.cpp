// SPDX-License-Identifier: BSD-3-Clause
#include "api/open_domain.hpp"

#include <algorithm>
#include <cmath>

namespace sixstep {

int OpenDomain::dimensions() const {
  return static_cast<int>(
      std::count_if(axes.begin(), axes.end(), [](TableAxis const& axis) { return axis.is_open; }));
}

Shape OpenDomain::entries() const {
  Shape extents;
  for (TableAxis const& axis : axes) extents.push_back(axis.entries);
  return extents;
}

double OpenDomain::volume() const {
  double product = 1;
  for (TableAxis const& axis : axes)
    if (axis.is_open) product *= axis.step;
  return product;
}

PerAxis<double> OpenDomain::distances(PerAxis<double> const& places) const {
  PerAxis<double> found;
  for (int i = 0; i < places.size(); ++i)
    if (axes[static_cast<std::size_t>(i)].is_open) found.push_back(places[i]);
  return found;
}

double OpenDomain::along_open(PerAxis<double> const& places) const {
  double square = 0;
  for (double const place : distances(places)) square += place * place;
  return std::sqrt(square);
}

double OpenDomain::wave(PerAxis<double> const& places) const {
  double square = 0;
  for (int i = 0; i < places.size(); ++i)
    if (!axes[static_cast<std::size_t>(i)].is_open) square += places[i] * places[i];
  return std::sqrt(square);
}

double OpenDomain::radius() const {
  double square = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].is_open) continue;
    double const side = axes[i].side() + (shift.empty() ? 0 : std::abs(shift[i]));
    square += side * side;
  }
  return std::sqrt(square);
}

bool OpenDomain::is_far() const {
  for (std::size_t i = 0; i < shift.size(); ++i)
    if (axes[i].is_open && std::abs(shift[i]) >= axes[i].side()) return true;
  return false;
}

}  // namespace sixstep

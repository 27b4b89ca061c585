// SPDX-License-Identifier: BSD-3-Clause
// Local arrays of a distributed transform: filled from and compared with the whole array.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "oracles/fourier.hpp"
#include "sixstep/layout.hpp"

namespace arrays {

using oracle::at;
using oracle::Exact;
using sixstep::Index;
using sixstep::Layout;
using sixstep::Shape;

/// `points` elements that are no numbers: what was never written shows in any comparison.
template <class Real>
std::vector<std::complex<Real>> unset(Index points) {
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  return std::vector<std::complex<Real>>(at(points), {nan, nan});
}

/// Puts a rank's part of the whole array into its local array.
template <class Real>
void fill(std::vector<std::complex<Real>>& local, Layout const& layout, int rank,
          std::vector<Exact> const& whole) {
  oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
    local[at(offset)] =
        static_cast<std::complex<Real>>(whole[at(oracle::number_of(layout.shape(), point))]);
  });
}

/// The largest difference between a local array and its part of the whole one; infinite if any
/// element is no number.
template <class Real>
double difference(std::vector<std::complex<Real>> const& local, Layout const& layout, int rank,
                  std::vector<Exact> const& whole, long double scale = 1) {
  long double worst = 0;
  oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
    Exact const& expected = whole[at(oracle::number_of(layout.shape(), point))];
    long double const error = std::abs(static_cast<Exact>(local[at(offset)]) - expected * scale);
    worst = std::isnan(error) ? HUGE_VALL : std::max(worst, error);
  });
  return static_cast<double>(worst);
}

/// What rounding may do to a transform of `points` values of about 1.
template <class Real>
double rounding(Index points, long double scale = 1) {
  double const n = static_cast<double>(points);
  return 24 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::sqrt(n) *
         (1 + std::log2(n)) * static_cast<double>(scale);
}

}  // namespace arrays

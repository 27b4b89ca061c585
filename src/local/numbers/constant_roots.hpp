// SPDX-License-Identifier: BSD-3-Clause
// Roots of unity as constants of the butterflies: cos and sin of 2 pi k / n at compile time.
//
// Taylor series in long double after reduction to an octant. They are correct to the last bit of
// double if long double is wider than double. See roots.hpp for tables.
#pragma once

namespace sixstep::local {

namespace constant {

// sum_i (-1)^i x^(2 i + start) / (2 i + start)!
constexpr long double series(long double x, int start) {
  long double term = start == 0 ? 1.0L : x;
  long double sum = 0;
  for (int k = start; k < start + 28; k += 2) {
    sum += term;
    term *= -x * x / static_cast<long double>((k + 1) * (k + 2));
  }
  return sum;
}

inline constexpr long double pi = 3.141592653589793238462643383279502884L;

}  // namespace constant

/// cos(2 pi k / n), k >= 0.
constexpr double cosine(int k, int n) {
  int eighths = 8 * (k % n);  // the angle is eighths / n * pi / 4
  if (eighths > 4 * n) eighths = 8 * n - eighths;
  if (eighths > 2 * n) return -cosine((4 * n - eighths), 8 * n);
  long double const unit = constant::pi / 4 / static_cast<long double>(n);
  return static_cast<double>(
      eighths <= n ? constant::series(static_cast<long double>(eighths) * unit, 0)
                   : constant::series(static_cast<long double>(2 * n - eighths) * unit, 1));
}

/// sin(2 pi k / n), k >= 0: the cosine a quarter turn earlier.
constexpr double sine(int k, int n) { return cosine(4 * (k % n) + 3 * n, 4 * n); }

}  // namespace sixstep::local

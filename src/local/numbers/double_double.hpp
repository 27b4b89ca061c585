// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on DoubleDouble and WideComplex: about 106 bits in pairs of doubles.
//
// The error-free sum is Knuth's, the error-free product takes one fused multiply-add. Results have
// errors of a few units in the 104th bit.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>

#include "local/numbers/roots.hpp"

// Compilers would call these few instructions where they optimize for quick compilation.
#if defined(__GNUC__)
#define SIXSTEP_INLINE [[gnu::always_inline]]
#else
#define SIXSTEP_INLINE
#endif

namespace sixstep::local {

/// a + b exactly.
SIXSTEP_INLINE constexpr DoubleDouble two_sum(double a, double b) {
  double const sum = a + b;
  double const shift = sum - a;
  return {sum, (a - (sum - shift)) + (b - shift)};
}

/// a + b exactly, where |a| >= |b| or a == 0.
SIXSTEP_INLINE constexpr DoubleDouble quick_two_sum(double a, double b) {
  double const sum = a + b;
  return {sum, b - (sum - a)};
}

/// a * b exactly.
SIXSTEP_INLINE inline DoubleDouble two_product(double a, double b) {
  double const product = a * b;
  return {product, std::fma(a, b, -product)};
}

SIXSTEP_INLINE inline DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

SIXSTEP_INLINE inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble const high = two_sum(a.hi, b.hi);
  DoubleDouble const low = two_sum(a.lo, b.lo);
  DoubleDouble const sum = quick_two_sum(high.hi, high.lo + low.hi);
  return quick_two_sum(sum.hi, sum.lo + low.lo);
}

SIXSTEP_INLINE inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }

SIXSTEP_INLINE inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble const product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

SIXSTEP_INLINE inline DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  double const first = a.hi / b.hi;
  DoubleDouble rest = a - b * DoubleDouble{first, 0};
  double const second = rest.hi / b.hi;
  rest = rest - b * DoubleDouble{second, 0};
  DoubleDouble const quotient = quick_two_sum(first, second);
  return quotient + DoubleDouble{rest.hi / b.hi, 0};
}

SIXSTEP_INLINE inline WideComplex operator*(WideComplex const& a, WideComplex const& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// An integer whose absolute value is below 2^105.
inline DoubleDouble wide_integer(Index value) {
  double const high = static_cast<double>(value);
  // A value close to 2^63 rounds up to 2^63, which does not fit in an Index.
  __int128 const rest = static_cast<__int128>(value) - static_cast<__int128>(high);
  return {high, static_cast<double>(rest)};
}

/// The nearest Real.
template <std::floating_point Real>
Real rounded(DoubleDouble value) {
  if constexpr (std::same_as<Real, double>) {
    return value.hi;
  } else {
    // lo only matters if hi is half way between two floats.
    constexpr std::uint64_t dropped = (std::uint64_t{1} << 29) - 1;
    constexpr std::uint64_t half = std::uint64_t{1} << 28;
    double high = value.hi;
    if (value.lo != 0 && (std::bit_cast<std::uint64_t>(high) & dropped) == half) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      high = std::nextafter(high, value.lo > 0 ? infinity : -infinity);
    }
    return static_cast<Real>(high);
  }
}

/// The nearest complex number, rounded part by part.
template <std::floating_point Real>
std::complex<Real> rounded(WideComplex const& value) {
  return {rounded<Real>(value.re), rounded<Real>(value.im)};
}

}  // namespace sixstep::local

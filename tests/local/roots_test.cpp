// SPDX-License-Identifier: BSD-3-Clause
// Roots of unity against the C library in __float128 where there is one, else against identities.
#include "local/numbers/roots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "local/instruction_sets.hpp"
#include "local/numbers/constant_roots.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/root_progressions.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// 113 bits by the half-angle and addition formulas alone: exp(-2 pi i / 2^64) and its products.
using Quad = __float128;

struct QuadComplex {
  Quad re;
  Quad im;
};

QuadComplex multiply(QuadComplex a, QuadComplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Quad magnitude(Quad x) { return x < 0 ? -x : x; }

// exp(-i x) of a small x, by the series.
QuadComplex small_exponential(Quad x) {
  QuadComplex sum{1, 0};
  QuadComplex term{1, 0};
  for (int k = 1; k < 24; ++k) {
    term = multiply(term, {0, -x / k});
    sum = {sum.re + term.re, sum.im + term.im};
  }
  return sum;
}

Quad pi() {
  // 16 atan(1/5) - 4 atan(1/239), Machin (1706).
  auto const arctangent = [](int inverse) {
    Quad term = Quad{1} / inverse;
    Quad sum = 0;
    for (int k = 0; k < 60; ++k) {
      sum += (k % 2 == 0 ? term : -term) / (2 * k + 1);
      term /= Quad(inverse) * inverse;
    }
    return sum;
  };
  return 16 * arctangent(5) - 4 * arctangent(239);
}

QuadComplex exact(Index k, Index n) {
  // The angle is reduced to a sixteenth of a turn either side of a multiple of an eighth.
  __int128 const rest = ((static_cast<__int128>(k) % n) + n) % n;
  __int128 const eighth = (rest * 8 + n / 2) / n;
  Quad const angle = 2 * pi() * (Quad(rest * 8 - eighth * n) / 8) / Quad(n);
  QuadComplex value = small_exponential(angle / 4);
  value = multiply(value, value);
  value = multiply(value, value);
  QuadComplex const turned = small_exponential(pi() / 16);
  QuadComplex step = multiply(turned, turned);
  step = multiply(step, step);
  for (__int128 i = 0; i < eighth; ++i) value = multiply(value, step);
  return value;
}

Quad value(DoubleDouble x) { return Quad(x.hi) + Quad(x.lo); }

void expect_close(WideComplex const& got, QuadComplex const& expected, Index k, Index n) {
  Quad const bound = Quad(1) / (Quad(1ull << 50) * Quad(1ull << 50));  // 2^-100
  EXPECT_LT(static_cast<double>(magnitude(value(got.re) - expected.re) / bound), 1)
      << k << "/" << n;
  EXPECT_LT(static_cast<double>(magnitude(value(got.im) - expected.im) / bound), 1)
      << k << "/" << n;
}

TEST(roots, wide_roots_are_good_to_100_bits) {
  for (Index n :
       {Index{1}, Index{2}, Index{3}, Index{7}, Index{8}, Index{16}, Index{360}, Index{1009}})
    for (Index k = 0; k < n; ++k) expect_close(wide_root(k, n), exact(k, n), k, n);
  for (Index n : {Index{1} << 40, (Index{1} << 61) + 1, Index{1} << 62, Index{1000003}})
    for (Index k : {Index{1}, n / 8, n / 8 + 1, n / 4 - 1, n / 3, n / 2 + 1, n - 1, n / 7 * 6})
      expect_close(wide_root(k, n), exact(k, n), k, n);
}

TEST(roots, near_roots_are_good_to_a_bit_or_two) {
  constexpr double bound = 1.5 * std::numeric_limits<double>::epsilon();
  for (Index n : {Index{1}, Index{2}, Index{3}, Index{8}, Index{360}, Index{1009}, Index{1} << 24,
                  (Index{1} << 61) + 1})
    for (Index k : {Index{0}, Index{1}, n / 8, n / 8 + 1, n / 4, n / 3, n / 2, n / 7 * 6, n - 1}) {
      std::complex<double> const near = near_root(k, n), rounded = root<double>(k, n);
      EXPECT_LE(std::abs(near.real() - rounded.real()), bound * std::abs(rounded.real()))
          << k << "/" << n;
      EXPECT_LE(std::abs(near.imag() - rounded.imag()), bound * std::abs(rounded.imag()))
          << k << "/" << n;
    }
  EXPECT_EQ(near_root(4, 8), std::complex<double>(-1, 0));
  EXPECT_EQ(near_root(2, 8), std::complex<double>(0, -1));
}

TEST(roots, any_multiple_of_the_order_may_be_added) {
  expect_close(wide_root(-5, 12), exact(7, 12), -5, 12);
  expect_close(wide_root(12 * 1000 + 7, 12), exact(7, 12), 12007, 12);
  expect_close(Roots(12).wide(12 * 1000 + 7), exact(7, 12), 12007, 12);
}

TEST(roots, two_tables_give_every_root_to_100_bits) {
  for (Index n : {Index{1}, Index{2}, Index{4}, Index{5}, Index{64}, Index{1000}, Index{1009}}) {
    Roots const roots(n);
    EXPECT_EQ(roots.n(), n);
    for (Index k = 0; k < n; ++k) expect_close(roots.wide(k), exact(k, n), k, n);
  }
  Index const n = Index{1} << 30;
  Roots const roots(n);
  for (Index k = 1; k < n; k = k * 3 + 1) expect_close(roots.wide(k), exact(k, n), k, n);
}

template <class Real>
void expect_rounded(Index n) {
  Roots const roots(n);
  for (Index k = 0; k < n; ++k) {
    QuadComplex const expected = exact(k, n);
    std::complex<Real> const got = root<Real>(k, n);
    EXPECT_EQ(roots.at<Real>(k), got) << k << "/" << n;
    for (auto [part, wide] :
         {std::pair{got.real(), expected.re}, std::pair{got.imag(), expected.im}}) {
      // Nothing is nearer: the neighbours are farther. A zero is exact to the reference's last
      // bits.
      Quad const error = magnitude(Quad(part) - wide);
      if (part == 0) {
        EXPECT_LT(static_cast<double>(error), 1e-31);
        continue;
      }
      Real const up = std::nextafter(part, Real{2});
      Real const down = std::nextafter(part, Real{-2});
      EXPECT_LE(static_cast<double>(error), static_cast<double>(magnitude(Quad(up) - wide)));
      EXPECT_LE(static_cast<double>(error), static_cast<double>(magnitude(Quad(down) - wide)));
    }
  }
}

TEST(roots, narrow_roots_are_rounded_to_nearest) {
  for (Index n : {1, 2, 3, 4, 8, 12, 100, 1009, 4096}) {
    expect_rounded<double>(n);
    expect_rounded<float>(n);
  }
}

template <class Real>
void expect_progression(Roots const& roots, Powers const& powers, std::string const& isa) {
  constexpr Real untouched = 7;
  auto const count = static_cast<std::size_t>(powers.count);
  std::vector<Real> re(count + 1, untouched), im(re);
  Environment const forced(isa.c_str());
  store_roots(roots, powers, re.data(), im.data());
  auto power = static_cast<__int128>(powers.first);
  for (std::size_t k = 0; k < count; ++k, power += powers.step)
    EXPECT_EQ(std::complex(re[k], im[k]),
              root<Real>(static_cast<Index>(power % roots.n()), roots.n()))
        << powers.first << " + " << powers.step << " * " << k << " of " << roots.n() << ", " << isa;
  EXPECT_EQ(re[count], untouched);
  EXPECT_EQ(im[count], untouched);
}

TEST(roots, progressions_of_powers_have_the_same_roots) {
  constexpr Index many = 1 << 14;
  for (std::string const& isa : available()) {
    for (Index n : {1, 2, 12, 64, 1000, 1009, 4096, 65537, (1 << 30) + 15}) {
      Roots const roots(n);
      for (Index step : {Index{0}, Index{1}, Index{7}, n / 3, n / 4, n - 1})
        for (Index count : {1, 31, 32, 33, 47}) {
          expect_progression<double>(roots, {n / 5, step, count}, isa);
          expect_progression<float>(roots, {n / 5, step, count}, isa);
        }
    }
    // Some of many roots lie close to the middle between two numbers.
    expect_progression<double>(Roots(many), {0, 3, many}, isa);
    expect_progression<float>(Roots(8 * many), {1, 1, many}, isa);
  }
}

TEST(roots, a_quarter_turn_is_exact) {
  for (Index n : {4, 64, 1000, 4096}) {
    Roots const roots(n);
    EXPECT_EQ(roots.at<double>(n / 4), std::complex<double>(0, -1));
    EXPECT_EQ(roots.at<double>(n / 2), std::complex<double>(-1, 0));
    EXPECT_EQ(roots.at<double>(n / 4 * 3), std::complex<double>(0, 1));
    EXPECT_EQ(root<double>(n / 4, n), std::complex<double>(0, -1));
  }
}

TEST(roots, an_order_must_be_positive) {
  EXPECT_THROW(wide_root(1, 0), Error);
  EXPECT_THROW(Roots(-3), Error);
}

TEST(roots, constants_of_the_butterflies_are_the_same_roots) {
  for (int n : small_radices)
    for (int k = 0; k < n; ++k) {
      std::complex<double> const expected = root<double>(k, n);
      EXPECT_NEAR(cosine(k, n), expected.real(), 1e-19) << k << "/" << n;
      EXPECT_NEAR(-sine(k, n), expected.imag(), 1e-19) << k << "/" << n;
    }
}

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Tables of a recipe: roots of unity to the last bit, whole or as a product of two.
#include "local/numbers/recipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "local/numbers/roots.hpp"

namespace sixstep::local {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Error of entry (p, j) of a table, in units of the last place of 1/2.
template <class Real>
double error(Pass<Real> const& pass, Index p, Index j) {
  Twiddles<Real> const& table = pass.twiddles;
  Index const width = pass.radix - 1;
  Index const re_place = j - 1;
  Index const im_place = width + j - 1;
  Index const fine_row = p % table.tile * 2 * width;
  std::complex<Real> value{table.fine[at(fine_row + re_place)],
                           table.fine[at(fine_row + im_place)]};
  if (!table.whole()) {
    Index const coarse_row = p / table.tile * 2 * width;
    std::complex<Real> const high{table.coarse[at(coarse_row + re_place)],
                                  table.coarse[at(coarse_row + im_place)]};
    std::complex<Real> const low{table.coarse_rest[at(coarse_row + re_place)],
                                 table.coarse_rest[at(coarse_row + im_place)]};
    value = high + (low + high * value);
  }
  WideComplex const exact = wide_root(p * j, pass.radix * pass.count);
  double const re = (static_cast<double>(value.real()) - exact.re.hi) - exact.re.lo;
  double const im = (static_cast<double>(value.imag()) - exact.im.hi) - exact.im.lo;
  return std::max(std::abs(re), std::abs(im)) /
         (static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2);
}

template <class Real>
void expect_accurate(Index n) {
  for (Pass<Real> const& pass : Recipe<Real>(n).passes) {
    double worst = 0;
    double squares = 0;
    Index entries = 0;
    for (Index p = 0; p < pass.count && pass.count > 1; p += 1 + pass.count / 500)
      for (Index j = 1; j < pass.radix; ++j, ++entries) {
        double const e = error(pass, p, j);
        worst = std::max(worst, e);
        squares += e * e;
      }
    EXPECT_LT(worst, pass.twiddles.whole() ? 0.501 : 0.75) << n << " radix " << pass.radix;
    EXPECT_LT(std::sqrt(squares / static_cast<double>(entries + 1)), 0.4) << n;
  }
}

TEST(recipe, twiddles_are_rounded_once) {
  for (Index n : {16, 360, 4096, 32768, 50625, 1 << 20}) {
    expect_accurate<double>(n);
    expect_accurate<float>(n);
  }
}

TEST(recipe, tables_of_long_lengths_are_short) {
  std::size_t entries = 0;
  for (Pass<double> const& pass : Recipe<double>(Index{1} << 24).passes)
    entries += pass.twiddles.fine.size() + 2 * pass.twiddles.coarse.size();
  EXPECT_LT(entries, 32u << 12);
}

template <class Real>
void expect_direct_roots(Index p) {
  Recipe<Real> const recipe(p);
  ASSERT_TRUE(recipe.passes.front().direct) << p;
  auto entry = recipe.passes.front().direct->values.begin();
  for (Index k = 1; k <= p / 2; ++k)
    for (Index j = 1; j <= p / 2; ++j) {
      std::complex<Real> const expected = root<Real>(j * k, p);
      EXPECT_EQ(*entry++, expected.real()) << p << " " << j << " " << k;
      EXPECT_EQ(*entry++, -expected.imag()) << p << " " << j << " " << k;
    }
  EXPECT_EQ(entry, recipe.passes.front().direct->values.end());
}

TEST(recipe, a_small_prime_is_summed_up_directly) {
  for (Index p : {17, 19, 61, 83}) {
    expect_direct_roots<double>(p);
    expect_direct_roots<float>(p);
  }
  EXPECT_EQ(Recipe<double>(2 * 17 * 83).describe(), "2 x 17 x 83");
}

TEST(recipe, a_larger_prime_is_a_convolution) {
  EXPECT_EQ(Recipe<double>(1009).describe(), "1009 (Rader 1008)");
  EXPECT_NE(Recipe<double>(2 * 2027).describe().find("Bluestein"), std::string::npos);
  EXPECT_EQ(Recipe<double>(1).describe(), "1");
}

TEST(recipe, blocks_fill_the_buffer) {
  for (Index n = 1; n < 3000; n += 13) {
    Recipe<float> const recipe(n);
    Index count = n;
    for (Pass<float> const& pass : recipe.passes) {
      count /= pass.radix;
      EXPECT_EQ(pass.count, count);
      EXPECT_GE(pass.step, pass.count);
      EXPECT_LE(pass.radix * pass.step, recipe.rows);
    }
    EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace sixstep::local

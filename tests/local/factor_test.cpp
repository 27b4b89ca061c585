// SPDX-License-Identifier: BSD-3-Clause
// Radices of a length: they multiply to it, and are those there are kernels for, or primes.
#include "local/numbers/factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

bool is_prime(Index n) {
  for (Index p = 2; p * p <= n; ++p)
    if (n % p == 0) return false;
  return n > 1;
}

TEST(factor, radices_multiply_to_the_length) {
  for (Index n = 1; n <= 3000; ++n) {
    Index product = 1;
    bool large = false;
    for (Index radix : radices(n)) {
      product *= radix;
      bool const small = std::ranges::count(small_radices, radix) > 0;
      EXPECT_TRUE(small || (radix > 13 && is_prime(radix))) << n;
      EXPECT_FALSE(small && large) << n << ": a small radix after a large prime";
      large = large || !small;
    }
    EXPECT_EQ(product, n);
  }
}

TEST(factor, orders_are_of_the_same_radices) {
  for (Index n = 1; n <= 3000; ++n) {
    std::vector<Index> ascending = radices(n, RadixOrder::ascending);
    std::vector<Index> descending = radices(n, RadixOrder::descending);
    auto const is_large = [](Index radix) { return radix > small_radices.back(); };
    auto const small_end = std::ranges::find_if(ascending, is_large);
    EXPECT_TRUE(std::is_sorted(ascending.begin(), small_end));
    std::reverse(descending.begin(), std::ranges::find_if(descending, is_large));
    EXPECT_EQ(ascending, descending) << n;
  }
}

TEST(factor, a_length_must_be_positive) {
  EXPECT_THROW(radices(0), Error);
  EXPECT_THROW(radices(-8), Error);
}

TEST(factor, huge_lengths_are_cut_too) {
  EXPECT_EQ(radices(Index{1} << 60).size(), 15u);
  EXPECT_EQ(radices(Index{1000003}), std::vector<Index>{1000003});
}

TEST(factor, a_cheap_length_is_smooth_and_no_shorter) {
  for (Index n = 1; n <= 3000; n += 7) {
    Index const length = cheapest_smooth(n);
    EXPECT_GE(length, n);
    EXPECT_LT(length, 2 * n);
    EXPECT_TRUE(is_smooth(length));
  }
}

TEST(factor, a_huge_length_is_quickly_found_smooth_or_not) {
  Index const prime = (Index{1} << 61) - 1;
  EXPECT_FALSE(is_smooth(prime));
  EXPECT_FALSE(is_smooth(2 * Index{1073741789} * 1073741783));
  EXPECT_EQ(radices(prime), std::vector<Index>{prime});
  EXPECT_TRUE(is_smooth(cheapest_smooth(prime)));
}

TEST(factor, a_cheap_length_is_a_multiple_as_asked) {
  for (Index multiple : {Index{1}, Index{8}, Index{9}, Index{1} << 56, Index{83} << 48}) {
    Index const length = cheapest_smooth((Index{1} << 61) - 1, multiple);
    EXPECT_GE(length, (Index{1} << 61) - 1);
    EXPECT_EQ(length % multiple, 0);
    EXPECT_TRUE(is_smooth(length));
  }
  EXPECT_THROW(cheapest_smooth((Index{1} << 62) + 1), Error);
}

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Radices of a length: they multiply to it, and are those there are kernels for, or primes.
#include "local/numbers/factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

TEST(factor, a_primitive_root_generates_everything) {
  for (Index p : {2, 3, 5, 17, 23, 1009}) {
    std::set<Index> powers;
    for (Index e = 0; e < p - 1; ++e) powers.insert(power_modulo(primitive_root(p), e, p));
    EXPECT_EQ(static_cast<Index>(powers.size()), p - 1);
    EXPECT_EQ(powers.count(0), 0u);
  }
}

TEST(factor, powers_do_not_overflow) {
  Index const p = (Index{1} << 61) - 1;  // a prime: Fermat
  EXPECT_EQ(power_modulo(123456789, p - 1, p), 1);
}

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Primes, factors and divisors: by their definitions where numbers are small, known ones where they
// are not.
#include "local/numbers/primes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using Numbers = std::vector<Index>;

Numbers divisors_by_trial(Index n) {
  Numbers found;
  for (Index d = 1; d <= n; ++d)
    if (n % d == 0) found.push_back(d);
  return found;
}

TEST(primes, small_numbers_agree_with_trials) {
  for (Index n = 1; n <= 3000; ++n) {
    Numbers const wanted = divisors_by_trial(n);
    EXPECT_EQ(divisors(n), wanted);
    EXPECT_EQ(is_prime(n), wanted.size() == 2) << n;
    Index product = 1, last = 2;
    for (Index p : prime_factors(n)) {
      EXPECT_TRUE(is_prime(p)) << n;
      EXPECT_LE(last, p) << n;
      last = p;
      product *= p;
    }
    EXPECT_EQ(product, n);
  }
  EXPECT_FALSE(is_prime(0));
  EXPECT_FALSE(is_prime(-7));
}

TEST(primes, huge_numbers_are_taken_apart) {
  Index const mersenne = (Index{1} << 61) - 1;
  EXPECT_EQ(prime_factors(mersenne), Numbers{mersenne});
  EXPECT_EQ(prime_factors(Index{1} << 62), Numbers(62, 2));
  EXPECT_EQ(prime_factors(Index{2147483629} * 2147483647), (Numbers{2147483629, 2147483647}));
  EXPECT_EQ(prime_factors(Index{2147483647} * 2147483647), (Numbers{2147483647, 2147483647}));
  EXPECT_EQ(prime_factors(Index{1000003} * 1000003 * 1000003), Numbers(3, 1000003));
  EXPECT_EQ(prime_factors(Index{3} * 1021 * 1031 * 1031 * 1000003),
            (Numbers{3, 1021, 1031, 1031, 1000003}));
  EXPECT_EQ(divisors(Index{2147483629} * 2147483647),
            (Numbers{1, 2147483629, 2147483647, Index{2147483629} * 2147483647}));
  EXPECT_EQ(divisors(Index{1} << 62).size(), 63u);
}

// Strong pseudoprimes to the first bases: 2; 2 to 7; 2 to 17; 2 to 23.
TEST(primes, numbers_that_pass_for_primes_are_not) {
  for (Index n :
       {Index{2047}, Index{3215031751}, Index{341550071728321}, Index{3825123056546413051}})
    EXPECT_FALSE(is_prime(n)) << n;
}

TEST(primes, a_primitive_root_generates_everything) {
  for (Index p : {2, 3, 5, 17, 23, 1009}) {
    std::set<Index> powers;
    for (Index e = 0; e < p - 1; ++e) powers.insert(power_modulo(primitive_root(p), e, p));
    EXPECT_EQ(static_cast<Index>(powers.size()), p - 1);
    EXPECT_EQ(powers.count(0), 0u);
  }
}

TEST(primes, powers_do_not_overflow) {
  Index const p = (Index{1} << 61) - 1;  // a prime: Fermat
  EXPECT_EQ(power_modulo(123456789, p - 1, p), 1);
}

}  // namespace
}  // namespace sixstep::local

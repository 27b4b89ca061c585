// SPDX-License-Identifier: BSD-3-Clause
// Numbers to 75 bits and their transform, against the definition in long double.
#include "local/numbers/pair_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "local/instruction_sets.hpp"
#include "local/numbers/roots.hpp"
#include "oracles/roots.hpp"

namespace sixstep::local {
namespace {

using oracle::Exact;
using oracle::exact_root;
using oracle::ExactRoots;

Exact exact_of(WidePair const& x) {
  return {static_cast<long double>(x.hi[0]) + x.lo[0], static_cast<long double>(x.hi[1]) + x.lo[1]};
}

/// Numbers in the square of side 2 around 0, to 75 bits.
std::vector<WidePair> random_numbers(Index n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-1, 1);
  std::vector<WidePair> numbers(static_cast<std::size_t>(n));
  for (WidePair& x : numbers)
    x = WidePair{Pair{part(random), part(random)},
                 both(0x1p-54) * Pair{part(random), part(random)}};
  return numbers;
}

void expect_near(long double exact, double value, Index n, Index k) {
  long double const rounding = std::abs(exact) * 0x1p-53L;
  EXPECT_LE(std::abs(exact - value), rounding + 0x1p-62L) << n << ' ' << k;
}

TEST(pair_transform, is_the_mean_rounded_once) {
  for (Index n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 17, 45, 83, 97, 128, 360, 1008, 1045, 2048}) {
    std::vector<WidePair> const numbers = random_numbers(n, static_cast<unsigned>(n));
    std::vector<double> const result = mean_transform<double>(numbers);
    std::vector<float> const shorter = mean_transform<float>(numbers);
    ASSERT_EQ(result.size(), 2 * numbers.size());
    ExactRoots const roots(n);
    for (Index k = 0; k < n; ++k) {
      Exact sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += exact_of(numbers[static_cast<std::size_t>(j)]) * roots[j * k % n];
      sum /= static_cast<long double>(n);
      auto const at = static_cast<std::size_t>(2 * k);
      expect_near(sum.real(), result[at], n, k);
      expect_near(sum.imag(), result[at + 1], n, k);
      EXPECT_LE(std::abs(shorter[at] - result[at]), std::abs(result[at]) * 0x1p-24);
      EXPECT_LE(std::abs(shorter[at + 1] - result[at + 1]), std::abs(result[at + 1]) * 0x1p-24);
    }
  }
}

TEST(pair_transform, half_of_a_symmetric_sequence_is_enough) {
  for (Index n : {1, 2, 3, 4, 5, 9, 12, 16, 35, 45, 64, 97, 100, 360, 1045, 2160})
    for (Index given : {n / 2 + 1, n / 3 + 1}) {
      std::vector<WidePair> const first = random_numbers(given, static_cast<unsigned>(n));
      std::vector<WidePair> all(static_cast<std::size_t>(n), WidePair{});
      for (Index k = 0; k < given; ++k)
        all[static_cast<std::size_t>(k)] = all[static_cast<std::size_t>((n - k) % n)] =
            first[static_cast<std::size_t>(k)];
      std::vector<double> const expected = mean_transform<double>(all);
      std::vector<float> const shorter = mean_transform<float>(all);
      std::vector<double> const result = mean_transform_of_even<double>(first, n);
      std::vector<float> const shorter_result = mean_transform_of_even<float>(first, n);
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t k = 0; k < result.size(); ++k) {
        expect_near(expected[k], result[k], n, static_cast<Index>(k));
        EXPECT_LE(std::abs(shorter[k] - shorter_result[k]), std::abs(shorter[k]) * 0x1p-23) << n;
      }
    }
}

TEST(pair_transform, every_instruction_set_gives_the_same_bits) {
  // Other roundings before the last one show in a few of 2^18 results.
  for (Index n : {7, 97, 360, 1045, 1 << 17}) {
    std::vector<WidePair> const numbers = random_numbers(n, static_cast<unsigned>(n));
    std::vector<double> const expected = mean_transform<double>(numbers);
    std::vector<float> const shorter = mean_transform<float>(numbers);
    std::vector<double> const of_even = mean_transform_of_even<double>(numbers, 2 * n);
    for (std::string const& isa : available()) {
      Environment const forced(isa.c_str());
      EXPECT_EQ(mean_transform_of_even<double>(numbers, 2 * n), of_even) << n << ' ' << isa;
      EXPECT_EQ(mean_transform<double>(numbers), expected) << n << ' ' << isa;
      EXPECT_EQ(mean_transform<float>(numbers), shorter) << n << ' ' << isa;
    }
  }
}

TEST(pair_transform, roots_are_those_of_long_double) {
  for (Index n : {1, 2, 3, 8, 97, 1008, 65536, 1 << 20}) {
    Roots const roots(n);
    for (Index k = 0; k < n; k = k < 100 ? k + 1 : k * 3) {
      Exact const error = exact_of(roots.pair(k + 3 * n)) - exact_root(k, n);
      EXPECT_LE(std::abs(error.real()), 0x1p-62L) << n << ' ' << k;
      EXPECT_LE(std::abs(error.imag()), 0x1p-62L) << n << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace sixstep::local

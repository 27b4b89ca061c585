// SPDX-License-Identifier: BSD-3-Clause
// Exact sums, against Shewchuk's: a list of doubles, none of which overlap, that add up to the sum.
#include "sixstep/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "local/kernels/sum_parts.hpp"

namespace sixstep {
namespace {

using Terms = std::vector<double>;
constexpr double most = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The exact sum, rounded to even, of numbers below 2^1000.
double shewchuk(Terms const& terms) {
  Terms parts;  // of growing magnitude
  for (double term : terms) {
    Terms next;
    for (double part : parts) {
      if (std::abs(term) < std::abs(part)) std::swap(term, part);
      double const sum = term + part, lost = part - (sum - term);
      if (lost != 0) next.push_back(lost);
      term = sum;
    }
    next.push_back(term);
    parts = next;
  }
  if (parts.empty()) return 0;
  double sum = parts.back(), lost = 0;
  parts.pop_back();
  while (!parts.empty() && lost == 0) {
    double const before = sum, part = parts.back();
    parts.pop_back();
    sum = before + part;
    lost = part - (sum - before);
  }
  // Halfway between two doubles, the next part decides.
  if (!parts.empty() && (lost < 0) == (parts.back() < 0)) {
    double const other = sum + 2 * lost;
    if (2 * lost == other - sum) sum = other;
  }
  return sum + 0.0;
}

double sum_of(Terms terms) {
  ExactSum sum;
  sum.add(terms);
  return sum.value();
}

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Numbers of random signs and mantissas. The range of their exponents is random, too.
Terms random_terms(std::mt19937_64& random) {
  auto const between = [&](int lo, int hi) {
    return std::uniform_int_distribution<int>(lo, hi)(random);
  };
  int const lowest = between(-1080, 980), highest = std::min(lowest + (1 << between(0, 11)), 980);
  Terms terms(static_cast<std::size_t>(between(0, 3) == 0 ? between(0, 20) : between(0, 3000)));
  for (double& term : terms)
    term =
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), between(lowest, highest));
  if (between(0, 2) == 0) {  // most of the sum cancels
    std::size_t const count = terms.size();
    for (std::size_t i = 0; i < count; ++i)
      if (between(0, 1000) > 0) terms.push_back(-terms[i]);
    std::ranges::shuffle(terms, random);
  }
  return terms;
}

TEST(exact_sum, is_rounded_once) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    Terms const terms = random_terms(random);
    EXPECT_EQ(bits_of(sum_of(terms)), bits_of(shewchuk(terms))) << round;
  }
}

TEST(exact_sum, does_not_depend_on_the_order_and_the_groups) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    Terms terms = random_terms(random);
    double const expected = sum_of(terms);
    std::ranges::shuffle(terms, random);
    std::vector<ExactSum> sums(1 + random() % 7);
    for (std::size_t first = 0; first < terms.size();) {
      std::size_t const count = std::min<std::size_t>(random() % 1500, terms.size() - first);
      ExactSum& sum = sums[random() % sums.size()];
      if (random() % 2 == 0)
        sum.add(std::span(terms).subspan(first, count));
      else
        for (std::size_t i = first; i < first + count; ++i) sum.add(terms[i]);
      first += count;
    }
    ExactSum all;
    ExactSum::Words words = {};
    for (ExactSum const& sum : sums) {
      all.add(sum);
      ExactSum::Words const more = sum.words();
      for (std::size_t i = 0; i < words.size(); ++i) words[i] += more[i];
    }
    EXPECT_EQ(bits_of(all.value()), bits_of(expected)) << round;
    EXPECT_EQ(bits_of(ExactSum(words).value()), bits_of(expected)) << round;
  }
}

TEST(exact_sum, of_no_terms_or_of_zeros_is_zero) {
  for (Terms const& terms : {Terms{}, Terms{0.0}, Terms{-0.0}, Terms{-0.0, -0.0}, Terms{2, -2}})
    EXPECT_EQ(bits_of(sum_of(terms)), bits_of(0.0));
}

TEST(exact_sum, overflows_only_at_its_end) {
  EXPECT_EQ(sum_of({most, most, -most}), most);
  EXPECT_EQ(sum_of(Terms(1000, most)), infinity);
  EXPECT_EQ(sum_of(Terms(1000, -most)), -infinity);
  // Half of the last bit of the largest double is 2^970, and the tie goes to the even infinity.
  EXPECT_EQ(sum_of({most, 0x1p969}), most);
  EXPECT_EQ(sum_of({most, 0x1.fffffffffffffp969}), most);
  EXPECT_EQ(sum_of({most, 0x1p970}), infinity);
  EXPECT_EQ(sum_of({-most, -0x1p970, 0x1p-1074}), -most);
  EXPECT_EQ(sum_of({most, 0x1p-1074, -most}), 0x1p-1074);
}

TEST(exact_sum, of_infinities_is_as_in_ieee_754) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t const count : {0UL, 1UL, 20UL, 1000UL}) {
    auto const beside = [&](Terms terms) {
      terms.resize(terms.size() + count, 1.5);
      return sum_of(terms);
    };
    EXPECT_EQ(beside({infinity}), infinity);
    EXPECT_EQ(beside({-most, infinity, infinity}), infinity);
    EXPECT_EQ(beside({most, -infinity}), -infinity);
    EXPECT_TRUE(std::isnan(beside({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(beside({nan})));
    EXPECT_TRUE(std::isnan(beside({-nan, infinity})));
  }
}

TEST(exact_sum, cuts_terms_without_loss_with_every_instruction_set) {
  std::mt19937_64 random(3);
  auto const one_by_one = [](Terms const& terms) {
    ExactSum sum;
    for (double term : terms) sum.add(term);
    return sum.words();
  };
  for (local::Target target : local::available_targets())
    for (int round = 0; round < 300; ++round) {
      local::SumKernels const kernels = local::sum_kernels(target);
      Terms terms = random_terms(random);
      terms.resize(std::min<std::size_t>(terms.size(), 512));
      double const magnitude = kernels.magnitude(terms);
      if (magnitude == 0) continue;
      EXPECT_NEAR(
          magnitude,
          [&] {
            Terms sizes = terms;
            for (double& size : sizes) size = std::abs(size);
            return shewchuk(sizes);
          }(),
          1e-12 * magnitude);
      int const high = std::max(std::ilogb(magnitude) + 3, -1022);
      int const low = std::max(high - 45, -1022);
      ExactSum::Words const expected = one_by_one(terms);
      local::SumParts const parts = kernels.cut(terms, std::ldexp(1.5, high), std::ldexp(1.5, low));
      for (double term : terms) EXPECT_LE(std::abs(term), std::ldexp(1.0, low - 53));
      EXPECT_EQ(parts.left == 0, std::ranges::count(terms, 0.0) == std::ssize(terms));
      terms.insert(terms.end(), {parts.high, parts.low});
      EXPECT_EQ(one_by_one(terms), expected) << local::name_of(target) << " " << round;
    }
}

}  // namespace
}  // namespace sixstep

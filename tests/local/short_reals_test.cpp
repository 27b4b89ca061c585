// SPDX-License-Identifier: BSD-3-Clause
// Short forms of reals with every instruction set: how far they round, at the ends of the range of
// numbers too, what becomes of infinities and NaNs, and conversions in place.
#include "local/kernels/short_reals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "local/targets.hpp"

namespace sixstep::local {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<ShortForm> all_forms(int most_bytes) {
  std::vector<ShortForm> forms;
  for (int bytes : {2, 3, 4, 6})
    for (int block : {4, 8, 16, 32, 64})
      if (bytes < most_bytes) forms.push_back({bytes, block});
  return forms;
}

/// The numbers that a receiver has of `reals`, converted in their own place, and the sums of the
/// sender.
template <class Real>
std::vector<Real> sent(std::vector<Real> const& reals, ShortForm const& form, Target target,
                       RoundingSums& sums) {
  ShortReals<Real> const kernels = short_reals<Real>(target);
  auto const count = static_cast<Index>(reals.size());
  Index const bytes = short_bytes(count, sizeof(Real), form);
  Index const all = count * Index{sizeof(Real)};
  EXPECT_LE(bytes, all);
  std::vector<Real> sender = reals, receiver(reals.size() + 1, Real{77});
  auto* const packed = reinterpret_cast<std::byte*>(sender.data());
  kernels.shorten(sender.data(), count, form, packed, sums);
  auto* const end = reinterpret_cast<std::byte*>(receiver.data()) + all - bytes;
  std::memcpy(end, packed, at(bytes));
  kernels.lengthen(end, count, form, receiver.data());
  EXPECT_EQ(receiver.back(), Real{77});
  receiver.pop_back();
  return receiver;
}

/// Numbers of one magnitude, or of all magnitudes at once, or mostly zeros.
template <class Real>
std::vector<Real> random_reals(Index count, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  int const most = std::numeric_limits<Real>::max_exponent, kind = static_cast<int>(random() % 5);
  int const least = std::numeric_limits<Real>::min_exponent;
  std::uniform_int_distribution<int> any(least + 64, most);
  int const one = any(random);
  std::vector<Real> reals(at(count));
  for (Real& x : reals) {
    double const number = unit(random);
    int const exponent = kind == 0 ? 0 : kind == 1 ? one : kind == 2 ? any(random) : 0;
    x = static_cast<Real>(std::ldexp(number, exponent));
    if (kind == 3 && random() % 16 != 0) x = 0;
    if (kind == 4 && random() % 8 != 0) x = static_cast<Real>(number * 1e-9);
  }
  return reals;
}

template <class Real>
void expect_within_bound(ShortForm const& form, Target target, std::mt19937& random) {
  Index const count = 1 + static_cast<Index>(random() % 300);
  std::vector<Real> const reals = random_reals<Real>(count, random);
  RoundingSums sums;
  std::vector<Real> const received = sent(reals, form, target, sums);
  for (Index begin = 0; begin < count; begin += form.block) {
    // Squares of long doubles neither over- nor underflow.
    long double errors = 0, values = 0;
    for (Index i = begin; i < std::min(begin + form.block, count); ++i) {
      long double const x = reals[at(i)], error = x - received[at(i)];
      values += x * x;
      errors += error * error;
    }
    ASSERT_LE(std::sqrt(errors), rounding_bound(form, sizeof(Real)) * std::sqrt(values));
  }
}

TEST(ShortReals, rounding_stays_below_the_bound_of_each_block) {
  std::mt19937 random(5);
  for (Target const target : available_targets()) {
    SCOPED_TRACE(name_of(target));
    for (int repeat = 0; repeat < 200; ++repeat) {
      for (ShortForm const& form : all_forms(sizeof(double)))
        expect_within_bound<double>(form, target, random);
      for (ShortForm const& form : all_forms(sizeof(float)))
        expect_within_bound<float>(form, target, random);
    }
  }
}

template <class Real>
void expect_measured(Index count, Target target) {
  std::mt19937 random(9);
  for (ShortForm const& form : all_forms(sizeof(Real))) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::vector<Real> const reals = random_reals<Real>(count, random);
      RoundingSums sums;
      std::vector<Real> const received = sent(reals, form, target, sums);
      long double errors = 0, values = 0;
      for (Index i = 0; i < count; ++i) {
        long double const x = reals[at(i)], error = x - received[at(i)];
        values += x * x;
        errors += error * error;
      }
      if (values == 0) continue;
      auto const measured = static_cast<double>(std::sqrt(errors / values));
      EXPECT_NEAR(sums.relative_error(), measured, 1e-6 * measured + 1e-16) << form.bytes;
      RoundingSums same = sums;
      same.values = {};
      short_reals<Real>(target).add(reals.data(), count, same);
      EXPECT_NEAR(same.relative_error(), measured, 1e-6 * measured + 1e-16) << form.bytes;
    }
  }
}

TEST(ShortReals, senders_know_the_error_of_receivers) {
  for (Target const target : available_targets()) {
    expect_measured<double>(256, target);
    expect_measured<float>(256, target);
  }
}

template <class Real>
void expect_special_numbers(ShortForm const& form, Target target, std::mt19937& random) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  Index const count = 1 + static_cast<Index>(random() % 200);
  std::vector<Real> reals = random_reals<Real>(count, random);
  for (int i = 0; i < 3; ++i)
    reals[random() % reals.size()] = i == 0 ? infinity : i == 1 ? -infinity : nan;
  RoundingSums sums;
  std::vector<Real> const received = sent(reals, form, target, sums);
  for (Index i = 0; i < count; ++i) {
    if (std::isnan(reals[at(i)]))
      EXPECT_TRUE(std::isnan(received[at(i)]));
    else if (std::isinf(reals[at(i)]))
      EXPECT_EQ(received[at(i)], reals[at(i)]);
    else
      EXPECT_TRUE(std::isfinite(received[at(i)]));
  }
}

TEST(ShortReals, infinities_and_nans_arrive) {
  std::mt19937 random(6);
  for (Target const target : available_targets())
    for (int repeat = 0; repeat < 50; ++repeat) {
      for (ShortForm const& form : all_forms(sizeof(double)))
        expect_special_numbers<double>(form, target, random);
      for (ShortForm const& form : all_forms(sizeof(float)))
        expect_special_numbers<float>(form, target, random);
    }
}

/// A NaN whose only bits are its lowest ones stays a NaN.
TEST(ShortReals, nans_with_low_bits_stay_nans) {
  std::uint64_t const bits = 0x7FF0000000000001;
  double nan = 0;
  std::memcpy(&nan, &bits, sizeof nan);
  RoundingSums sums;
  for (Target const target : available_targets())
    for (ShortForm const& form : all_forms(sizeof(double)))
      EXPECT_TRUE(std::isnan(sent(std::vector<double>(70, nan), form, target, sums)[69]));
}

TEST(ShortReals, the_largest_numbers_stay_finite) {
  RoundingSums sums;
  for (Target const target : available_targets()) {
    for (ShortForm const& form : all_forms(sizeof(double))) {
      double const most = std::numeric_limits<double>::max();
      for (double x : sent(std::vector<double>(130, -most), form, target, sums))
        EXPECT_NEAR(x / most, -1, 1e-4);
    }
    for (ShortForm const& form : all_forms(sizeof(float))) {
      float const most = std::numeric_limits<float>::max();
      for (float x : sent(std::vector<float>(130, most), form, target, sums))
        EXPECT_NEAR(x / most, 1, 1e-4);
    }
  }
}

TEST(ShortReals, zeros_and_signs_stay) {
  RoundingSums sums;
  std::vector<double> reals(200, 0.0);
  reals[100] = -3;
  for (Target const target : available_targets())
    for (ShortForm const& form : all_forms(sizeof(double))) {
      std::vector<double> const received = sent(reals, form, target, sums);
      for (std::size_t i = 0; i < reals.size(); ++i) EXPECT_NEAR(received[i], reals[i], 1e-4) << i;
      EXPECT_EQ(received[0], 0);
      EXPECT_EQ(received[128], 0);
    }
}

}  // namespace
}  // namespace sixstep::local

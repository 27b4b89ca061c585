// SPDX-License-Identifier: BSD-3-Clause
// Sums of global arrays: against long double, the same bits on any ranks, and numbers that are
// infinite or no numbers.
#include "sixstep/array.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "array_cases.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"

namespace sixstep {
namespace {

using namespace array_cases;

TEST(array, is_summed_up_without_its_ghosts) {
  Ranks const all(MPI_COMM_WORLD);
  Random random(6);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    Shape const shape = cases::random_shape(random, random.between(1, 3), 20'000);
    Array<Complex> a(random_layout(random, shape), all);
    a = Complex(1e6, 1e6);  // ghosts too
    Array<Index> numbers(random_layout(random, shape), all);
    a.fill([&](Shape const& i) { return value(shape, i); });
    numbers.fill([&](Shape const& i) { return oracle::number_of(shape, i); });
    std::complex<long double> total = 0;
    long double squares = 0, most = 0;
    for (oracle::Exact const& x : exact(shape)) {
      total += x;
      squares += std::norm(x);
      most = std::max(most, std::abs(x));
    }
    EXPECT_LE(std::abs(sum(a) - Complex(total)), 1e-11);
    EXPECT_NEAR(two_norm(a), static_cast<double>(std::sqrt(squares)), 1e-11);
    EXPECT_NEAR(max_norm(a), static_cast<double>(most), 1e-15);
    EXPECT_LE(std::abs(dot(a, a) - Complex(static_cast<double>(squares))), 1e-10);
    Index const points = oracle::points_of(shape);
    EXPECT_EQ(sum(numbers), points * (points - 1) / 2);
    EXPECT_EQ(max(numbers), points - 1);
    EXPECT_EQ(min(numbers + 1), 1);
  }
}

/// A number of any magnitude that float has, which depends on the point alone.
template <class T>
T wide_value(Shape const& shape, Shape const& point, int seed) {
  auto const number = static_cast<double>(oracle::number_of(shape, point) + seed);
  auto const real = [&](double x) {
    using Real = typename RealOf<T>::type;
    double const size = std::exp2(std::fmod(37 * x, 97) - 48);
    return static_cast<Real>(std::sin(1 + x) * size);
  };
  if constexpr (is_complex<T>)
    return {real(number), real(number + 0.5)};
  else
    return real(number);
}

/// The sums of two arrays on some ranks.
template <class T>
std::vector<std::complex<double>> sums_on(Ranks const& ranks, Layout const& one,
                                          Layout const& other) {
  Array<T> a(one, ranks), b(other, ranks);
  a = T(3);  // ghosts too
  a.fill([&](Shape const& i) { return wide_value<T>(one.shape(), i, 0); });
  b.fill([&](Shape const& i) { return wide_value<T>(one.shape(), i, 7); });
  return {sum(a), sum(2 * a + b), dot(a, b), dot(b, a), two_norm(a), max_norm(b)};
}

template <class T>
void check_sums(Random& random, Ranks const& all, Ranks const& alone) {
  Shape const shape = cases::random_shape(random, random.between(1, 3), 5'000);
  Layout const one = random_layout(random, shape), other = random_layout(random, shape);
  auto const here = sums_on<T>(all, one, other);
  auto const expected = sums_on<T>(alone, Layout::slab(shape, 1), Layout::slab(shape, 1));
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i], expected[i]) << i << " " << one.describe() << "\n" << other.describe();
    EXPECT_EQ(std::signbit(here[i].imag()), std::signbit(expected[i].imag())) << i;
  }
}

TEST(array, has_sums_with_the_same_bits_on_any_ranks_in_any_layout) {
  Ranks const all(MPI_COMM_WORLD), alone(MPI_COMM_SELF);
  Random random(16);
  for (int round = 0; round < ranks::rounds(40) && !ranks::failed_anywhere(); ++round) {
    check_sums<double>(random, all, alone);
    check_sums<float>(random, all, alone);
    check_sums<Complex>(random, all, alone);
    check_sums<std::complex<float>>(random, all, alone);
  }
}

TEST(array, has_a_sum_beside_which_all_else_cancels) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{40, 30};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const most = std::numeric_limits<double>::max();
  a.fill([&](Shape const& i) { return i[1] % 2 == 0 ? most : -most; });
  EXPECT_EQ(sum(a), 0);
  a.fill([&](Shape const& i) {
    return oracle::number_of(shape, i) == 17 ? 1e-300
           : i[0] == 0                       ? 0
                                             : (i[1] % 2 == 0 ? 1e300 : -1e300);
  });
  EXPECT_EQ(sum(a), 1e-300);
  a.fill(
      [&](Shape const& i) { return i[0] == 39 ? std::numeric_limits<double>::infinity() : -most; });
  EXPECT_EQ(sum(a), std::numeric_limits<double>::infinity());
  a = -0.0;
  EXPECT_FALSE(std::signbit(sum(a)));
}

TEST(array, with_an_element_that_is_no_number_has_no_largest_one) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{5, 4};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (Index const strange : {0, 7, 19}) {
    a.fill([&](Shape const& i) { return oracle::number_of(shape, i) == strange ? nan : 1.0; });
    EXPECT_TRUE(std::isnan(max(a))) << strange;
    EXPECT_TRUE(std::isnan(min(a))) << strange;
    EXPECT_TRUE(std::isnan(sum(a))) << strange;
    EXPECT_TRUE(std::isnan(two_norm(a))) << strange;
  }
}

TEST(array, has_a_largest_element_of_any_size_and_a_zero_of_either_sign) {
  Ranks const all(MPI_COMM_WORLD);
  Shape const shape{5, 4};
  Array<double> a(Layout::slab(shape, all.size()), all);
  double const infinity = std::numeric_limits<double>::infinity();
  for (double const value : {-infinity, -1e308, -1e-320, -0.0, 0.0, 1e-320, 1e308, infinity}) {
    a = value;
    EXPECT_EQ(max(a), value);
    EXPECT_EQ(min(a), value);
    EXPECT_EQ(std::signbit(max(a)), std::signbit(value));
  }
  for (Index const first : {0, 1}) {
    a.fill([&](Shape const& i) { return (i[0] + first) % 2 == 0 ? 0.0 : -0.0; });
    EXPECT_FALSE(std::signbit(max(a)));
    EXPECT_TRUE(std::signbit(min(a)));
  }
}

}  // namespace
}  // namespace sixstep

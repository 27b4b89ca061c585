// SPDX-License-Identifier: BSD-3-Clause
// Single contiguous columns whose length has a large prime factor, and those of reals, against the
// definition.
#include "local/one_column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "base/memory.hpp"
#include "local/instruction_sets.hpp"
#include "local/kernels/codelets.hpp"
#include "local/long_reals.hpp"
#include "oracles/roots.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using oracle::Exact;
using oracle::ExactRoots;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Real>
void check(Index n, Index columns = 1) {
  using Complex = std::complex<Real>;
  auto const transform = make_one_column<Real>(n);
  Memory const scratch = allocate(transform->scratch_bytes());
  std::mt19937 random(static_cast<unsigned>(n));
  std::normal_distribution<Real> normal;
  std::vector<Complex> x(at(n * columns)), y(x.size());
  for (Complex& value : x) value = {normal(random), normal(random)};
  ExactRoots const roots(n);
  for (bool backward : {false, true}) {
    std::vector<Complex> in_place = x;
    auto const run = [&](Complex const* from, Complex* to) {
      transform->run({.in = {from, RowMap::every(1), n},
                      .out = {to, RowMap::every(1), n},
                      .columns = columns,
                      .backward = backward,
                      .scale = 2},
                     scratch.get());
    };
    run(x.data(), y.data());
    run(in_place.data(), in_place.data());
    EXPECT_EQ(in_place, y);
    long double wrong = 0, all = 0;
    for (Index i = 0; i < n * columns; ++i) {
      Index const k = i % n, first = i - k;
      Exact sum = 0;
      for (Index j = 0; j < n; ++j) {
        Exact const root = roots[j * k % n];
        sum += Exact(x[at(first + j)]) * (backward ? std::conj(root) : root);
      }
      wrong += std::norm(Exact(y[at(i)]) - 2.0L * sum);
      all += std::norm(2.0L * sum);
    }
    EXPECT_LT(std::sqrt(wrong / all), 3 * std::numeric_limits<Real>::epsilon());
  }
}

/// r2c of reals and c2r of its coefficients, out of place and in place.
template <class Real>
void check_reals(Index n) {
  using Complex = std::complex<Real>;
  auto const r2c = make_r2c_one_column<Real>(n);
  auto const c2r = make_c2r_one_column<Real>(n);
  ASSERT_TRUE(r2c != nullptr && c2r != nullptr);
  Memory const scratch = allocate(std::max(r2c->scratch_bytes(), c2r->scratch_bytes()));
  std::mt19937 random(static_cast<unsigned>(n));
  std::normal_distribution<Real> normal;
  std::vector<Complex> x(at(n / 2 + 1)), y(x.size()), z(x.size());
  auto* const reals = reinterpret_cast<Real*>(x.data());
  for (Index j = 0; j < n; ++j) reals[j] = normal(random);
  auto const forward = [&](Complex* from, Complex* to) {
    r2c->run({.in = {reinterpret_cast<Real*>(from), RowMap::every(1), n},
              .out = {to, RowMap::every(1), n},
              .columns = 1},
             scratch.get());
  };
  auto const backward = [&](Complex* from, Complex* to) {
    c2r->run({.in = {from, RowMap::every(1), n},
              .out = {reinterpret_cast<Real*>(to), RowMap::every(1), n},
              .columns = 1},
             scratch.get());
  };
  forward(x.data(), y.data());
  std::vector<Complex> in_place = x;
  forward(in_place.data(), in_place.data());
  EXPECT_EQ(in_place, y);
  ExactRoots const roots(n);
  long double wrong = 0, all = 0;
  for (Index k = 0; k <= n / 2; ++k) {
    Exact sum = 0;
    for (Index j = 0; j < n; ++j) sum += static_cast<long double>(reals[j]) * roots[j * k % n];
    wrong += std::norm(Exact(y[at(k)]) - sum);
    all += std::norm(sum);
  }
  constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
  EXPECT_LT(std::sqrt(wrong / all), 3 * epsilon);

  backward(y.data(), z.data());
  backward(in_place.data(), in_place.data());
  auto const* const again = reinterpret_cast<Real const*>(z.data());
  auto const* const again_in_place = reinterpret_cast<Real const*>(in_place.data());
  for (Index j = 0; j < n; ++j) {
    EXPECT_NEAR(again[j] / static_cast<Real>(n), reals[j], 20 * epsilon);
    EXPECT_EQ(again_in_place[j], again[j]);
  }
}

TEST(one_column, of_reals_is_right) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : {1026, 1331, 1536, 2048, 2060}) {
      SCOPED_TRACE(text(isa, ", ", n, " reals"));
      check_reals<float>(n);
      check_reals<double>(n);
    }
  }
}

TEST(one_column, is_right_for_lengths_with_a_large_prime_factor) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : {1025, 1037, 1030, 1088, 2042, 1031, 1097, 2062, 4178}) {
      SCOPED_TRACE(text(isa, ", ", n, " points"));
      check<float>(n);
      check<double>(n);
    }
  }
}

TEST(one_column, has_codelets_of_primes_if_vectors_have_at_least_256_bits) {
  std::string const best = instruction_set();
  if (best != "AVX-512" && best != "AVX2") return;
  for (Index n : {1037, 1073, 2042})
    EXPECT_NE(make_one_column<double>(n)->describe().find("codelet"), std::string::npos) << n;
}

TEST(one_column, has_rows_of_its_largest_prime_where_columns_would_not_stay_in_cache) {
  std::string const described = make_one_column<double>(2 * 2089)->describe();
  EXPECT_NE(described.find(") x Rader"), std::string::npos) << described;
}

TEST(one_column, is_how_few_columns_with_a_large_prime_go) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    check<double>(1031, 3);
    check<float>(1067, 3);
    for (Index n : {8, 1000, 1024, 1031}) EXPECT_TRUE(suits_one_by_one<double>(n, 1)) << n;
    Index const lanes = make_transform<float>(1024)->lanes();
    for (Index n : {1031, 1067, 2018}) {
      EXPECT_EQ(suits_one_by_one<float>(n, 2), lanes >= 3) << n << " " << name;
      EXPECT_EQ(suits_one_by_one<float>(n, 3), lanes >= 4) << n << " " << name;
      EXPECT_FALSE(suits_one_by_one<float>(n, lanes)) << n << " " << name;
    }
    for (Index n : {97, 1018})
      EXPECT_EQ(suits_one_by_one<float>(n, 3), has_codelets(chosen_target())) << n << " " << name;
    for (Index n : {1, 96, 1024, 1025, 1100}) EXPECT_FALSE(suits_one_by_one<float>(n, 2)) << n;
  }
}

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// One column of reals in two levels, against the definition in long double.
#include "local/two_level_reals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/memory.hpp"
#include "local/instruction_sets.hpp"
#include "local/real_transform.hpp"
#include "oracles/fourier.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

using oracle::Exact;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Every even length up to 130, where blocks are narrow, and some whose blocks are cut at a vector,
/// whose halves are primes, and whose factors are even or odd.
std::vector<Index> lengths() {
  std::vector<Index> all;
  for (Index n = 4; n <= 130; n += 2) all.push_back(n);
  all.insert(all.end(), {202, 254, 256, 330, 500, 512, 1000, 1018, 1024, 1458, 2048, 2310});
  return all;
}

std::vector<Exact> coefficients(std::vector<Exact> x) {
  auto const n = static_cast<Index>(x.size());
  oracle::transform(x, {n}, 0, -1);
  x.resize(at(n / 2 + 1));
  return x;
}

template <class Real>
struct Case {
  using Complex = std::complex<Real>;

  Index n;
  int threads;
  TwoLevelReals<Real> transform{n, Local::own, {}};
  std::vector<Real> x = std::vector<Real>(at(n));
  std::vector<Complex> X = std::vector<Complex>(at(n / 2 + 1));

  Memory workspace(bool apart) const { return allocate(transform.workspace_bytes(apart, threads)); }
  /// The root mean square error relative to the length of an array.
  static long double error(std::vector<Complex> const& found, std::vector<Exact> const& exact,
                           Real scale) {
    long double wrong = 0, all = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
      Exact const right = static_cast<long double>(scale) * exact[k];
      wrong += std::norm(Exact(found[k]) - right);
      all += std::norm(right);
    }
    return std::sqrt(wrong / all);
  }

  void check() {
    std::mt19937 random(static_cast<unsigned>(n));
    std::normal_distribution<Real> normal;
    for (Real& value : x) value = normal(random);
    std::vector<Exact> const exact = coefficients({x.begin(), x.end()});
    auto const bound = static_cast<long double>(2 * std::numeric_limits<Real>::epsilon());
    constexpr Real scale = Real{3};
    std::vector<Real> const before = x;

    transform.forward(x.data(), X.data(), scale, threads, workspace(true).get());
    EXPECT_LT(error(X, exact, scale), bound);
    EXPECT_EQ(x, before);
    EXPECT_EQ(X.front().imag(), 0);
    EXPECT_EQ(X.back().imag(), 0);

    std::vector<Complex> both(X.size());
    auto* const reals = reinterpret_cast<Real*>(both.data());
    std::copy(x.begin(), x.end(), reals);
    transform.forward(reals, both.data(), scale, threads, workspace(false).get());
    EXPECT_LT(error(both, exact, scale), bound);

    // What is imaginary in the first and the last coefficient counts for nothing.
    X.front().imag(5);
    X.back().imag(-7);
    std::vector<Complex> const spectrum = X;
    Real const back = 1 / (scale * static_cast<Real>(n));
    std::vector<Real> y(x.size());
    transform.backward(X.data(), y.data(), back, false, threads, workspace(false).get());
    EXPECT_EQ(X, spectrum);
    EXPECT_LT(error_of_reals(y.data()), 2 * bound);
    std::vector<Complex> lost = spectrum;
    transform.backward(lost.data(), y.data(), back, true, threads, workspace(true).get());
    EXPECT_LT(error_of_reals(y.data()), 2 * bound);
    auto* const in_place = reinterpret_cast<Real*>(X.data());
    transform.backward(X.data(), in_place, back, false, threads, workspace(false).get());
    EXPECT_LT(error_of_reals(in_place), 2 * bound);
  }

  long double error_of_reals(Real const* found) const {
    long double wrong = 0, all = 0;
    for (Index j = 0; j < n; ++j) {
      wrong += std::pow(static_cast<long double>(found[j]) - x[at(j)], 2);
      all += std::pow(static_cast<long double>(x[at(j)]), 2);
    }
    return std::sqrt(wrong / all);
  }
};

TEST(two_level_reals, is_right_for_every_length_by_any_number_of_threads) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : lengths())
      for (int threads : {1, 2, 3}) {
        SCOPED_TRACE(text(isa, ", ", n, " reals, ", threads, " threads"));
        Case<float>{n, threads}.check();
        Case<double>{n, threads}.check();
        if (testing::Test::HasFailure()) return;
      }
  }
}

TEST(two_level_reals, has_an_even_fast_length_next_to_the_square_root) {
  EXPECT_EQ(TwoLevelReals<double>::fast_of(4), 2);
  EXPECT_EQ(TwoLevelReals<double>::fast_of(1 << 20), 1 << 10);
  EXPECT_EQ(TwoLevelReals<double>::fast_of(1 << 21), 1 << 10);
  EXPECT_EQ(TwoLevelReals<double>::fast_of(2 * 729), 18);
  EXPECT_EQ(TwoLevelReals<double>::fast_of(2 * 10007), 2);
}

/// Columns of a batch, whose reals and spectra each are contiguous or lie side by side, in two
/// blocks.
void check_batches(Index n, Index columns, Tuning const& tuning, std::string const& way) {
  Index const half = n / 2 + 1;
  auto const forward = make_r2c<double>(n, Local::own, tuning);
  auto const backward = make_c2r<double>(n, Local::own, tuning);
  EXPECT_NE(forward->describe().find(way), std::string::npos) << forward->describe();
  Memory const scratch = allocate(std::max(forward->scratch_bytes(), backward->scratch_bytes()));
  std::vector<double> x(at((n + 1) * columns));
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (double& value : x) value = normal(random);
  struct Place {
    Index row, lane;
    RowMap map() const { return RowMap::every(row); }
  };
  for (Place const reals : {Place{1, n}, Place{1, n + 1}, Place{columns, 1}})
    for (Place const spectra : {Place{1, half}, Place{columns, 1}}) {
      std::vector<std::complex<double>> X(at(half * columns));
      forward->run({.in = {x.data(), reals.map(), reals.lane},
                    .out = {X.data(), spectra.map(), spectra.lane},
                    .columns = columns},
                   scratch.get());
      for (Index c = 0; c < columns; ++c) {
        std::vector<Exact> column;
        for (Index j = 0; j < n; ++j) column.emplace_back(x[at(j * reals.row + c * reals.lane)]);
        std::vector<Exact> const exact = coefficients(column);
        for (Index k = 0; k < half; ++k) {
          Exact const found = X[at(k * spectra.row + c * spectra.lane)];
          EXPECT_LT(std::abs(found - exact[at(k)]), 2e-13) << k;
        }
      }
      std::vector<double> y(x.size());
      backward->run({.in = {X.data(), spectra.map(), spectra.lane},
                     .out = {y.data(), reals.map(), reals.lane},
                     .columns = columns,
                     .scale = 1.0 / static_cast<double>(n)},
                    scratch.get());
      for (Index c = 0; c < columns; ++c)
        for (Index j = 0; j < n; ++j) {
          std::size_t const i = at(j * reals.row + c * reals.lane);
          EXPECT_NEAR(y[i], x[i], 1e-14) << i;
        }
    }
}

TEST(long_reals, are_right_wherever_the_columns_of_a_batch_lie) {
  Tuning tuning;
  tuning.least_two_level_reals = 4;
  check_batches(130, 11, tuning, ") x (");
  check_batches(4, 11, tuning, ") x (");
  check_batches(131, 11, tuning, "r2c by");
  check_batches(105, 11, tuning, "r2c by");
}

/// Few columns, and many of which a block has fewer than fill a vector.
TEST(odd_reals, are_right_one_by_one_and_side_by_side) {
  Tuning narrow;
  narrow.most_real_block_bytes = 2 * 1331 * sizeof(double);
  check_batches(1331, 3, {}, "r2c by");
  check_batches(1331, 11, {}, "r2c by");
  check_batches(1331, 11, narrow, "r2c by");
}

/// Even lengths whose halves have large prime factors.
TEST(even_reals, are_right_one_by_one) {
  check_batches(1254, 3, {}, "r2c by");
  check_batches(2062, 2, {}, "r2c by");
}

/// Those of a batch are what shorter columns would be, wherever they lie, in place or not.
TEST(long_cosines, are_those_of_other_columns) {
  constexpr Index n = 66, columns = 11;
  Tuning tuning;
  tuning.least_two_level_reals = n;
  std::vector<double> x(at(n * columns));
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (double& value : x) value = normal(random);
  for (Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3}) {
    auto const long_one = make_r2r<double>(kind, n, Local::own, tuning);
    auto const other = make_r2r<double>(kind, n);
    EXPECT_NE(long_one->describe(), other->describe());
    Memory const scratch = allocate(std::max(long_one->scratch_bytes(), other->scratch_bytes()));
    for (Index row : {Index{1}, columns}) {
      Columns<double const> const in{x.data(), RowMap::every(row), row == 1 ? n : 1};
      std::vector<double> found(x.size()), right(x.size()), in_place = x;
      auto const run = [&](auto const& transform, double const* from, double* to) {
        transform.run({.in = {from, in.row, in.lane},
                       .out = {to, in.row, in.lane},
                       .columns = columns,
                       .scale = 3},
                      scratch.get());
      };
      run(*long_one, x.data(), found.data());
      run(*long_one, in_place.data(), in_place.data());
      run(*other, x.data(), right.data());
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(found[i], right[i], 1e-12) << to_string(kind) << ' ' << i;
        EXPECT_NEAR(in_place[i], right[i], 1e-12) << to_string(kind) << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace sixstep::local

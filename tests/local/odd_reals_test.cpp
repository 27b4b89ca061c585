// SPDX-License-Identifier: BSD-3-Clause
// Single columns of an odd number of reals, by butterflies of reals, against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <random>
#include <vector>

#include "base/memory.hpp"
#include "local/instruction_sets.hpp"
#include "local/real_transform.hpp"
#include "oracles/fourier.hpp"
#include "oracles/roots.hpp"
#include "sixstep/error.hpp"
#include "tuned.hpp"
#include "tuning.hpp"

namespace sixstep::local {
namespace {

using oracle::Exact;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Columns of the two sides of a batch: `stride` numbers lie between neighbours of a column.
struct Places {
  Index columns, stride;

  Index place(Index row, Index column) const { return (row * columns + column) * stride; }
};

/// Transforms columns of random numbers twice, with a scale, and compares them with the definition.
template <class In, class Out>
void check(Transform<In, Out> const& transform, Places const& places) {
  using Real = typename RealOf<In>::type;
  constexpr bool is_forward = std::is_same_v<In, Real>;
  Index const n = transform.n(), half = n / 2 + 1;
  Index const in_rows = is_forward ? n : half, out_rows = is_forward ? half : n;
  bool const is_one = places.columns == 1;
  std::vector<In> in(at(in_rows * places.columns * places.stride));
  std::vector<Out> out(at(out_rows * places.columns * places.stride));
  std::mt19937 random(static_cast<unsigned>(n));
  std::normal_distribution<Real> normal;
  for (In& number : in)
    if constexpr (is_forward)
      number = normal(random);
    else
      number = {normal(random), normal(random)};
  std::vector<In> const before = in;
  Memory const scratch = allocate(transform.scratch_bytes());
  RowMap const rows = RowMap::every(places.columns * places.stride);
  transform.run({.in = {in.data(), rows, is_one ? n : places.stride},
                 .out = {out.data(), rows, is_one ? n : places.stride},
                 .columns = places.columns,
                 .scale = 2},
                scratch.get());
  EXPECT_EQ(in, before);
  for (Index c = 0; c < places.columns; ++c) {
    std::vector<Exact> exact(at(n));
    for (Index k = 0; k < in_rows; ++k) {
      Exact const x = in[at(places.place(k, c))];
      exact[at(k)] = !is_forward && k == 0 ? x.real() : x;
      if (!is_forward && k > 0) exact[at(n - k)] = std::conj(x);
    }
    oracle::transform(exact, {n}, 0, is_forward ? -1 : 1);
    long double wrong = 0, all = 0;
    for (Index k = 0; k < out_rows; ++k) {
      wrong += std::norm(Exact(out[at(places.place(k, c))]) - 2.0L * exact[at(k)]);
      all += std::norm(2.0L * exact[at(k)]);
    }
    EXPECT_LT(std::sqrt(wrong / all), 3 * std::numeric_limits<Real>::epsilon());
  }
}

template <class Real>
void check_both(Index n, Tuning const& tuning, Places const& places) {
  check(*make_r2c<Real>(n, Local::own, tuning), places);
  check(*make_c2r<Real>(n, Local::own, tuning), places);
}

// 1369 = 37 x 37 has no butterflies of reals.
TEST(odd_reals, single_columns_are_right) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : {1025, 1029, 1041, 1331, 1369, 2187}) {
      SCOPED_TRACE(text(isa, ", ", n, " reals"));
      check_both<float>(n, {}, {.columns = 1, .stride = 1});
      check_both<double>(n, {}, {.columns = 1, .stride = 1});
    }
  }
}

TEST(odd_reals, rows_of_a_product_may_have_no_codelet) {
  check_both<double>(9 * 1053, {}, {.columns = 1, .stride = 1});
  check_both<float>(3 * 1031, {}, {.columns = 1, .stride = 1});
}

TEST(odd_reals, long_columns_are_right_wherever_they_lie) {
  Tuning const tuning = tuned(&Tuning::least_two_level_reals, 100);
  for (Index n : {105, 125, 1001, 1369})
    for (Places const places : {Places{1, 1}, Places{1, 3}, Places{11, 1}}) {
      SCOPED_TRACE(text(n, " reals, ", places.columns, " columns"));
      check_both<float>(n, tuning, places);
      check_both<double>(n, tuning, places);
    }
}

/// Coefficients of reals by the definition, and back.
template <class Real>
void check_long(Index n) {
  auto const forward = make_r2c<Real>(n);
  auto const backward = make_c2r<Real>(n);
  std::vector<Real> in(at(n)), again(at(n));
  std::vector<std::complex<Real>> out(at(n / 2 + 1));
  std::mt19937 random(static_cast<unsigned>(n));
  std::normal_distribution<Real> normal;
  for (Real& number : in) number = normal(random);
  Memory const scratch = allocate(std::max(forward->scratch_bytes(), backward->scratch_bytes()));
  RowMap const rows = RowMap::every(1);
  forward->run({.in = {in.data(), rows, n}, .out = {out.data(), rows, n}, .columns = 1},
               scratch.get());
  backward->run({.in = {out.data(), rows, n}, .out = {again.data(), rows, n}, .columns = 1},
                scratch.get());
  oracle::ExactRoots const roots(n);
  Real const most = 16 * std::numeric_limits<Real>::epsilon() * std::sqrt(static_cast<Real>(n));
  for (Index k = 0; k <= n / 2; k += n / 50) {
    Exact sum = 0;
    for (Index j = 0; j < n; ++j) sum += Exact(in[at(j)]) * roots[j * k % n];
    EXPECT_LT(std::abs(Exact(out[at(k)]) - sum), most) << n << " reals, coefficient " << k;
  }
  for (Index j = 0; j < n; ++j)
    ASSERT_LT(std::abs(again[at(j)] / static_cast<Real>(n) - in[at(j)]), most) << j;
}

// The first table has factors for 256 vectors of each row.
TEST(odd_reals, factors_beyond_the_table_are_right) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : {9 * 5103, 13 * 4099}) {
      SCOPED_TRACE(text(isa, ", ", n, " reals"));
      check_long<float>(n);
      check_long<double>(n);
    }
  }
}

TEST(odd_reals, have_half_as_many_points_as_complex_columns) {
  std::string const best = instruction_set();
  if (best != "AVX-512" && best != "AVX2") return;
  std::string const described =
      make_r2c<double>(2187, Local::own, tuned(&Tuning::least_two_level_reals, 100))->describe();
  EXPECT_NE(described.find("r2c by 9 reals"), std::string::npos) << described;
}

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Real transforms against their definitions in long double, wherever columns lie.
#include "local/real_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "local/checked_reals.hpp"
#include "local/field.hpp"
#include "local/instruction_sets.hpp"
#include "oracles/kinds.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

std::vector<Index> const larger{64,  96,  97,  100, 101, 127, 128, 143,  150, 210,
                                243, 255, 256, 343, 500, 509, 512, 1000, 1009};

std::vector<Index> lengths() {
  std::vector<Index> all(40);
  std::iota(all.begin(), all.end(), Index{1});
  all.insert(all.end(), larger.begin(), larger.end());
  return all;
}

TEST(real_transform, every_length_agrees_with_the_definition) {
  for (Index n : lengths()) {
    check_all<double>({n, 3});
    check_all<float>({n, 3});
    check_all<double>({n, 3, Way::contiguous, Way::contiguous});
    check_all<float>({n, 3, Way::contiguous, Way::contiguous});
    if (HasFatalFailure()) return;
  }
}

TEST(real_transform, any_number_of_columns_agrees_with_the_definition) {
  for (Index n : {1, 2, 3, 4, 7, 16, 33, 100})
    for (Index columns : {1, 2, 8, 17, 33, 150}) {
      check_all<double>({n, columns});
      check_all<float>({n, columns});
      if (HasFatalFailure()) return;
    }
}

TEST(real_transform, columns_may_lie_in_any_way) {
  for (Index n : {1, 5, 8, 28, 51, 128})
    for (Way in : ways)
      for (Way out : ways)
        for (Index columns : {1, 19}) {
          check_all<double>({n, columns, in, out, -0.3125});
          check_all<float>({n, columns, in, out, 3});
          if (HasFatalFailure()) return;
        }
}

TEST(real_transform, every_instruction_set_agrees_with_the_definition) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    for (Index n : {1, 2, 3, 4, 5, 6, 7, 9, 10, 14, 15, 16, 22, 24, 25, 49, 60, 64, 100, 128})
      for (Way way : {Way::side_by_side, Way::contiguous}) {
        check_all<double>({n, 19, way, way, 2});
        check_all<float>({n, 19, way, way, 2});
        if (HasFatalFailure()) return;
      }
  }
}

// The kernels of these lengths compute coefficients in their last pass, or read them in their
// first.
TEST(real_transform, contiguous_lengths_with_their_own_kernels_agree_with_the_definition) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    for (Index n : {256, 512, 768, 1024, 1536, 2048, 4096}) {
      // An odd number, because two columns may share vectors.
      Case const c{n, n <= 1024 ? 3 : 1, Way::contiguous, Way::contiguous, -0.75};
      check_r2c<double>(c);
      check_r2c<float>(c);
      if (n <= 1024) {
        check_c2r<double>(c);
        check_c2r<float>(c);
      }
      if (HasFatalFailure()) return;
    }
  }
}

// The complex columns of these lengths' passes have products of two butterflies, from 3 x 6 to
// 16 x 16 points.
TEST(real_transform, columns_of_products_of_butterflies_agree_with_the_definition) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    for (Index n : {180, 200, 250, 288, 300, 360, 405, 432, 500, 600, 640, 810, 900, 4096}) {
      if (n > 1000 && name != available().front()) continue;
      Case const c{n, 19, Way::side_by_side, Way::side_by_side, -0.75};
      check_r2c<double>(c);
      check_r2c<float>(c);
      check_c2r<double>(c);
      check_c2r<float>(c);
      for (Kind kind : n == 180 ? r2r_kinds : std::vector<Kind>{}) {
        check_r2r<double>(kind, c);
        check_r2r<float>(kind, c);
      }
      if (HasFatalFailure()) return;
    }
  }
}

// Straight code takes a vector of short columns at a time, and the last ones with zeros. Long odd
// columns go one after another.
TEST(real_transform, contiguous_columns_of_cosines_agree_with_the_definition) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    auto const check_kinds = [](Case const& c) {
      for (Kind kind : r2r_kinds) {
        check_r2r<double>(kind, c);
        check_r2r<float>(kind, c);
      }
    };
    for (Index n : {4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16})
      for (Index columns : {1, 3, 8, 21})
        check_kinds({n, columns, Way::contiguous, Way::contiguous, -0.75});
    for (Index n : {145, 243, 315, 405, 665})
      check_kinds({n, 9, Way::contiguous, Way::contiguous, -0.75});
    if (HasFatalFailure()) return;
  }
}

// Columns of these lengths are transposed, a line of them at a time: 21 are two lines of doubles
// and some more. Two columns go so only if a block of vectors would leave the second-level cache.
TEST(real_transform, long_columns_side_by_side_agree_with_the_definition) {
  Case const c{2000, 21, Way::side_by_side, Way::side_by_side, -0.75};
  check_c2r<double>(c);
  check_c2r<float>(c);
  for (Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3}) {
    check_r2r<double>(kind, c);
    check_r2r<float>(kind, c);
  }
}

/// Compares columns side by side with contiguous ones, which have kernels of their own.
template <class In, class Out>
void check_beside(Transform<In, Out> const& transform, Index in_rows, Index out_rows) {
  using Real = typename RealOf<In>::type;
  constexpr Index columns = 11;
  Field<In> in(Way::side_by_side, in_rows, columns), same(Way::contiguous, in_rows, columns);
  Field<Out> out(Way::side_by_side, out_rows, columns),
      expected(Way::contiguous, out_rows, columns);
  fill(in, 3);
  for (Index c = 0; c < columns; ++c)
    for (Index k = 0; k < in_rows; ++k) same(k, c) = in(k, c);
  run<In, Out>(transform, {.in = in.source(), .out = out.sink(), .columns = columns});
  run<In, Out>(transform, {.in = same.source(), .out = expected.sink(), .columns = columns});
  for (Index c = 0; c < columns; ++c) {
    double size = 0, difference = 0;
    for (Index k = 0; k < out_rows; ++k) {
      size += std::norm(expected(k, c));
      difference += std::norm(out(k, c) - expected(k, c));
    }
    ASSERT_LT(std::sqrt(difference / size), 8 * std::numeric_limits<Real>::epsilon()) << c;
  }
}

TEST(real_transform, columns_side_by_side_that_leave_caches_agree_with_contiguous_ones) {
  for (Index n : {12000, 16384}) {
    check_beside(*make_r2c<double>(n), n, n / 2 + 1);
    check_beside(*make_r2c<float>(n), n, n / 2 + 1);
    check_beside(*make_c2r<double>(n), n / 2 + 1, n);
    check_beside(*make_c2r<float>(n), n / 2 + 1, n);
    for (Kind kind : {Kind::dct2, Kind::dct3, Kind::dst2, Kind::dst3}) {
      check_beside(*make_r2r<double>(kind, n), n, n);
      check_beside(*make_r2r<float>(kind, n), n, n);
    }
    if (HasFatalFailure()) return;
  }
}

// Columns that fill vectors go one after another where vectors hold few.
TEST(real_transform, odd_columns_with_a_large_prime_agree_with_the_definition) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    for (Index n : {17, 31, 61, 67, 83, 97, 119, 127, 131, 303, 1009, 1031, 1067}) {
      Case const c{n, 19, Way::contiguous, Way::contiguous, -0.75};
      check_r2c<double>(c);
      check_r2c<float>(c);
      check_c2r<double>(c);
      check_c2r<float>(c);
      for (Kind kind : n < 200 ? r2r_kinds : std::vector<Kind>{}) {
        check_r2r<double>(kind, c);
        check_r2r<float>(kind, c);
      }
      if (HasFatalFailure()) return;
    }
  }
}

// Columns of a vector do not stay in the first-level cache.
TEST(real_transform, long_odd_columns_agree_with_the_definition) {
  Case const c{2401, 17, Way::contiguous, Way::contiguous, 3};
  check_r2c<double>(c);
  check_r2c<float>(c);
  check_c2r<double>(c);
  check_c2r<float>(c);
}

TEST(real_transform, no_columns_are_no_work) {
  std::vector<Index> const row(16, 0);
  double untouched = 7;
  std::complex<double> spectrum = 7;
  run<double, std::complex<double>>(
      *make_r2c<double>(16),
      {.in = {&untouched, row.data(), 1}, .out = {&spectrum, row.data(), 1}, .columns = 0});
  EXPECT_EQ(spectrum, 7.0);
}

template <class Real>
void check_r2r_in_place(Kind kind, Index n, Way way) {
  Index const columns = 77;
  Field<Real> apart(way, n, columns), same(way, n, columns), result(way, n, columns);
  fill(apart, 3);
  fill(same, 3);
  auto const transform = make_r2r<Real>(kind, n);
  run<Real, Real>(*transform, {.in = apart.source(), .out = result.sink(), .columns = columns});
  run<Real, Real>(*transform, {.in = same.source(), .out = same.sink(), .columns = columns});
  ASSERT_EQ(same.data(), result.data()) << to_string(kind) << " " << n;
}

TEST(real_transform, in_place_gives_the_same_bits) {
  for (Way way : ways)
    for (Index n : {2, 5, 16, 101})
      for (Kind kind : r2r_kinds) {
        check_r2r_in_place<double>(kind, n, way);
        check_r2r_in_place<float>(kind, n, way);
      }
}

// Rows of 2 (n/2 + 1) reals, as FFTW has them.
TEST(real_transform, padded_rows_may_be_transformed_in_place_there_and_back) {
  for (Index n : {1, 2, 5, 8, 63, 64, 100, 512, 1024}) {
    Index const columns = 45, width = n / 2 + 1;
    std::vector<Index> reals(at(n)), spectrum(at(width));
    std::iota(reals.begin(), reals.end(), Index{0});
    std::iota(spectrum.begin(), spectrum.end(), Index{0});
    std::vector<std::complex<double>> array(at(columns * width)), apart(array.size());
    auto* const field = reinterpret_cast<double*>(array.data());
    Noise noise(1);
    std::vector<double> x(at(2 * width * columns));
    for (double& value : x) value = element<double>(noise);
    std::copy(x.begin(), x.end(), field);
    Batch<double, std::complex<double>> there{.in = {field, reals.data(), 2 * width},
                                              .out = {apart.data(), spectrum.data(), width},
                                              .columns = columns};
    auto const r2c = make_r2c<double>(n);
    run(*r2c, there);
    there.out.data = array.data();
    run(*r2c, there);
    ASSERT_EQ(array, apart) << n;
    run<std::complex<double>, double>(*make_c2r<double>(n),
                                      {.in = {array.data(), spectrum.data(), width},
                                       .out = {field, reals.data(), 2 * width},
                                       .columns = columns,
                                       .scale = 1 / static_cast<double>(n)});
    for (Index c = 0; c < columns; ++c)
      for (Index j = 0; j < n; ++j)
        ASSERT_NEAR(field[c * 2 * width + j], x[at(c * 2 * width + j)], 2e-15) << n;
  }
}

TEST(real_transform, a_kind_and_its_inverse_give_back_the_logical_size) {
  for (Kind kind : r2r_kinds)
    for (Index n : {2, 3, 8, 15, 60}) {
      Field<double> x(Way::contiguous, n, 5), y(Way::contiguous, n, 5), z(Way::contiguous, n, 5);
      fill(x, 8);
      run<double, double>(*make_r2r<double>(kind, n),
                          {.in = x.source(), .out = y.sink(), .columns = 5});
      run<double, double>(*make_r2r<double>(inverse(kind), n),
                          {.in = y.source(), .out = z.sink(), .columns = 5});
      for (Index k = 0; k < n; ++k)
        ASSERT_NEAR(z(k, 4), static_cast<double>(logical_size(kind, n)) * x(k, 4), 1e-12)
            << to_string(kind) << " " << n;
    }
}

// A single wave: all coefficients but one vanish, so the whole error is seen at any length.
template <class Real>
double wave_error(Index n) {
  Index const f = n / 3 + 1;
  std::vector<Real> x(at(n));
  std::vector<std::complex<Real>> y(at(n / 2 + 1));
  std::vector<Index> row(at(n));
  std::iota(row.begin(), row.end(), Index{0});
  Wide const phase = 0.7L;
  __extension__ using Product = __int128;
  for (Index j = 0; j < n; ++j) {
    Wide const share =
        static_cast<Wide>(static_cast<Index>(Product{j} * f % n)) / static_cast<Wide>(n);
    x[at(j)] = static_cast<Real>(2 * std::cos(2 * std::numbers::pi_v<Wide> * share + phase));
  }
  run<Real, std::complex<Real>>(
      *make_r2c<Real>(n),
      {.in = {x.data(), row.data(), n}, .out = {y.data(), row.data(), n}, .columns = 1});
  Wide difference = 0;
  for (Index k = 0; k <= n / 2; ++k) {
    Exact const wanted = k == f ? std::polar(static_cast<Wide>(n), phase) : Exact(0);
    difference += std::norm(Exact(y[at(k)]) - wanted);
  }
  return static_cast<double>(std::sqrt(difference) / static_cast<Wide>(n));
}

TEST(real_transform, error_grows_as_the_root_of_the_logarithm) {
  for (Index n : {16, 243, 4096, 19683, 65536, 177147, 1 << 20}) {
    double const bound = 0.7 * std::sqrt(std::log2(static_cast<double>(n)));
    EXPECT_LT(wave_error<double>(n), bound * std::numeric_limits<double>::epsilon()) << n;
    EXPECT_LT(wave_error<float>(n), bound * std::numeric_limits<float>::epsilon()) << n;
  }
}

// The same of the cosine and sine transforms, against their sums at a few coefficients.
TEST(real_transform, long_cosine_and_sine_transforms_lose_no_digits) {
  for (Kind kind : r2r_kinds)
    for (Index n : {2000, 2187, 4096}) check_r2r<double>(kind, {n, 1});
}

/// RMS errors of c2r and of the complex transform of the same coefficients, both columns of reals.
template <class Real>
std::pair<double, double> errors_of_c2r_and_complex(Index n) {
  using Complex = std::complex<Real>;
  constexpr Index columns = 4096;
  Field<Complex> half(Way::side_by_side, n / 2 + 1, columns);
  Field<Complex> whole(Way::side_by_side, n, columns), complex(Way::side_by_side, n, columns);
  Field<Real> reals(Way::side_by_side, n, columns);
  fill(half, static_cast<unsigned>(n));
  for (Index c = 0; c < columns; ++c) {
    half(0, c).imag(0);
    for (Index k = 0; k < n; ++k) whole(k, c) = k <= n / 2 ? half(k, c) : std::conj(half(n - k, c));
  }
  run<Complex, Real>(*make_c2r<Real>(n),
                     {.in = half.source(), .out = reals.sink(), .columns = columns});
  run<Complex, Complex>(
      *make_transform<Real>(n),
      {.in = whole.source(), .out = complex.sink(), .columns = columns, .backward = true});
  Wide of_reals = 0, of_complex = 0;
  for (Index c = 0; c < columns; ++c)
    for (Index j = 0; j < n; ++j) {
      Wide x = 0;
      for (Index k = 0; k < n; ++k) x += (oracle::wave(j * k, n) * Exact(whole(k, c))).real();
      of_reals += std::pow(reals(j, c) - x, 2);
      of_complex += std::pow(complex(j, c).real() - x, 2);
    }
  return {static_cast<double>(std::sqrt(of_reals)), static_cast<double>(std::sqrt(of_complex))};
}

TEST(real_transform, short_odd_c2r_is_as_accurate_as_a_complex_transform) {
  for (std::string const& isa : available()) {
    Environment const forced(isa.c_str());
    for (Index n : {3, 5, 7, 11, 13}) {
      auto const [reals, complex] = errors_of_c2r_and_complex<double>(n);
      EXPECT_LT(reals, 1.03 * complex) << isa << " " << n;
      auto const [floats, complex_floats] = errors_of_c2r_and_complex<float>(n);
      EXPECT_LT(floats, 1.03 * complex_floats) << isa << " " << n;
    }
  }
}

TEST(real_transform, what_has_no_sense_is_refused) {
  EXPECT_THROW(make_r2c<double>(0), Error);
  EXPECT_THROW(make_c2r<float>(-1), Error);
  EXPECT_THROW(make_r2r<double>(Kind::dct1, 1), Error);
  EXPECT_THROW(make_r2r<double>(Kind::dst2, 0), Error);
  EXPECT_THROW(make_r2r<double>(Kind::r2c, 8), Error);
  std::vector<Index> const row{0, 1, 2, 3};
  std::vector<double> x(4);
  std::vector<std::complex<double>> y(3);
  Roots const roots(16);
  Batch<double, std::complex<double>> batch{
      .in = {x.data(), row.data(), 4}, .out = {y.data(), row.data(), 3}, .columns = 1};
  batch.twist = {&roots, 1, 1};
  EXPECT_THROW((run<double, std::complex<double>>(*make_r2c<double>(4), batch)), Error);
  batch.twist = {};
  batch.backward = true;
  EXPECT_THROW((run<double, std::complex<double>>(*make_r2c<double>(4), batch)), Error);
  // Long columns side by side have a way of their own.
  std::vector<double> columns(2048 * 8);
  Batch<double> const beside{.in = {columns.data(), RowMap::every(8), 1},
                             .out = {columns.data(), RowMap::every(8), 1},
                             .columns = 8,
                             .backward = true};
  EXPECT_THROW((run<double, double>(*make_r2r<double>(Kind::dct2, 2048), beside)), Error);
}

}  // namespace
}  // namespace sixstep::local

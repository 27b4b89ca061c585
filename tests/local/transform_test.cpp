// SPDX-License-Identifier: BSD-3-Clause
// Transforms of columns against the definition, in long double, for every way they can lie in
// memory.
#include "local/transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <numeric>
#include <string>
#include <vector>

#include "cases.hpp"
#include "local/checked_columns.hpp"
#include "local/instruction_sets.hpp"
#include "local/library.hpp"
#include "oracles/roots.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

// One suite for every backend. One that this machine lacks is skipped, and says so.
class transform : public testing::TestWithParam<Local> {
 protected:
  void SetUp() override {
    backend = GetParam();
    try {
      kernels_of<double>(backend);
      kernels_of<float>(backend);
    } catch (Error const& error) {
      GTEST_SKIP() << error.what();
    }
  }
  void TearDown() override { backend = Local::own; }
};

std::string name_of_backend(testing::TestParamInfo<Local> const& info) {
  return name_of(info.param);
}

INSTANTIATE_TEST_SUITE_P(of, transform, testing::Values(Local::own, Local::fftw, Local::mkl),
                         name_of_backend);

// Only our use of other libraries is tested.
Index longest() { return backend != Local::own ? 200 : sanitized() ? 200 : 1100; }

// Of long lengths, which take most of the time, a third whose factors have nothing in common; with
// SIXSTEP_TEST_ROUNDS=3 all.
bool is_tested(Index n) {
  constexpr std::uint32_t golden = 2654435769;  // its multiples are spread over 32 bits
  return n <= 400 || cases::rounds(3) >= 3 || static_cast<std::uint32_t>(n) * golden % 3 == 0;
}

TEST_P(transform, every_length_agrees_with_the_definition) {
  for (Index n = 1; n <= longest(); ++n)
    if (is_tested(n)) check_length(n);
}

TEST_P(transform, long_lengths_agree_with_the_definition) {
  for (Index n : {1331,  2018,   2187,   2310,   3125,   4096,   4913,   5040,  6561,  8192,
                  10007, 16384,  17017,  19683,  32768,  36864,  46189,  50000, 65536, 65537,
                  78125, 100000, 103823, 131072, 177147, 196613, 262144, 300300}) {
    if (backend != Local::own && n > 20000) break;  // only our use of other libraries is tested
    ExactRoots const roots(n);
    auto const in_double = make<double>(n);
    auto const in_float = make<float>(n);
    EXPECT_LT(sampled_error<double>(*in_double, roots), tolerance<double>(n)) << n;
    EXPECT_LT(sampled_error<float>(*in_float, roots), tolerance<float>(n)) << n;
    EXPECT_LT(sampled_error<double>(*in_double, roots, true, 0.3), tolerance<double>(n)) << n;
    EXPECT_LT(sampled_error<float>(*in_float, roots, true, 0.3f), tolerance<float>(n)) << n;
  }
}

TEST_P(transform, products_of_large_primes_and_large_primes_agree_with_the_definition) {
  for (Index n : {Index{1009} * 1013, Index{1000003}})
    EXPECT_LT(sampled_error<double>(*make<double>(n), ExactRoots(n)), tolerance<double>(n)) << n;
}

TEST_P(transform, columns_may_lie_in_any_way_in_double) {
  for (Index n : {1, 2, 7, 16, 17, 34, 60, 64, 101, 120})
    for (Index columns : {1, 7, 8, 19}) check_every_way<double>(n, columns);
}

TEST_P(transform, columns_may_lie_in_any_way_in_float) {
  for (Index n : {1, 3, 16, 51, 64, 105})
    for (Index columns : {1, 15, 16, 37}) check_every_way<float>(n, columns);
}

TEST_P(transform, two_large_primes_may_lie_in_any_way) {
  for (Way way : ways)
    for (bool backward : {false, true}) {
      check_case<double>({17 * 19, 19, way, way, backward, 1, -1});
      check_case<float>({23 * 37, 37, way, way, backward, -2, 3});
    }
}

TEST_P(transform, padded_lengths_may_lie_in_any_way) {
  for (Way way : ways) check_case<double>({1024, 10, way, way, true, 1, 3});
  for (Way way : ways) check_case<float>({1344, 20, way, way, false, 3, -1});
}

TEST_P(transform, columns_out_of_cache_are_transformed_alike) {
  for (Index n : {16, 90, 100, 128, 240, 256, 270})
    for (Way way : ways)
      for (bool backward : {false, true}) {
        check_case<double>({n, 37, way, way, backward, 1, -1, true});
        check_case<float>({n, 37, way, way, backward, 3, -1, true});
      }
}

TEST_P(transform, no_columns_are_no_work) {
  std::vector<Index> row(16, 0);
  std::complex<double> untouched = 7;
  run<double>(
      *make<double>(16),
      {.in = {&untouched, row.data(), 1}, .out = {&untouched, row.data(), 1}, .columns = 0});
  EXPECT_EQ(untouched, 7.0);
}

template <class Real>
void check_in_place(Index n, Way way) {
  Index const columns = 37;
  Field<std::complex<Real>> apart(way, n, columns);
  Field<std::complex<Real>> same(way, n, columns);
  Field<std::complex<Real>> result(way, n, columns);
  auto const x = noise<Real>(n * columns, 3);
  for (Index column = 0; column < columns; ++column)
    for (Index k = 0; k < n; ++k) apart(k, column) = same(k, column) = x[at(column * n + k)];
  auto const transform = make<Real>(n);
  run<Real>(*transform, {.in = apart.source(), .out = result.sink(), .columns = columns});
  run<Real>(*transform, {.in = same.source(), .out = same.sink(), .columns = columns});
  for (Index column = 0; column < columns; ++column)
    for (Index k = 0; k < n; ++k) ASSERT_EQ(same(k, column), result(k, column)) << n << " " << k;
}

TEST_P(transform, in_place_gives_the_same_bits) {
  for (Way way : ways)
    for (Index n : {1, 5, 8, 16, 17, 32, 64, 96, 100, 256, 1024}) {
      check_in_place<double>(n, way);
      check_in_place<float>(n, way);
    }
}

TEST_P(transform, an_impulse_becomes_a_wave_and_a_constant_an_impulse) {
  for (Index n : {8, 30, 101, 512}) {
    std::vector<Index> row(at(n));
    std::iota(row.begin(), row.end(), Index{0});
    std::vector<std::complex<double>> x(at(n));
    std::vector<std::complex<double>> y(at(n));
    Batch<std::complex<double>> const batch{
        .in = {x.data(), row.data(), n}, .out = {y.data(), row.data(), n}, .columns = 1};
    x[3] = 1;
    run<double>(*make<double>(n), batch);
    for (Index k = 0; k < n; ++k)
      EXPECT_LT(std::abs(Exact(y[at(k)]) - exact_root(3 * k, n)), 1e-15L * 8) << n << " " << k;
    std::fill(x.begin(), x.end(), 1.0);
    run<double>(*make<double>(n), batch);
    for (Index k = 0; k < n; ++k)
      EXPECT_NEAR(std::abs(y[at(k)] - (k == 0 ? static_cast<double>(n) : 0.0)), 0, 1e-13)
          << n << " " << k;
  }
}

TEST_P(transform, is_linear_and_turns_a_shift_into_a_wave) {
  Index const n = 360;
  Field<std::complex<double>> in(Way::contiguous, n, 4);
  Field<std::complex<double>> out(Way::contiguous, n, 4);
  auto const x = noise<double>(2 * n, 11);
  std::complex<double> const a{0.5, -2};
  for (Index k = 0; k < n; ++k) {
    in(k, 0) = x[at(k)];
    in(k, 1) = x[at(n + k)];
    in(k, 2) = in(k, 0) + a * in(k, 1);
    in(k, 3) = x[at((k + n - 7) % n)];
  }
  run<double>(*make<double>(n), {.in = in.source(), .out = out.sink(), .columns = 4});
  for (Index k = 0; k < n; ++k) {
    EXPECT_LT(std::abs(out(k, 2) - (out(k, 0) + a * out(k, 1))), 1e-13);
    EXPECT_LT(std::abs(Exact(out(k, 3)) - Exact(out(k, 0)) * exact_root(7 * k, n)), 1e-13L);
  }
}

// The error of a long transform of one wave pair: all coefficients but two vanish, so one pass over
// the result measures the whole of the error. Waves of irrational phase keep every pass busy.
template <class Real>
double wave_error(Index n, ExactRoots const& roots) {
  Index const f = n / 3 + 1;
  Index const g = n / 2 - 5;
  std::vector<std::complex<Real>> data(at(n));
  std::vector<Index> row(at(n));
  std::iota(row.begin(), row.end(), Index{0});
  Exact const phase = std::polar(1.0L, 0.7L);
  for (Index j = 0; j < n; ++j) {
    Exact const value = phase * std::conj(roots[j * f % n]) + std::conj(roots[j * g % n]);
    data[at(j)] = {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
  }
  run<Real>(
      *make<Real>(n),
      {.in = {data.data(), row.data(), n}, .out = {data.data(), row.data(), n}, .columns = 1});
  long double difference = 0;
  for (Index k = 0; k < n; ++k) {
    Exact const expected = k == f   ? phase * static_cast<long double>(n)
                           : k == g ? Exact(static_cast<long double>(n))
                                    : Exact(0);
    difference += std::norm(Exact(data[at(k)]) - expected);
  }
  return static_cast<double>(
      std::sqrt(difference / (2 * static_cast<long double>(n) * static_cast<long double>(n))));
}

TEST_P(transform, error_grows_as_the_root_of_the_logarithm) {
  std::vector<int> powers{4, 8, 12, 16, 20};
  if (backend == Local::own) powers.insert(powers.end(), {22, 24});
  for (int power : powers) {
    double const bound = (backend == Local::own ? 0.5 : 1) * std::sqrt(power);
    Index const n = Index{1} << power;
    ExactRoots const roots(n);
    EXPECT_LT(wave_error<double>(n, roots), bound * epsilon<double>) << power;
    if (power > 20) continue;
    EXPECT_LT(wave_error<float>(n, roots), bound * epsilon<float>) << power;
  }
}

TEST(own_transform, an_unknown_instruction_set_is_an_error_that_names_the_others) {
  EXPECT_FALSE(available().empty());
  Environment const unknown("ABACUS");
  EXPECT_THROW(make_transform<double>(8), Error);
}

TEST(own_transform, every_instruction_set_gives_right_answers) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    EXPECT_EQ(instruction_set(), name);
    EXPECT_NE(make_transform<float>(64)->describe().find(name), std::string::npos);
    for (Index n = 1; n <= 180; ++n) check_length(n);
    for (Index n : {512, 1024, 1009}) check_length(n);
    for (Index n : {16, 34, 60}) {
      check_every_way<double>(n, 11);
      check_every_way<float>(n, 18);  // an odd row: no vector is aligned
    }
    ExactRoots const roots(32768);
    EXPECT_LT(sampled_error<double>(*make<double>(32768), roots), tolerance<double>(32768)) << name;
    EXPECT_LT(sampled_error<float>(*make<float>(32768), roots), tolerance<float>(32768)) << name;
  }
}

TEST(own_transform, contiguous_lengths_that_have_their_own_kernels_agree_with_the_definition) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    for (Index n : {16,  32,  64,  72,  80,  96,  100, 112,  120,  128,  144,  160,
                    180, 192, 200, 216, 224, 240, 256, 288,  320,  360,  384,  400,
                    480, 512, 640, 720, 768, 800, 960, 1000, 1024, 1536, 2048, 4096})
      for (bool backward : {false, true}) {
        // As many columns as leave some over where several share vectors.
        Index const columns = n <= 16 ? 27 : n <= 512 ? 5 : 1;
        Way const way = Way::contiguous;
        check_case<double>({n, columns, way, way, backward, 1, -1, backward});
        check_case<float>({n, columns, way, way, backward, -2, -1, !backward});
      }
  }
}

// Two or four share a vector.
TEST(own_transform, short_contiguous_columns_agree_with_the_definition) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    for (Index n = 2; n < 16; ++n)
      for (Index columns : {1, 2, 3, 4, 7, 9})
        for (bool backward : {false, true}) {
          Way const way = Way::contiguous;
          check_case<double>({n, columns, way, way, backward, -2, -1, backward});
          check_case<float>({n, columns, way, way, backward, 1, -1, !backward});
        }
  }
}

// Two of them share vectors of 16 lanes, and one column fills them.
TEST(own_transform, contiguous_columns_in_pairs_agree_with_the_definition) {
  for (Index n : {272, 336, 352, 432, 560, 576, 672, 1008})
    for (Index columns : {1, 2, 5})
      for (bool backward : {false, true}) {
        Way const way = Way::contiguous;
        check_case<float>({n, columns, way, way, backward, -2, -1, !backward});
      }
}

// Two or three radices, each of them first, in the middle or last; with some columns left over.
TEST(own_transform, columns_in_passes_of_half_a_group_agree_with_the_definition) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    for (Index n : {50,  54,  63,  66,  72,  75,  77,  78,  84,  91,  105, 110, 117, 130,
                    143, 144, 169, 182, 192, 195, 210, 225, 240, 243, 250, 256, 264, 280,
                    294, 320, 338, 343, 350, 364, 375, 384, 390, 396, 448, 490, 500})
      for (bool backward : {false, true}) {
        Way const way = Way::rows;
        check_case<double>({n, 19, way, way, backward, 1, -1, backward});
        check_case<float>({n, 37, way, way, backward, -2, -1, !backward});
      }
  }
}

// Lengths that no number of lanes divides, and with large primes: by codelets, with each radix of
// the row pass, and by columns that leave lanes idle.
TEST(own_transform, a_few_columns_of_lengths_without_vectors_agree_with_the_definition) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    for (Index n : {17,  21,  31,  33,  35,  39,  42,  54,   63,   70,   75,   81,   83,  97,
                    99,  117, 125, 130, 135, 165, 170, 187,  189,  194,  221,  225,  243, 250,
                    255, 275, 294, 308, 324, 396, 425, 459,  468,  476,  493,  509,  539, 588,
                    637, 700, 726, 819, 875, 935, 972, 1001, 1018, 1225, 1323, 2401, 3125})
      for (Way way : {Way::contiguous, Way::blocked})
        for (bool backward : {false, true}) {
          check_case<double>({n, 2, way, way, backward, 1, -1});
          check_case<double>({n, 7, way, way, backward, 0.3125, -1, backward});
          check_case<float>({n, 15, way, way, backward, -2, -1, !backward});
          check_case<float>({n, 5, way, way, backward, 1, -1, backward});
        }
    for (Index n : {35, 97, 250, 700, 1001})
      for (Way way : ways) {
        check_case<double>({n, 9, way, way, true, 0.3125, -1, true});
        check_case<float>({n, 5, way, way, false, -2, -1, true});
      }
  }
}

// Vectors of 256 bits have kernels of their own for the powers of two.
TEST(own_transform, long_contiguous_lengths_agree_with_the_definition) {
  for (std::string const& name : available()) {
    Environment const forced(name.c_str());
    for (Index n :
         {8192, 16384, 8505, 9009, 9828, 10500, 14586, 15246, 15625, 16807, 30375, 59049, 143325}) {
      ExactRoots const roots(n);
      for (bool backward : {false, true}) {
        EXPECT_LT(sampled_error(*make<double>(n), roots, backward, 0.3125), tolerance<double>(n))
            << n << " " << name;
        EXPECT_LT(sampled_error(*make<float>(n), roots, backward, -2.0F), tolerance<float>(n))
            << n << " " << name;
      }
    }
  }
}

TEST_P(transform, serves_several_threads_at_once) {
  Index const n = 96;
  Index const columns = 50;
  auto const shared = make<double>(n);
  auto const x = noise<double>(n * columns, 4);
  std::vector<Index> row(at(n));
  std::iota(row.begin(), row.end(), Index{0});
  auto const transformed = [&] {
    std::vector<std::complex<double>> y(x.size());
    for (int repeat = 0; repeat < 20; ++repeat)
      run<double>(
          *shared,
          {.in = {x.data(), row.data(), n}, .out = {y.data(), row.data(), n}, .columns = columns});
    return y;
  };
  auto const expected = transformed();
  std::vector<std::future<std::vector<std::complex<double>>>> others;
  for (int thread = 0; thread < 4; ++thread)
    others.push_back(std::async(std::launch::async, transformed));
  for (auto& other : others) EXPECT_EQ(other.get(), expected);
}

TEST_P(transform, a_length_must_be_positive) {
  EXPECT_THROW(make<double>(0), Error);
  EXPECT_THROW(make<float>(-4), Error);
}

}  // namespace
}  // namespace sixstep::local

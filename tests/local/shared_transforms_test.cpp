// SPDX-License-Identifier: BSD-3-Clause
// What plans share exists once, is freed with its last user, and takes no more memory than is said.
#include "local/shared_transforms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <memory>
#include <thread>
#include <vector>

#include "child.hpp"
#include "live_bytes.hpp"
#include "local/one_column.hpp"
#include "sweep/kernels.hpp"
#include "tuned.hpp"

namespace sixstep::local {
namespace {

using Complex = std::complex<double>;

auto complex_of(Index n, Tuning const& tuning = {}) {
  return shared_transform<Complex, Complex>(Kind::c2c, n, Local::own, tuning);
}
auto reals_of(Kind kind, Index n) {
  return shared_transform<double, double>(kind, n, Local::own, {});
}

TEST(shared_transforms, are_the_same_for_equal_arguments_alone) {
  auto const one = complex_of(60);
  EXPECT_EQ(one, complex_of(60));
  EXPECT_EQ(one->n(), 60);
  EXPECT_NE(one, complex_of(61));
  EXPECT_NE(one, complex_of(60, tuned(&Tuning::tile_groups, Tuning{}.tile_groups + 1)));
  auto const cosine = reals_of(Kind::dct2, 60);
  EXPECT_EQ(cosine, reals_of(Kind::dct2, 60));
  EXPECT_NE(cosine, reals_of(Kind::dct3, 60));
  auto const roots = shared_roots(60);
  EXPECT_EQ(roots, shared_roots(60));
  EXPECT_EQ(shared_roots(61)->n(), 61);
}

TEST(shared_transforms, are_shared_by_plans) {
  sweep::Kernels one, other;
  sweep::Along const along{Kind::c2c, 60, 60, 60};
  EXPECT_EQ(&(one.transform<Complex, Complex>(along)), &(other.transform<Complex, Complex>(along)));
  EXPECT_EQ(&one.roots(60), &other.roots(60));
  EXPECT_EQ(one.table_bytes(), table_bytes(Kind::c2c, 60));
}

TEST(shared_transforms, of_one_column_have_tables_for_it_alone) {
  Index const n = 3063;  // 3 x 1021
  sweep::Along const alone{.kind = Kind::c2c, .points = n, .source = n, .target = n, .columns = 1};
  sweep::Along several = alone;
  several.columns = 100;
  sweep::Kernels kernels, reproducible(Local::own, tuned(&Tuning::bits, Bits::everywhere));
  EXPECT_EQ(&(kernels.transform<Complex, Complex>(alone)), shared_one_column<double>(n).get());
  EXPECT_NE(&(kernels.transform<Complex, Complex>(several)), shared_one_column<double>(n).get());
  EXPECT_NE(&(reproducible.transform<Complex, Complex>(alone)), shared_one_column<double>(n).get());
}

TEST(shared_transforms, are_freed_with_their_last_user) {
  auto first = complex_of(9000);
  auto second = first;
  first.reset();
  std::size_t const before = live::bytes();
  second.reset();
  EXPECT_LT(live::bytes() + 9000 * sizeof(Complex), before);
  // Nor does the list of those that are gone grow.
  for (Index n = 1; n <= 300; ++n) complex_of(n);
  std::size_t const of_300 = live::bytes();
  for (Index n = 301; n <= 900; ++n) complex_of(n);
  EXPECT_LT(live::bytes(), of_300 + 64 * 1024);
}

TEST(shared_transforms, are_made_once_by_several_threads) {
  constexpr std::size_t threads = 4;
  constexpr Index lengths = 64;
  std::vector<std::vector<std::shared_ptr<Transform<Complex, Complex> const>>> found(threads);
  std::vector<std::thread> running;
  for (auto& mine : found)
    running.emplace_back([&mine] {
      for (Index n = 1; n <= lengths; ++n) mine.push_back(complex_of(n));
    });
  for (std::thread& thread : running) thread.join();
  for (auto const& mine : found) EXPECT_EQ(mine, found[0]);
}

TEST(shared_transforms, can_be_made_in_forked_processes) {
  auto const here = complex_of(60);
  EXPECT_EQ(child::run([&] { return complex_of(60) == here && complex_of(77)->n() == 77; }), "");
}

/// Bytes that `make` leaves allocated as long as its result lives. A few may be fewer than before:
/// each thread keeps its last short tables of roots.
template <class Make>
std::size_t bytes_of(Make const& make) {
  std::size_t const before = live::bytes();
  auto const made = make();
  return live::bytes() - std::min(before, live::bytes());
}

template <class Real>
void expect_no_less_is_said(Index n) {
  using OfComplex = std::complex<Real>;
  auto const expect = [&](Kind kind, std::size_t found) {
    EXPECT_LE(found, table_bytes(kind, n)) << to_string(kind) << " of " << n << " points";
  };
  expect(Kind::c2c, bytes_of([&] {
           return shared_transform<OfComplex, OfComplex>(Kind::c2c, n, Local::own, {});
         }));
  expect(Kind::r2c,
         bytes_of([&] { return shared_transform<Real, OfComplex>(Kind::r2c, n, Local::own, {}); }));
  expect(Kind::r2c,
         bytes_of([&] { return shared_transform<OfComplex, Real>(Kind::r2c, n, Local::own, {}); }));
  if (n > 20000) return;  // which would take long
  for (Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                    Kind::dst3, Kind::dst4}) {
    if (kind == Kind::dct1 && n == 1) continue;
    expect(kind, bytes_of([&] { return shared_transform<Real, Real>(kind, n, Local::own, {}); }));
  }
}

TEST(table_bytes, are_no_less_than_what_is_allocated) {
  shared_roots(1);
  for (Index n : {1,    2,     7,      16,     17,   30,   47,   61,    83,   100,
                  127,  268,   271,    289,    400,  509,  1019, 1024,  4099, 9000,
                  9007, 65536, 131072, 200003, 3063, 1225, 3150, 10500, 16384}) {
    expect_no_less_is_said<double>(n);
    expect_no_less_is_said<float>(n);
  }
  EXPECT_LT(table_bytes(Kind::c2c, Index{1} << 24), std::size_t{1} << 28);
}

}  // namespace
}  // namespace sixstep::local

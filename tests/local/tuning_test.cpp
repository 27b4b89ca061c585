// SPDX-License-Identifier: BSD-3-Clause
// Other tunings take other ways to the same results.
#include "tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "base/memory.hpp"
#include "local/caches.hpp"
#include "local/kernels/columns.hpp"
#include "local/real_transform.hpp"
#include "local/staged.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"
#include "oracles/fourier.hpp"
#include "tuned.hpp"

namespace sixstep::local {
namespace {

using Complex = std::complex<double>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

std::vector<double> numbers(Index count) {
  std::vector<double> result;
  for (Index i = 0; i < count; ++i)
    result.push_back(static_cast<double>(oracle::value(i, 1).real()) / 3);  // all bits of a double
  return result;
}

std::vector<Complex> complex_numbers(Index count) {
  std::vector<double> const parts = numbers(2 * count);
  std::vector<Complex> result;
  for (Index i = 0; i < count; ++i) result.emplace_back(parts[at(2 * i)], parts[at(2 * i + 1)]);
  return result;
}

// Of columns side by side or contiguous, out of place, to `skew` elements behind the begin of an
// array; without roots there is no twist, whatever its step.
std::vector<Complex> result(Transform<Complex> const& transform, Tuning const& tuning,
                            Index columns, bool side_by_side, Roots const* roots, Index skew = 0) {
  Index const n = transform.n();
  std::vector<Complex> const in = complex_numbers(n * columns);
  std::vector<Complex> out(in.size() + at(skew));
  RowMap const row = RowMap::every(side_by_side ? columns : 1);
  Index const lane = side_by_side ? 1 : n;
  Index const bytes = n * columns * Index{sizeof(Complex)};
  Index const step = side_by_side ? columns * Index{sizeof(Complex)} : 0;
  Staged<double> const staged(transform, staging(step, step, bytes, tuning), tuning);
  Memory const scratch = allocate(staged.scratch_bytes());
  staged.run({.in = {in.data(), row, lane},
              .out = {out.data() + skew, row, lane},
              .columns = columns,
              .twist = {roots, 0, 1}},
             scratch.get());
  return {out.begin() + skew, out.end()};
}

double error(std::vector<Complex> const& expected, std::vector<Complex> const& found) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    most = std::max(most, std::abs(found[i] - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return most / largest;
}

// All that is large made small, all that is small made large: every other way that there is.
Tuning tight() {
  Tuning tuning;
  tuning.rows_of_second = {64 * row_bytes(chosen_target()), caches().second};
  tuning.rows_of_third = {0, 1};
  tuning.two_level_point_bytes = caches().second / 64;
  tuning.shortest_level = 2;
  tuning.level_of_longest = {1, 2};
  tuning.contiguous_point_bytes = caches().second / 8192;
  tuning.whole_table_entries = 8;
  tuning.whole_row_table_of_second = {0, 1};
  tuning.padded_column_rows = 1;
  tuning.padded_block_rows = 1;
  tuning.tile_groups = 1;
  tuning.contiguous_tile_groups = 1;
  tuning.resident_of_second = {0, 1};
  tuning.streamed_of_third = {0, 1};
  tuning.fetched_bytes = 64;
  tuning.far_row_bytes = 0;
  tuning.staged_of_third = {0, 1};
  tuning.crowded_rows = 0;
  tuning.apart_row_bytes = 64;
  tuning.strip_row_bytes = 64;
  tuning.strip_of_second = {1, 64};
  tuning.fetched_in_place_of_second = tuning.fetched_of_second = {0, 1};
  tuning.fetched_target_of_third = {0, 1};
  tuning.strip_of_third = {1, 4096};
  tuning.strip_pad_bytes = 0;
  tuning.real_block_bytes = 64;
  tuning.real_contiguous_block_bytes = 64;
  tuning.most_real_block_bytes = 64;
  tuning.real_pad_bytes = 128;
  return tuning;
}

Tuning loose() {
  Tuning tuning;
  tuning.rows_of_second = {8, 1};
  tuning.two_level_point_bytes = 16;
  tuning.contiguous_point_bytes = 1;
  tuning.whole_table_entries = Index{1} << 30;
  tuning.whole_row_table_of_second = {1 << 20, 1};
  tuning.padded_column_rows = Index{1} << 30;
  tuning.tile_of_first = {8, 1};
  tuning.tile_of_second = {8, 1};
  tuning.tile_groups = 64;
  tuning.contiguous_tile_groups = 64;
  tuning.resident_of_second = {1 << 20, 1};
  tuning.apart_tile_of_second = {8, 1};
  tuning.apart_row_bytes = 8192;
  tuning.strip_row_bytes = 8192;
  tuning.fetched_in_place_of_second = tuning.fetched_of_second = {1 << 20, 1};
  tuning.crowded_fetched_rows = 1 << 20;
  tuning.fetched_target_of_third = {1 << 20, 1};
  tuning.strip_of_third = {1, 1};
  tuning.strip_pad_bytes = 1024;
  tuning.real_block_bytes = Index{1} << 22;
  tuning.real_row_bytes = 8192;
  tuning.real_contiguous_block_bytes = Index{1} << 22;
  tuning.real_pad_bytes = 0;
  return tuning;
}

class OtherTuning : public testing::TestWithParam<Tuning> {};

TEST(tuning, where_results_lie_does_not_matter) {
  Tuning tuning;
  tuning.resident_of_second = tuning.streamed_of_third = {0, 1};
  tuning.far_row_bytes = 0;
  for (Index strip_row_bytes : {64, 256, 2048}) {
    tuning.strip_row_bytes = strip_row_bytes;
    auto const transform = make_transform<double>(24, Local::own, tuning);
    for (Index columns : {3, 40, 101}) {
      std::vector<Complex> const expected = result(*transform, {}, columns, true, nullptr);
      for (Index skew : {0, 1, 2, 3, 5})
        EXPECT_LE(error(expected, result(*transform, tuning, columns, true, nullptr, skew)), 1e-15)
            << columns << " columns, " << skew << " elements behind the begin";
    }
  }
}

/// A transform of columns side by side, in place or to another array. What may be fetched is there.
struct SideBySide {
  Index n, columns;
  bool in_place, backward;
  Roots const* roots;

  template <class Real>
  std::vector<std::complex<Real>> run(Transform<std::complex<Real>> const& transform,
                                      Staging const& staging, Tuning const& tuning) const {
    using Number = std::complex<Real>;
    std::vector<Number> in, out(at(n * columns));
    for (Complex const& x : complex_numbers(n * columns)) in.emplace_back(x);
    Staged<Real> const staged(transform, staging, tuning);
    Memory const scratch = allocate(staged.scratch_bytes());
    RowMap const row = RowMap::every(columns);
    staged.run({.in = {in.data(), row, 1},
                .out = {in_place ? in.data() : out.data(), row, 1},
                .columns = columns,
                .backward = backward,
                .scale = Real{2},
                .twist = {roots, 3, 1},
                .next = out.data(),
                .next_step = columns},
               scratch.get());
    return in_place ? in : out;
  }
};

/// The largest difference between two results, over the length of the transform.
template <class Number>
double difference(std::vector<Number> const& a, std::vector<Number> const& b, Index n) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, static_cast<double>(std::abs(a[i] - b[i])));
  return most / static_cast<double>(n);
}

/// Expects that `matters` is small for columns of several lengths and numbers, in both precisions,
/// both directions, with a twist and without.
template <class Matters>
void expect_alike(bool in_place, Matters const& matters) {
  for (Index n : {6, 24, 60, 100, 128, 263, 1000}) {
    auto const doubles = make_transform<double>(n);
    auto const floats = make_transform<float>(n);
    for (Index columns : {15, 16, 33, 79, 101}) {
      Roots const roots(n * columns);
      for (bool backward : {false, true})
        for (Roots const* twist : {static_cast<Roots const*>(nullptr), &roots}) {
          SCOPED_TRACE(testing::Message() << n << " points, " << columns << " columns, in place "
                                          << in_place << ", backward " << backward);
          SideBySide const side_by_side{n, columns, in_place, backward, twist};
          EXPECT_LE(matters(side_by_side, *doubles), 1e-15);
          EXPECT_LE(matters(side_by_side, *floats), 1e-6);
        }
    }
  }
}

TEST(tuning, a_strip_that_was_fetched_may_be_read_where_it_lies) {
  Tuning where_it_lies, copied;
  where_it_lies.strip_row_bytes = copied.strip_row_bytes = 256;
  where_it_lies.fetched_in_place_of_second = where_it_lies.fetched_of_second = {1 << 20, 1};
  where_it_lies.crowded_fetched_rows = 1 << 20;
  copied.fetched_in_place_of_second = copied.fetched_of_second = {0, 1};
  constexpr Staging both{.source = true, .target = true};
  for (bool in_place : {false, true})
    expect_alike(in_place, [&](SideBySide const& columns, auto const& transform) {
      return difference(columns.run(transform, both, where_it_lies),
                        columns.run(transform, both, copied), columns.n);
    });
}

TEST(tuning, a_target_that_was_fetched_may_be_written_where_it_lies) {
  Tuning narrow;
  narrow.strip_row_bytes = 256;
  narrow.crowded_fetched_rows = 1 << 20;
  for (bool stream : {false, true})
    expect_alike(false, [&](SideBySide const& columns, auto const& transform) {
      Staging const strips{.target = true, .stream = stream};
      Staging const none{.target = true, .stream = stream, .holds_target = true};
      return difference(columns.run(transform, strips, narrow),
                        columns.run(transform, none, narrow), columns.n);
    });
}

/// The largest difference between columns in place or to another array, with and without strips.
template <class Real>
double strips_matter(Index n, Index columns, bool in_place, bool backward, Roots const* roots) {
  auto const transform = make_transform<Real>(n);
  auto const run = [&](Tuning tuning) {
    tuning.resident_of_second = {0, 1};
    tuning.far_row_bytes = 0;
    Index const step = columns * Index{sizeof(std::complex<Real>)};
    Staging staging = local::staging(step, step, n * step, tuning);
    if (!in_place) staging.source = false;  // from cache
    return SideBySide{n, columns, in_place, backward, roots}.run(*transform, staging, tuning);
  };
  return difference(run(tuned(&Tuning::staged_of_third, {0, 1})),
                    run(tuned(&Tuning::staged_of_third, {1 << 20, 1})), n);
}

TEST(tuning, rows_may_be_reached_with_strips_or_without) {
  for (Index n : {6, 16, 60, 101, 128, 263, 1000})
    for (Index columns : {3, 16, 40, 101}) {
      Roots const roots(n * columns);
      for (bool in_place : {false, true})
        for (bool backward : {false, true})
          for (Roots const* twist : {static_cast<Roots const*>(nullptr), &roots}) {
            SCOPED_TRACE(testing::Message() << n << " points, " << columns << " columns, in place "
                                            << in_place << ", backward " << backward);
            EXPECT_LE(strips_matter<double>(n, columns, in_place, backward, twist), 1e-15);
            EXPECT_LE(strips_matter<float>(n, columns, in_place, backward, twist), 1e-6);
          }
    }
}

// Rows that are a large power of two apart are in few cache sets.
TEST(tuning, rows_that_crowd_in_cache_sets_may_be_reached_with_strips_or_without) {
  for (Index n : {64, 101, 128, 160, 256})
    for (bool in_place : {false, true})
      for (bool backward : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << n << " points, in place " << in_place << ", backward " << backward);
        EXPECT_LE(strips_matter<double>(n, 1024, in_place, backward, nullptr), 1e-15);
        EXPECT_LE(strips_matter<float>(n, 2048, in_place, backward, nullptr), 1e-6);
      }
}

TEST_P(OtherTuning, changes_no_complex_transform) {
  Tuning const tuning = GetParam();
  for (Index n : {1, 6, 60, 64, 96, 101, 128, 512, 1000, 1024, 4096, 4099, 6144, 8192, 16384}) {
    auto const usual = make_transform<double>(n);
    auto const other = make_transform<double>(n, Local::own, tuning);
    Roots const roots(n * 64);
    for (Index columns : {1, 21})
      for (bool side_by_side : {false, true})
        for (Roots const* twist : {static_cast<Roots const*>(nullptr), &roots})
          EXPECT_LT(error(result(*usual, {}, columns, side_by_side, twist),
                          result(*other, tuning, columns, side_by_side, twist)),
                    20 * std::numeric_limits<double>::epsilon())
              << n << ", columns " << columns << (side_by_side ? " side by side, " : ", ")
              << other->describe();
  }
}

TEST_P(OtherTuning, changes_no_real_transform) {
  Tuning const tuning = GetParam();
  auto const transformed = [](auto const& transform, Index n, bool side_by_side) {
    constexpr Index columns = 21;
    std::vector<double> const in = numbers(n * columns);
    std::vector<Complex> out(at((n / 2 + 1) * columns));
    Memory const scratch = allocate(transform.scratch_bytes());
    RowMap const row = RowMap::every(side_by_side ? columns : 1);
    transform.run({.in = {in.data(), row, side_by_side ? 1 : n},
                   .out = {out.data(), row, side_by_side ? 1 : n / 2 + 1},
                   .columns = columns},
                  scratch.get());
    return out;
  };
  for (Index n : {1, 2, 9, 16, 60, 101, 128, 1000, 1024})
    for (bool side_by_side : {false, true})
      EXPECT_LT(error(transformed(*make_r2c<double>(n), n, side_by_side),
                      transformed(*make_r2c<double>(n, Local::own, tuning), n, side_by_side)),
                20 * std::numeric_limits<double>::epsilon())
          << n << (side_by_side ? " side by side" : "");
}

INSTANTIATE_TEST_SUITE_P(tuning, OtherTuning, testing::Values(tight(), loose()));

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// No result of a real transform depends on another column: however columns lie, whatever their
// length and number, and whoever's kernels transform them.
//
// What is asserted are bits. A run is repeated with one column changed: all others must stay the
// same, bit for bit, as the same operations are done on the same numbers in the same order. And it
// is repeated with columns multiplied by powers of two: each result must be the former one times
// the same power, bit for bit, as such a factor passes through sums and products without rounding.
// So a column beside one that is 10^13 times as large has the accuracy that
// real_transform_test.cpp measures.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "local/instruction_sets.hpp"
#include "local/real_transform.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// How columns lie on both sides. `fields`: two fields, interleaved, of which each has a half of
/// the columns, so that a column's neighbour is of the other field.
enum class Way { contiguous, padded, side_by_side, apart, fields };
Way const ways[] = {Way::contiguous, Way::padded, Way::side_by_side, Way::apart, Way::fields};

/// Columns of reals or complex numbers.
template <class Element>
class Field {
 public:
  using Real = typename RealOf<Element>::type;

  Field(Way way, Index rows, Index columns) : rows_(rows), columns_(columns) {
    bool const is_contiguous = way == Way::contiguous || way == Way::padded;
    lane_ = is_contiguous ? rows + (way == Way::padded ? 3 : 0) : way == Way::apart ? 3 : 1;
    step_ = is_contiguous ? 1 : columns * lane_ + (way == Way::fields ? 0 : 5);
    data_.resize(at((rows - 1) * step_ + (columns - 1) * lane_ + 1));
  }

  Element& operator()(Index k, Index c) { return data_[at(k * step_ + c * lane_)]; }
  Columns<Element const> source() const { return {data_.data(), RowMap::every(step_), lane_}; }
  Columns<Element> sink() { return {data_.data(), RowMap::every(step_), lane_}; }

  void fill() {
    std::uint64_t state = 1;
    for (Element& element : data_) element = next<Element>(state);
  }
  template <class Change>
  void change(Index column, Change const& to) {
    for (Index k = 0; k < rows_; ++k) (*this)(k, column) = to((*this)(k, column));
  }
  /// Whether a column has the bits of the other's, times `factor`.
  bool same(Field& other, Index column, Real factor = 1) {
    for (Index k = 0; k < rows_; ++k) {
      Element const expected = other(k, column) * factor;
      if (std::memcmp(&expected, &(*this)(k, column), sizeof(Element)) != 0) return false;
    }
    return true;
  }

 private:
  template <class Number>
  static Number next(std::uint64_t& state) {
    if constexpr (std::is_floating_point_v<Number>) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return static_cast<Number>(static_cast<std::int32_t>(state >> 40)) / (1 << 23) - 1;
    } else {
      Real const re = next<Real>(state);
      return {re, next<Real>(state)};
    }
  }

  Index rows_, columns_, lane_, step_;
  std::vector<Element> data_;
};

template <class In, class Out>
struct Test {
  Transform<In, Out> const& transform;
  Index in_rows, out_rows, columns;
  Way way;

  using Real = typename RealOf<In>::type;

  Field<Out> run(Field<In> const& in) const {
    Field<Out> out(way, out_rows, columns);
    std::vector<std::byte> scratch(transform.scratch_bytes() + 64, std::byte{0xff});  // no numbers
    auto const address = reinterpret_cast<std::uintptr_t>(scratch.data());
    transform.run({.in = in.source(), .out = out.sink(), .columns = columns},
                  scratch.data() + (64 - address % 64) % 64);
    return out;
  }

  void columns_keep_their_bits() const {
    Field<In> in(way, in_rows, columns);
    in.fill();
    Field<Out> usual = run(in);
    Real const nan = std::numeric_limits<Real>::quiet_NaN();
    for (auto const& [bad, odd] : {std::pair(Index{0}, nan), std::pair(columns - 1, nan),
                                   std::pair(columns / 2, std::numeric_limits<Real>::infinity())}) {
      Field<In> changed = in;
      changed.change(bad, [value = odd](In) { return In(value); });
      Field<Out> out = run(changed);
      for (Index c = 0; c < columns; ++c)
        ASSERT_TRUE(c == bad || out.same(usual, c)) << odd << " in " << bad << " changes " << c;
      ASSERT_FALSE(std::isfinite(std::abs(out(0, bad)))) << odd;
    }
  }

  // 8.8e12 or 1.3e5 times as large.
  void large_columns_do_not_touch_small_ones() const {
    Real const factor = std::ldexp(Real{1}, sizeof(Real) == 8 ? 43 : 17);
    Field<In> in(way, in_rows, columns);
    in.fill();
    Field<Out> usual = run(in);
    for (Index c = 0; c < columns; c += 2) in.change(c, [&](In x) { return x * factor; });
    Field<Out> out = run(in);
    for (Index c = 0; c < columns; ++c)
      ASSERT_TRUE(out.same(usual, c, c % 2 == 0 ? factor : Real{1})) << "column " << c;
  }
};

template <class In, class Out>
void check(Transform<In, Out> const& transform, Index in_rows, Index out_rows, Index columns) {
  // Long columns, which take long, in two ways: a column or a row is contiguous.
  bool const is_long = transform.n() > 1024;
  for (Way way : ways) {
    if (is_long && way != Way::contiguous && way != Way::side_by_side) continue;
    SCOPED_TRACE(text(transform.describe(), ", n ", transform.n(), ", ", columns, " columns, way ",
                      static_cast<int>(way)));
    Test<In, Out> const test{transform, in_rows, out_rows, columns, way};
    test.columns_keep_their_bits();
    test.large_columns_do_not_touch_small_ones();
  }
}

template <class Real>
void check_all(Index n, Index columns, Local whose = Local::own) {
  check(*make_r2c<Real>(n, whose), n, n / 2 + 1, columns);
  check(*make_c2r<Real>(n, whose), n / 2 + 1, n, columns);
  for (Kind kind : {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                    Kind::dst3, Kind::dst4})
    if (kind != Kind::dct1 || n > 1) check(*make_r2r<Real>(kind, n, whose), n, n, columns);
}

TEST(independent_columns, of_every_length) {
  for (Index n = 1; n <= 70; n += sanitized() ? 3 : 1) {
    check_all<double>(n, 19);
    check_all<float>(n, 19);
    if (HasFatalFailure()) return;
  }
}

TEST(independent_columns, of_larger_lengths) {
  for (Index n : {100, 127, 128, 169, 243, 257, 343, 1000, 1009, 1024, 4096, 10007, 15842}) {
    if (sanitized() && n > 1009) break;
    check_all<double>(n, n > 1024 ? 3 : 11);
    check_all<float>(n, n > 1024 ? 3 : 19);
    if (HasFatalFailure()) return;
  }
}

TEST(independent_columns, of_long_transforms) {
  constexpr Index n = 1 << 16;  // in several passes on any machine
  check(*make_r2c<double>(n), n, n / 2 + 1, 3);
  check(*make_c2r<float>(n), n / 2 + 1, n, 3);
  check(*make_r2r<double>(Kind::dct2, n), n, n, 2);
  check(*make_r2r<float>(Kind::dst1, n), n, n, 2);
}

TEST(independent_columns, in_any_number) {
  for (Index n : {2, 9, 32, 55})
    for (Index columns : {1, 2, 3, 7, 8, 16, 33, 64, 150}) {
      check_all<double>(n, columns);
      check_all<float>(n, columns);
      if (HasFatalFailure()) return;
    }
}

TEST(independent_columns, of_every_instruction_set) {
  for (std::string const& name : available()) {
    SCOPED_TRACE(name);
    Environment const forced(name.c_str());
    for (Index n : {2, 9, 16, 22, 25, 49, 64, 97, 100}) {
      check_all<double>(n, 19);
      check_all<float>(n, 19);
      if (HasFatalFailure()) return;
    }
  }
}

// What every column needs in memory is limited; so is the width of blocks then.
TEST(independent_columns, in_small_blocks) {
  Tuning tuning;
  tuning.most_real_block_bytes = 1;
  for (Index n : {15, 64, 97}) {
    check(*make_r2c<double>(n, Local::own, tuning), n, n / 2 + 1, 5);
    check(*make_c2r<double>(n, Local::own, tuning), n / 2 + 1, n, 5);
    check(*make_r2r<float>(Kind::dct2, n, Local::own, tuning), n, n, 5);
  }
}

class independent_columns_of : public testing::TestWithParam<Local> {};

TEST_P(independent_columns_of, other_libraries) {
  try {
    kernels_of<double>(GetParam());
    kernels_of<float>(GetParam());
  } catch (Error const& error) {
    GTEST_SKIP() << error.what();
  }
  for (Index n : {1, 5, 8, 27, 44, 100}) {
    check_all<double>(n, 19, GetParam());
    check_all<float>(n, 19, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(libraries, independent_columns_of,
                         testing::Values(Local::fftw, Local::mkl));

}  // namespace
}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Columns of reals and of their coefficients, and checks of their transforms against the
// definition, in long double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "local/field.hpp"
#include "local/real_transform.hpp"
#include "oracles/fourier.hpp"
#include "oracles/kinds.hpp"

namespace sixstep::local {

using oracle::at;
using oracle::Exact;
using Wide = long double;

inline std::vector<Kind> const r2r_kinds{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                         Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// The factors of a kind's sum for y[k].
inline std::vector<Wide> row_of(Kind kind, Index n, Index k) {
  std::vector<Wide> row;
  row.reserve(at(n));
  for (Index j = 0; j < n; ++j) row.push_back(oracle::r2r_coefficient(kind, n, j, k));
  return row;
}

/// Those for all of y. What belongs to the last length is remembered.
inline std::vector<std::vector<Wide>> const& rows_of(Kind kind, Index n) {
  static Index last = 0;
  static std::map<Kind, std::vector<std::vector<Wide>>> known;
  if (last != n) known.clear();
  last = n;
  std::vector<std::vector<Wide>>& rows = known[kind];
  for (auto k = static_cast<Index>(rows.size()); k < n; ++k) rows.push_back(row_of(kind, n, k));
  return rows;
}

/// The sum of products, as four sums of which none waits for another.
inline Wide product(std::vector<Wide> const& x, std::vector<Wide> const& row) {
  std::array<Wide, 4> sums{};
  for (std::size_t j = 0; j < x.size(); ++j) sums[j % 4] += x[j] * row[j];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

inline std::vector<Wide> definition(Kind kind, std::vector<Wide> const& x) {
  auto const n = static_cast<Index>(x.size());
  std::vector<Wide> y;
  constexpr Index most_remembered = 1100;  // more takes much memory
  if (n <= most_remembered)
    for (std::vector<Wide> const& row : rows_of(kind, n)) y.push_back(product(x, row));
  else
    for (Index k = 0; k < n; ++k) y.push_back(product(x, row_of(kind, n, k)));
  return y;
}

/// The same. Columns of one length are the same in all cases, so those of the last length are
/// remembered.
inline std::vector<Wide> known_definition(Kind kind, std::vector<Wide> const& x) {
  static std::size_t last = 0;
  static std::map<std::pair<Kind, std::vector<Wide>>, std::vector<Wide>> known;
  if (last != x.size()) known.clear();
  last = x.size();
  auto const [found, is_new] = known.try_emplace({kind, x});
  if (is_new) found->second = definition(kind, x);
  return found->second;
}

inline std::vector<Exact> r2c_definition(std::vector<Wide> const& x) {
  auto const n = static_cast<Index>(x.size());
  std::vector<Exact> column(x.begin(), x.end());
  oracle::transform(column, {n}, 0, -1);
  column.resize(at(n / 2 + 1));
  return column;
}

/// What is missing of n coefficients is the conjugate of what is there. X[0] and X[n/2] have no
/// imaginary part.
inline std::vector<Wide> c2r_definition(std::vector<Exact> const& x, Index n) {
  std::vector<Exact> column(at(n));
  for (Index k = 0; 2 * k <= n; ++k) {
    bool const is_real = k == 0 || 2 * k == n;
    column[at(k)] = is_real ? x[at(k)].real() : x[at(k)];
    column[at((n - k) % n)] = std::conj(column[at(k)]);
  }
  oracle::transform(column, {n}, 0, +1);
  std::vector<Wide> reals;
  for (Exact const& value : column) reals.push_back(value.real());
  return reals;
}

/// Numbers between -1 and 1, exact in every precision.
class Noise {
 public:
  explicit Noise(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
  Wide next() {
    for (int i = 0; i < 3; ++i) state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<Wide>(static_cast<std::int64_t>(state_ >> 40)) / (Wide{1} * (1 << 23)) - 1;
  }

 private:
  std::uint64_t state_;
};

template <class Element>
Element element(Noise& noise) {
  if constexpr (std::is_floating_point_v<Element>) {
    return static_cast<Element>(noise.next());
  } else {
    using Real = typename Element::value_type;
    Real const re = static_cast<Real>(noise.next());
    return {re, static_cast<Real>(noise.next())};
  }
}

enum class Way { side_by_side, apart, contiguous, padded, in_two, scattered };
inline Way const ways[] = {Way::side_by_side, Way::apart,  Way::contiguous,
                           Way::padded,       Way::in_two, Way::scattered};

inline Places places(Way way, Index rows, Index columns) {
  Places made;
  Index const width = columns + 3;
  for (Index k = 0; k < rows; ++k) {
    Index const mixed = (k * 7 + 3) % (rows % 7 == 0 ? 11 * rows + 1 : rows);
    made.row.push_back(way == Way::side_by_side ? k * columns
                       : way == Way::apart      ? k * width + 1
                       : way == Way::contiguous ? k
                       : way == Way::padded     ? k
                       : way == Way::in_two     ? (k < rows / 2 ? k : k + columns * rows)
                                                : mixed * width * 2);
  }
  if (way == Way::contiguous || way == Way::in_two) made.lane = rows;
  if (way == Way::padded) made.lane = 2 * (rows / 2 + 1);
  if (way == Way::scattered) made.lane = 2;
  made.size = *std::max_element(made.row.begin(), made.row.end()) + columns * made.lane + 2;
  return made;
}

template <class Element>
void fill(Field<Element>& field, unsigned seed) {
  Noise noise(seed);
  for (Index c = 0; c < field.columns(); ++c)
    for (Index k = 0; k < field.rows(); ++k) field(k, c) = element<Element>(noise);
}

template <class In, class Out>
void run(Transform<In, Out> const& transform, Batch<In, Out> const& batch) {
  std::vector<std::byte> scratch(transform.scratch_bytes() + 64, std::byte{0xff});  // no numbers
  auto const address = reinterpret_cast<std::uintptr_t>(scratch.data());
  transform.run(batch, scratch.data() + (64 - address % 64) % 64);
}

template <class Real>
double tolerance(Index n) {
  return static_cast<double>(std::numeric_limits<Real>::epsilon()) *
         (1.2 + 0.25 * std::log2(static_cast<double>(n)));
}

/// The distance of two columns, by the size of the second.
template <class Value, class Scaled>
double distance(std::vector<Value> const& got, std::vector<Value> const& expected, Scaled scale) {
  Wide difference = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Value const wanted = expected[i] * static_cast<Wide>(scale);
    Wide const apart = std::abs(got[i] - wanted);
    difference += apart * apart;
    size += std::abs(wanted) * std::abs(wanted);
  }
  if (std::isnan(difference)) return HUGE_VAL;
  return static_cast<double>(std::sqrt(difference / std::max(size, Wide{1e-300L})));
}

/// One way in, one way out, so many columns.
struct Case {
  Index n;
  Index columns;
  Way in = Way::side_by_side;
  Way out = Way::side_by_side;
  double scale = 1;

  friend std::ostream& operator<<(std::ostream& stream, Case const& c) {
    return stream << "n " << c.n << " columns " << c.columns << " ways " << int(c.in) << int(c.out)
                  << " scale " << c.scale;
  }
};

template <class In, class Out, class Value, class Definition>
void check(Transform<In, Out> const& transform, Case const& c, Definition const& definition,
           std::pair<Index, Index> rows) {
  using Real = typename RealOf<In>::type;
  using Source = std::conditional_t<std::is_floating_point_v<In>, Wide, Exact>;
  Field<In> in(c.in, rows.first, c.columns);
  Field<Out> out(c.out, rows.second, c.columns);
  fill(in, static_cast<unsigned>(c.n));
  std::vector<In> const before = in.data();
  run<In, Out>(transform, {.in = in.source(),
                           .out = out.sink(),
                           .columns = c.columns,
                           .scale = static_cast<Real>(c.scale),
                           .far = c.in == Way::padded,
                           .far_target = c.out == Way::padded});
  ASSERT_EQ(in.data(), before) << c << ": the input was changed";
  ASSERT_GE(out.untouched(), out.size() - rows.second * c.columns) << c;
  for (Index column : std::set{Index{0}, c.columns / 2, c.columns - 1}) {
    std::vector<Value> const expected = definition(in.template column<Source>(column));
    ASSERT_LT(distance(out.template column<Value>(column), expected, c.scale), tolerance<Real>(c.n))
        << c << " column " << column << " " << transform.describe();
  }
}

template <class Real>
void check_r2c(Case const& c) {
  check<Real, std::complex<Real>, Exact>(*make_r2c<Real>(c.n), c, r2c_definition,
                                         {c.n, c.n / 2 + 1});
}

template <class Real>
void check_c2r(Case const& c) {
  check<std::complex<Real>, Real, Wide>(
      *make_c2r<Real>(c.n), c, [&](std::vector<Exact> const& x) { return c2r_definition(x, c.n); },
      {c.n / 2 + 1, c.n});
}

template <class Real>
void check_r2r(Kind kind, Case const& c) {
  SCOPED_TRACE(to_string(kind));
  if (kind == Kind::dct1 && c.n < 2) return;
  check<Real, Real, Wide>(*make_r2r<Real>(kind, c.n), c,
                          [&](std::vector<Wide> const& x) { return known_definition(kind, x); },
                          {c.n, c.n});
}

template <class Real>
void check_all(Case const& c) {
  check_r2c<Real>(c);
  check_c2r<Real>(c);
  for (Kind kind : r2r_kinds) check_r2r<Real>(kind, c);
}

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Transforms of n = a b numbers as columns of a and of b, of which vectors hold several:
//
//   X[k1 + a k2] = sum_j2 w_b^(j2 k2) [ w_n^(j2 k1) sum_j1 w_a^(j1 k1) x[b j1 + j2] ].
//
// If x[k] = x[n - k], columns j2 and b - j2 of the first step have the same transforms but for
// their order and a factor, and columns k1 and a - k1 of the second step the same numbers: half of
// both is computed.
//
// Every instruction set computes the same bits: lanes are columns, and no multiplication is joined
// with an addition.
#include "local/numbers/pair_transform.hpp"

#include <algorithm>

#include "local/kernels/pair_columns.hpp"
#include "local/numbers/primes.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/pair_transform.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"
#include "local/kernels/pair_columns-inl.hpp"

#ifndef SIXSTEP_LOCAL_PAIR_TRANSFORM
#define SIXSTEP_LOCAL_PAIR_TRANSFORM
namespace sixstep::local::pair_columns {
namespace {

/// How n = a b numbers are transformed.
struct Shape {
  Shape(Index n, bool even) : is_even(even) {
    std::vector<Index> const factors = divisors(n);
    b = factors[factors.size() / 2];
    a = n / b;
  }

  Index n() const { return a * b; }
  /// The columns that are computed, from the first one on.
  Index first_columns() const { return is_even ? b / 2 + 1 : b; }
  Index second_columns() const { return is_even ? a / 2 + 1 : a; }

  Index a = 1, b = 1;
  bool is_even;
};

}  // namespace
}  // namespace sixstep::local::pair_columns
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::pair_columns::HWY_NAMESPACE {

/// The roots w_n^(k1 j2) for `block` neighbours j2 from a multiple of it on: [k1][part][j2].
class BlockRoots {
 public:
  BlockRoots(Roots const& roots, Index a) : roots_(roots), parts_(a * 4 * block) {
    for (Index k1 = 0; k1 < a; ++k1)
      for (Index c = 0; c < block; ++c) {
        FourParts const root(SplitPair(roots.pair(k1 * c)));
        double* const to = parts_.first() + k1 * 4 * block + c;
        to[0] = root.first_re;
        to[block] = root.first_im;
        to[2 * block] = root.rest_re;
        to[3 * block] = root.rest_im;
      }
  }

  /// Those of a vector of neighbours.
  HWY_INLINE Number at(Index k1, Index j2) const {
    Doubles const d;
    Index const of_block = j2 / block * block;
    double const* const from = parts_.first() + k1 * 4 * block + (j2 - of_block);
    Number const factor{hn::Load(d, from), hn::Load(d, from + block), hn::Load(d, from + 2 * block),
                        hn::Load(d, from + 3 * block)};
    return factor * everywhere(FourParts(SplitPair(roots_.pair(k1 * of_block))));
  }

 private:
  Roots const& roots_;
  LinesOfDoubles parts_;
};

/// Rows of columns that vectors divide, a part of numbers after the other.
struct Planes {
  Planes(Index rows, Index columns)
      : row((columns + block - 1) / block * block), plane(rows * row), parts(4 * plane) {}

  Index row, plane;
  LinesOfDoubles parts;  // [part][row][column]
};

/// Number i of x, which are all numbers or, of numbers x[i] = x[n - i], the first that are not
/// zero.
HWY_INLINE FourParts number(std::vector<WidePair> const& x, Shape const& shape, Index i) {
  if (shape.is_even) i = std::min(i, shape.n() - i);
  return i < static_cast<Index>(x.size()) ? FourParts(SplitPair(x[at(i)])) : FourParts{};
}

/// Lanes [begin, end).
struct Lanes {
  Index begin, end;
};

/// Stores the lanes of a row as column k1 of rows j2 + c or, with direction -1, of rows j2 - c.
HWY_INLINE void transpose(double const* row, Lanes const& of, Index j2, Index direction, Index k1,
                          Planes& to) {
  Index const step = lanes();
  for (Index part = 0; part < 4; ++part)
    for (Index c = of.begin; c < of.end; ++c)
      to.parts.first()[part * to.plane + (j2 + direction * c) * to.row + k1] = row[part * step + c];
}

/// The transforms of columns b - j2 of x, times roots, from those of a vector of columns j2: the
/// transform k1 is number a - k1 of column j2 times w_b^-j2.
HWY_NOINLINE void put_mirrored(Columns& columns, Roots const& roots, Shape const& shape, Index j2,
                               Lanes const& of, Planes& to) {
  Index const step = lanes();
  HWY_ALIGN double turn[4 * block] = {};
  HWY_ALIGN double row[4 * block];
  for (Index c = of.begin; c < of.end; ++c) {
    FourParts const root(SplitPair(conj(roots.pair((j2 + c) * shape.a))));
    turn[c] = root.first_re;
    turn[step + c] = root.first_im;
    turn[2 * step + c] = root.rest_re;
    turn[3 * step + c] = root.rest_im;
  }
  Number const turns = load(turn);
  transpose(columns.row(0), of, shape.b - j2, -1, 0, to);
  for (Index k1 = 1; k1 < shape.second_columns(); ++k1) {
    store(load(columns.row(shape.a - k1)) * turns, row);
    transpose(row, of, shape.b - j2, -1, k1, to);
  }
}

/// The transforms of columns j2 of x, times roots, transposed: [j2][k1].
HWY_NOINLINE void first_columns(std::vector<WidePair> const& x, Shape const& shape, Planes& to) {
  Index const a = shape.a, b = shape.b, step = lanes(), computed = shape.first_columns();
  ColumnPlan const plan(a);
  Columns columns(plan);
  Roots const roots(shape.n());
  BlockRoots const turns(roots, a);
  for (Index j2 = 0; j2 < computed; j2 += step) {
    Index const some = std::min(step, computed - j2);
    for (Index j1 = 0; j1 < a; ++j1) {
      double* const row = columns.row(j1);
      for (Index c = 0; c < step; ++c) {
        FourParts const from = c < some ? number(x, shape, j1 * b + j2 + c) : FourParts{};
        row[c] = from.first_re;
        row[step + c] = from.first_im;
        row[2 * step + c] = from.rest_re;
        row[3 * step + c] = from.rest_im;
      }
    }
    columns.run();
    for (Index k1 = 0; k1 < a; ++k1) {
      double* const row = columns.row(k1);
      store(load(row) * turns.at(k1, j2), row);
      if (k1 < shape.second_columns()) transpose(row, {0, some}, j2, 1, k1, to);
    }
    if (!shape.is_even) continue;
    // Columns 0 and b / 2 are their own.
    Lanes const with_mirrored{j2 == 0 ? 1 : 0, std::min(some, (b + 1) / 2 - j2)};
    put_mirrored(columns, roots, shape, j2, with_mirrored, to);
  }
}

/// Stores the first `count` numbers of a row, rounded to nearest.
void store_rounded(double const* row, Index count, double* to) {
  Doubles const d;
  Number const x = load(row);
  Vector const re = hn::Add(x.first_re, x.rest_re), im = hn::Add(x.first_im, x.rest_im);
  if (count == lanes()) return hn::StoreInterleaved2(re, im, d, to);
  HWY_ALIGN double all[2 * block];
  hn::StoreInterleaved2(re, im, d, all);
  std::copy_n(all, 2 * count, to);
}
void store_rounded(double const* row, Index count, float* to) {
  Index const step = lanes();
  auto const nearest = [](double first, double rest) {
    double const hi = first + rest;
    return rounded<float>(DoubleDouble{hi, (first - hi) + rest});
  };
  for (Index c = 0; c < count; ++c) {
    to[2 * c] = nearest(row[c], row[2 * step + c]);
    to[2 * c + 1] = nearest(row[step + c], row[3 * step + c]);
  }
}

/// The transforms of columns k1 of x.
template <class Real>
HWY_NOINLINE void second_columns(Planes const& x, Shape const& shape, Real* to) {
  Doubles const d;
  Index const a = shape.a, b = shape.b, step = lanes(), computed = shape.second_columns();
  ColumnPlan const plan(b);
  Columns columns(plan);
  for (Index k1 = 0; k1 < computed; k1 += step) {
    for (Index j2 = 0; j2 < b; ++j2)
      for (Index part = 0; part < 4; ++part)
        hn::Store(hn::LoadU(d, x.parts.first() + part * x.plane + j2 * x.row + k1), d,
                  columns.row(j2) + part * step);
    columns.run();
    for (Index k2 = 0; k2 < b; ++k2)
      store_rounded(columns.row(k2), std::min(step, computed - k1), to + 2 * (k1 + a * k2));
  }
  for (Index k2 = 0; k2 < b; ++k2)
    for (Index k = computed + a * k2; k < a + a * k2; ++k)
      std::copy_n(to + 2 * (shape.n() - k), 2, to + 2 * k);
}

template <class Real>
std::vector<Real> mean(std::vector<WidePair> const& x, Shape const& shape) {
  Planes between(shape.b, shape.second_columns());
  first_columns(x, shape, between);
  std::vector<Real> result(2 * at(shape.n()));
  second_columns(between, shape, result.data());
  return result;
}

std::vector<float> mean_in_floats(std::vector<WidePair> const& x, Shape const& shape) {
  return mean<float>(x, shape);
}
std::vector<double> mean_in_doubles(std::vector<WidePair> const& x, Shape const& shape) {
  return mean<double>(x, shape);
}

}  // namespace sixstep::local::pair_columns::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {
namespace pair_columns {

HWY_EXPORT(mean_in_floats);
HWY_EXPORT(mean_in_doubles);

namespace {

template <class Real>
std::vector<Real> mean(std::vector<WidePair> const& x, Shape const& shape) {
  if constexpr (sizeof(Real) == sizeof(float))
    return table_entry(HWY_DISPATCH_TABLE(mean_in_floats), chosen_target())(x, shape);
  else
    return table_entry(HWY_DISPATCH_TABLE(mean_in_doubles), chosen_target())(x, shape);
}

}  // namespace
}  // namespace pair_columns

template <class Real>
std::vector<Real> mean_transform(std::vector<WidePair> const& values) {
  return pair_columns::mean<Real>(values,
                                  pair_columns::Shape(static_cast<Index>(values.size()), false));
}

template <class Real>
std::vector<Real> mean_transform_of_even(std::vector<WidePair> const& first, Index n) {
  return pair_columns::mean<Real>(first, pair_columns::Shape(n, true));
}

template std::vector<float> mean_transform(std::vector<WidePair> const&);
template std::vector<double> mean_transform(std::vector<WidePair> const&);
template std::vector<float> mean_transform_of_even(std::vector<WidePair> const&, Index);
template std::vector<double> mean_transform_of_even(std::vector<WidePair> const&, Index);

}  // namespace sixstep::local
#endif  // HWY_ONCE

// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of rows, compiled for every instruction set.
//
// The factors of rows are applied first, to whole vectors of each row: their real and imaginary
// parts make two sums over all rows, without exchanging parts of numbers. These are multiplied by
// the weights of columns once for all rows.
#include "local/kernels/weighted_sums.hpp"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/weighted_sums.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr Index most_lanes = HWY_MAX_BYTES / sizeof(double);
using Lanes = std::array<double, most_lanes>;

inline Index lanes() { return static_cast<Index>(hn::Lanes(Doubles())); }

HWY_INLINE Vector load(double const* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE Vector load(float const* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

HWY_INLINE double total(Vector sum) { return hn::GetLane(hn::SumOfLanes(Doubles(), sum)); }

/// Sums over rows of one vector of each, for one set of factors: of products with their real and
/// imaginary parts, and of squares with their norms.
struct OverRows {
  Vector re, im, products;

  HWY_INLINE void add(RowFactors const& factors, std::size_t set, Vector x, Vector square) {
    Doubles const d;
    re = hn::MulAdd(hn::Set(d, factors.re[set]), x, re);
    im = hn::MulAdd(hn::Set(d, factors.im[set]), x, im);
    products = hn::MulAdd(hn::Set(d, factors.norm[set]), square, products);
  }
};

/// Sums of one vector of each row for both sets.
struct Column {
  OverRows first, second;
  Vector squares;

  HWY_INLINE void add(RowFactors const& factors, Vector x) {
    Vector const square = hn::Mul(x, x);
    first.add(factors, 0, x, square);
    second.add(factors, 1, x, square);
    squares = hn::Add(squares, square);
  }
};

HWY_INLINE Column empty_column() {
  Vector const zero = hn::Zero(Doubles());
  return {{zero, zero, zero}, {zero, zero, zero}, zero};
}

/// The sums of one set: of complex numbers whose parts are neighbours, or of real and imaginary
/// parts.
struct OfColumns {
  Vector sum, imaginary, products;

  /// Multiplies sums over rows of complex numbers by the weights of columns. `sign` is -1, 1, -1, 1
  /// ..., and the reverse for conjugate weights.
  HWY_INLINE void add_complex(OverRows const& rows, double const* weights, Vector sign) {
    Doubles const d;
    Vector const x = hn::MulAdd(hn::Reverse2(d, rows.im), sign, rows.re);
    Vector const w = hn::LoadU(d, weights), square = hn::Mul(w, w);
    Vector const turned = hn::Mul(hn::Reverse2(d, x), sign);
    sum = hn::Add(sum, hn::MulAdd(hn::DupEven(w), x, hn::Mul(hn::DupOdd(w), turned)));
    products = hn::MulAdd(hn::Add(square, hn::Reverse2(d, square)), rows.products, products);
  }
  /// Multiplies sums over rows of reals by the weights of columns.
  HWY_INLINE void add_real(OverRows const& rows, double const* weights) {
    Vector re, im;
    hn::LoadInterleaved2(Doubles(), weights, re, im);
    sum = hn::Add(sum, hn::NegMulAdd(im, rows.im, hn::Mul(re, rows.re)));
    imaginary = hn::Add(imaginary, hn::MulAdd(im, rows.re, hn::Mul(re, rows.im)));
    products = hn::MulAdd(hn::MulAdd(re, re, hn::Mul(im, im)), rows.products, products);
  }
};

/// The sums of rows of Reals, of which `parts` make an element.
template <class Real, int parts>
class Summing {
 public:
  Summing(Real const* first, Index rows, Index step, RowFactors const* factors, bool conjugate)
      : first_(first), rows_(rows), step_(step), factors_(factors), conjugate_(conjugate) {
    Vector const zero = hn::Zero(Doubles());
    one_ = other_ = {zero, zero, zero};
    squares_ = zero;
  }

  /// Adds so many Reals of each row, which begin where the weights of columns do.
  HWY_INLINE void add(Index count, double const* weights, double const* more) {
    Index const step = lanes();
    Index i = 0;
    for (; i + 2 * step <= count; i += 2 * step) {
      Column column = empty_column(), next = column;
      Real const* from = first_ + i;
      for (Index r = 0; r < rows_; ++r, from += step_) {
        column.add(factors_[r], load(from));
        next.add(factors_[r], load(from + step));
      }
      take(column, weights + at(i), more + at(i));
      take(next, weights + at(i + step), more + at(i + step));
    }
    for (; i < count; i += step) add_vector(i, std::min(step, count - i), weights, more);
  }

  WeightedSums made() const {
    WeightedSums sums;
    put(one_, 0, sums);
    put(other_, 1, sums);
    sums.squares = total(squares_);
    return sums;
  }

 private:
  static Index at(Index real) { return real * 2 / parts; }  // of its weight

  /// Adds `count` Reals from the i-th on. If they are no vector, they are copied first.
  HWY_INLINE void add_vector(Index i, Index count, double const* weights, double const* more) {
    Column column = empty_column();
    if (count == lanes()) {
      for (Index r = 0; r < rows_; ++r) column.add(factors_[r], load(first_ + r * step_ + i));
      return take(column, weights + at(i), more + at(i));
    }
    std::array<Real, most_lanes> x{};
    std::array<double, 2 * most_lanes> v{}, w{};
    std::copy_n(weights + at(i), at(count), v.begin());
    std::copy_n(more + at(i), at(count), w.begin());
    for (Index r = 0; r < rows_; ++r) {
      std::copy_n(first_ + r * step_ + i, count, x.begin());
      column.add(factors_[r], load(x.data()));
    }
    take(column, v.data(), w.data());
  }

  HWY_INLINE void take(Column const& column, double const* weights, double const* more) {
    squares_ = hn::Add(squares_, column.squares);
    if constexpr (parts == 1) {
      one_.add_real(column.first, weights);
      other_.add_real(column.second, more);
    } else {
      Doubles const d;
      double const unit = conjugate_ ? -1 : 1;
      Vector const sign = hn::OddEven(hn::Set(d, unit), hn::Set(d, -unit));
      one_.add_complex(column.first, weights, sign);
      other_.add_complex(column.second, more, sign);
    }
  }

  void put(OfColumns const& from, std::size_t set, WeightedSums& sums) const {
    Vector const zero = hn::Zero(Doubles());
    double const im = parts == 1 ? total(from.imaginary) : total(hn::OddEven(from.sum, zero));
    double const re = parts == 1 ? total(from.sum) : total(hn::OddEven(zero, from.sum));
    sums.sums[set] = {re, parts == 1 && conjugate_ ? -im : im};
    sums.products[set] = total(from.products);
  }

  Real const* first_;
  Index rows_, step_;
  RowFactors const* factors_;
  bool conjugate_;
  OfColumns one_, other_;
  Vector squares_;
};

double const* reals_of(std::complex<double> const* weights) {
  return reinterpret_cast<double const*>(weights);
}

/// Sums of one row of complex numbers: parts of w x with both weights, their squares, and the
/// squares of x. They take half the time of sums over one row.
struct OneRow {
  Vector first, second, first_products, second_products, squares;
};

/// Adds w x to a sum, and its square to another. `turned`: x with its parts exchanged, and the sign
/// of the second part.
HWY_INLINE void add_product(Vector w, Vector x, Vector turned, Vector& sum, Vector& products) {
  Vector const product = hn::MulAdd(hn::DupEven(w), x, hn::Mul(hn::DupOdd(w), turned));
  sum = hn::Add(sum, product);
  products = hn::MulAdd(product, product, products);
}

template <class Real>
HWY_INLINE void add_complex(Real const* row, double const* first, double const* second, Vector sign,
                            OneRow& sums) {
  Vector const x = load(row), turned = hn::Mul(hn::Reverse2(Doubles(), x), sign);
  add_product(load(first), x, turned, sums.first, sums.first_products);
  add_product(load(second), x, turned, sums.second, sums.second_products);
  sums.squares = hn::MulAdd(x, x, sums.squares);
}

HWY_INLINE std::complex<double> complex_total(Vector sum) {
  Vector const zero = hn::Zero(Doubles());
  return {total(hn::OddEven(zero, sum)), total(hn::OddEven(sum, zero))};
}

template <class Real>
WeightedSums complex_row(Real const* reals, Index all, RowFactors const& factors,
                         double const* first, double const* second, bool conjugate) {
  Doubles const d;
  double const unit = conjugate ? -1 : 1;
  Vector const sign = hn::OddEven(hn::Set(d, unit), hn::Set(d, -unit)), zero = hn::Zero(d);
  Index const step = lanes();
  OneRow sums{zero, zero, zero, zero, zero};
  Index i = 0;
  for (; i + step <= all; i += step) add_complex(reals + i, first + i, second + i, sign, sums);
  if (i < all) {
    std::array<Real, most_lanes> x{};
    Lanes v{}, w{};
    std::copy_n(reals + i, all - i, x.begin());
    std::copy_n(first + i, all - i, v.begin());
    std::copy_n(second + i, all - i, w.begin());
    add_complex(x.data(), v.data(), w.data(), sign, sums);
  }
  auto const factor = [&](std::size_t set) {
    return std::complex<double>(factors.re[set], unit * factors.im[set]);
  };
  return {
      {factor(0) * complex_total(sums.first), factor(1) * complex_total(sums.second)},
      {factors.norm[0] * total(sums.first_products), factors.norm[1] * total(sums.second_products)},
      total(sums.squares)};
}

template <class Real>
WeightedSums complex_block(ElementRows<std::complex<Real>> const& rows, RowFactors const* factors,
                           OfSums<std::complex<double> const*> const& columns, bool conjugate) {
  if (rows.rows == 1)
    return complex_row(reinterpret_cast<Real const*>(rows.first), 2 * rows.elements, factors[0],
                       reals_of(columns[0]), reals_of(columns[1]), conjugate);
  Summing<Real, 2> summing(reinterpret_cast<Real const*>(rows.first), rows.rows, 2 * rows.step,
                           factors, conjugate);
  summing.add(2 * rows.elements, reals_of(columns[0]), reals_of(columns[1]));
  return summing.made();
}

template <class Real>
WeightedSums real_block(ElementRows<Real> const& rows, RowFactors const* factors,
                        OfSums<std::complex<double> const*> const& columns, bool conjugate) {
  Summing<Real, 1> summing(rows.first, rows.rows, rows.step, factors, conjugate);
  summing.add(rows.elements, reals_of(columns[0]), reals_of(columns[1]));
  return summing.made();
}

WeightedSumKernels<float> single_sums_here() { return {real_block<float>, complex_block<float>}; }
WeightedSumKernels<double> double_sums_here() {
  return {real_block<double>, complex_block<double>};
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(single_sums_here);
HWY_EXPORT(double_sums_here);

template <>
WeightedSumKernels<float> weighted_sum_kernels(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(single_sums_here), target)();
}

template <>
WeightedSumKernels<double> weighted_sum_kernels(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_sums_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

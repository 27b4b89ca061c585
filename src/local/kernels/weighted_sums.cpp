// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of rows, compiled for every instruction set.
//
// The factors of rows are applied first, to whole vectors of each row: their real and imaginary
// parts make two sums over all rows, without exchanging parts of numbers. These are multiplied by
// the weights of columns once for all rows.
#include "local/kernels/weighted_sums.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

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

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
constexpr bool has_masks = true;
#else
constexpr bool has_masks = false;
#endif

/// The first `count` numbers, and zeros.
template <class Real>
HWY_INLINE Vector load_first(Real const* from, Index count) {
  if constexpr (has_masks && std::is_same_v<Real, double>)
    return hn::MaskedLoad(hn::FirstN(Doubles(), static_cast<std::size_t>(count)), Doubles(), from);
  std::array<Real, most_lanes> some{};
  std::copy_n(from, count, some.begin());
  return load(some.data());
}

HWY_INLINE double total(Vector sum) { return hn::GetLane(hn::SumOfLanes(Doubles(), sum)); }

/// The weights of rows, as pairs of reals.
struct Factors {
  double const *first, *second;
};

/// A kernel is compiled for each of these.
struct Wanted {
  bool real_rows, sizes;
};

/// Sums over rows of one vector of each, for one set: of products with the real and imaginary parts
/// of the rows' weights.
template <bool real_rows>
struct OverRows {
  Vector re, im;

  HWY_INLINE void add(double const* factor, Vector x) {
    Doubles const d;
    re = hn::MulAdd(hn::Set(d, factor[0]), x, re);
    if constexpr (!real_rows) im = hn::MulAdd(hn::Set(d, factor[1]), x, im);
  }
};

/// Sums of one vector of each row for both sets, and of squares if these are wanted.
template <Wanted wanted>
struct Column {
  OverRows<wanted.real_rows> first, second;
  Vector squares;

  HWY_INLINE void add(Factors const& factors, Index row, Vector x) {
    first.add(factors.first + 2 * row, x);
    second.add(factors.second + 2 * row, x);
    if constexpr (wanted.sizes) squares = hn::MulAdd(x, x, squares);
  }
};

template <Wanted wanted>
HWY_INLINE Column<wanted> empty_column() {
  Vector const zero = hn::Zero(Doubles());
  return {{zero, zero}, {zero, zero}, zero};
}

/// The sums of one set: of complex numbers whose parts are neighbours, or of real and imaginary
/// parts.
template <Wanted wanted>
struct OfColumns {
  using Rows = OverRows<wanted.real_rows>;
  Vector sum, imaginary, products;

  HWY_INLINE void take_size(Vector product) {
    if constexpr (wanted.sizes) products = hn::MulAdd(product, product, products);
  }
  /// Multiplies sums over rows of complex numbers by the weights of columns. `sign` is -1, 1, -1, 1
  /// ..., and the reverse for conjugate weights.
  HWY_INLINE void add_complex(Rows const& rows, double const* weights, Vector sign) {
    Doubles const d;
    Vector x = rows.re;
    if constexpr (!wanted.real_rows) x = hn::MulAdd(hn::Reverse2(d, rows.im), sign, x);
    Vector const w = hn::LoadU(d, weights);
    Vector const turned = hn::Mul(hn::Reverse2(d, x), sign);
    Vector const product = hn::MulAdd(hn::DupEven(w), x, hn::Mul(hn::DupOdd(w), turned));
    sum = hn::Add(sum, product);
    take_size(product);
  }
  /// Multiplies sums over rows of reals by the weights of columns.
  HWY_INLINE void add_real(Rows const& rows, double const* weights) {
    Vector re, im;
    hn::LoadInterleaved2(Doubles(), weights, re, im);
    Vector const real = hn::NegMulAdd(im, rows.im, hn::Mul(re, rows.re));
    Vector const other = hn::MulAdd(im, rows.re, hn::Mul(re, rows.im));
    sum = hn::Add(sum, real);
    imaginary = hn::Add(imaginary, other);
    take_size(real);
    take_size(other);
  }
};

double const* reals_of(std::complex<double> const* weights) {
  return reinterpret_cast<double const*>(weights);
}

/// The sums of rows of Reals, of which `parts` make an element.
template <class Real, int parts, Wanted wanted>
class Summing {
 public:
  Summing(Real const* first, Index step, BlockWeights const& weights)
      : first_(first),
        step_(step),
        factors_{reals_of(weights.rows[0]), reals_of(weights.rows[1])},
        conjugate_(weights.conjugate) {
    Vector const zero = hn::Zero(Doubles());
    one_ = other_ = {zero, zero, zero};
    squares_ = zero;
  }

  /// Adds `count` Reals of each of so many rows, which begin where the weights of columns do.
  HWY_INLINE void add(Index rows, Index count, double const* weights, double const* more) {
    Index const step = lanes();
    Index i = 0;
    if constexpr (wanted.real_rows)  // registers have room for four vectors of a row
      for (; i + 4 * step <= count; i += 4 * step) {
        Column first = empty_column<wanted>(), second = first, third = first, fourth = first;
        Real const* from = first_ + i;
        for (Index r = 0; r < rows; ++r, from += step_) {
          first.add(factors_, r, load(from));
          second.add(factors_, r, load(from + step));
          third.add(factors_, r, load(from + 2 * step));
          fourth.add(factors_, r, load(from + 3 * step));
        }
        take(first, weights + at(i), more + at(i));
        take(second, weights + at(i + step), more + at(i + step));
        take(third, weights + at(i + 2 * step), more + at(i + 2 * step));
        take(fourth, weights + at(i + 3 * step), more + at(i + 3 * step));
      }
    for (; i + 2 * step <= count; i += 2 * step) {
      Column column = empty_column<wanted>(), next = column;
      Real const* from = first_ + i;
      for (Index r = 0; r < rows; ++r, from += step_) {
        column.add(factors_, r, load(from));
        next.add(factors_, r, load(from + step));
      }
      take(column, weights + at(i), more + at(i));
      take(next, weights + at(i + step), more + at(i + step));
    }
    for (; i < count; i += step) add_vector(rows, i, std::min(step, count - i), weights, more);
    first_ += rows * step_;
    factors_.first += 2 * rows;
    factors_.second += 2 * rows;
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

  /// Adds `count` Reals from the i-th on, a vector or fewer.
  HWY_INLINE void add_vector(Index rows, Index i, Index count, double const* weights,
                             double const* more) {
    Column column = empty_column<wanted>();
    if (count == lanes()) {
      for (Index r = 0; r < rows; ++r) column.add(factors_, r, load(first_ + r * step_ + i));
      return take(column, weights + at(i), more + at(i));
    }
    std::array<double, 2 * most_lanes> v{}, w{};
    std::copy_n(weights + at(i), at(count), v.begin());
    std::copy_n(more + at(i), at(count), w.begin());
    for (Index r = 0; r < rows; ++r)
      column.add(factors_, r, load_first(first_ + r * step_ + i, count));
    take(column, v.data(), w.data());
  }

  HWY_INLINE void take(Column<wanted> const& column, double const* weights, double const* more) {
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

  void put(OfColumns<wanted> const& from, std::size_t set, WeightedSums& sums) const {
    Vector const zero = hn::Zero(Doubles());
    double const im = parts == 1 ? total(from.imaginary) : total(hn::OddEven(from.sum, zero));
    double const re = parts == 1 ? total(from.sum) : total(hn::OddEven(zero, from.sum));
    sums.sums[set] = {re, parts == 1 && conjugate_ ? -im : im};
    sums.products[set] = total(from.products);
  }

  Real const* first_;
  Index step_;
  Factors factors_;
  bool conjugate_;
  OfColumns<wanted> one_, other_;
  Vector squares_;
};

/// Sums of one row of complex numbers: parts of w x with both weights, their squares, and the
/// squares of x. They take half the time of sums over one row.
template <bool sizes>
struct OneRow {
  Vector first, second, first_products, second_products, squares;

  template <class Real>
  HWY_INLINE void add(Real const* row, double const* one, double const* other, Vector sign) {
    Vector const x = load(row), turned = hn::Mul(hn::Reverse2(Doubles(), x), sign);
    add(load(one), x, turned, first, first_products);
    add(load(other), x, turned, second, second_products);
    if constexpr (sizes) squares = hn::MulAdd(x, x, squares);
  }

 private:
  /// `turned`: x with its parts exchanged, and the sign of the second part.
  HWY_INLINE static void add(Vector w, Vector x, Vector turned, Vector& sum, Vector& products) {
    Vector const product = hn::MulAdd(hn::DupEven(w), x, hn::Mul(hn::DupOdd(w), turned));
    sum = hn::Add(sum, product);
    if constexpr (sizes) products = hn::MulAdd(product, product, products);
  }
};

HWY_INLINE std::complex<double> complex_total(Vector sum) {
  Vector const zero = hn::Zero(Doubles());
  return {total(hn::OddEven(zero, sum)), total(hn::OddEven(sum, zero))};
}

template <bool sizes, class Real>
WeightedSums complex_row(Real const* reals, Index all, BlockWeights const& weights) {
  Doubles const d;
  double const unit = weights.conjugate ? -1 : 1;
  Vector const sign = hn::OddEven(hn::Set(d, unit), hn::Set(d, -unit)), zero = hn::Zero(d);
  double const* const first = reals_of(weights.columns[0]);
  double const* const second = reals_of(weights.columns[1]);
  Index const step = lanes();
  OneRow<sizes> sums{zero, zero, zero, zero, zero};
  Index i = 0;
  for (; i + step <= all; i += step) sums.add(reals + i, first + i, second + i, sign);
  if (i < all) {
    std::array<Real, most_lanes> x{};
    Lanes v{}, w{};
    std::copy_n(reals + i, all - i, x.begin());
    std::copy_n(first + i, all - i, v.begin());
    std::copy_n(second + i, all - i, w.begin());
    sums.add(x.data(), v.data(), w.data(), sign);
  }
  auto const factor = [&](std::size_t set) {
    return weights.conjugate ? std::conj(*weights.rows[set]) : *weights.rows[set];
  };
  return {{factor(0) * complex_total(sums.first), factor(1) * complex_total(sums.second)},
          {std::norm(factor(0)) * total(sums.first_products),
           std::norm(factor(1)) * total(sums.second_products)},
          total(sums.squares)};
}

/// Rows of which one sum is made at a time. More would cost digits.
constexpr Index most_summed_rows = 64;

template <int parts, Wanted wanted, class Real>
WeightedSums sums_as(ElementRows<Real> const& rows, BlockWeights const& weights) {
  Summing<Real, parts, wanted> summing(rows.first, rows.step, weights);
  for (Index r = 0; r < rows.rows; r += most_summed_rows)
    summing.add(std::min(most_summed_rows, rows.rows - r), rows.elements,
                reals_of(weights.columns[0]), reals_of(weights.columns[1]));
  return summing.made();
}

template <int parts, class Real>
WeightedSums sums_of_rows(ElementRows<Real> const& rows, BlockWeights const& weights) {
  if (weights.has_real_rows)
    return weights.sizes ? sums_as<parts, Wanted{true, true}>(rows, weights)
                         : sums_as<parts, Wanted{true, false}>(rows, weights);
  return weights.sizes ? sums_as<parts, Wanted{false, true}>(rows, weights)
                       : sums_as<parts, Wanted{false, false}>(rows, weights);
}

template <class Real>
WeightedSums complex_block(ElementRows<std::complex<Real>> const& rows,
                           BlockWeights const& weights) {
  auto const* const first = reinterpret_cast<Real const*>(rows.first);
  ElementRows<Real> const reals{first, rows.rows, 2 * rows.elements, 2 * rows.step};
  if (rows.rows == 1)
    return weights.sizes ? complex_row<true>(first, reals.elements, weights)
                         : complex_row<false>(first, reals.elements, weights);
  return sums_of_rows<2>(reals, weights);
}

template <class Real>
WeightedSums real_block(ElementRows<Real> const& rows, BlockWeights const& weights) {
  return sums_of_rows<1>(rows, weights);
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

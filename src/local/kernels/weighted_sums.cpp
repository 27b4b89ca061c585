// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums of rows, compiled for every instruction set.
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

inline Index lanes() { return static_cast<Index>(hn::Lanes(Doubles())); }

HWY_INLINE Vector load(double const* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE Vector load(float const* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

HWY_INLINE double total(Vector sum) { return hn::GetLane(hn::SumOfLanes(Doubles(), sum)); }

/// Sums in vectors: parts of w x with both weights, their squares, and the squares of x.
struct Sums {
  Vector first, second, first_products, second_products, squares;
};

/// Adds w x to a sum, and its square to another. `turned`: x with its parts exchanged, and the sign
/// of the second part.
HWY_INLINE void add_product(Vector w, Vector x, Vector turned, Vector& sum, Vector& products) {
  Vector const product = hn::MulAdd(hn::DupEven(w), x, hn::Mul(hn::DupOdd(w), turned));
  sum = hn::Add(sum, product);
  products = hn::MulAdd(product, product, products);
}

/// Adds as many complex numbers as a vector has room for. `sign` is -1, 1, -1, 1 ..., and the
/// reverse for conjugate weights.
template <class Real>
HWY_INLINE void add_complex(Real const* row, double const* first, double const* second, Vector sign,
                            Sums& sums) {
  Vector const x = load(row), turned = hn::Mul(hn::Reverse2(Doubles(), x), sign);
  add_product(load(first), x, turned, sums.first, sums.first_products);
  add_product(load(second), x, turned, sums.second, sums.second_products);
  sums.squares = hn::MulAdd(x, x, sums.squares);
}

/// The two parts of a complex sum.
HWY_INLINE std::complex<double> complex_total(Vector sum) {
  Vector const zero = hn::Zero(Doubles());
  return {total(hn::OddEven(zero, sum)), total(hn::OddEven(sum, zero))};
}

double const* reals_of(std::complex<double> const* weights) {
  return reinterpret_cast<double const*>(weights);
}

template <class Real>
WeightedSums complex_row(std::complex<Real> const* row,
                         OfSums<std::complex<double> const*> const& weights, Index count,
                         bool conjugate) {
  Doubles const d;
  double const one = conjugate ? -1 : 1;
  auto const* const reals = reinterpret_cast<Real const*>(row);
  double const *const first = reals_of(weights[0]), *const second = reals_of(weights[1]);
  Vector const sign = hn::OddEven(hn::Set(d, one), hn::Set(d, -one)), zero = hn::Zero(d);
  Index const step = lanes(), all = 2 * count;
  Sums sums{zero, zero, zero, zero, zero};
  Index i = 0;
  for (; i + step <= all; i += step) add_complex(reals + i, first + i, second + i, sign, sums);
  if (i < all) {
    std::array<Real, most_lanes> x{};
    std::array<double, most_lanes> v{}, w{};
    std::copy_n(reals + i, all - i, x.begin());
    std::copy_n(first + i, all - i, v.begin());
    std::copy_n(second + i, all - i, w.begin());
    add_complex(x.data(), v.data(), w.data(), sign, sums);
  }
  return {{complex_total(sums.first), complex_total(sums.second)},
          {total(sums.first_products), total(sums.second_products)},
          total(sums.squares)};
}

/// Sums of products with the real and with the imaginary parts of weights.
struct RealSums {
  Vector real, imaginary, products;

  HWY_INLINE void add(Vector x, Vector square, double const* weights) {
    Vector re, im;
    hn::LoadInterleaved2(Doubles(), weights, re, im);
    real = hn::MulAdd(re, x, real);
    imaginary = hn::MulAdd(im, x, imaginary);
    products = hn::MulAdd(hn::MulAdd(re, re, hn::Mul(im, im)), square, products);
  }
  HWY_INLINE std::complex<double> sum(bool conjugate) const {
    double const im = total(imaginary);
    return {total(real), conjugate ? -im : im};
  }
};

template <class Real>
WeightedSums real_row(Real const* row, OfSums<std::complex<double> const*> const& weights,
                      Index count, bool conjugate) {
  Index const step = lanes();
  double const *const first = reals_of(weights[0]), *const second = reals_of(weights[1]);
  Vector const zero = hn::Zero(Doubles());
  RealSums one{zero, zero, zero}, other{zero, zero, zero};
  Vector squares = zero;
  auto const add = [&](Real const* from, double const* v, double const* w) {
    Vector const x = load(from), square = hn::Mul(x, x);
    one.add(x, square, v);
    other.add(x, square, w);
    squares = hn::Add(squares, square);
  };
  Index i = 0;
  for (; i + step <= count; i += step) add(row + i, first + 2 * i, second + 2 * i);
  if (i < count) {
    std::array<Real, most_lanes> x{};
    std::array<double, 2 * most_lanes> v{}, w{};
    std::copy_n(row + i, count - i, x.begin());
    std::copy_n(first + 2 * i, 2 * (count - i), v.begin());
    std::copy_n(second + 2 * i, 2 * (count - i), w.begin());
    add(x.data(), v.data(), w.data());
  }
  return {{one.sum(conjugate), other.sum(conjugate)},
          {total(one.products), total(other.products)},
          total(squares)};
}

WeightedSumKernels<float> single_sums_here() { return {real_row<float>, complex_row<float>}; }
WeightedSumKernels<double> double_sums_here() { return {real_row<double>, complex_row<double>}; }

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

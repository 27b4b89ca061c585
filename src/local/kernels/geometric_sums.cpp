// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums, compiled for every instruction set.
//
// A sum is (1 - w^m) / (1 - w), and 1 / (1 - exp(2 i u)) = (1 + i cot u) / 2. The cotangent of a
// sum of angles, cot(u + v) = (cot u - tan v) / (1 + cot u tan v), takes a division and no cosine.
#include "local/kernels/geometric_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/geometric_sums.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds sums [first, end), in whole vectors of D, and returns where it ended.
template <class D>
HWY_INLINE Index add_sums_by(D d, GeometricSums const& sums, double const* powers,
                             double const* tangents, Index first, Index end, double* to) {
  auto const one = hn::Set(d, 1.0), half = hn::Set(d, 0.5);
  auto const factor = hn::Set(d, sums.factor), cotangent = hn::Set(d, sums.cotangent);
  auto const re = hn::Set(d, sums.begin.real()), im = hn::Set(d, sums.begin.imag());
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  for (; first + lanes <= end; first += lanes) {
    auto power_re = one, power_im = one, sum_re = one, sum_im = one;
    hn::LoadInterleaved2(d, powers + 2 * first, power_re, power_im);
    hn::LoadInterleaved2(d, to + 2 * first, sum_re, sum_im);
    auto const tangent = hn::LoadU(d, tangents + first);
    auto const turned = hn::Div(hn::Sub(cotangent, tangent), hn::MulAdd(cotangent, tangent, one));
    auto const above = hn::Sub(factor, hn::NegMulAdd(im, power_im, hn::Mul(re, power_re)));
    auto const below = hn::MulAdd(im, power_re, hn::Mul(re, power_im));
    sum_re = hn::MulAdd(half, hn::MulAdd(below, turned, above), sum_re);
    sum_im = hn::MulAdd(half, hn::MulSub(above, turned, below), sum_im);
    hn::StoreInterleaved2(sum_re, sum_im, d, to + 2 * first);
  }
  return first;
}

void add_sums(GeometricSums const& sums, std::complex<double> const* powers, double const* tangents,
              Index count, std::complex<double>* to) {
  auto const* const powers_of_reals = reinterpret_cast<double const*>(powers);
  auto* const reals = reinterpret_cast<double*>(to);
  Index const whole =
      add_sums_by(hn::ScalableTag<double>(), sums, powers_of_reals, tangents, 0, count, reals);
  add_sums_by(hn::CappedTag<double, 1>(), sums, powers_of_reals, tangents, whole, count, reals);
}

AddGeometricSums geometric_sums_here() { return add_sums; }

/// Adds products [first, end), in whole vectors of D, and returns where it ended.
template <class D>
HWY_INLINE Index add_products_by(D d, std::complex<double> by, double const* powers, Index first,
                                 Index end, double* to) {
  auto const re = hn::Set(d, by.real()), im = hn::Set(d, by.imag());
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  for (; first + lanes <= end; first += lanes) {
    auto power_re = re, power_im = re, sum_re = re, sum_im = re;
    hn::LoadInterleaved2(d, powers + 2 * first, power_re, power_im);
    hn::LoadInterleaved2(d, to + 2 * first, sum_re, sum_im);
    sum_re = hn::NegMulAdd(im, power_im, hn::MulAdd(re, power_re, sum_re));
    sum_im = hn::MulAdd(im, power_re, hn::MulAdd(re, power_im, sum_im));
    hn::StoreInterleaved2(sum_re, sum_im, d, to + 2 * first);
  }
  return first;
}

void add_products(std::complex<double> by, std::complex<double> const* powers, Index count,
                  std::complex<double>* to) {
  auto const* const powers_of_reals = reinterpret_cast<double const*>(powers);
  auto* const reals = reinterpret_cast<double*>(to);
  Index const whole =
      add_products_by(hn::ScalableTag<double>(), by, powers_of_reals, 0, count, reals);
  add_products_by(hn::CappedTag<double, 1>(), by, powers_of_reals, whole, count, reals);
}

AddProducts products_here() { return add_products; }

using Doubles = hn::ScalableTag<double>;
using Vector = hn::Vec<Doubles>;
constexpr Index most_lanes = HWY_MAX_BYTES / sizeof(double);

HWY_INLINE Vector load(double const* from) { return hn::LoadU(Doubles(), from); }
HWY_INLINE Vector load(float const* from) {
  return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<float, Doubles>(), from));
}

/// Sums of a row of complex numbers, vector by vector. Both sets share a division.
struct CotangentSumming {
  Vector plain, first, second, squares;

  template <class Real>
  HWY_INLINE void add(Real const* x, Vector of_first, Vector of_second) {
    Vector const v = load(x);
    plain = hn::Add(plain, v);
    first = hn::MulAdd(of_first, v, first);
    second = hn::MulAdd(of_second, v, second);
    squares = hn::MulAdd(v, v, squares);
  }
};

/// The sum over lanes of complex numbers.
HWY_INLINE std::complex<double> complex_total(Vector sum) {
  Vector const zero = hn::Zero(Doubles());
  return {hn::GetLane(hn::SumOfLanes(Doubles(), hn::OddEven(zero, sum))),
          hn::GetLane(hn::SumOfLanes(Doubles(), hn::OddEven(sum, zero)))};
}

HWY_INLINE double square_of(Vector sum) {
  return hn::GetLane(hn::SumOfLanes(Doubles(), hn::Mul(sum, sum)));
}

template <class Real>
CotangentSums sum_by_cotangents(CotangentRow<Real> const& row) {
  Doubles const d;
  auto const step = static_cast<Index>(hn::Lanes(d));
  std::array<std::int64_t, most_lanes> lower{}, upper{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(step); ++i) {
    lower[i] = static_cast<std::int64_t>(i / 2);
    upper[i] = step / 2 + static_cast<std::int64_t>(i / 2);
  }
  auto const to_lower = hn::SetTableIndices(d, lower.data());
  auto const to_upper = hn::SetTableIndices(d, upper.data());
  Vector const zero = hn::Zero(d), one = hn::Set(d, 1.0);
  Vector const first = hn::Set(d, row.cotangents[0]), second = hn::Set(d, row.cotangents[1]);
  CotangentSumming sums{zero, zero, zero, zero}, more = sums;
  auto const* const reals = reinterpret_cast<Real const*>(row.first);
  for (Index i = 0; i < row.elements; i += step) {
    Vector const u = hn::LoadU(d, row.tangents[0] + i), v = hn::LoadU(d, row.tangents[1] + i);
    Vector const below_first = hn::MulAdd(first, u, one), below_second = hn::MulAdd(second, v, one);
    Vector const quotient = hn::Div(one, hn::Mul(below_first, below_second));
    Vector const c = hn::Mul(hn::Mul(hn::Sub(first, u), below_second), quotient);
    Vector const e = hn::Mul(hn::Mul(hn::Sub(second, v), below_first), quotient);
    std::array<Real, 2 * most_lanes> rest{};
    Real const* from = reals + 2 * i;
    if (i + step > row.elements) {
      std::copy_n(from, 2 * (row.elements - i), rest.begin());
      from = rest.data();
    }
    sums.add(from, hn::TableLookupLanes(c, to_lower), hn::TableLookupLanes(e, to_lower));
    more.add(from + step, hn::TableLookupLanes(c, to_upper), hn::TableLookupLanes(e, to_upper));
  }
  return {complex_total(hn::Add(sums.plain, more.plain)),
          {complex_total(hn::Add(sums.first, more.first)),
           complex_total(hn::Add(sums.second, more.second))},
          {square_of(sums.first) + square_of(more.first),
           square_of(sums.second) + square_of(more.second)},
          hn::GetLane(hn::SumOfLanes(d, hn::Add(sums.squares, more.squares)))};
}

SumByCotangents<float> single_cotangents_here() { return sum_by_cotangents<float>; }
SumByCotangents<double> double_cotangents_here() { return sum_by_cotangents<double>; }

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(geometric_sums_here);

AddGeometricSums add_geometric_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(geometric_sums_here), target)();
}

HWY_EXPORT(products_here);

AddProducts add_products(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(products_here), target)();
}

HWY_EXPORT(single_cotangents_here);
HWY_EXPORT(double_cotangents_here);

template <>
SumByCotangents<float> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(single_cotangents_here), target)();
}

template <>
SumByCotangents<double> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(double_cotangents_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums, compiled for every instruction set.
//
// A sum is (1 - w^m) / (1 - w), and 1 / (1 - exp(2 i u)) = (1 + i cot u) / 2. The cotangent of a
// sum of angles, cot(u + v) = (cot u - tan v) / (1 + cot u tan v), takes a division and no cosine.
#include "local/kernels/geometric_sums.hpp"

#include <algorithm>
#include <array>
#include <complex>
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

/// The sum over even lanes, and that over odd ones.
HWY_INLINE std::complex<double> complex_total(Vector sum) {
  Vector const zero = hn::Zero(Doubles());
  return {hn::GetLane(hn::SumOfLanes(Doubles(), hn::OddEven(zero, sum))),
          hn::GetLane(hn::SumOfLanes(Doubles(), hn::OddEven(sum, zero)))};
}

HWY_INLINE double square_of(Vector sum) {
  return hn::GetLane(hn::SumOfLanes(Doubles(), hn::Mul(sum, sum)));
}

/// The degree of the polynomials that stand for cotangents along a row.
constexpr std::size_t degree = 5;
using Coefficients = std::array<Vector, degree + 1>;

/// Powers of (t - half_of_row) / half_of_row for the reals of whole vectors: for each degree from 1
/// on, and of complex numbers twice each.
template <std::size_t reals>
struct Powers {
  static constexpr std::size_t length = reals * 2 * half_of_row + most_lanes;
  alignas(64) std::array<std::array<double, length>, degree> of{};

  constexpr Powers() {
    for (std::size_t i = 0; i < length; ++i) {
      double const x = (static_cast<double>(i / reals) - half_of_row) / half_of_row;
      double power = 1;
      for (std::size_t k = 0; k < degree; ++k) of[k][i] = power *= x;
    }
  }
};
template <std::size_t reals>
constexpr Powers<reals> powers_of_places;

HWY_INLINE Vector load_or(double const* from, Index row, double same) {
  return from ? load(from + row) : hn::Set(Doubles(), same);
}

/// Adds the coefficients of the cotangents along rows `row`, `row` + 1, ...: derivatives at the
/// middle, over factorials.
HWY_INLINE void add_series(Angles const& angles, Index row, Coefficients& to) {
  auto const number = [](double x) { return hn::Set(Doubles(), x); };
  Vector const one = number(1), turn = number(-half_of_row * angles.turn);
  Vector const a = load_or(angles.cotangents, row, angles.cotangent);
  Vector const b = load_or(angles.tangents, row, angles.tangent);
  Vector const c = hn::Div(hn::Sub(a, b), hn::MulAdd(a, b, one)), cc = hn::Mul(c, c);
  Vector const first = hn::Mul(hn::Add(one, cc), turn), second = hn::Mul(hn::Mul(first, c), turn);
  Vector const square = hn::Mul(turn, turn),
               of_fifth = hn::MulAdd(hn::Add(cc, one), cc, number(2.0 / 15));
  to[0] = hn::Add(to[0], c);
  to[1] = hn::Add(to[1], first);
  to[2] = hn::Add(to[2], second);
  to[3] = hn::MulAdd(hn::Mul(first, square), hn::Add(cc, number(1.0 / 3)), to[3]);
  to[4] = hn::MulAdd(hn::Mul(second, square), hn::Add(cc, number(2.0 / 3)), to[4]);
  to[5] = hn::MulAdd(hn::Mul(hn::Mul(first, square), square), of_fifth, to[5]);
}

/// Coefficients of a vector of rows.
struct CoefficientsOfRows {
  alignas(64) std::array<std::array<double, most_lanes>, degree + 1> of;

  HWY_INLINE CoefficientsOfRows(std::array<Angles, most_cotangents> const& angles,
                                std::size_t terms, Index row) {
    Vector const zero = hn::Zero(Doubles());
    Coefficients made{zero, zero, zero, zero, zero, zero};
    for (std::size_t i = 0; i < terms; ++i) add_series(angles[i], row, made);
    HWY_UNROLL(8)
    for (std::size_t k = 0; k <= degree; ++k) hn::Store(made[k], Doubles(), of[k].data());
  }
};

/// Sums of rows. The sums of elements times powers of their places serve both sets.
struct CotangentSumming {
  Vector plain, first, second, squares;

  template <class Element>
  HWY_INLINE void add_row(Element const* row, Index elements, Index place,
                          CoefficientsOfRows const& of_first, CoefficientsOfRows const& of_second,
                          std::size_t number) {
    using Real = decltype(std::real(Element()));
    constexpr std::size_t reals = sizeof(Element) / sizeof(Real);
    constexpr Powers<reals> const& powers = powers_of_places<reals>;
    auto const lanes = static_cast<Index>(hn::Lanes(Doubles()));
    auto const* const x = reinterpret_cast<Real const*>(row);
    Index const count = elements * static_cast<Index>(reals);
    auto const begin = static_cast<Index>(reals) * place;
    Vector const zero = hn::Zero(Doubles());
    Coefficients moments{zero, zero, zero, zero, zero, zero};
    auto const add = [&](Vector v, Index i) HWY_ATTR {
      squares = hn::MulAdd(v, v, squares);
      moments[0] = hn::Add(moments[0], v);
      HWY_UNROLL(8)
      for (std::size_t k = 0; k < degree; ++k)
        moments[k + 1] = hn::MulAdd(load(powers.of[k].data() + begin + i), v, moments[k + 1]);
    };
    Index i = 0;
    for (; i + lanes <= count; i += lanes) add(load(x + i), i);
    if (i < count) {
      std::array<Real, most_lanes> rest{};
      std::copy_n(x + i, count - i, rest.begin());
      add(load(rest.data()), i);
    }
    plain = hn::Add(plain, moments[0]);
    HWY_UNROLL(8)
    for (std::size_t k = 0; k <= degree; ++k) {
      first = hn::MulAdd(hn::Set(Doubles(), of_first.of[k][number]), moments[k], first);
      second = hn::MulAdd(hn::Set(Doubles(), of_second.of[k][number]), moments[k], second);
    }
  }
};

template <class Element>
CotangentSums sum_by_cotangents(CotangentRows<Element> const& rows) {
  Vector const zero = hn::Zero(Doubles());
  CotangentSumming sums{zero, zero, zero, zero};
  auto const lanes = static_cast<Index>(hn::Lanes(Doubles()));
  for (Index begin = 0; begin < rows.rows; begin += lanes) {
    CoefficientsOfRows const first(rows.weights[0], rows.terms, begin);
    CoefficientsOfRows const second(rows.weights[1], rows.terms, begin);
    for (Index i = 0; i < std::min(lanes, rows.rows - begin); ++i)
      sums.add_row(rows.first + (begin + i) * rows.step, rows.elements, half_of_row - rows.middle,
                   first, second, static_cast<std::size_t>(i));
  }
  return {complex_total(sums.plain),
          {complex_total(sums.first), complex_total(sums.second)},
          {square_of(sums.first), square_of(sums.second)},
          hn::GetLane(hn::SumOfLanes(Doubles(), sums.squares))};
}

SumByCotangents<float> cotangents_float_here() { return sum_by_cotangents<float>; }
SumByCotangents<double> cotangents_double_here() { return sum_by_cotangents<double>; }
SumByCotangents<std::complex<float>> cotangents_complex_float_here() {
  return sum_by_cotangents<std::complex<float>>;
}
SumByCotangents<std::complex<double>> cotangents_complex_double_here() {
  return sum_by_cotangents<std::complex<double>>;
}

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

HWY_EXPORT(cotangents_float_here);

template <>
SumByCotangents<float> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(cotangents_float_here), target)();
}

HWY_EXPORT(cotangents_double_here);

template <>
SumByCotangents<double> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(cotangents_double_here), target)();
}

HWY_EXPORT(cotangents_complex_float_here);

template <>
SumByCotangents<std::complex<float>> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(cotangents_complex_float_here), target)();
}

HWY_EXPORT(cotangents_complex_double_here);

template <>
SumByCotangents<std::complex<double>> cotangent_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(cotangents_complex_double_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

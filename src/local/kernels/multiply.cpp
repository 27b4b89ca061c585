// SPDX-License-Identifier: BSD-3-Clause
// Products of rows, compiled for every instruction set.
#include "local/kernels/multiply.hpp"

#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/multiply.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
HWY_INLINE void by_reals(Real const* source, Real* target, Real const* table, Index count) {
  hn::ScalableTag<Real> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  // Both parts of a number meet its factor.
  hn::RebindToUnsigned<decltype(d)> const words;
  auto const halves = hn::ShiftRight<1>(hn::Iota(words, 0));
  auto const of_lower = hn::IndicesFromVec(d, halves);
  auto const of_upper = hn::IndicesFromVec(
      d, hn::Add(halves, hn::Set(words, static_cast<hn::TFromD<decltype(words)>>(lanes / 2))));
  Index i = 0;
  for (; lanes > 1 && i + lanes <= count; i += lanes) {
    auto const factors = hn::LoadU(d, table + i);
    auto const lower = hn::TableLookupLanes(factors, of_lower);
    auto const upper = hn::TableLookupLanes(factors, of_upper);
    hn::StoreU(hn::Mul(hn::LoadU(d, source + 2 * i), lower), d, target + 2 * i);
    hn::StoreU(hn::Mul(hn::LoadU(d, source + 2 * i + lanes), upper), d, target + 2 * i + lanes);
  }
  for (; i < count; ++i) {
    target[2 * i] = source[2 * i] * table[i];
    target[2 * i + 1] = source[2 * i + 1] * table[i];
  }
}

template <class Real>
HWY_INLINE void by_complex(Real const* source, Real* target, Real const* table, Index count) {
  hn::ScalableTag<Real> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  Index i = 0;
  for (; lanes > 1 && i + lanes <= 2 * count; i += lanes) {
    auto const value = hn::LoadU(d, source + i), factor = hn::LoadU(d, table + i);
    // (a + bi)(c + di): (a c, b c) -+ (b d, a d)
    auto const crossed = hn::Mul(hn::Reverse2(d, value), hn::DupOdd(factor));
    auto const straight = hn::Mul(value, hn::DupEven(factor));
    hn::StoreU(hn::OddEven(hn::Add(straight, crossed), hn::Sub(straight, crossed)), d, target + i);
  }
  for (; i < 2 * count; i += 2) {
    Real const a = source[i], b = source[i + 1], c = table[i], e = table[i + 1];
    target[i] = a * c - b * e;
    target[i + 1] = b * c + a * e;
  }
}

template <class Real, bool real_table>
void products(Real const* source, Real* target, Real const* table, ProductRows const& rows) {
  for (Index row = 0; row < rows.rows; ++row) {
    if constexpr (real_table)
      by_reals(source + 2 * row * rows.source_row, target + 2 * row * rows.target_row,
               table + row * rows.table_row, rows.count);
    else
      by_complex(source + 2 * row * rows.source_row, target + 2 * row * rows.target_row,
                 table + 2 * row * rows.table_row, rows.count);
  }
}

void float_by_reals(float const* source, float* target, float const* table,
                    ProductRows const& rows) {
  products<float, true>(source, target, table, rows);
}
void double_by_reals(double const* source, double* target, double const* table,
                     ProductRows const& rows) {
  products<double, true>(source, target, table, rows);
}
void float_by_complex(float const* source, float* target, float const* table,
                      ProductRows const& rows) {
  products<float, false>(source, target, table, rows);
}
void double_by_complex(double const* source, double* target, double const* table,
                       ProductRows const& rows) {
  products<double, false>(source, target, table, rows);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sixstep::local {

HWY_EXPORT(float_by_reals);
HWY_EXPORT(double_by_reals);
HWY_EXPORT(float_by_complex);
HWY_EXPORT(double_by_complex);

template <>
void multiply_rows<float, true>(float const* source, float* target, float const* table,
                                ProductRows const& rows) {
  HWY_DYNAMIC_DISPATCH(float_by_reals)(source, target, table, rows);
}
template <>
void multiply_rows<double, true>(double const* source, double* target, double const* table,
                                 ProductRows const& rows) {
  HWY_DYNAMIC_DISPATCH(double_by_reals)(source, target, table, rows);
}
template <>
void multiply_rows<float, false>(float const* source, float* target, float const* table,
                                 ProductRows const& rows) {
  HWY_DYNAMIC_DISPATCH(float_by_complex)(source, target, table, rows);
}
template <>
void multiply_rows<double, false>(double const* source, double* target, double const* table,
                                  ProductRows const& rows) {
  HWY_DYNAMIC_DISPATCH(double_by_complex)(source, target, table, rows);
}

}  // namespace sixstep::local

#endif  // HWY_ONCE

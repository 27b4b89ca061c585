// SPDX-License-Identifier: BSD-3-Clause
// Geometric sums, compiled for every instruction set.
//
// A sum is (1 - w^m) / (1 - w), and 1 / (1 - exp(2 i u)) = (1 + i cot u) / 2. The cotangent of a
// sum of angles, cot(u + v) = (cot u - tan v) / (1 + cot u tan v), takes a division and no cosine.
#include "local/kernels/geometric_sums.hpp"

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

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(geometric_sums_here);

AddGeometricSums add_geometric_sums(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(geometric_sums_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

// SPDX-License-Identifier: BSD-3-Clause
// Sums of parts of doubles, compiled for every instruction set.
//
// (x + m) - m rounds x to a multiple of the last bit of m, and x less that is exact: Rump, Ogita
// and Oishi, Accurate floating-point summation (2008).
#include "local/kernels/sum_parts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/sum_parts.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
// Keep this order: highway.h reads what foreach_target.h has set.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE double magnitude_by(D d, std::span<double const> terms) {
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < terms.size(); i += hn::Lanes(d))
    sum = hn::Add(sum, hn::Abs(hn::LoadU(d, &terms[i])));
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

template <class D>
HWY_INLINE SumParts cut_by(D d, std::span<double> terms, double high, double low) {
  auto const at_high = hn::Set(d, high), at_low = hn::Set(d, low);
  auto highs = hn::Zero(d), lows = highs, left = highs;
  for (std::size_t i = 0; i < terms.size(); i += hn::Lanes(d)) {
    auto const term = hn::LoadU(d, &terms[i]);
    auto const first = hn::Sub(hn::Add(term, at_high), at_high);
    auto const below = hn::Sub(term, first);
    auto const second = hn::Sub(hn::Add(below, at_low), at_low);
    auto const rest = hn::Sub(below, second);
    highs = hn::Add(highs, first);
    lows = hn::Add(lows, second);
    left = hn::Add(left, hn::Abs(rest));
    hn::StoreU(rest, d, &terms[i]);
  }
  return {hn::GetLane(hn::SumOfLanes(d, highs)), hn::GetLane(hn::SumOfLanes(d, lows)),
          hn::GetLane(hn::SumOfLanes(d, left))};
}

/// The number of terms in whole vectors; the others are taken one by one.
HWY_INLINE std::size_t in_vectors(std::size_t terms) {
  return terms - terms % hn::Lanes(hn::ScalableTag<double>());
}

double magnitude(std::span<double const> terms) {
  std::size_t const whole = in_vectors(terms.size());
  return magnitude_by(hn::ScalableTag<double>(), terms.first(whole)) +
         magnitude_by(hn::CappedTag<double, 1>(), terms.subspan(whole));
}

SumParts cut(std::span<double> terms, double high, double low) {
  std::size_t const whole = in_vectors(terms.size());
  SumParts const most = cut_by(hn::ScalableTag<double>(), terms.first(whole), high, low);
  SumParts const last = cut_by(hn::CappedTag<double, 1>(), terms.subspan(whole), high, low);
  return {most.high + last.high, most.low + last.low, most.left + last.left};
}

SumKernels sum_kernels_here() { return {magnitude, cut}; }

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(sum_kernels_here);

SumKernels sum_kernels(Target target) {
  return table_entry(HWY_DISPATCH_TABLE(sum_kernels_here), target)();
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

// SPDX-License-Identifier: BSD-3-Clause
// w^(first + step (k + c)) = w^(first + step k) w^(step c): for `block` neighbours c, the second
// factors are the same for all k. Their products are those of numbers/pairs.hpp, to about 73 bits.
// Where these do not tell how to round, Roots::at() does. Compiled for every instruction set.
#include "local/numbers/root_progressions.hpp"

#include <cstdint>

#include "local/numbers/pairs.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/root_progressions.cpp"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"

#ifndef SIXSTEP_LOCAL_ROOT_PROGRESSIONS
#define SIXSTEP_LOCAL_ROOT_PROGRESSIONS
namespace sixstep::local {
namespace {

constexpr Index block = 16;

template <class Real>
void store_one_by_one(Roots const& roots, Powers const& powers, Real* re, Real* im) {
  Index const n = roots.n(), step = powers.step % n;
  Index power = powers.first % n;
  for (Index k = 0; k < powers.count; ++k) {
    auto const root = roots.at<Real>(power);
    re[k] = root.real();
    im[k] = root.imag();
    power += power + step < n ? step : step - n;
  }
}

}  // namespace
}  // namespace sixstep::local
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The roots w^(step c), 0 <= c < block, split as a SplitFactor is.
struct BlockFactors {
  BlockFactors(Roots const& roots, Index step) {
    Index power = 0;
    for (Index c = 0; c < block; ++c) {
      SplitPair const root(roots.pair(power));
      first_re[c] = root.first[0];
      first_im[c] = root.first[1];
      rest_re[c] = root.rest[0];
      rest_im[c] = root.rest[1];
      power += power + step < roots.n() ? step : step - roots.n();
    }
  }

  alignas(64) double first_re[block], first_im[block], rest_re[block], rest_im[block];
};

/// Whether rounded values, whose errors are `lo` up to 2^-73, are the exact ones rounded to Real.
template <class Real, class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> tells_rounding(D d, V hi, V lo) {
  // Below `least`, 2^-73 is too much beside half a unit in the last place.
  V const least = hn::Set(d, 0x1p-8), margin = hn::Set(d, 1 + 0x1p-10);
  auto const is_double =
      hn::And(hn::Ge(hn::Abs(hi), least), hn::Eq(hn::Add(hi, hn::Mul(lo, margin)), hi));
  if constexpr (sizeof(Real) == sizeof(double)) return is_double;
  // Half way between two floats the remainder matters.
  hn::RebindToUnsigned<D> const words;
  auto const dropped = hn::Set(words, (std::uint64_t{1} << 29) - 1);
  auto const half = hn::Set(words, std::uint64_t{1} << 28);
  auto const is_half = hn::Eq(hn::And(hn::BitCast(words, hi), dropped), half);
  return hn::And(is_double, hn::Not(hn::RebindMask(d, is_half)));
}

template <class D>
HWY_INLINE void store_rounded(D d, hn::Vec<D> value, double* to) {
  hn::StoreU(value, d, to);
}
template <class D>
HWY_INLINE void store_rounded(D, hn::Vec<D> value, float* to) {
  hn::Rebind<float, D> const singles;
  hn::StoreU(hn::DemoteTo(singles, value), singles, to);
}

/// Stores `base` times the factors. Returns whether all are rounded to nearest.
template <class Real>
HWY_INLINE bool store_block(SplitPair const& base, BlockFactors const& factors, Real* re,
                            Real* im) {
  hn::CappedTag<double, block> const d;
  auto const a_re = hn::Set(d, base.first[0]), a_im = hn::Set(d, base.first[1]);
  auto const c_re = hn::Set(d, base.rest[0]), c_im = hn::Set(d, base.rest[1]);
  auto all = hn::FirstN(d, hn::Lanes(d));
  for (Index c = 0; c < block; c += static_cast<Index>(hn::Lanes(d))) {
    auto const b_re = hn::Load(d, factors.first_re + c), b_im = hn::Load(d, factors.first_im + c);
    auto const e_re = hn::Load(d, factors.rest_re + c), e_im = hn::Load(d, factors.rest_im + c);
    auto const f_re = hn::Add(b_re, e_re), f_im = hn::Add(b_im, e_im);
    // The products of first bits, and their sums, are exact.
    auto const put = [&](auto exact, auto rest, Real* to) HWY_ATTR {
      auto const hi = hn::Add(exact, rest);
      auto const lo = hn::Sub(rest, hn::Sub(hi, exact));
      store_rounded(d, hi, to + c);
      all = hn::And(all, tells_rounding<Real>(d, hi, lo));
    };
    put(hn::NegMulAdd(a_im, b_im, hn::Mul(a_re, b_re)),
        hn::Sub(hn::MulAdd(a_re, e_re, hn::Mul(c_re, f_re)),
                hn::MulAdd(a_im, e_im, hn::Mul(c_im, f_im))),
        re);
    put(hn::MulAdd(a_im, b_re, hn::Mul(a_re, b_im)),
        hn::Add(hn::MulAdd(a_re, e_im, hn::Mul(c_re, f_im)),
                hn::MulAdd(a_im, e_re, hn::Mul(c_im, f_re))),
        im);
  }
  return hn::AllTrue(d, all);
}

template <class Real>
void store(Roots const& roots, Powers const& powers, Real* re, Real* im) {
  Index const n = roots.n(), step = powers.step % n;
  Index power = powers.first % n;
  BlockFactors const factors(roots, step);
  auto const block_step = static_cast<Index>(static_cast<__int128>(step) * block % n);
  Index k = 0;
  for (; k + block <= powers.count; k += block) {
    if (!store_block(SplitPair(roots.pair(power)), factors, re + k, im + k))
      store_one_by_one(roots, {power, step, block}, re + k, im + k);
    power += power + block_step < n ? block_step : block_step - n;
  }
  store_one_by_one(roots, {power, step, powers.count - k}, re + k, im + k);
}

void store_floats(Roots const& roots, Powers const& powers, float* re, float* im) {
  store(roots, powers, re, im);
}
void store_doubles(Roots const& roots, Powers const& powers, double* re, double* im) {
  store(roots, powers, re, im);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sixstep::local {

HWY_EXPORT(store_floats);
HWY_EXPORT(store_doubles);

namespace {

/// Whether vectors save more than their factors cost.
bool suits_blocks(Powers const& powers) { return powers.count >= 2 * block; }

}  // namespace

template <>
void store_roots(Roots const& roots, Powers const& powers, float* re, float* im) {
  if (!suits_blocks(powers)) return store_one_by_one(roots, powers, re, im);
  table_entry(HWY_DISPATCH_TABLE(store_floats), chosen_target())(roots, powers, re, im);
}

template <>
void store_roots(Roots const& roots, Powers const& powers, double* re, double* im) {
  if (!suits_blocks(powers)) return store_one_by_one(roots, powers, re, im);
  table_entry(HWY_DISPATCH_TABLE(store_doubles), chosen_target())(roots, powers, re, im);
}

}  // namespace sixstep::local
#endif  // HWY_ONCE

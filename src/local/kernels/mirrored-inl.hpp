// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of complex numbers in reverse order. Compiled once for each instruction set.
#include "local/kernels/alternating-inl.hpp"

#if defined(SIXSTEP_LOCAL_MIRRORED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_MIRRORED_INL
#undef SIXSTEP_LOCAL_MIRRORED_INL
#else
#define SIXSTEP_LOCAL_MIRRORED_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

#if HWY_TARGET == HWY_AVX3

/// The lanes for one part of L complex numbers in two vectors, in reverse order.
template <class Real>
constexpr Lanes<Real> mirrored_part(int part) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i)
    result.lane[i] = 2 * (lanes<Real> - 1 - lane_column<Real>(i)) + part;
  return result;
}

/// The inverse: the lanes for half `half` of the numbers in reverse order, from their parts.
template <class Real>
constexpr Lanes<Real> mirrored_half(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i)
    for (int place = 0; place < 2; ++place) {
      int const number = 2 * (lanes<Real> - 1 - lane_column<Real>(i)) + place;
      if (number / lanes<Real> == half) result.lane[number % lanes<Real>] = place * lanes<Real> + i;
    }
  return result;
}

#endif  // AVX3

/// Like load_columns(), but reversed: column c comes from the place of column L - 1 - c.
template <class Real>
HWY_INLINE Complex<Real> load_mirrored(Real const* from) {
  Tag<Real> const d;
  Vector<Real> const a = hn::LoadU(d, from);
  Vector<Real> const b = hn::LoadU(d, from + lanes<Real>);
#if HWY_TARGET == HWY_AVX3
  static constexpr Lanes<Real> re = mirrored_part<Real>(0);
  static constexpr Lanes<Real> im = mirrored_part<Real>(1);
  return {take(a, b, re), take(a, b, im)};
#else
  return split<Real>(reversed<Real>(b), reversed<Real>(a));
#endif
}

/// The inverse of load_mirrored(). The second half of the numbers goes to `to + half`.
template <class Real>
HWY_INLINE void store_mirrored(Complex<Real> x, Real* to, Index half = lanes<Real>) {
  Tag<Real> const d;
#if HWY_TARGET == HWY_AVX3
  static constexpr Lanes<Real> lower = mirrored_half<Real>(0);
  static constexpr Lanes<Real> upper = mirrored_half<Real>(1);
  hn::StoreU(take(x.re, x.im, lower), d, to);
  hn::StoreU(take(x.re, x.im, upper), d, to + half);
#else
  hn::StoreU(reversed<Real>(interleave_upper<Real>(x.re, x.im)), d, to);
  hn::StoreU(reversed<Real>(interleave_lower<Real>(x.re, x.im)), d, to + half);
#endif
}

#endif  // SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

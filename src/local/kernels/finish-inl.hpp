// SPDX-License-Identifier: BSD-3-Clause
// What happens to row k of group g of the result on its way out: nothing, a scale, or a scale and
// its twist.
//
// Compiled once an instruction set. Where rows go is passes-inl.hpp's and groups-inl.hpp's.
#include "local/kernels/twist-inl.hpp"
#include "local/kernels/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_FINISH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_FINISH_INL
#undef SIXSTEP_LOCAL_FINISH_INL
#else
#define SIXSTEP_LOCAL_FINISH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

template <class Real>
struct Unchanged {
  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index, Index) const { return x; }
};

/// The same factor for all rows.
template <class Real>
struct Scaled {
  Vector<Real> scale;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index, Index) const {
    return {hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  }
};

/// The same, and real and imaginary parts change places.
template <class Real>
struct Swapped {
  Vector<Real> scale;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index, Index) const {
    return {hn::Mul(x.im, scale), hn::Mul(x.re, scale)};
  }
};

template <class Finish>
inline constexpr bool is_swapped = false;
template <class Real>
inline constexpr bool is_swapped<Swapped<Real>> = true;

/// A row's own factor, which includes the scale.
template <class Real>
struct Twisted {
  TwistFactors<Real> factors;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index k, Index g) const {
    return x * factors(k, g);
  }
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

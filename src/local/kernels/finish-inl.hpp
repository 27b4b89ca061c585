// SPDX-License-Identifier: BSD-3-Clause
// The factor of a row of the result: none, or its twist with the scale included. A scale without a
// twist is applied when rows are read, see vector-inl.hpp.
//
// Each is a function of the row, its number k in the result and its group g. passes-inl.hpp and
// groups-inl.hpp store the rows. Compiled once for each instruction set.
#include "local/kernels/twist-inl.hpp"
#include "local/kernels/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_FINISH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_FINISH_INL
#undef SIXSTEP_LOCAL_FINISH_INL
#else
#define SIXSTEP_LOCAL_FINISH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real>
struct Unchanged {
  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index, Index) const { return x; }
};

/// A factor for each row, with the scale included.
template <class Real>
struct Twisted {
  TwistFactors<Real> factors;

  HWY_INLINE Complex<Real> operator()(Complex<Real> x, Index k, Index g) const {
    return x * factors(k, g);
  }
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

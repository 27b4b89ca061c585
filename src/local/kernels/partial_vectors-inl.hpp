// SPDX-License-Identifier: BSD-3-Clause
// Loads and stores of the first lanes of a vector, which access no other places.
//
// Compiled once for each instruction set.
#include <algorithm>

#include "local/kernels/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_PARTIAL_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_PARTIAL_VECTORS_INL
#undef SIXSTEP_LOCAL_PARTIAL_VECTORS_INL
#else
#define SIXSTEP_LOCAL_PARTIAL_VECTORS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
inline constexpr bool has_masked_loads = true;
#else
inline constexpr bool has_masked_loads = false;
#endif

/// The first `count` lanes, of at most L; the others are zero.
template <class Real>
HWY_INLINE Vector<Real> get_first(Real const* from, Index count) {
  Tag<Real> const d;
  if constexpr (has_masked_loads)
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
  HWY_ALIGN Real some[lanes<Real>] = {};
  std::copy_n(from, count, some);
  return hn::Load(d, some);
}

/// Stores the first `count` lanes of a vector. AVX2 stores halves, quarters and so on:
/// a masked store takes three times as long on Zen 3.
template <class D>
HWY_INLINE void put_first(D d, hn::Vec<D> x, hn::TFromD<D>* to, Index count) {
  if constexpr (HWY_TARGET == HWY_AVX3) {
    hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
  } else if constexpr (hn::MaxLanes(d) == 1) {
    if (count > 0) hn::StoreU(x, d, to);
  } else {
    hn::Half<D> const half;
    constexpr Index lower = hn::MaxLanes(half);
    if (count < lower) return put_first(half, hn::LowerHalf(half, x), to, count);
    hn::StoreU(hn::LowerHalf(half, x), half, to);
    put_first(half, hn::UpperHalf(half, x), to + lower, count - lower);
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

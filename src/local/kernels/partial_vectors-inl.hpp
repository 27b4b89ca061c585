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
inline constexpr bool has_masks = true;
#else
inline constexpr bool has_masks = false;
#endif

/// The first `count` lanes, of at most L; the others are zero.
template <class Real>
HWY_INLINE Vector<Real> get_first(Real const* from, Index count) {
  Tag<Real> const d;
  if constexpr (has_masks)
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
  HWY_ALIGN Real some[lanes<Real>] = {};
  std::copy_n(from, count, some);
  return hn::Load(d, some);
}

template <class Real>
HWY_INLINE void put_first(Vector<Real> x, Real* to, Index count) {
  Tag<Real> const d;
  if constexpr (has_masks)
    return hn::BlendedStore(x, hn::FirstN(d, static_cast<std::size_t>(count)), d, to);
  HWY_ALIGN Real some[lanes<Real>];
  hn::Store(x, d, some);
  std::copy_n(some, count, to);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

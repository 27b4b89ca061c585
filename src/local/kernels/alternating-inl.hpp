// SPDX-License-Identifier: BSD-3-Clause
// Vectors of complex numbers with alternating real and imaginary parts, as user's arrays have them.
//
// Vectors whose parts are apart are vector-inl.hpp's. Compiled once an instruction set.
#include "local/kernels/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_ALTERNATING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ALTERNATING_INL
#undef SIXSTEP_LOCAL_ALTERNATING_INL
#else
#define SIXSTEP_LOCAL_ALTERNATING_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// V, the complex numbers in a vector; none in a vector of one Real.
template <class Real>
inline constexpr Index complexes = lanes<Real> / 2;

/// x, -x, x, -x ...
template <class Real>
HWY_INLINE Vector<Real> alternating(Real x) {
  Tag<Real> const d;
  return hn::OddEven(hn::Set(d, -x), hn::Set(d, x));
}

/// Real and imaginary parts change places.
template <class Real>
HWY_INLINE Vector<Real> swapped(Vector<Real> x) {
  return hn::Reverse2(Tag<Real>(), x);
}

/// The complex numbers from the last to the first; their parts keep their order.
template <class Real>
HWY_INLINE Vector<Real> reversed(Vector<Real> x) {
  Tag<Real> const d;
  if constexpr (sizeof(Real) == 8) {
    return hn::ReverseBlocks(d, x);
  } else {
    hn::RepartitionToWide<Tag<Real>> const wide;
    return hn::BitCast(d, hn::Reverse(wide, hn::BitCast(wide, x)));
  }
}

#if HWY_TARGET != HWY_SCALAR

#if HWY_TARGET == HWY_AVX3

/// Which of the 2 L lanes of two vectors a third one takes.
template <class Real>
struct alignas(64) Lanes {
  hn::TFromD<hn::RebindToSigned<Tag<Real>>> lane[lanes<Real>];
};

/// The lanes for half `half` of a0 b0 a1 b1 ..., complex numbers from vectors a and b, where the
/// parts of b have changed places.
template <class Real>
constexpr Lanes<Real> zipped(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i) {
    int const pair = i / 4 + half * lanes<Real> / 4;
    result.lane[i] = i % 4 < 2 ? 2 * pair + i % 4 : lanes<Real> + 2 * pair + 3 - i % 4;
  }
  return result;
}

/// The way back: all a, or all b with their parts in other places.
template <class Real>
constexpr Lanes<Real> unzipped(bool second) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i) result.lane[i] = i / 2 * 4 + (second ? 3 - i % 2 : i % 2);
  return result;
}

template <class Real>
HWY_INLINE Vector<Real> take(Vector<Real> a, Vector<Real> b, Lanes<Real> const& from) {
  auto const index = _mm512_load_si512(from.lane);
  if constexpr (sizeof(Real) == 8)
    return Vector<Real>{_mm512_permutex2var_pd(a.raw, index, b.raw)};
  else
    return Vector<Real>{_mm512_permutex2var_ps(a.raw, index, b.raw)};
}

/// The lanes for half `half` of L complex numbers, from their real and their imaginary parts.
template <class Real>
constexpr Lanes<Real> interleaved(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i)
    result.lane[i] = i % 2 * lanes<Real> + (half * lanes<Real> + i) / 2;
  return result;
}

template <class Real>
HWY_INLINE void interleave(Complex<Real>& x) {
  static constexpr Lanes<Real> lower = interleaved<Real>(0);
  static constexpr Lanes<Real> upper = interleaved<Real>(1);
  x = {take(x.re, x.im, lower), take(x.re, x.im, upper)};
}

/// From a = a0 a1 ... and b = b0 b1 ... with its parts in other places, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> lower = zipped<Real>(0);
  static constexpr Lanes<Real> upper = zipped<Real>(1);
  Vector<Real> const first = take(a, b, lower);
  b = take(a, b, upper);
  a = first;
}

/// The way back.
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> all_a = unzipped<Real>(false);
  static constexpr Lanes<Real> all_b = unzipped<Real>(true);
  Vector<Real> const first = take(a, b, all_a);
  b = take(a, b, all_b);
  a = first;
}

#else

/// From blocks a0 a1 and b0 b1 to a0 b0 and a1 b1. It is its own inverse.
template <class Real>
HWY_INLINE void zip_blocks(Vector<Real>& a, Vector<Real>& b) {
  static_assert(blocks<Real> <= 2);
  if constexpr (blocks<Real> == 2) {
    Tag<Real> const d;
    Vector<Real> const first = hn::ConcatLowerLower(d, b, a);
    b = hn::ConcatUpperUpper(d, b, a);
    a = first;
  }
}

/// From real and imaginary parts to L complex numbers, in two vectors.
template <class Real>
HWY_INLINE void interleave(Complex<Real>& x) {
  x = {interleave_lower<Real>(x.re, x.im), interleave_upper<Real>(x.re, x.im)};
  zip_blocks<Real>(x.re, x.im);
}

/// The same with the complex numbers of each block.
template <class Real>
HWY_INLINE void zip_in_blocks(Vector<Real>& a, Vector<Real>& b) {
  if constexpr (block_reals<Real> == 4) {
    Tag<Real> const d;
    hn::RepartitionToWide<Tag<Real>> const wide;
    auto const x = hn::BitCast(wide, a);
    auto const y = hn::BitCast(wide, b);
    a = hn::BitCast(d, hn::InterleaveLower(wide, x, y));
    b = hn::BitCast(d, hn::InterleaveUpper(wide, x, y));
  }
}

/// From a = a0 a1 ... and b = b0 b1 ... with its parts in other places, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  b = swapped<Real>(b);
  zip_in_blocks<Real>(a, b);
  zip_blocks<Real>(a, b);
}

/// The way back.
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  zip_blocks<Real>(a, b);
  zip_in_blocks<Real>(a, b);
  b = swapped<Real>(b);
}

#endif  // AVX3

/// L complex numbers that lie one after another, with their parts apart.
template <class Real>
HWY_INLINE Complex<Real> get_complex(Real const* from) {
  Tag<Real> const d;
  auto const a = hn::LoadU(d, from);
  auto const b = hn::LoadU(d, from + lanes<Real>);
  return {hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)};
}

/// The way back.
template <class Real>
HWY_INLINE void put_complex(Complex<Real> x, Real* to) {
  Tag<Real> const d;
  interleave<Real>(x);
  hn::StoreU(x.re, d, to);
  hn::StoreU(x.im, d, to + lanes<Real>);
}

#else

// Vectors of one: nothing to take apart.
template <class Real>
HWY_INLINE Complex<Real> get_complex(Real const* from) {
  Tag<Real> const d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + 1)};
}
template <class Real>
HWY_INLINE void put_complex(Complex<Real> x, Real* to) {
  Tag<Real> const d;
  hn::StoreU(x.re, d, to);
  hn::StoreU(x.im, d, to + 1);
}

#endif  // SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

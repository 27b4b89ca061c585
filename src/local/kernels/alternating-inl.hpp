// SPDX-License-Identifier: BSD-3-Clause
// Vectors of complex numbers with alternating real and imaginary parts, as in the user's arrays.
// vector-inl.hpp has those with separate parts. Compiled once for each instruction set.
#include "local/kernels/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_ALTERNATING_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ALTERNATING_INL
#undef SIXSTEP_LOCAL_ALTERNATING_INL
#else
#define SIXSTEP_LOCAL_ALTERNATING_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// V, the complex numbers in a vector; 0 for a vector of one Real.
template <class Real>
inline constexpr Index complexes = lanes<Real> / 2;

/// x, -x, x, -x ...
template <class Real>
HWY_INLINE Vector<Real> alternating(Real x) {
  Tag<Real> const d;
  return hn::OddEven(hn::Set(d, -x), hn::Set(d, x));
}

/// Swaps real and imaginary parts.
template <class Real>
HWY_INLINE Vector<Real> swapped(Vector<Real> x) {
  return hn::Reverse2(Tag<Real>(), x);
}

/// Reverses the complex numbers; their parts keep their order.
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

/// For each lane of a vector, which of the 2 L lanes of two others it takes.
template <class Real>
struct alignas(64) Lanes {
  hn::TFromD<hn::RebindToSigned<Tag<Real>>> lane[lanes<Real>];
};

/// The lanes for half `half` of a0 b0 a1 b1 ..., complex numbers of vectors a and b, where the
/// parts of b are swapped.
template <class Real>
constexpr Lanes<Real> zipped(int half) {
  Lanes<Real> result{};
  for (int i = 0; i < lanes<Real>; ++i) {
    int const pair = i / 4 + half * lanes<Real> / 4;
    result.lane[i] = i % 4 < 2 ? 2 * pair + i % 4 : lanes<Real> + 2 * pair + 3 - i % 4;
  }
  return result;
}

/// The inverse: all a, or all b with swapped parts.
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

/// The lanes for half `half` of L complex numbers, from vectors of their real and imaginary parts.
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

/// Converts a = a0 a1 ... and b = b0 b1 ..., whose parts are swapped, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> lower = zipped<Real>(0);
  static constexpr Lanes<Real> upper = zipped<Real>(1);
  Vector<Real> const first = take(a, b, lower);
  b = take(a, b, upper);
  a = first;
}

/// The inverse of zip().
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  static constexpr Lanes<Real> all_a = unzipped<Real>(false);
  static constexpr Lanes<Real> all_b = unzipped<Real>(true);
  Vector<Real> const first = take(a, b, all_a);
  b = take(a, b, all_b);
  a = first;
}

#else

/// Converts blocks a0 a1 and b0 b1 to a0 b0 and a1 b1. It is its own inverse.
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

/// Converts real and imaginary parts to L complex numbers, in two vectors.
template <class Real>
HWY_INLINE void interleave(Complex<Real>& x) {
  x = {interleave_lower<Real>(x.re, x.im), interleave_upper<Real>(x.re, x.im)};
  zip_blocks<Real>(x.re, x.im);
}

/// Like zip_blocks(), with the complex numbers of each block.
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

/// Converts a = a0 a1 ... and b = b0 b1 ..., whose parts are swapped, to a0 b0 a1 b1 ...
template <class Real>
HWY_INLINE void zip(Vector<Real>& a, Vector<Real>& b) {
  b = swapped<Real>(b);
  zip_in_blocks<Real>(a, b);
  zip_blocks<Real>(a, b);
}

/// The inverse of zip().
template <class Real>
HWY_INLINE void unzip(Vector<Real>& a, Vector<Real>& b) {
  zip_blocks<Real>(a, b);
  zip_in_blocks<Real>(a, b);
  b = swapped<Real>(b);
}

#endif  // AVX3

/// Loads L contiguous complex numbers and separates their parts.
template <class Real>
HWY_INLINE Complex<Real> get_complex(Real const* from) {
  Tag<Real> const d;
  auto const a = hn::LoadU(d, from);
  auto const b = hn::LoadU(d, from + lanes<Real>);
  return {hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a)};
}

/// The inverse of get_complex().
template <class Real>
HWY_INLINE void put_complex(Complex<Real> x, Real* to) {
  Tag<Real> const d;
  interleave<Real>(x);
  hn::StoreU(x.re, d, to);
  hn::StoreU(x.im, d, to + lanes<Real>);
}

#else

// Vectors with one lane have nothing to separate.
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

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

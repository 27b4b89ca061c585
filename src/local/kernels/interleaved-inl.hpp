// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers that stay in registers in the form of the user's arrays.
//
// A vector has S of them, L/2 or fewer, with alternating real and imaginary parts. With separate
// parts, a product with a twiddle needs no shuffle; with interleaved ones, a transform needs no
// shuffle at its beginning and end. Passes without twiddles are therefore fastest here. Compiled
// once for each instruction set.
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/constant_roots.hpp"

#if defined(SIXSTEP_LOCAL_INTERLEAVED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_INTERLEAVED_INL
#undef SIXSTEP_LOCAL_INTERLEAVED_INL
#else
#define SIXSTEP_LOCAL_INTERLEAVED_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The complex numbers in a vector.
template <class Real>
inline constexpr int numbers = lanes<Real> / 2;

template <class Real, int S>
using NumbersTag = hn::CappedTag<Real, 2 * S>;
template <class Real, int S>
using NumbersVector = hn::Vec<NumbersTag<Real, S>>;

/// S complex numbers.
template <class Real, int S = numbers<Real>>
struct Interleaved {
  using Part = Real;
  NumbersVector<Real, S> parts;
};

template <int S, class Real>
HWY_INLINE Interleaved<Real, S> load_some_numbers(Real const* from) {
  return {hn::LoadU(NumbersTag<Real, S>(), from)};
}

template <class Real>
HWY_INLINE Interleaved<Real> load_numbers(Real const* from) {
  return load_some_numbers<numbers<Real>>(from);
}

template <class Real, int S>
HWY_INLINE void store_numbers(Interleaved<Real, S> x, Real* to) {
  hn::StoreU(x.parts, NumbersTag<Real, S>(), to);
}

template <class Real, int S>
HWY_INLINE Interleaved<Real, S> operator+(Interleaved<Real, S> a, Interleaved<Real, S> b) {
  return {hn::Add(a.parts, b.parts)};
}

template <class Real, int S>
HWY_INLINE Interleaved<Real, S> operator-(Interleaved<Real, S> a, Interleaved<Real, S> b) {
  return {hn::Sub(a.parts, b.parts)};
}

/// Swaps the real and the imaginary part of each number.
template <class Real, int S>
HWY_INLINE NumbersVector<Real, S> swapped(Interleaved<Real, S> x) {
  return hn::Reverse2(NumbersTag<Real, S>(), x.parts);
}

/// `re` at all real parts and `im` at all imaginary parts.
template <class Real, int S = numbers<Real>>
HWY_INLINE NumbersVector<Real, S> for_parts(Real re, Real im) {
  NumbersTag<Real, S> const d;
  return hn::OddEven(hn::Set(d, im), hn::Set(d, re));
}

/// a + i b.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> plus_i(Interleaved<Real, S> a, Interleaved<Real, S> b) {
  return {mul_add(swapped(b), for_parts<Real, S>(-1, 1), a.parts)};
}

/// a - i b.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> minus_i(Interleaved<Real, S> a, Interleaved<Real, S> b) {
  return {mul_add(swapped(b), for_parts<Real, S>(1, -1), a.parts)};
}

/// x factor.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> scaled(Interleaved<Real, S> x, Real factor) {
  return {hn::Mul(x.parts, hn::Set(NumbersTag<Real, S>(), factor))};
}

/// sum + x factor.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> add_scaled(Interleaved<Real, S> sum, Interleaved<Real, S> x,
                                           Real factor) {
  return {mul_add(x.parts, hn::Set(NumbersTag<Real, S>(), factor), sum.parts)};
}

/// a - i b factor.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> minus_i_scaled(Interleaved<Real, S> a, Interleaved<Real, S> b,
                                               Real factor) {
  return {mul_add(swapped(b), for_parts<Real, S>(factor, -factor), a.parts)};
}

/// x w, where w is given as two vectors: its real part at both parts of a number, and its imaginary
/// part, negated at the first part.
template <class Real, int S = numbers<Real>>
HWY_INLINE Interleaved<Real, S> times(Interleaved<Real, S> x, NumbersVector<Real, S> re,
                                      NumbersVector<Real, S> im) {
  return {mul_add(swapped(x), im, hn::Mul(x.parts, re))};
}

/// x exp(-2 pi i K / N).
template <int K, int N, class Real, int S>
HWY_INLINE Interleaved<Real, S> times_root(Interleaved<Real, S> x) {
  if constexpr (K % N == 0) {
    return x;
  } else {
    constexpr double c = cosine(K, N);
    constexpr double s = sine(K, N);
    return times<Real, S>(x, hn::Set(NumbersTag<Real, S>(), static_cast<Real>(c)),
                          for_parts<Real, S>(static_cast<Real>(s), static_cast<Real>(-s)));
  }
}

/// S numbers in reverse order.
template <class Real, int S>
HWY_INLINE Interleaved<Real, S> reversed_numbers(Interleaved<Real, S> x) {
  NumbersTag<Real, S> const d;
  if constexpr (S == 1) {
    return x;
  } else if constexpr (sizeof(Real) == 4) {
    hn::RepartitionToWide<NumbersTag<Real, S>> const wide;
    return {hn::BitCast(d, hn::Reverse(wide, hn::BitCast(wide, x.parts)))};
  } else {
    return {hn::ReverseBlocks(d, x.parts)};
  }
}

/// Transposes numbers that are in the lower part of a vector.
template <class Real, int S>
HWY_INLINE void transpose_in_part_of_vector(Interleaved<Real, S>* x) {
  NumbersTag<Real, S> const d;
  if constexpr (sizeof(Real) == 4) {
    hn::RepartitionToWide<NumbersTag<Real, S>> const wide;
    HWY_UNROLL(2)
    for (int i = 0; i < S; i += 2) {
      auto const a = hn::BitCast(wide, x[i].parts), b = hn::BitCast(wide, x[i + 1].parts);
      x[i].parts = hn::BitCast(d, hn::InterleaveLower(wide, a, b));
      x[i + 1].parts = hn::BitCast(d, hn::InterleaveUpper(wide, a, b));
    }
  }
  constexpr int blocks = S * static_cast<int>(2 * sizeof(Real)) / 16;
  if constexpr (blocks == 2) {
    HWY_UNROLL(2)
    for (int i = 0; i < S / 2; ++i) {
      auto const a = x[i].parts, b = x[i + S / 2].parts;
      x[i].parts = hn::ConcatLowerLower(d, b, a);
      x[i + S / 2].parts = hn::ConcatUpperUpper(d, b, a);
    }
  }
}

/// Transposes a square of S x S numbers in S registers.
template <class Real, int S>
HWY_INLINE void transpose_numbers(Interleaved<Real, S>* x) {
  if constexpr (S == 1) {
    return;
  } else if constexpr (S == numbers<Real>) {
    Vector<Real> y[S];
    HWY_UNROLL(8)
    for (int i = 0; i < S; ++i) y[i] = x[i].parts;
    transpose_square<Real, 2>(y);
    HWY_UNROLL(8)
    for (int i = 0; i < S; ++i) x[i].parts = y[i];
  } else {
    static_assert(S == 2 || (S == 4 && sizeof(Real) == 4));
    transpose_in_part_of_vector(x);
  }
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

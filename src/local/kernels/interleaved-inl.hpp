// SPDX-License-Identifier: BSD-3-Clause
// Complex numbers that stay in registers in the form of the user's arrays.
//
// A vector has L/2 of them, with alternating real and imaginary parts. With separate parts, a
// product with a twiddle needs no shuffle; with interleaved ones, a transform needs no shuffle at
// its beginning and end. Passes without twiddles are therefore fastest here. Compiled once for each
// instruction set.
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/constant_roots.hpp"

#if defined(SIXSTEP_LOCAL_INTERLEAVED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_INTERLEAVED_INL
#undef SIXSTEP_LOCAL_INTERLEAVED_INL
#else
#define SIXSTEP_LOCAL_INTERLEAVED_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// The complex numbers in a vector.
template <class Real>
inline constexpr int numbers = lanes<Real> / 2;

/// L/2 complex numbers.
template <class Real>
struct Interleaved {
  using Part = Real;
  Vector<Real> parts;
};

template <class Real>
HWY_INLINE Interleaved<Real> load_numbers(Real const* from) {
  return {hn::LoadU(Tag<Real>(), from)};
}

template <class Real>
HWY_INLINE void store_numbers(Interleaved<Real> x, Real* to) {
  hn::StoreU(x.parts, Tag<Real>(), to);
}

template <class Real>
HWY_INLINE Interleaved<Real> operator+(Interleaved<Real> a, Interleaved<Real> b) {
  return {hn::Add(a.parts, b.parts)};
}

template <class Real>
HWY_INLINE Interleaved<Real> operator-(Interleaved<Real> a, Interleaved<Real> b) {
  return {hn::Sub(a.parts, b.parts)};
}

/// Swaps the real and the imaginary part of each number.
template <class Real>
HWY_INLINE Vector<Real> swapped(Interleaved<Real> x) {
  return hn::Reverse2(Tag<Real>(), x.parts);
}

/// `re` at all real parts and `im` at all imaginary parts.
template <class Real>
HWY_INLINE Vector<Real> for_parts(Real re, Real im) {
  Tag<Real> const d;
  return hn::OddEven(hn::Set(d, im), hn::Set(d, re));
}

/// a + i b.
template <class Real>
HWY_INLINE Interleaved<Real> plus_i(Interleaved<Real> a, Interleaved<Real> b) {
  return {hn::MulAdd(swapped(b), for_parts<Real>(-1, 1), a.parts)};
}

/// a - i b.
template <class Real>
HWY_INLINE Interleaved<Real> minus_i(Interleaved<Real> a, Interleaved<Real> b) {
  return {hn::MulAdd(swapped(b), for_parts<Real>(1, -1), a.parts)};
}

/// x factor.
template <class Real>
HWY_INLINE Interleaved<Real> scaled(Interleaved<Real> x, Real factor) {
  return {hn::Mul(x.parts, hn::Set(Tag<Real>(), factor))};
}

/// sum + x factor.
template <class Real>
HWY_INLINE Interleaved<Real> add_scaled(Interleaved<Real> sum, Interleaved<Real> x, Real factor) {
  return {hn::MulAdd(x.parts, hn::Set(Tag<Real>(), factor), sum.parts)};
}

/// x w, where w is given as two vectors: its real part at both parts of a number, and its imaginary
/// part, negated at the first part.
template <class Real>
HWY_INLINE Interleaved<Real> times(Interleaved<Real> x, Vector<Real> re, Vector<Real> im) {
  return {hn::MulAdd(swapped(x), im, hn::Mul(x.parts, re))};
}

/// x exp(-2 pi i K / N).
template <int K, int N, class Real>
HWY_INLINE Interleaved<Real> times_root(Interleaved<Real> x) {
  if constexpr (K % N == 0) {
    return x;
  } else {
    constexpr double c = cosine(K, N);
    constexpr double s = sine(K, N);
    return times<Real>(x, hn::Set(Tag<Real>(), static_cast<Real>(c)),
                       for_parts<Real>(static_cast<Real>(s), static_cast<Real>(-s)));
  }
}

/// Transposes a square of numbers in registers, with as many vectors as a vector has numbers.
template <class Real>
HWY_INLINE void transpose_numbers(Interleaved<Real>* x) {
  if constexpr (numbers < Real >> 1) {
    Vector<Real> y[numbers<Real>];
    HWY_UNROLL(8)
    for (int i = 0; i < numbers<Real>; ++i) y[i] = x[i].parts;
    transpose_square<Real, 2>(y);
    HWY_UNROLL(8)
    for (int i = 0; i < numbers<Real>; ++i) x[i].parts = y[i];
  }
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

// SPDX-License-Identifier: BSD-3-Clause
// Butterflies: transforms of a few complex vectors in registers, in natural order on both sides.
//
// Those of 2 and 4 are written out, those of odd primes go by pairs, and all others are products of
// two of these. Where the two have a common factor, twiddles between them are needed and are
// constants in the code. Compiled once an instruction set.
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/constant_roots.hpp"

#if defined(SIXSTEP_LOCAL_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_BUTTERFLIES_INL
#undef SIXSTEP_LOCAL_BUTTERFLIES_INL
#else
#define SIXSTEP_LOCAL_BUTTERFLIES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// a + i b.
template <class Real>
HWY_INLINE Complex<Real> plus_i(Complex<Real> a, Complex<Real> b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

/// a - i b.
template <class Real>
HWY_INLINE Complex<Real> minus_i(Complex<Real> a, Complex<Real> b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}

/// x exp(-2 pi i K / N).
template <int K, int N, class Real>
HWY_INLINE Complex<Real> times_root(Complex<Real> x) {
  Tag<Real> const d;
  if constexpr (K % N == 0) {
    return x;
  } else if constexpr (2 * K % N == 0) {
    return {hn::Neg(x.re), hn::Neg(x.im)};
  } else if constexpr (4 * K == N) {
    return {x.im, hn::Neg(x.re)};
  } else if constexpr (8 * K == N) {
    auto const half = hn::Set(d, static_cast<Real>(cosine(1, 8)));
    return {hn::Mul(hn::Add(x.re, x.im), half), hn::Mul(hn::Sub(x.im, x.re), half)};
  } else if constexpr (8 * K == 3 * N) {
    auto const half = hn::Set(d, static_cast<Real>(cosine(1, 8)));
    auto const minus_half = hn::Set(d, static_cast<Real>(-cosine(1, 8)));
    return {hn::Mul(hn::Sub(x.im, x.re), half), hn::Mul(hn::Add(x.re, x.im), minus_half)};
  } else {
    constexpr double c = cosine(K, N);
    constexpr double s = sine(K, N);
    return x * broadcast<Real>(static_cast<Real>(c), static_cast<Real>(-s));
  }
}

template <class Real>
HWY_INLINE void butterfly_2(Complex<Real>& a, Complex<Real>& b) {
  Complex<Real> const difference = a - b;
  a = a + b;
  b = difference;
}

template <class Real>
HWY_INLINE void butterfly_4(Complex<Real>& a, Complex<Real>& b, Complex<Real>& c,
                            Complex<Real>& d) {
  Complex<Real> const even = a + c;
  Complex<Real> const even_difference = a - c;
  Complex<Real> const odd = b + d;
  Complex<Real> const odd_difference = b - d;
  a = even + odd;
  b = minus_i(even_difference, odd_difference);
  c = even - odd;
  d = plus_i(even_difference, odd_difference);
}

/// Of an odd prime R, with t_k = x_k + x_(R-k) and s_k = x_k - x_(R-k), k = 1 ... R/2:
///   y_j, y_(R-j) = x_0 + sum_k cos(2 pi j k / R) t_k  -+  i sum_k sin(2 pi j k / R) s_k.
/// Adds the terms from k = K on, for j = J, to the two sums.
template <int R, int J, int K, class Real>
HWY_INLINE void add_pair(Complex<Real> const* t, Complex<Real> const* s, Complex<Real>& real,
                         Complex<Real>& imaginary) {
  if constexpr (K <= R / 2) {
    Tag<Real> const d;
    constexpr double c = cosine(J * K % R, R);
    constexpr double f = sine(J * K % R, R);
    auto const cos_jk = hn::Set(d, static_cast<Real>(c));
    auto const sin_jk = hn::Set(d, static_cast<Real>(f));
    real = {hn::MulAdd(t[K].re, cos_jk, real.re), hn::MulAdd(t[K].im, cos_jk, real.im)};
    if constexpr (K == 1)
      imaginary = {hn::Mul(s[K].re, sin_jk), hn::Mul(s[K].im, sin_jk)};
    else
      imaginary = {hn::MulAdd(s[K].re, sin_jk, imaginary.re),
                   hn::MulAdd(s[K].im, sin_jk, imaginary.im)};
    add_pair<R, J, K + 1>(t, s, real, imaginary);
  }
}

/// y_j and y_(R-j) for j from J on.
template <int R, int J, class Real>
HWY_INLINE void odd_outputs(Complex<Real> const* t, Complex<Real> const* s, Complex<Real> x0,
                            Complex<Real>* y) {
  if constexpr (J <= R / 2) {
    Complex<Real> real = x0;
    Complex<Real> imaginary = x0;
    add_pair<R, J, 1>(t, s, real, imaginary);
    y[J] = minus_i(real, imaginary);
    y[R - J] = plus_i(real, imaginary);
    odd_outputs<R, J + 1>(t, s, x0, y);
  }
}

template <int R, class Real>
HWY_INLINE void butterfly_odd(Complex<Real>* x) {
  Complex<Real> t[R / 2 + 1];
  Complex<Real> s[R / 2 + 1];
  Complex<Real> sum = x[0];
  HWY_UNROLL(8)
  for (int k = 1; k <= R / 2; ++k) {
    t[k] = x[k] + x[R - k];
    s[k] = x[k] - x[R - k];
    sum = sum + t[k];
  }
  odd_outputs<R, 1>(t, s, x[0], x);
  x[0] = sum;
}

/// The twiddles between the two of a product A x B: x[a + A b] times w_AB^(a b), from I = a + A b
/// on.
template <int A, int B, int I, class Real>
HWY_INLINE void inner_twiddles(Complex<Real>* x) {
  if constexpr (I < A * B) {
    x[I] = times_root<(I % A) * (I / A), A * B>(x[I]);
    inner_twiddles<A, B, I + 1>(x);
  }
}

template <int R, class Real>
HWY_INLINE void butterfly(Complex<Real>* x);

/// R = A B: transforms of B elements that are A apart, twiddles, and transforms of A neighbours.
template <int A, int B, class Real>
HWY_INLINE void butterfly_product(Complex<Real>* x) {
  HWY_UNROLL(16)
  for (int a = 0; a < A; ++a) {
    Complex<Real> y[B];
    HWY_UNROLL(64)
    for (int b = 0; b < B; ++b) y[b] = x[a + A * b];
    butterfly<B>(y);
    HWY_UNROLL(64)
    for (int b = 0; b < B; ++b) x[a + A * b] = y[b];
  }
  inner_twiddles<A, B, 0>(x);
  HWY_UNROLL(16)
  for (int b = 0; b < B; ++b) butterfly<A>(x + A * b);
  Complex<Real> y[A * B];
  HWY_UNROLL(64)
  for (int i = 0; i < A * B; ++i) y[i / A + B * (i % A)] = x[i];
  HWY_UNROLL(64)
  for (int i = 0; i < A * B; ++i) x[i] = y[i];
}

/// R = A B without a common factor: with element B a + A b at (a, b) there are no twiddles, and
/// X[k] is at (k mod A, k mod B). Good (1958), Thomas (1963).
template <int A, int B, class Real>
HWY_INLINE void butterfly_coprime(Complex<Real>* x) {
  Complex<Real> y[A * B];
  HWY_UNROLL(16)
  for (int a = 0; a < A; ++a) {
    HWY_UNROLL(16)
    for (int b = 0; b < B; ++b) y[a * B + b] = x[(B * a + A * b) % (A * B)];
    butterfly<B>(y + a * B);
  }
  HWY_UNROLL(16)
  for (int b = 0; b < B; ++b) {
    Complex<Real> z[A];
    HWY_UNROLL(16)
    for (int a = 0; a < A; ++a) z[a] = y[a * B + b];
    butterfly<A>(z);
    HWY_UNROLL(16)
    for (int a = 0; a < A; ++a) y[a * B + b] = z[a];
  }
  HWY_UNROLL(16)
  for (int k = 0; k < A * B; ++k) x[k] = y[k % A * B + k % B];
}

/// x[j] = sum_k exp(-2 pi i j k / R) x[k], in place.
template <int R, class Real>
HWY_INLINE void butterfly(Complex<Real>* x) {
  if constexpr (R == 2)
    butterfly_2(x[0], x[1]);
  else if constexpr (R == 4)
    butterfly_4(x[0], x[1], x[2], x[3]);
  else if constexpr (R == 6)
    butterfly_coprime<2, 3>(x);
  else if constexpr (R == 8)
    butterfly_product<4, 2>(x);
  else if constexpr (R == 9)
    butterfly_product<3, 3>(x);
  else if constexpr (R == 10)
    butterfly_coprime<2, 5>(x);
  else if constexpr (R == 12)
    butterfly_coprime<4, 3>(x);
  else if constexpr (R == 14)
    butterfly_coprime<2, 7>(x);
  else if constexpr (R == 15)
    butterfly_coprime<5, 3>(x);
  else if constexpr (R == 16)
    butterfly_product<4, 4>(x);
  else if constexpr (R == 32)
    butterfly_product<4, 8>(x);
  else
    butterfly_odd<R>(x);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

// SPDX-License-Identifier: BSD-3-Clause
// Butterflies: transforms of a few complex vectors in registers, in natural order on both sides.
//
// Those of 2 and 4 are written out, those of odd primes use pairs, and all others are products of
// two of these. If the two have a common factor, there are twiddles between them, which are
// constants in the code. A Number is Complex or Interleaved. Compiled once for each instruction
// set.
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/constant_roots.hpp"

#if defined(SIXSTEP_LOCAL_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_BUTTERFLIES_INL
#undef SIXSTEP_LOCAL_BUTTERFLIES_INL
#else
#define SIXSTEP_LOCAL_BUTTERFLIES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// How products multiply by eighth roots: before the additions, or with the last of them. The
/// latter takes fewer operations, but a longer chain of them. It pays if there are twiddles before
/// the butterfly, or none at all.
enum class Eighths { before, last };

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

/// x factor.
template <class Real>
HWY_INLINE Complex<Real> scaled(Complex<Real> x, Real factor) {
  Vector<Real> const all = hn::Set(Tag<Real>(), factor);
  return {hn::Mul(x.re, all), hn::Mul(x.im, all)};
}

/// sum + x factor.
template <class Real>
HWY_INLINE Complex<Real> add_scaled(Complex<Real> sum, Complex<Real> x, Real factor) {
  Vector<Real> const all = hn::Set(Tag<Real>(), factor);
  return {mul_add(x.re, all, sum.re), mul_add(x.im, all, sum.im)};
}

/// a - i b factor.
template <class Real>
HWY_INLINE Complex<Real> minus_i_scaled(Complex<Real> a, Complex<Real> b, Real factor) {
  Vector<Real> const all = hn::Set(Tag<Real>(), factor);
  return {mul_add(b.im, all, a.re), negated_mul_add(b.re, all, a.im)};
}

/// Multiplies N numbers by a scale if there is one.
template <int N, class Number>
HWY_INLINE void scale_numbers(Scale<typename Number::Part> const& scale, Number* x) {
  if (!scale.is_there()) return;
  HWY_UNROLL(16)
  for (int i = 0; i < N; ++i) x[i] = scaled(x[i], scale.factor());
}

template <class Number>
HWY_INLINE void butterfly_2(Number& a, Number& b) {
  Number const difference = a - b;
  a = a + b;
  b = difference;
}

template <class Number>
HWY_INLINE void butterfly_4(Number& a, Number& b, Number& c, Number& d) {
  Number const even = a + c;
  Number const even_difference = a - c;
  Number const odd = b + d;
  Number const odd_difference = b - d;
  a = even + odd;
  b = minus_i(even_difference, odd_difference);
  c = even - odd;
  d = plus_i(even_difference, odd_difference);
}

/// A butterfly_4() of a, w b, w^2 c and w^3 d, where w = exp(-2 pi i / 8). The factor is multiplied
/// in the last addition.
template <class Number>
HWY_INLINE void butterfly_4_of_eighths(Number& a, Number& b, Number& c, Number& d) {
  using Real = typename Number::Part;
  constexpr double half = cosine(1, 8);
  Number const even = minus_i(a, c);
  Number const even_difference = plus_i(a, c);
  Number const difference = b - d;
  Number const sum = b + d;
  Number const odd = minus_i(difference, sum);
  Number const odd_difference = plus_i(difference, sum);
  a = add_scaled(even, odd, static_cast<Real>(half));
  b = add_scaled(even_difference, odd_difference, static_cast<Real>(-half));
  c = add_scaled(even, odd, static_cast<Real>(-half));
  d = add_scaled(even_difference, odd_difference, static_cast<Real>(half));
}

/// For an odd prime R, with t_k = x_k + x_(R-k) and s_k = x_k - x_(R-k), k = 1 ... R/2:
///   y_j, y_(R-j) = x_0 + sum_k cos(2 pi j k / R) t_k  -+  i sum_k sin(2 pi j k / R) s_k.
/// Adds the terms from k = K on, for j = J, to the two sums.
template <int R, int J, int K, class Number>
HWY_INLINE void add_pair(Number const* t, Number const* s, Number& real, Number& imaginary) {
  if constexpr (K <= R / 2) {
    using Real = typename Number::Part;
    constexpr double c = cosine(J * K % R, R);
    constexpr double f = sine(J * K % R, R);
    real = add_scaled(real, t[K], static_cast<Real>(c));
    if constexpr (K == 1)
      imaginary = scaled(s[K], static_cast<Real>(f));
    else
      imaginary = add_scaled(imaginary, s[K], static_cast<Real>(f));
    add_pair<R, J, K + 1>(t, s, real, imaginary);
  }
}

/// y_j and y_(R-j) for j from J on.
template <int R, int J, class Number>
HWY_INLINE void odd_outputs(Number const* t, Number const* s, Number x0, Number* y) {
  if constexpr (R == 3) {
    // The only product is multiplied with the addition: one operation and one rounding less.
    using Real = typename Number::Part;
    constexpr auto f = static_cast<Real>(sine(1, 3));
    Number const real = add_scaled(x0, t[1], static_cast<Real>(cosine(1, 3)));
    y[1] = minus_i_scaled(real, s[1], f);
    y[2] = minus_i_scaled(real, s[1], -f);
  } else if constexpr (J <= R / 2) {
    Number real = x0;
    Number imaginary = x0;
    add_pair<R, J, 1>(t, s, real, imaginary);
    y[J] = minus_i(real, imaginary);
    y[R - J] = plus_i(real, imaginary);
    odd_outputs<R, J + 1>(t, s, x0, y);
  }
}

template <int R, class Number>
HWY_INLINE void butterfly_odd(Number* x) {
  Number t[R / 2 + 1];
  Number s[R / 2 + 1];
  Number sum = x[0];
  HWY_UNROLL(8)
  for (int k = 1; k <= R / 2; ++k) {
    t[k] = x[k] + x[R - k];
    s[k] = x[k] - x[R - k];
    sum = sum + t[k];
  }
  odd_outputs<R, 1>(t, s, x[0], x);
  x[0] = sum;
}

/// Whether row b of a product A x B uses butterfly_4_of_eighths(), which includes its twiddles.
template <int A, int B, Eighths eighths>
constexpr bool has_eighths(int b) {
  return eighths == Eighths::last && A == 4 && 8 * b == A * B;
}

/// The twiddles within a product A x B: x[a + A b] times w_AB^(a b), from I = a + A b on.
template <int A, int B, int I, Eighths eighths, class Number>
HWY_INLINE void inner_twiddles(Number* x) {
  if constexpr (I < A * B) {
    if constexpr (!has_eighths<A, B, eighths>(I / A))
      x[I] = times_root<(I % A) * (I / A), A * B>(x[I]);
    inner_twiddles<A, B, I + 1, eighths>(x);
  }
}

template <int R, Eighths eighths = Eighths::before, class Number>
HWY_INLINE void butterfly(Number* x);

/// R = A B: transforms of B elements that are A apart, twiddles, and transforms of A neighbours.
template <int A, int B, Eighths eighths, class Number>
HWY_INLINE void butterfly_product(Number* x) {
  HWY_UNROLL(16)
  for (int a = 0; a < A; ++a) {
    Number y[B];
    HWY_UNROLL(64)
    for (int b = 0; b < B; ++b) y[b] = x[a + A * b];
    butterfly<B, eighths>(y);
    HWY_UNROLL(64)
    for (int b = 0; b < B; ++b) x[a + A * b] = y[b];
  }
  inner_twiddles<A, B, 0, eighths>(x);
  HWY_UNROLL(16)
  for (int b = 0; b < B; ++b) {
    Number* const row = x + A * b;
    if constexpr (A == 4) {
      if (has_eighths<A, B, eighths>(b)) {
        butterfly_4_of_eighths(row[0], row[1], row[2], row[3]);
        continue;
      }
    }
    butterfly<A, eighths>(row);
  }
  Number y[A * B];
  HWY_UNROLL(64)
  for (int i = 0; i < A * B; ++i) y[i / A + B * (i % A)] = x[i];
  HWY_UNROLL(64)
  for (int i = 0; i < A * B; ++i) x[i] = y[i];
}

/// R = A B without a common factor: if element B a + A b is at (a, b), there are no twiddles, and
/// X[k] is at (k mod A, k mod B). Good (1958), Thomas (1963).
template <int A, int B, Eighths eighths, class Number>
HWY_INLINE void butterfly_coprime(Number* x) {
  Number y[A * B];
  HWY_UNROLL(16)
  for (int a = 0; a < A; ++a) {
    HWY_UNROLL(16)
    for (int b = 0; b < B; ++b) y[a * B + b] = x[(B * a + A * b) % (A * B)];
    butterfly<B, eighths>(y + a * B);
  }
  HWY_UNROLL(16)
  for (int b = 0; b < B; ++b) {
    Number z[A];
    HWY_UNROLL(16)
    for (int a = 0; a < A; ++a) z[a] = y[a * B + b];
    butterfly<A, eighths>(z);
    HWY_UNROLL(16)
    for (int a = 0; a < A; ++a) y[a * B + b] = z[a];
  }
  HWY_UNROLL(16)
  for (int k = 0; k < A * B; ++k) x[k] = y[k % A * B + k % B];
}

/// x[j] = sum_k exp(-2 pi i j k / R) x[k], in place.
template <int R, Eighths eighths, class Number>
HWY_INLINE void butterfly(Number* x) {
  if constexpr (R == 2)
    butterfly_2(x[0], x[1]);
  else if constexpr (R == 4)
    butterfly_4(x[0], x[1], x[2], x[3]);
  else if constexpr (R == 6)
    butterfly_coprime<2, 3, eighths>(x);
  else if constexpr (R == 8)
    butterfly_product<4, 2, eighths>(x);
  else if constexpr (R == 9)
    butterfly_product<3, 3, eighths>(x);
  else if constexpr (R == 10)
    butterfly_coprime<2, 5, eighths>(x);
  else if constexpr (R == 12)
    butterfly_coprime<4, 3, eighths>(x);
  else if constexpr (R == 14)
    butterfly_coprime<2, 7, eighths>(x);
  else if constexpr (R == 15)
    butterfly_coprime<5, 3, eighths>(x);
  else if constexpr (R == 16)
    butterfly_product<4, 4, eighths>(x);
  else if constexpr (R == 25)
    butterfly_product<5, 5, eighths>(x);
  else if constexpr (R == 27)
    butterfly_product<3, 9, eighths>(x);
  else if constexpr (R == 35)
    butterfly_coprime<5, 7, eighths>(x);
  else if constexpr (R == 49)
    butterfly_product<7, 7, eighths>(x);
  else
    butterfly_odd<R>(x);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

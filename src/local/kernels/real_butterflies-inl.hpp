// SPDX-License-Identifier: BSD-3-Clause
// Butterflies of reals: transforms of R real vectors in registers, and their inverses.
//
// If X[k] is the transform of x[0] ... x[R-1], then y[k] is X[k] for k = 1 ... (R-1)/2. Sums
// replace the real coefficients: if R is odd, s[0] is the sum of all x; if R is even, s[0] is that
// of x[0], x[2], ... and s[1] that of x[1], x[3], ..., so X[0] = s[0] + s[1] and
// X[R/2] = s[0] - s[1]. The inverse is
//   x[j] = s[j mod 2] + 2 Re sum_k y[k] exp(2 pi i j k / R),
// with s[0] for all j if R is odd. Compiled once for each instruction set.
#include <array>

#include "local/kernels/butterflies-inl.hpp"

#if defined(SIXSTEP_LOCAL_REAL_BUTTERFLIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_BUTTERFLIES_INL
#undef SIXSTEP_LOCAL_REAL_BUTTERFLIES_INL
#else
#define SIXSTEP_LOCAL_REAL_BUTTERFLIES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

template <class Real>
HWY_INLINE Complex<Real> conjugated(Complex<Real> x) {
  return {x.re, hn::Neg(x.im)};
}

template <class Real>
HWY_INLINE Complex<Real> plus_conjugate(Complex<Real> a, Complex<Real> b) {
  return {hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class Real>
HWY_INLINE Complex<Real> minus_conjugate(Complex<Real> a, Complex<Real> b) {
  return {hn::Sub(a.re, b.re), hn::Add(a.im, b.im)};
}

/// cos and sin of 2 pi k / R, k = 0 ... R - 1.
template <int R, class Real>
struct Circle {
  std::array<Real, R> cosines{};
  std::array<Real, R> sines{};

  constexpr Circle() {
    for (int k = 0; k < R; ++k) {
      cosines[static_cast<std::size_t>(k)] = static_cast<Real>(cosine(k, R));
      sines[static_cast<std::size_t>(k)] = static_cast<Real>(sine(k, R));
    }
  }
};
template <int R, class Real>
inline constexpr Circle<R, Real> circle;

/// a + sum_k factors[j k mod R] x[k], k = 1 ... R/2.
template <int R, class Real>
HWY_INLINE Vector<Real> sum_of_products(Vector<Real> a, Vector<Real> const* x,
                                        std::array<Real, R> const& factors, int j) {
  Tag<Real> const d;
  HWY_UNROLL(8)
  for (int k = 1; k <= R / 2; ++k)
    a = mul_add(x[k], hn::Set(d, factors[static_cast<std::size_t>(j * k % R)]), a);
  return a;
}

// Odd R except 9: by pairs, like butterfly_odd().

template <int R, class Real>
HWY_INLINE void real_odd(Vector<Real> const* x, Vector<Real>* s, Complex<Real>* y) {
  Tag<Real> const d;
  Vector<Real> sums[R / 2 + 1], differences[R / 2 + 1];
  s[0] = x[0];
  HWY_UNROLL(8)
  for (int k = 1; k <= R / 2; ++k) {
    sums[k] = hn::Add(x[k], x[R - k]);
    differences[k] = hn::Sub(x[R - k], x[k]);
    s[0] = hn::Add(s[0], sums[k]);
  }
  auto const& c = circle<R, Real>;
  HWY_UNROLL(8)
  for (int j = 1; j <= R / 2; ++j) {
    y[j].re = sum_of_products<R, Real>(x[0], sums, c.cosines, j);
    y[j].im = sum_of_products<R, Real>(hn::Zero(d), differences, c.sines, j);
  }
}

/// Sums start with s: adding it at the end would lose digits.
template <int R, class Real>
HWY_INLINE void real_odd_back(Vector<Real> s, Complex<Real> const* y, Vector<Real>* x) {
  Tag<Real> const d;
  Vector<Real> re[R / 2 + 1], im[R / 2 + 1];
  x[0] = s;
  HWY_UNROLL(8)
  for (int k = 1; k <= R / 2; ++k) {
    re[k] = hn::Add(y[k].re, y[k].re);
    im[k] = hn::Add(y[k].im, y[k].im);
    x[0] = hn::Add(x[0], re[k]);
  }
  auto const& c = circle<R, Real>;
  HWY_UNROLL(8)
  for (int j = 1; j <= R / 2; ++j) {
    Vector<Real> const even = sum_of_products<R, Real>(s, re, c.cosines, j);
    if constexpr (R == 3) {
      auto const factor = hn::Set(d, c.sines[1]);
      x[1] = negated_mul_add(im[1], factor, even);
      x[2] = mul_add(im[1], factor, even);
    } else {
      Vector<Real> const odd = sum_of_products<R, Real>(hn::Zero(d), im, c.sines, j);
      x[j] = hn::Sub(even, odd);
      x[R - j] = hn::Add(even, odd);
    }
  }
}

// 9 = 3 x 3: first x[a], x[a+3], x[a+6].

template <class Real>
HWY_INLINE void real_nine(Vector<Real> const* x, Vector<Real>* s, Complex<Real>* y) {
  Vector<Real> u[3];
  Complex<Real> v[3];
  HWY_UNROLL(3)
  for (int a = 0; a < 3; ++a) {
    Vector<Real> const three[3] = {x[a], x[a + 3], x[a + 6]};
    Complex<Real> first[2];
    real_odd<3, Real>(three, u + a, first);
    v[a] = first[1];
  }
  Complex<Real> third[2];
  real_odd<3, Real>(u, s, third);
  v[1] = times_root<1, 9>(v[1]);
  v[2] = times_root<2, 9>(v[2]);
  butterfly_odd<3>(v);
  y[1] = v[0];
  y[2] = conjugated(v[2]);
  y[3] = third[1];
  y[4] = v[1];
}

template <class Real>
HWY_INLINE void real_nine_back(Vector<Real> s, Complex<Real> const* y, Vector<Real>* x) {
  Complex<Real> v[3] = {y[1], conjugated(y[2]), y[4]};  // backward: reverse order
  butterfly_odd<3>(v);
  v[1] = times_root<8, 9>(v[1]);
  v[2] = times_root<7, 9>(v[2]);
  Complex<Real> const third[2] = {y[3], y[3]};
  Vector<Real> u[3];
  real_odd_back<3, Real>(s, third, u);
  HWY_UNROLL(3)
  for (int a = 0; a < 3; ++a) {
    Complex<Real> const first[2] = {v[a], v[a]};
    Vector<Real> three[3];
    real_odd_back<3, Real>(u[a], first, three);
    HWY_UNROLL(3)
    for (int b = 0; b < 3; ++b) x[a + 3 * b] = three[b];
  }
}

// R = 4, 8, 16: sums of x[j] and x[j+R/2] give the even X, differences d[j] the odd ones:
// y[i] = X[2i+1] = sum_j d[j] exp(-2 pi i j (2i+1) / R), of which N/2 are needed, N = R/2.

template <int N, class Real>
HWY_INLINE void odd_rows(Vector<Real> const* d, Complex<Real>* y) {
  Tag<Real> const tag;
  auto const h = hn::Set(tag, static_cast<Real>(cosine(1, 8)));
  if constexpr (N == 2) {
    y[0] = {d[0], hn::Neg(d[1])};
  } else if constexpr (N == 4) {
    Vector<Real> const p = hn::Sub(d[1], d[3]), q = hn::Add(d[1], d[3]);
    y[0] = {mul_add(h, p, d[0]), negated_mul_sub(h, q, d[2])};
    y[1] = {negated_mul_add(h, p, d[0]), negated_mul_add(h, q, d[2])};
  } else {
    // Products by the tangent of pi/8, then one product of all by its cosine.
    auto const c = hn::Set(tag, static_cast<Real>(cosine(1, 16)));
    auto const t = hn::Set(tag, static_cast<Real>(sine(1, 16) / cosine(1, 16)));
    Vector<Real> const p = hn::Sub(d[2], d[6]), q = hn::Add(d[2], d[6]);
    Complex<Real> const u{mul_add(h, p, d[0]), negated_mul_sub(h, q, d[4])};
    Complex<Real> const v{negated_mul_add(h, p, d[0]), mul_sub(h, q, d[4])};
    Vector<Real> const a = hn::Sub(d[1], d[7]), b = hn::Add(d[1], d[7]);
    Vector<Real> const e = hn::Sub(d[3], d[5]), f = hn::Add(d[3], d[5]);
    Vector<Real> const pr = mul_add(t, e, a), pi = mul_add(t, b, f);
    Vector<Real> const qr = negated_mul_add(t, f, b), qi = negated_mul_add(t, a, e);
    y[0] = {mul_add(c, pr, u.re), negated_mul_add(c, pi, u.im)};
    y[3] = {negated_mul_add(c, pr, u.re), negated_mul_sub(c, pi, u.im)};
    y[2] = {mul_add(c, qi, v.re), negated_mul_add(c, qr, v.im)};
    y[1] = {negated_mul_add(c, qi, v.re), negated_mul_sub(c, qr, v.im)};
  }
}

/// Computes d[j], which must be multiplied by odd_factors.
template <int N, class Real>
HWY_INLINE void odd_rows_back(Complex<Real> const* y, Vector<Real>* d) {
  if constexpr (N == 2) {
    d[0] = y[0].re;
    d[1] = y[0].im;
  } else if constexpr (N == 4) {
    Vector<Real> const p = hn::Sub(y[0].re, y[1].re), q = hn::Add(y[0].im, y[1].im);
    d[0] = hn::Add(y[0].re, y[1].re);
    d[1] = hn::Sub(p, q);
    d[2] = hn::Sub(y[1].im, y[0].im);
    d[3] = hn::Add(p, q);
  } else {
    Tag<Real> const tag;
    auto const t = hn::Set(tag, static_cast<Real>(sine(1, 16) / cosine(1, 16)));
    Complex<Real> const a = plus_conjugate(y[0], y[3]), b = minus_conjugate(y[0], y[3]);
    Complex<Real> const e = plus_conjugate(y[2], y[1]), f = minus_conjugate(y[2], y[1]);
    Complex<Real> const g0 = a + e, g1 = plus_i(b, f), g2 = a - e, g3 = minus_i(b, f);
    d[0] = g0.re;
    d[4] = g0.im;
    d[2] = hn::Sub(g2.re, g2.im);
    d[6] = hn::Add(g2.re, g2.im);
    d[1] = negated_mul_add(t, g1.im, g1.re);
    d[5] = mul_add(t, g1.re, g1.im);
    d[3] = mul_sub(t, g3.re, g3.im);
    d[7] = mul_add(t, g3.im, g3.re);
  }
}

template <int N, class Real>
constexpr std::array<Real, N> odd_factors() {
  constexpr auto h = static_cast<Real>(2 * cosine(1, 8));
  constexpr auto c = static_cast<Real>(2 * cosine(1, 16));
  if constexpr (N == 2)
    return {2, -2};
  else if constexpr (N == 4)
    return {2, h, 2, -h};
  else
    return {2, c, h, c, -2, -c, -h, -c};
}

// R = 6, 10: the even X from sums of x[2k] and x[2k+N], N = R/2, the odd ones from differences.

template <int N, class Real>
HWY_INLINE void real_twice_odd(Vector<Real> const* x, Vector<Real>* s, Complex<Real>* y) {
  Vector<Real> sums[N], differences[N], ignored;
  HWY_UNROLL(8)
  for (int k = 0; k < N; ++k) {
    Vector<Real> const a = x[2 * k], b = x[(2 * k + N) % (2 * N)];
    sums[k] = hn::Add(a, b);
    differences[k] = hn::Sub(a, b);
    s[0] = k == 0 ? a : hn::Add(s[0], a);
    s[1] = k == 0 ? b : hn::Add(s[1], b);
  }
  Complex<Real> even[N / 2 + 1], odd[N / 2 + 1];
  real_odd<N, Real>(sums, &ignored, even);
  real_odd<N, Real>(differences, &ignored, odd);
  HWY_UNROLL(8)
  for (int k = 1; k < N; ++k) {
    Complex<Real> const* const from = k % 2 == 0 ? even : odd;
    y[k] = 2 * k < N ? from[k] : conjugated(from[N - k]);
  }
}

template <int N, class Real>
HWY_INLINE void real_twice_odd_back(Vector<Real> const* s, Complex<Real> const* y,
                                    Vector<Real>* x) {
  Complex<Real> even[N / 2 + 1], odd[N / 2 + 1];
  HWY_UNROLL(8)
  for (int k = 1; k < N; ++k) {
    Complex<Real>* const to = k % 2 == 0 ? even : odd;
    if (2 * k < N)
      to[k] = y[k];
    else
      to[N - k] = conjugated(y[k]);
  }
  Vector<Real> sums[N], differences[N];
  auto const zero = hn::Zero(Tag<Real>());
  real_odd_back<N, Real>(zero, even, sums);
  real_odd_back<N, Real>(zero, odd, differences);
  HWY_UNROLL(8)
  for (int k = 0; k < N; ++k) {
    x[2 * k] = hn::Add(s[0], hn::Add(sums[k], differences[k]));
    x[(2 * k + N) % (2 * N)] = hn::Add(s[1], hn::Sub(sums[k], differences[k]));
  }
}

template <int R, class Real>
HWY_INLINE void real_butterfly(Vector<Real> const* x, Vector<Real>* s, Complex<Real>* y) {
  constexpr int N = R / 2;
  if constexpr (R == 2) {
    s[0] = x[0];
    s[1] = x[1];
  } else if constexpr (R == 9) {
    real_nine<Real>(x, s, y);
  } else if constexpr (R % 2 == 1) {
    real_odd<R, Real>(x, s, y);
  } else if constexpr (N % 2 == 1) {
    real_twice_odd<N, Real>(x, s, y);
  } else {
    Vector<Real> sums[N], differences[N];
    HWY_UNROLL(8)
    for (int j = 0; j < N; ++j) {
      sums[j] = hn::Add(x[j], x[j + N]);
      differences[j] = hn::Sub(x[j], x[j + N]);
    }
    Complex<Real> even[N / 2 + 1], odd[N / 2];
    real_butterfly<N, Real>(sums, s, even);
    odd_rows<N, Real>(differences, odd);
    HWY_UNROLL(8)
    for (int k = 1; k < N; ++k) y[k] = k % 2 == 0 ? even[k / 2] : odd[k / 2];
  }
}

template <int R, class Real>
HWY_INLINE void real_butterfly_back(Vector<Real> const* s, Complex<Real> const* y,
                                    Vector<Real>* x) {
  constexpr int N = R / 2;
  if constexpr (R == 2) {
    x[0] = s[0];
    x[1] = s[1];
  } else if constexpr (R % 2 == 1) {
    if constexpr (R == 9)
      real_nine_back<Real>(s[0], y, x);
    else
      real_odd_back<R, Real>(s[0], y, x);
  } else if constexpr (N % 2 == 1) {
    real_twice_odd_back<N, Real>(s, y, x);
  } else {
    Tag<Real> const tag;
    Complex<Real> even[N / 2 + 1], odd[N / 2];
    HWY_UNROLL(8)
    for (int k = 1; k < N; k += 2) odd[k / 2] = y[k];
    HWY_UNROLL(8)
    for (int k = 2; k < N; k += 2) even[k / 2] = y[k];
    Vector<Real> sums[N], differences[N];
    real_butterfly_back<N, Real>(s, even, sums);
    odd_rows_back<N, Real>(odd, differences);
    static constexpr std::array<Real, N> factors = odd_factors<N, Real>();
    HWY_UNROLL(8)
    for (int j = 0; j < N; ++j) {
      auto const factor = hn::Set(tag, factors[static_cast<std::size_t>(j)]);
      x[j] = mul_add(factor, differences[j], sums[j]);
      x[j + N] = negated_mul_add(factor, differences[j], sums[j]);
    }
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

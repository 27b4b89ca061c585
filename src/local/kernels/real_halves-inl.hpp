// SPDX-License-Identifier: BSD-3-Clause
// The steps before and after the complex transform of n/2 points by which a contiguous real or
// cosine transform of n points is computed.
//
// Columns that are too short for vectors are processed one element at a time. Compiled once for
// each instruction set.
#include <algorithm>
#include <complex>

#include "local/kernels/mirrored-inl.hpp"
#include "local/kernels/real_kernels.hpp"

#if defined(SIXSTEP_LOCAL_REAL_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_REAL_HALVES_INL
#undef SIXSTEP_LOCAL_REAL_HALVES_INL
#else
#define SIXSTEP_LOCAL_REAL_HALVES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// Elements k ... k + L - 1 and m - k - L + 1 ... m - k of some columns:
///   E = x[k] + conj x[m-k], P = u_k (x[k] - conj x[m-k]), y[k] = E + P, y[m-k] = conj(E - P),
/// where u_k is -i w_2m^k, or backward its conjugate.
template <class Real, bool backward, int columns>
HWY_INLINE void turn_vectors(Halves<Real> const& halves, Real const* lower, Real const* upper,
                             Index k, Real* to_lower, Real* to_upper) {
  Tag<Real> const d;
  Vector<Real> const scale = hn::Set(d, halves.scale);
  Complex<Real> factor = load_columns<Real>(halves.factors->at(k));
  factor = {hn::Mul(factor.re, scale), hn::Mul(factor.im, backward ? hn::Neg(scale) : scale)};
  HWY_UNROLL(4)
  for (int c = 0; c < columns; ++c) {
    Complex<Real> const a = load_columns<Real>(lower + c * halves.from_lane);
    Complex<Real> const b = load_mirrored<Real>(upper + c * halves.from_lane);
    Complex<Real> const even{hn::Add(a.re, b.re), hn::Sub(a.im, b.im)};
    Complex<Real> const odd{hn::Sub(a.re, b.re), hn::Add(a.im, b.im)};
    Complex<Real> const turned = odd * factor;
    store_columns<Real>({mul_add(even.re, scale, turned.re), mul_add(even.im, scale, turned.im)},
                        to_lower + c * halves.to_lane);
    store_mirrored<Real>(
        {mul_sub(even.re, scale, turned.re), negated_mul_add(even.im, scale, turned.im)},
        to_upper + c * halves.to_lane);
  }
}

/// Turns the complex numbers of one vector, with interleaved parts: for columns of fewer
/// than 2 L numbers.
template <class Real, bool backward>
HWY_INLINE void turn_numbers(Halves<Real> const& halves, Real const* lower, Real const* upper,
                             Index k, Real* to_lower, Real* to_upper) {
  Tag<Real> const d;
  Vector<Real> const scale = hn::Set(d, halves.scale);
  Vector<Real> const conjugate = alternating(Real{1});
  Vector<Real> const factor = hn::LoadU(d, halves.factors->at(k));
  Vector<Real> const sign = backward ? conjugate : hn::Neg(conjugate);
  Vector<Real> const cosine = hn::Mul(hn::DupEven(factor), scale);
  Vector<Real> const sine = hn::Mul(hn::Mul(hn::DupOdd(factor), scale), sign);
  Vector<Real> const a = hn::LoadU(d, lower);
  Vector<Real> const b = reversed<Real>(hn::LoadU(d, upper));
  Vector<Real> const even = mul_add(conjugate, b, a);
  Vector<Real> const odd = negated_mul_add(conjugate, b, a);
  Vector<Real> const turned = mul_add(sine, swapped<Real>(odd), hn::Mul(cosine, odd));
  hn::StoreU(mul_add(even, scale, turned), d, to_lower);
  hn::StoreU(reversed<Real>(hn::Mul(mul_sub(even, scale, turned), conjugate)), d, to_upper);
}

#endif  // SCALAR

/// Turns all k of one column, one at a time.
template <class Real, bool backward>
HWY_INLINE void turn_one_by_one(HalfFactors<Real> const& factors, Real scale,
                                std::complex<Real> const* from, std::complex<Real>* to) {
  Index const m = factors.m();
  for (Index k = 1; 2 * k <= m; ++k) {
    std::complex<Real> const u = backward ? std::conj(factors[k]) : factors[k];
    std::complex<Real> const a = from[k], b = std::conj(from[m - k]);
    Real const re = a.real() - b.real(), im = a.imag() - b.imag();
    std::complex<Real> const odd{u.real() * re - u.imag() * im, u.real() * im + u.imag() * re};
    to[k] = (a + b + odd) * scale;
    to[m - k] = std::conj(a + b - odd) * scale;
  }
}

/// Processes several whole columns at the same time.
template <class Real, bool backward, int columns>
HWY_INLINE void turn(Halves<Real> const& halves, Real const* from, Real* to) {
  Index const m = halves.factors->m();
  for (int c = 0; c < columns; ++c) {
    Real const* const x = from + c * halves.from_lane;
    Real* const y = to + c * halves.to_lane;
    Real const first = halves.scale * x[0], second = halves.scale * x[backward ? 2 * m : 1];
    Real const times = backward ? 1 : 2;
    y[0] = times * (first + second);
    y[1] = backward ? first - second : 0;
    if (!backward) {
      y[2 * m] = times * (first - second);
      y[2 * m + 1] = 0;
    }
  }
  if constexpr (1 < lanes<Real>) {
    constexpr Index L = lanes<Real>;
    // The last vectors may overlap those before them, and each other.
    if (m / 2 >= L) {
      for (Index next = 1; next <= m / 2; next += L) {
        Index const k = std::min(next, m / 2 - L + 1), mirror = m - k - L + 1;
        turn_vectors<Real, backward, columns>(halves, from + 2 * k, from + 2 * mirror, k,
                                              to + 2 * k, to + 2 * mirror);
      }
      return;
    }
    constexpr Index V = complexes<Real>;
    if (m / 2 >= V) {
      for (int c = 0; c < columns; ++c, from += halves.from_lane, to += halves.to_lane)
        for (Index next = 1; next <= m / 2; next += V) {
          Index const k = std::min(next, m / 2 - V + 1), mirror = m - k - V + 1;
          turn_numbers<Real, backward>(halves, from + 2 * k, from + 2 * mirror, k, to + 2 * k,
                                       to + 2 * mirror);
        }
      return;
    }
  }
  for (int c = 0; c < columns; ++c)
    turn_one_by_one<Real, backward>(
        *halves.factors, halves.scale,
        reinterpret_cast<std::complex<Real> const*>(from + c * halves.from_lane),
        reinterpret_cast<std::complex<Real>*>(to + c * halves.to_lane));
}

/// Processes the columns from `first` on, `together` at a time; returns the first that is left.
template <class Real, bool backward, int together>
HWY_INLINE Index turn_columns(Halves<Real> const& halves, Index first) {
  for (; first + together <= halves.columns; first += together)
    turn<Real, backward, together>(halves, halves.from + first * halves.from_lane,
                                   halves.to + first * halves.to_lane);
  return first;
}

// Columns that are processed together share loads of factors, and together short ones keep the
// processor busy.
template <class Real, bool backward>
void turn_halves(Halves<Real> const& halves) {
  Index next = turn_columns<Real, backward, 4>(halves, 0);
  next = turn_columns<Real, backward, 2>(halves, next);
  turn_columns<Real, backward, 1>(halves, next);
}

// Cosine transforms.

#if HWY_TARGET != HWY_SCALAR

/// x[first], x[first + 1], ... of n reals, or of the reversed reals if `mirrored`.
template <class Real, bool mirrored>
HWY_INLINE Vector<Real> get(Real const* x, Index n, Index first) {
  Tag<Real> const d;
  if constexpr (mirrored) return hn::Reverse(d, hn::LoadU(d, x + n - first - lanes<Real>));
  return hn::LoadU(d, x + first);
}
template <class Real, bool mirrored>
HWY_INLINE void put(Vector<Real> value, Real* x, Index n, Index first) {
  Tag<Real> const d;
  if constexpr (mirrored)
    hn::StoreU(hn::Reverse(d, value), d, x + n - first - lanes<Real>);
  else
    hn::StoreU(value, d, x + first);
}

template <class Real>
HWY_INLINE Complex<Real> conjugate(Complex<Real> x) {
  return {x.re, hn::Neg(x.im)};
}
template <class Real>
HWY_INLINE Complex<Real> backwards(Complex<Real> x) {
  Tag<Real> const d;
  return {hn::Reverse(d, x.re), hn::Reverse(d, x.im)};
}
template <class Real>
HWY_INLINE Complex<Real> factors_at(typename CosineFactors<Real>::Parts const& parts, Index k) {
  Tag<Real> const d;
  return {hn::LoadU(d, parts.re.data() + k - 1), hn::LoadU(d, parts.im.data() + k - 1)};
}

#endif  // SCALAR

template <class Real>
std::complex<Real> factor_at(typename CosineFactors<Real>::Parts const& parts, Index k) {
  auto const at = static_cast<std::size_t>(k - 1);
  return {parts.re[at], parts.im[at]};
}
/// A product without the checks for infinities in std::complex.
template <class Real>
std::complex<Real> product(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class Real>
void fold(Real const* x, Index n, Real sign, Real* v) {
  Index j = 0;
  if constexpr (1 < lanes<Real>) {
    Tag<Real> const d;
    for (; 2 * (j + lanes<Real>) <= n; j += lanes<Real>) {
      Complex<Real> const both = get_complex<Real>(x + 2 * j);
      hn::StoreU(both.re, d, v + j);
      put<Real, true>(hn::Mul(both.im, hn::Set(d, sign)), v, n, j);
    }
  }
  for (; 2 * j < n; ++j) {
    v[j] = x[2 * j];
    if (2 * j + 1 < n) v[n - 1 - j] = sign * x[2 * j + 1];
  }
}

template <class Real>
void unfold(Real const* v, Index n, Real sign, Real* x) {
  Index j = 0;
  if constexpr (1 < lanes<Real>) {
    Tag<Real> const d;
    for (; 2 * (j + lanes<Real>) <= n; j += lanes<Real>) {
      Vector<Real> const odd = hn::Mul(get<Real, true>(v, n, j), hn::Set(d, sign));
      put_complex<Real>({hn::LoadU(d, v + j), odd}, x + 2 * j);
    }
  }
  for (; 2 * j < n; ++j) {
    x[2 * j] = v[j];
    if (2 * j + 1 < n) x[2 * j + 1] = sign * v[n - 1 - j];
  }
}

/// E + P of turn_vectors() is twice V[k], and E - P is twice conj V[m-k]. If t is w_4n^k V[k], then
/// y[k] is 2 Re t and y[n-k] is -2 Im t.
template <class Real, bool mirrored>
HWY_INLINE void split_cosines_of(std::complex<Real> const* z, CosineFactors<Real> const& factors,
                                 Real scale, Real* y) {
  Index const m = factors.m, n = 2 * m;
  auto const place = [n](Index k) { return mirrored ? n - 1 - k : k; };
  constexpr Real half_root = static_cast<Real>(0.70710678118654752440L);
  y[place(0)] = 2 * scale * (z[0].real() + z[0].imag());
  y[place(m)] = 2 * half_root * scale * (z[0].real() - z[0].imag());
  Index k = 1;
  if constexpr (1 < lanes<Real>) {
    constexpr Index L = lanes<Real>;
    Tag<Real> const d;
    auto const* const parts = reinterpret_cast<Real const*>(z);
    Vector<Real> const plus = hn::Set(d, scale);
    Vector<Real> const minus = hn::Set(d, -scale);
    for (; m - 2 * k + 1 >= L; k += L) {
      Complex<Real> const a = get_complex<Real>(parts + 2 * k);
      Complex<Real> const b = conjugate(backwards(get_complex<Real>(parts + 2 * (m - k - L + 1))));
      Complex<Real> const even = a + b;
      Complex<Real> const odd = factors_at<Real>(factors.halves, k) * (a - b);
      Complex<Real> const lower = factors_at<Real>(factors.lower, k) * (even + odd);
      Complex<Real> const upper = factors_at<Real>(factors.upper, k) * conjugate(even - odd);
      put<Real, mirrored>(hn::Mul(lower.re, plus), y, n, k);
      put<Real, mirrored>(hn::Mul(upper.im, minus), y, n, m + k);
      put<Real, !mirrored>(hn::Mul(upper.re, plus), y, n, m + k - 1);
      put<Real, !mirrored>(hn::Mul(lower.im, minus), y, n, k - 1);
    }
  }
  for (; 2 * k <= m; ++k) {
    std::complex<Real> const a = z[k], b = std::conj(z[m - k]);
    std::complex<Real> const odd = product(factor_at<Real>(factors.halves, k), a - b);
    std::complex<Real> const lower = product(factor_at<Real>(factors.lower, k), a + b + odd);
    std::complex<Real> const upper =
        product(factor_at<Real>(factors.upper, k), std::conj(a + b - odd));
    y[place(k)] = scale * lower.real();
    y[place(n - k)] = -scale * lower.imag();
    y[place(m - k)] = scale * upper.real();
    y[place(m + k)] = -scale * upper.imag();
  }
}

template <class Real>
void split_cosines(std::complex<Real> const* z, CosineFactors<Real> const& factors, Real scale,
                   bool mirrored, Real* y) {
  if (mirrored)
    split_cosines_of<Real, true>(z, factors, scale, y);
  else
    split_cosines_of<Real, false>(z, factors, scale, y);
}

/// The transpose: conj V[k] = w_4n^k (x[k] + i x[n-k]); then from V to z like join_halves().
template <class Real, bool mirrored>
HWY_INLINE void join_cosines_of(Real const* x, CosineFactors<Real> const& factors,
                                std::complex<Real>* z) {
  Index const m = factors.m, n = 2 * m;
  auto const at = [x, n](Index k) { return x[mirrored ? n - 1 - k : k]; };
  constexpr Real root = static_cast<Real>(1.41421356237309504880L);
  z[0] = {at(0) + root * at(m), at(0) - root * at(m)};
  Index k = 1;
  if constexpr (1 < lanes<Real>) {
    constexpr Index L = lanes<Real>;
    auto* const parts = reinterpret_cast<Real*>(z);
    for (; m - 2 * k + 1 >= L; k += L) {
      Complex<Real> const lower{get<Real, mirrored>(x, n, k), get<Real, !mirrored>(x, n, k - 1)};
      Complex<Real> const upper{get<Real, !mirrored>(x, n, m + k - 1),
                                get<Real, mirrored>(x, n, m + k)};
      Complex<Real> const a = conjugate(factors_at<Real>(factors.lower, k) * lower);
      Complex<Real> const b = factors_at<Real>(factors.upper, k) * upper;
      Complex<Real> const odd = conjugate(factors_at<Real>(factors.halves, k)) * (a - b);
      put_complex<Real>(a + b + odd, parts + 2 * k);
      put_complex<Real>(backwards(conjugate(a + b - odd)), parts + 2 * (m - k - L + 1));
    }
  }
  for (; 2 * k <= m; ++k) {
    std::complex<Real> const lower{at(k), at(n - k)}, upper{at(m - k), at(m + k)};
    std::complex<Real> const a = std::conj(product(factor_at<Real>(factors.lower, k), lower));
    std::complex<Real> const b = product(factor_at<Real>(factors.upper, k), upper);
    std::complex<Real> const odd = product(std::conj(factor_at<Real>(factors.halves, k)), a - b);
    z[k] = a + b + odd;
    z[m - k] = std::conj(a + b - odd);
  }
}

template <class Real>
void join_cosines(Real const* x, CosineFactors<Real> const& factors, bool mirrored,
                  std::complex<Real>* z) {
  if (mirrored)
    join_cosines_of<Real, true>(x, factors, z);
  else
    join_cosines_of<Real, false>(x, factors, z);
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of 8 to 64 points that stay in registers, with interleaved parts.
//
// n = A B. Vectors hold S neighbouring numbers. The steps are a transform of A elements that are B
// apart, twiddles, a transposition of squares of S x S numbers, and a transform of B elements. If A
// is less than S, S/A transforms fill the squares together. Compiled once for each instruction set.
#include <utility>
#include <vector>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/row_places-inl.hpp"

#if defined(SIXSTEP_LOCAL_SHORT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_SHORT_ROWS_INL
#undef SIXSTEP_LOCAL_SHORT_ROWS_INL
#else
#define SIXSTEP_LOCAL_SHORT_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

/// The number of transforms that fill the squares together.
template <class Real, int A>
inline constexpr int together = A < numbers<Real> ? numbers<Real> / A : 1;

/// Stores the numbers of T transforms, which share a vector, `half` Reals apart.
template <int T, class Vector, class D, class Real>
HWY_INLINE void store_shares(Vector x, D d, Real* to, Index half) {
  if constexpr (T == 1) {
    hn::StoreU(x, d, to);
  } else {
    hn::Half<D> const lower;
    store_shares<T / 2>(hn::LowerHalf(lower, x), lower, to, half);
    store_shares<T / 2>(hn::UpperHalf(lower, x), lower, to + T / 2 * half, half);
  }
}

/// Whole transforms of length A B, one group after another. The twiddles are those of S neighbours,
/// then the next S, [c][a - 1], each in the form that times() needs. Data are prefetched `ahead`
/// groups ahead; 0 if they are in cache.
template <int A, int B, class Real>
HWY_NOINLINE void short_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             TwiddleRow<Real> const* twiddles, Index sign, Scale<Real> scale,
                             Index ahead) {
  constexpr int S = numbers<Real>;
  constexpr int L = lanes<Real>;
  constexpr int T = together<Real, A>;
  constexpr int squares = A * T / S;
  Tag<Real> const d;
  // Where a transform fills a vector, a backward one conjugates the numbers on both sides.
  Vector<Real> const conjugate = for_parts<Real>(1, static_cast<Real>(sign));
  Spread const source(A, 2 * B, sign);
  Spread const target(B, 2 * A, sign);
  for (Index g = 0; g < groups; ++g) {
    if (ahead > 0)
      for (int t = 0; t < T; ++t) fetch(from.first + ahead * from.group + t * from.half, 2 * A * B);
    Interleaved<Real> z[squares][B];
    HWY_UNROLL(8)
    for (int c = 0; c < B / S; ++c) {
      Interleaved<Real> y[A * T];
      HWY_UNROLL(8)
      for (int t = 0; t < T; ++t) {
        for_places<A>(from.first + t * from.half + c * L, source,
                      [&](int a, Real const* place)
                          HWY_ATTR { y[t * A + a] = load_numbers(place); });
      }
      scale_numbers<A * T>(scale, y);
      HWY_UNROLL(8)
      for (int t = 0; t < T; ++t) {
        if constexpr (A == 1)
          y[t].parts = hn::Mul(y[t].parts, conjugate);
        else
          butterfly<A, Eighths::last>(y + t * A);
        HWY_UNROLL(16)
        for (int a = 1; a < A; ++a) {
          Complex<Real> const twiddle = load_row(twiddles[c * (A - 1) + a - 1].parts);
          y[t * A + a] = times(y[t * A + a], twiddle.re, twiddle.im);
        }
      }
      HWY_UNROLL(16)
      for (int j = 0; j < squares; ++j) {
        transpose_numbers(y + j * S);
        HWY_UNROLL(8)
        for (int i = 0; i < S; ++i) z[j][c * S + i] = y[j * S + i];
      }
    }
    HWY_UNROLL(16)
    for (int j = 0; j < squares; ++j) {
      butterfly<B, Eighths::last>(z[j]);
      if constexpr (A == 1) {
        transpose_numbers(z[0]);
        HWY_UNROLL(8)
        for (int t = 0; t < T; ++t)
          hn::StoreU(hn::Mul(z[0][t].parts, conjugate), d, to.first + t * to.half);
      } else {
        for_places<B>(to.first + j * L, target, [&](int k, Real* place) HWY_ATTR {
          store_shares<T>(z[j][k].parts, d, place, to.half);
        });
      }
    }
    from.first += from.group;
    to.first += to.group;
  }
}

#if HWY_TARGET == HWY_AVX3

/// Transposes the squares of 4 x 4 numbers in both halves of four vectors.
HWY_INLINE void transpose_in_halves(Interleaved<float>* x) {
  __m512i const lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  __m512i const upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  Tag<double> const wide;
  auto const a = hn::BitCast(wide, x[0].parts);
  auto const b = hn::BitCast(wide, x[1].parts);
  auto const c = hn::BitCast(wide, x[2].parts);
  auto const e = hn::BitCast(wide, x[3].parts);
  auto const ab = hn::InterleaveLower(wide, a, b);
  auto const ab_odd = hn::InterleaveUpper(wide, a, b);
  auto const ce = hn::InterleaveLower(wide, c, e);
  auto const ce_odd = hn::InterleaveUpper(wide, c, e);
  auto const number = [](__m512d y) {
    return Interleaved<float>{Vector<float>{_mm512_castpd_ps(y)}};
  };
  x[0] = number(_mm512_permutex2var_pd(ab.raw, lower, ce.raw));
  x[1] = number(_mm512_permutex2var_pd(ab_odd.raw, lower, ce_odd.raw));
  x[2] = number(_mm512_permutex2var_pd(ab.raw, upper, ce.raw));
  x[3] = number(_mm512_permutex2var_pd(ab_odd.raw, upper, ce_odd.raw));
}

/// Transforms of 16 points in the halves of vectors of eight numbers, two at a time. Each half has
/// the twiddles of n = 4 x 4.
inline HWY_NOINLINE void short_rows_in_halves(RowPlaces<float const> from, RowPlaces<float> to,
                                              Index groups, TwiddleRow<float> const* twiddles,
                                              Index sign, Scale<float> scale, Index ahead) {
  Tag<float> const d;
  hn::Half<Tag<float>> const half;
  Spread const spread(4, 8, sign);
  for (Index g = 0; g < groups; ++g) {
    if (ahead > 0)
      for (int t = 0; t < 2; ++t) fetch(from.first + ahead * from.group + t * from.half, 32);
    Interleaved<float> x[4];
    for_places<4>(from.first, spread, [&](int k, float const* place) HWY_ATTR {
      x[k].parts = hn::Combine(d, hn::LoadU(half, place + from.half), hn::LoadU(half, place));
    });
    scale_numbers<4>(scale, x);
    butterfly<4, Eighths::last>(x);
    HWY_UNROLL(4)
    for (int k = 1; k < 4; ++k) {
      Complex<float> const twiddle = load_row(twiddles[k - 1].parts);
      x[k] = times(x[k], twiddle.re, twiddle.im);
    }
    transpose_in_halves(x);
    butterfly<4, Eighths::last>(x);
    for_places<4>(to.first, spread, [&](int k, float* place) HWY_ATTR {
      store_shares<2>(x[k].parts, d, place, to.half);
    });
    from.first += from.group;
    to.first += to.group;
  }
}

#endif  // HWY_AVX3

/// The kernel for one length.
template <class Real>
struct ShortRows {
  void (*run)(RowPlaces<Real const>, RowPlaces<Real>, Index, TwiddleRow<Real> const*, Index,
              Scale<Real>, Index) = nullptr;
  int a = 1;
  int b = 1;
  int transforms = 1;              // in a group
  int neighbours = numbers<Real>;  // numbers of a transform in a vector

  /// `run` is null for lengths other than 8, 16, 32 and 64.
  static ShortRows of(Index n) {
    switch (n) {
      case 8:
        return of<8>();
      case 16:
        return of<16>();
      case 32:
        return of<32>();
      case 64:
        return of<64>();
      default:
        return {};
    }
  }

 private:
  template <int n>
  static ShortRows of() {
    constexpr int least = n == 8 ? 2 : n == 64 ? 8 : 4;
    constexpr int b = numbers < Real >> least ? numbers<Real> : least;
#if HWY_TARGET == HWY_AVX3
    if constexpr (n == 16 && sizeof(Real) == 4)
      return {short_rows_in_halves, 4, 4, 2, 4};
    else  // NOLINT(readability-else-after-return): the other is not to be compiled then
#endif
      return {short_rows<n / b, b, Real>, n / b, b, together<Real, n / b>, numbers<Real>};
  }
};

#endif  // HWY_SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

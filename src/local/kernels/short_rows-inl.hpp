// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of 16 to 64 points in two steps, with interleaved parts.
//
// n = A B. Vectors hold S neighbouring numbers. The steps are a transform of A elements that are B
// apart, twiddles, a transposition of squares of S x S numbers, and a transform of B elements. If A
// is less than S, S/A transforms fill the squares together. Compiled once for each instruction set.
#include <algorithm>
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
namespace sixstep::local::SIXSTEP_KERNELS {

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

/// The groups whose first steps are done before the second steps of any of them, by the vectors of
/// a group. A transposition of squares of eight numbers takes long, and independent work hides it.
/// Others stay in registers, one group at a time.
template <class Real>
constexpr Index groups_at_once(int vectors) {
  return sizeof(Real) == 4 && vectors >= 8 ? 8 : 1;
}

/// Whole transforms of length A B, one group after another. The twiddles are those of S neighbours,
/// then the next S, [c][a - 1], each in the form that times() needs.
template <int A, int B, class Real>
HWY_NOINLINE void short_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             TwiddleRow<Real> const* twiddles, Index sign, Scale<Real> scale,
                             Ahead ahead) {
  constexpr int S = numbers<Real>, L = lanes<Real>;
  constexpr int T = together<Real, A>;
  constexpr int squares = A * T / S;
  Tag<Real> const d;
  Spread const source(A, 2 * B, sign), target(B, 2 * A, sign);
  bool const fetches = ahead.any();
  constexpr Index most = groups_at_once<Real>(squares * B);
  HWY_ALIGN Real buffer[most * squares * B * L];  // [group][row][square]
  for (Index some = 0; groups > 0; groups -= some) {
    some = most > 1 ? std::min(groups, most) : 1;
    Real* rows = buffer;
    for (Index g = 0; g < some; ++g, rows += squares * B * L, from.first += from.group) {
      if (fetches) fetch_ahead<T>(ahead, from, to, 2 * A * B, g);
      HWY_UNROLL(8)
      for (int c = 0; c < B / S; ++c) {
        Interleaved<Real> y[A * T];
        HWY_UNROLL(8)
        for (int t = 0; t < T; ++t)
          for_places<A>(from.first + t * from.half + c * L, source,
                        [&](int a, Real const* place)
                            HWY_ATTR { y[t * A + a] = load_numbers(place); });
        scale_numbers<A * T>(scale, y);
        HWY_UNROLL(8)
        for (int t = 0; t < T; ++t) {
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
          for (int i = 0; i < S; ++i)
            hn::Store(y[j * S + i].parts, d, rows + ((c * S + i) * squares + j) * L);
        }
      }
    }
    rows = buffer;
    for (Index g = 0; g < some; ++g, rows += squares * B * L, to.first += to.group) {
      HWY_UNROLL(16)
      for (int j = 0; j < squares; ++j) {
        Interleaved<Real> z[B];
        HWY_UNROLL(8)
        for (int i = 0; i < B; ++i) z[i].parts = hn::Load(d, rows + (i * squares + j) * L);
        butterfly<B, Eighths::last>(z);
        for_places<B>(to.first + j * L, target, [&](int k, Real* place) HWY_ATTR {
          store_shares<T>(z[k].parts, d, place, to.half);
        });
      }
    }
  }
}

/// The kernel for one length.
template <class Real>
struct ShortRows {
  void (*run)(RowPlaces<Real const>, RowPlaces<Real>, Index, TwiddleRow<Real> const*, Index,
              Scale<Real>, Ahead) = nullptr;
  int a = 1;
  int b = 1;
  int transforms = 1;  // in a group

  /// `run` is null for lengths other than 16, 32 and 64.
  static ShortRows of(Index n) {
    switch (n) {
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
    constexpr int least = n == 64 ? 8 : 4;
    constexpr int b = numbers < Real >> least ? numbers<Real> : least;
    return {short_rows<n / b, b, Real>, n / b, b, together<Real, n / b>};
  }
};

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

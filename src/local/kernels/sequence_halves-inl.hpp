// SPDX-License-Identifier: BSD-3-Clause
// The steps before and after the complex transform of n/2 points of contiguous reals, with the bits
// of two sequences (real_sequences-inl.hpp): the same operations, where lanes are coefficients.
//
// Compiled once for each instruction set.
#include <algorithm>

#include "local/kernels/mirrored-inl.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/real_sequences-inl.hpp"
#include "local/kernels/sequence_kernels-inl.hpp"

#if defined(SIXSTEP_LOCAL_SEQUENCE_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_SEQUENCE_HALVES_INL
#undef SIXSTEP_LOCAL_SEQUENCE_HALVES_INL
#else
#define SIXSTEP_LOCAL_SEQUENCE_HALVES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// w_n^k, w_n^(k + 1) ..., from the factors -i w_n^k.
template <class Real>
HWY_INLINE Complex<Real> factors_from(Halves<Real> const& halves, Index k) {
  Complex<Real> const u = load_columns<Real>(halves.factors->at(k));
  return {hn::Neg(u.im), u.re};
}

/// Coefficients k ... k + L - 1 and m - k - L + 1 ... m - k of a column, as analyse() computes
/// them. Where both are coefficient m/2, the second is kept.
template <class Real>
HWY_INLINE void split_vectors(Halves<Real> const& halves, Complex<Real> factor, Real const* from,
                              Index k, Real* to) {
  Tag<Real> const d;
  Index const mirror = halves.factors->m() - k - lanes<Real> + 1;
  Complex<Real> const x = load_columns<Real>(from + 2 * k);
  Complex<Real> const y = load_mirrored<Real>(from + 2 * mirror);
  Complex<Real> const even{hn::Add(x.re, y.re), hn::Sub(x.im, y.im)};
  Complex<Real> const odd = Complex<Real>{hn::Add(x.im, y.im), hn::Sub(y.re, x.re)} * factor;
  Vector<Real> const scale = hn::Set(d, halves.scale);
  Complex<Real> const sum = even + odd, difference = even - odd;
  store_columns<Real>({hn::Mul(sum.re, scale), hn::Mul(sum.im, scale)}, to + 2 * k);
  store_mirrored<Real>({hn::Mul(difference.re, scale), hn::Mul(difference.im, hn::Neg(scale))},
                       to + 2 * mirror);
}

/// The points of a column at the same places, as synthesise() computes them from coefficients.
/// Where both are point m/2, the first is kept.
template <class Real>
HWY_INLINE void join_vectors(Halves<Real> const& halves, Complex<Real> factor, Real const* from,
                             Index k, Real* to) {
  Tag<Real> const d;
  Index const mirror = halves.factors->m() - k - lanes<Real> + 1;
  Vector<Real> const scale = hn::Set(d, halves.scale);
  Complex<Real> const x = load_columns<Real>(from + 2 * k);
  Complex<Real> const y = load_mirrored<Real>(from + 2 * mirror);
  Complex<Real> const a{hn::Mul(x.re, scale), hn::Mul(x.im, scale)};
  Complex<Real> const b{hn::Mul(y.re, scale), hn::Mul(y.im, hn::Neg(scale))};
  Complex<Real> const even = a + b;
  Complex<Real> const odd = (a - b) * Complex<Real>{factor.re, hn::Neg(factor.im)};
  store_mirrored<Real>({hn::Add(even.re, odd.im), hn::Sub(odd.re, even.im)}, to + 2 * mirror);
  store_columns<Real>(plus_i(even, odd), to + 2 * k);
}

/// Coefficients 0 and m, or point 0: the operations of a lane, in which some operands are zeros.
template <bool backward, class Real>
HWY_INLINE void turn_first(Halves<Real> const& halves, Real const* from, Real* to) {
  Index const m = halves.factors->m();
  Real const scale = halves.scale;
  if constexpr (backward) {
    Real const first = from[0] * scale, last = from[2 * m] * scale;
    Real const odd = first - last;
    to[0] = first + last - (0 + odd * 0);
    to[1] = 0 + odd;
  } else {
    Real const even = from[0] + from[0], odd = from[1] + from[1];
    Real const none = from[1] - from[1], nothing = from[0] - from[0];
    to[0] = (even + odd) * scale;
    to[1] = (none + nothing) * scale;
    to[2 * m] = (even - odd) * scale;
    to[2 * m + 1] = (none - nothing) * scale;
  }
}

/// Processes columns [c, c + together), of 4 L reals or more.
template <bool backward, Index together, class Real>
HWY_INLINE void turn_sequences_from(Halves<Real> const& halves, Index c) {
  constexpr Index L = lanes<Real>;
  Index const half = halves.factors->m() / 2;
  Real const* const from = halves.from + c * halves.from_lane;
  Real* const to = halves.to + c * halves.to_lane;
  for (Index i = 0; i < together; ++i)
    turn_first<backward>(halves, from + i * halves.from_lane, to + i * halves.to_lane);
  // The last vectors may overlap those before.
  for (Index next = 1; next <= half; next += L) {
    Index const k = std::min(next, half - L + 1);
    Complex<Real> const factor = factors_from(halves, k);
    HWY_UNROLL(4)
    for (Index i = 0; i < together; ++i) {
      Real const* const column = from + i * halves.from_lane;
      Real* const target = to + i * halves.to_lane;
      if constexpr (backward)
        join_vectors(halves, factor, column, k, target);
      else
        split_vectors(halves, factor, column, k, target);
    }
  }
}

template <bool backward, class Real>
void turn_sequences(Halves<Real> const& halves) {
  constexpr Index together = 4;
  Index c = 0;
  for (; c + together <= halves.columns; c += together)
    turn_sequences_from<backward, together>(halves, c);
  for (; c < halves.columns; ++c) turn_sequences_from<backward, 1>(halves, c);
}

#endif  // SCALAR

/// Adds the kernels of contiguous reals to those of sequences.
template <class Real>
RealKernels<Real> kernels_of_same_bits() {
  RealKernels<Real> kernels = sequence_kernels<Real>();
#if HWY_TARGET != HWY_SCALAR
  kernels.split_halves = turn_sequences<false, Real>;
  kernels.join_halves = turn_sequences<true, Real>;
#endif
  return kernels;
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

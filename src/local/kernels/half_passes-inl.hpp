// SPDX-License-Identifier: BSD-3-Clause
// Passes of straight transforms of m points that begin or end at the coefficients of n = 2 m reals.
//
// The reals are the m points x[2j] + i x[2j+1], whose transform is Z. With u_k = -i w_n^k:
//   E = (Z[k] + conj Z[m-k]) / 2, P = u_k (Z[k] - conj Z[m-k]) / 2, X[k] = E + P,
//   X[m-k] = conj(E - P).
// The last pass of r2c computes X from its butterflies, and the first pass of c2r computes 2 Z,
// with conj u_k, for its butterflies. Both take a butterfly together with its mirror image, so that
// both halves of each pair are at hand. They are functions of their own, because the complex
// transforms beside them would otherwise have fewer registers. Compiled once for each instruction
// set.
#include <array>

#include "local/kernels/mirrored-inl.hpp"
#include "local/kernels/straight_passes-inl.hpp"

#if defined(SIXSTEP_LOCAL_HALF_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_HALF_PASSES_INL
#undef SIXSTEP_LOCAL_HALF_PASSES_INL
#else
#define SIXSTEP_LOCAL_HALF_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

// r2c. A vector of row q of block b has the coefficients k = (m / R) q + width b + c of its columns
// c. Coefficient m - k is in row R-1-q of block blocks-1-b, column width - c; for c = 0 it is
// column 0 of the block after that one or, from block 0 on, of the row after it in block 0.

/// The lane of column `width - c` for the lane of each column c > 0 of the same transform.
template <class Shape, class Real>
constexpr auto mirrored_lanes() {
  std::array<hn::TFromD<hn::RebindToSigned<Tag<Real>>>, lanes<Real>> from{};
  for (int i = 0; i < lanes<Real>; ++i)
    for (int j = 0; j < lanes<Real>; ++j) {
      int const c = lane_column<Real>(i), d = lane_column<Real>(j);
      if (c / Shape::width == d / Shape::width && (c + d) % Shape::width == 0)
        from[static_cast<std::size_t>(i)] = j;
    }
  return from;
}

/// 1 in the lanes of columns 0, which are in the first block of a vector.
template <class Shape, class Real>
constexpr auto first_columns() {
  std::array<Real, lanes<Real>> result{};
  for (int i = 0; i < lanes<Real>; ++i)
    result[static_cast<std::size_t>(i)] = lane_column<Real>(i) % Shape::width == 0 ? 1 : 0;
  return result;
}

/// Stores the first 16 bytes of a vector, or loads them into one.
template <class V, class D, class Real>
HWY_INLINE void store_first_block(V x, D d, Real* to) {
  if constexpr (hn::MaxLanes(D()) > block_reals<Real>) {
    hn::Half<D> const half;
    store_first_block(hn::LowerHalf(half, x), half, to);
  } else {
    hn::StoreU(x, d, to);
  }
}
template <class D, class Real>
HWY_INLINE hn::Vec<D> load_first_block(D d, Real const* from) {
  if constexpr (hn::MaxLanes(D()) > block_reals<Real>)
    return hn::ZeroExtendVector(d, load_first_block(hn::Half<D>(), from));
  else
    return hn::LoadU(d, from);
}

/// Stores the numbers of each transform in reverse order.
template <class Shape, class Real>
HWY_INLINE void store_reversed(Complex<Real> x, Real* to, Index half) {
  if constexpr (Shape::transforms > 1)
    store_mirrored<Real>(x, to + half, -half);
  else
    store_mirrored<Real>(x, to);
}

/// X[k] and X[m-k] for a column 0 that has no column beside it: the middle one.
template <class Real>
HWY_INLINE void middle_pair(Real const* a, Real const* b, Real const* factor, Real* lower,
                            Real* upper) {
  Index const im = lanes<Real>;
  Real const half = Real{1} / 2;
  Real const even_re = half * (a[0] + b[0]), even_im = half * (a[im] - b[im]);
  Real const odd_re = a[0] - b[0], odd_im = a[im] + b[im];
  Real const turned_re = odd_re * factor[0] - odd_im * factor[im];
  Real const turned_im = odd_re * factor[im] + odd_im * factor[0];
  lower[0] = even_re + turned_re;
  lower[1] = even_im + turned_im;
  upper[0] = even_re - turned_re;
  upper[1] = turned_im - even_im;
}

/// The pairs of the columns 0 that have no column beside them, in the rows at `middle`.
template <class Shape, int R, class Real>
HWY_INLINE void middle_pairs(Real const* middle, TwiddleRow<Real> const* factors,
                             StraightResults<Real> const& results) {
  constexpr Index step = 2 * Shape::n / R;  // between rows of coefficients
  for (int t = 0; t < Shape::transforms; ++t)
    for (int q = 0; 2 * q < R; ++q) {
      Real* const to = results.to + t * results.half + Shape::n / R;
      int const lane = t * block_reals<Real> / 2;
      middle_pair<Real>(middle + q * Shape::row + lane, middle + (R - 1 - q) * Shape::row + lane,
                        factors[q].parts, to + q * step, to + (R - 1 - q) * step);
    }
}

/// The last pass of a group.
template <class Shape, int R, bool interleaved, class Real>
HWY_NOINLINE void half_last(Real* rows, TwiddleRow<Real> const* twiddles,
                            TwiddleRow<Real> const* factors, StraightResults<Real> const& results) {
  Tag<Real> const d;
  constexpr Index row = Shape::row;
  constexpr Index width = Shape::width;
  constexpr Index step = 2 * Shape::n / R;  // between rows of coefficients
  constexpr Index blocks = Shape::n / R / width;
  static constexpr auto lanes_of_mirror = mirrored_lanes<Shape, Real>();
  alignas(64) static constexpr auto firsts = first_columns<Shape, Real>();
  auto const mirror = hn::SetTableIndices(d, lanes_of_mirror.data());
  auto const first = hn::Gt(hn::Load(d, firsts.data()), hn::Zero(d));
  Vector<Real> const half = hn::Set(d, Real{1} / 2);
  auto const at = [&](Index b) {
    return rows + b / Shape::parts * Shape::block + b % Shape::parts * row_reals<Real>;
  };
  for (Index b = 0; 2 * b < blocks; ++b) {
    Index const c = blocks - 1 - b;
    Real* const lower = at(b);
    Real* const upper = at(c);
    Complex<Real> x[R];
    twiddled_butterfly<R, interleaved>(lower, row, twiddles + b * (R - 1), x);
    HWY_UNROLL(16)
    for (int q = 0; q < R; ++q) store_row(x[q], lower + q * row);
    if (b != c) {
      twiddled_butterfly<R, interleaved>(upper, row, twiddles + c * (R - 1), x);
      // The rest of these rows is not needed again.
      HWY_UNROLL(16)
      for (int q = 0; q < R; ++q) {
        store_first_block(x[q].re, d, upper + q * row);
        store_first_block(x[q].im, d, upper + q * row + lanes<Real>);
      }
    }
    Real const* const beyond = b == 0 ? lower : at(c + 1);
    Real* const to_lower = results.to + 2 * width * b;
    Real* const to_upper = results.to + 2 * width * c + 2;
    HWY_UNROLL(16)
    for (int q = 0; q < R; ++q) {
      int const r = R - 1 - q;
      Real const* const next = beyond + (b == 0 ? (r + 1) % R : r) * row;
      auto const mirrored = [&](Vector<Real> part, Real const* place) HWY_ATTR {
        return hn::IfThenElse(first, load_first_block(d, place),
                              hn::TableLookupLanes(part, mirror));
      };
      Complex<Real> const z = load_row(lower + q * row);
      Complex<Real> const w{mirrored(x[r].re, next), mirrored(x[r].im, next + lanes<Real>)};
      Complex<Real> const even{hn::Add(z.re, w.re), hn::Sub(z.im, w.im)};
      Complex<Real> const odd{hn::Sub(z.re, w.re), hn::Add(z.im, w.im)};
      Complex<Real> const turned = odd * load_row(factors->parts);
      ++factors;
      store_columns<Real>({mul_add(even.re, half, turned.re), mul_add(even.im, half, turned.im)},
                          to_lower + q * step, results.half);
      store_reversed<Shape, Real>(
          {mul_sub(even.re, half, turned.re), negated_mul_add(even.im, half, turned.im)},
          to_upper + r * step, results.half);
    }
  }
  if constexpr (blocks % 2 == 0) middle_pairs<Shape, R>(at(blocks / 2), factors, results);
}

// c2r. A vector of the first pass has butterflies p ... p + S-1; their mirror images are the
// butterflies m/R - p - i. The image of p = 0 is p = 0 itself, so its results are overwritten.

/// A butterfly whose results, transposed, go to rows `row`, row + direction, ... of the buffer.
template <class Shape, int R, class Real>
HWY_INLINE void store_butterfly(Interleaved<Real>* x, Scale<Real> const& scale, Real* rows,
                                Index row, Index direction) {
  constexpr int S = numbers<Real>;
  scale_numbers<R>(scale, x);
  butterfly<R, Eighths::last>(x);
  HWY_UNROLL(16)
  for (int j = 0; j < R; j += S) transpose_numbers(x + j);
  HWY_UNROLL(8)
  for (int i = 0; i < S; ++i) {
    Index const r = row + i * direction;
    Real* const to = rows + Shape::row_at(r == Shape::m ? 0 : r);
    HWY_UNROLL(16)
    for (int j = 0; j < R; j += S) store_numbers(x[j + i], to + 2 * j);
  }
}

/// The first pass of one transform.
template <class Shape, int R, class Real>
HWY_NOINLINE void half_first(Real const* from, Following<Real> next,
                             TwiddleRow<Real> const* factors, Scale<Real> const& scale,
                             Real* rows) {
  Tag<Real> const d;
  constexpr Index S = numbers<Real>;
  constexpr Index L = lanes<Real>;
  constexpr Index m = Shape::m;
  Vector<Real> const conjugate = for_parts<Real>(1, -1);
  // Clears the imaginary parts of the first coefficient and of the last.
  auto const lanes_of = [&](Vector<Real> x)
                            HWY_ATTR { return hn::VecFromMask(d, hn::Gt(x, hn::Zero(d))); };
  Vector<Real> const ones = hn::Set(d, 1);
  Vector<Real> const all = lanes_of(ones);
  Vector<Real> keep_first = lanes_of(hn::IfThenElse(hn::FirstN(d, 2), for_parts<Real>(1, 0), ones));
  Vector<Real> keep_last =
      lanes_of(hn::IfThenElse(hn::FirstN(d, L - 2), ones, for_parts<Real>(1, 0)));
  for (Index p = 0; 2 * p <= m; p += S) {
    next.fetch_some(2 * R * L);
    Interleaved<Real> x[R], y[R];
    Real const* lower = from + 2 * p;
    Real const* upper = from + 2 * (R * m - p - (S - 1));
    HWY_UNROLL(16)
    for (int a = 0; a < R; ++a) {
      Vector<Real> z = hn::LoadU(d, lower + a * 2 * m);
      Vector<Real> w = hn::LoadU(d, upper - a * 2 * m);
      if (a == 0) {
        z = hn::And(z, keep_first);
        w = hn::And(w, keep_last);
      }
      w = reversed<Real>(w);
      Vector<Real> const even = mul_add(conjugate, w, z);
      Vector<Real> const odd = negated_mul_add(conjugate, w, z);
      Complex<Real> const factor = load_row(factors->parts);
      ++factors;
      Vector<Real> const turned = times<Real>({odd}, factor.re, factor.im).parts;
      // The places of a backward transform.
      x[(R - a) % R] = {hn::Add(even, turned)};
      y[(a + 1) % R] = {hn::Mul(conjugate, hn::Sub(even, turned))};
    }
    keep_first = keep_last = all;
    if (2 * p + S < m + (p > 0)) store_butterfly<Shape, R>(y, scale, rows, m - p, -1);
    store_butterfly<Shape, R>(x, scale, rows, p, 1);
  }
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

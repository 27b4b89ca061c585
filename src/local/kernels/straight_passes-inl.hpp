// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of some lengths, with all passes in straight loops of one function.
//
// n = r1 r2 r3, where r3 may be 1. The first pass transforms r1 elements that are r2 r3 apart. It
// keeps parts interleaved, has no twiddles, and transposes its results in registers: row p < r2 r3
// of the buffer has the r1 results of butterfly p side by side. From then on a lane is one of r1
// columns, which also lie side by side in the result: X[k1 + r1 k2] is row k2 of column k1. Their
// passes apply the twiddles before the butterfly (decimation in time): w_(r1 r2)^(k k1) for row k
// of the second, w_n^(k (k1 + r1 j)) for row k of block j of the third. A fourth pass follows the
// third in each block, while that is in the first-level cache. If r1 = L/2, two transforms
// share the lanes. Compiled once for each instruction set.
#include <algorithm>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/row_places-inl.hpp"

#if defined(SIXSTEP_LOCAL_STRAIGHT_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_STRAIGHT_PASSES_INL
#undef SIXSTEP_LOCAL_STRAIGHT_PASSES_INL
#else
#define SIXSTEP_LOCAL_STRAIGHT_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The radices of a length, and the layout of its rows in the buffer, in Reals.
template <class Real, int R1, int R2, int R3, int R4>
struct StraightShape {
  static constexpr int transforms = 2 * R1 == lanes<Real> ? 2 : 1;  // in a group
  static constexpr int parts = R1 * transforms / lanes<Real>;       // vectors of columns in a row
  static constexpr Index n = R1 * R2 * R3 * R4;
  static constexpr Index m = R2 * R3 * R4;
  static constexpr Index block_rows = R3 * R4;  // in each block that the second pass leaves
  static constexpr Index last = R4 > 1 ? R4 : R3 > 1 ? R3 : R2;  // the last radix
  static constexpr Index columns = 2 * R1;                       // of one transform, in Reals
  static constexpr Index row = parts * row_reals<Real>;
  static constexpr Index width = lanes<Real> / transforms;  // columns of a transform in a vector
  // One more line between blocks that are a multiple of a page apart.
  static constexpr Index pad = R3 > 1 && block_rows* row * sizeof(Real) % 4096 == 0
                                   ? line_bytes / sizeof(Real)
                                   : 0;
  static constexpr Index block = block_rows * row + pad;
  static constexpr Index group = R2 * block;
  // Whether half_passes-inl.hpp has a last pass for r2c, which needs two vectors of columns, and a
  // first pass for c2r: two butterflies of 16 do not fit in registers.
  static constexpr bool halves = StraightRadices{R1, R2, R3, R4}.has_halves();
  static constexpr bool splits = halves && n / last > width;
  static constexpr bool joins = halves && R1 == 8;
  // Where row r begins.
  static constexpr Index row_at(Index r) { return r * row + r / block_rows * pad; }
  // Groups that are taken together: independent work, while rows stay in the first-level cache.
  static constexpr Index groups = std::clamp<Index>(8192 / (group * sizeof(Real)), 1, 4);
};

/// Memory, twiddles and options of a straight transform.
template <class Real>
struct StraightWork {
  Real* rows;
  TwiddleRow<Real> const* second;  // [part][k - 1]
  TwiddleRow<Real> const* third;   // [j][part][k - 1]
  TwiddleRow<Real> const* fourth;  // [j][i][part][k - 1]
  Index sign;                      // -1: backward
  Scale<Real> scale;
  Ahead ahead;
  // The factors of half_passes-inl.hpp, for r2c and for c2r; null for complex transforms.
  TwiddleRow<Real> const* split = nullptr;  // [block][row]
  TwiddleRow<Real> const* join = nullptr;   // [vector of butterflies][row], as times() needs them
};

/// The first pass of one transform.
template <class Shape, int R1, class Real>
HWY_INLINE void straight_first(Real const* from, Following<Real> next, Spread const& spread,
                               Scale<Real> const& scale, Real* rows) {
  constexpr int S = numbers<Real>;
  constexpr Index L = lanes<Real>;
  // Without padding all rows are contiguous.
  constexpr Index count = Shape::pad > 0 ? Shape::block_rows : Shape::m;
  for (Index done = 0; done < Shape::m; done += count) {
    Real* row = rows;
    for (Index left = count; left > 0; left -= S) {
      if (count % S != 0 && left < S) {  // the last butterflies overlap those before
        from -= 2 * (S - left);
        row -= (S - left) * Shape::row;
      }
      next.fetch_some(R1 * L);
      Interleaved<Real> x[R1];
      for_places<R1>(from, spread,
                     [&](int k, Real const* place) HWY_ATTR { x[k] = load_numbers(place); });
      scale_numbers<R1>(scale, x);
      butterfly<R1, Eighths::last>(x);
      HWY_UNROLL(16)
      for (int j = 0; j < R1; j += S) transpose_numbers(x + j);
      HWY_UNROLL(8)
      for (int i = 0; i < S; ++i) {
        HWY_UNROLL(16)
        for (int j = 0; j < R1; j += S) store_numbers(x[j + i], row + 2 * j);
        row += Shape::row;
      }
      from += L;
    }
    rows += Shape::block;
  }
}

/// A butterfly whose inputs, rows `step` Reals apart, are multiplied by their twiddles. Rows that
/// the first pass leaves are `interleaved`.
template <int R, bool interleaved, class Real>
HWY_INLINE void twiddled_butterfly(Real const* from, Index step, TwiddleRow<Real> const* twiddles,
                                   Complex<Real>* x) {
  HWY_UNROLL(16)
  for (int k = 0; k < R; ++k) {
    x[k] = interleaved ? load_columns<Real>(from + k * step) : load_row(from + k * step);
    if (k > 0) x[k] = x[k] * load_row(twiddles[k - 1].parts);
  }
  butterfly<R, Eighths::last>(x);
}

/// Stores the results of a butterfly in the buffer.
template <int R, class Real>
HWY_INLINE void store_rows(Complex<Real> const* x, Real* to, Spread const& spread) {
  for_places<R>(to, spread, [&](int k, Real* place) HWY_ATTR { store_row(x[k], place); });
}

/// Stores them in the user's array.
template <int R, class Real>
HWY_INLINE void store_results(Complex<Real> const* x, Real* to, Spread const& spread, Index half) {
  for_places<R>(to, spread,
                [&](int k, Real* place) HWY_ATTR { store_columns<Real>(x[k], place, half); });
}

/// The places of the last pass's results in the user's array.
template <class Real>
struct StraightResults {
  Real* to;
  Index half;
  Spread spread;  // of one butterfly
};

/// The second pass of one group.
template <class Shape, int R, class Real>
HWY_INLINE void straight_second(Real* rows, StraightWork<Real> const& work,
                                StraightResults<Real> const& results) {
  Spread const inside(R, Shape::block, work.sign);
  for (Index part = 0; part < Shape::parts; ++part) {
    TwiddleRow<Real> const* const twiddles = work.second + part * (R - 1);
    Index const place = part * row_reals<Real>;
    Real* row = rows + place;
    for (Index p = 0; p < Shape::block_rows; ++p, row += Shape::row) {
      Complex<Real> x[R];
      twiddled_butterfly<R, true>(row, Shape::block, twiddles, x);
      if constexpr (Shape::block_rows == 1)
        store_results<R>(x, results.to + place, results.spread, results.half);
      else
        store_rows<R>(x, row, inside);
    }
  }
}

/// The third pass: `count` butterflies in block j.
template <class Shape, int R, Index count, class Real>
HWY_INLINE void straight_third(Index j, Real* rows, StraightWork<Real> const& work,
                               StraightResults<Real> const& results) {
  Spread const inside(R, count * Shape::row, work.sign);
  TwiddleRow<Real> const* twiddles = work.third + j * Shape::parts * (R - 1);
  for (Index part = 0; part < Shape::parts; ++part, twiddles += R - 1) {
    Index const place = part * row_reals<Real>;
    Real* row = rows + j * Shape::block + place;
    for (Index p = 0; p < count; ++p, row += Shape::row) {
      Complex<Real> x[R];
      twiddled_butterfly<R, false>(row, count * Shape::row, twiddles, x);
      if constexpr (count == 1)
        store_results<R>(x, results.to + j * Shape::columns + place, results.spread, results.half);
      else
        store_rows<R>(x, row, inside);
    }
  }
}

/// The fourth pass: one butterfly in each of the `inner` blocks of block j of `outer`.
template <class Shape, int R, Index outer, Index inner, class Real>
HWY_INLINE void straight_fourth(Index j, Real const* rows, StraightWork<Real> const& work,
                                StraightResults<Real> const& results) {
  TwiddleRow<Real> const* twiddles = work.fourth + j * inner * Shape::parts * (R - 1);
  for (Index i = 0; i < inner; ++i)
    for (Index part = 0; part < Shape::parts; ++part, twiddles += R - 1) {
      Index const place = part * row_reals<Real>;
      Complex<Real> x[R];
      twiddled_butterfly<R, false>(rows + j * Shape::block + i * R * Shape::row + place, Shape::row,
                                   twiddles, x);
      store_results<R>(x, results.to + (j + outer * i) * Shape::columns + place, results.spread,
                       results.half);
    }
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

// SPDX-License-Identifier: BSD-3-Clause
// The row pass of contiguous transforms, and whole short transforms; see rows-inl.hpp. Compiled
// once for each instruction set.
#include <utility>

#include "local/kernels/constants.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/row_places-inl.hpp"

#if defined(SIXSTEP_LOCAL_ROW_PASS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROW_PASS_INL
#undef SIXSTEP_LOCAL_ROW_PASS_INL
#else
#define SIXSTEP_LOCAL_ROW_PASS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// The rows of a transform: row 0 is at `first`, row k > 0 at `rest` + k step.
template <class Real>
struct RowStart {
  Real const* first;
  Real const* rest;
  Index step;
  Index half;
};

/// The start of R rows that are m apart in the first group. `sign` -1: in the order of a backward
/// transform.
template <Index R, class Real>
HWY_INLINE RowStart<Real> row_start(RowPlaces<Real const> const& from, Index m, Index sign) {
  return {from.first, from.first + (sign < 0 ? 2 * m * R : 0), 2 * m * sign, from.half};
}

/// Whether columns of length m may be made of `transforms` contiguous transforms of length m r. Two
/// are taken together only if one alone is not possible, because its length is no multiple of L or
/// too short.
template <class Real, int transforms>
constexpr bool is_row_length(Index m) {
  constexpr Index L = lanes<Real>;
  return m >= L / transforms && (transforms == 1 || m % 2 == 1 || m < 2 * L);
}

/// A twiddle for all lanes in twice the precision: the value rounded to Real, and the remainder.
template <class Real>
struct CoarseTwiddle {
  Real re, im;
  Real re_rest, im_rest;
};

/// Copies `reals` Reals, multiplied by `scale`.
template <class Real>
HWY_NOINLINE void copy_scaled(Real const* from, Index reals, Real scale, Real* to) {
  Tag<Real> const d;
  Index i = 0;
  for (; i + lanes<Real> <= reals; i += lanes<Real>)
    hn::StoreU(hn::Mul(hn::LoadU(d, from + i), hn::Set(d, scale)), d, to + i);
  for (; i < reals; ++i) to[i] = from[i] * scale;
}

/// The twiddles of a row pass from some start on. A start is the first of r neighbouring
/// butterflies.
///
/// Each start has r - 1 rows. A short table is whole: `fine` has them all. A long table is a
/// product, as in numbers/recipe.hpp: `coarse` has r - 1 rows for every `tile` starts, and `fine`
/// has those of the starts within a tile. The twiddles include the scale of the transform; `first`
/// replaces those that would be 1.
template <class Real>
struct RowTwiddles {
  TwiddleRow<Real> const* fine;
  CoarseTwiddle<Real> const* coarse;
  Real first;

  HWY_INLINE Complex<Real> whole(int j) const { return load_row(fine[j - 1].parts); }

  HWY_INLINE Complex<Real> product(int j) const {
    Complex<Real> const small = load_row(fine[j - 1].parts);
    CoarseTwiddle<Real> const& factor = coarse[j - 1];
    Complex<Real> const large = broadcast<Real>(factor.re, factor.im);
    Complex<Real> const rest = broadcast<Real>(factor.re_rest, factor.im_rest);
    auto const re = negated_mul_add(large.im, small.im, mul_add(large.re, small.re, rest.re));
    auto const im = mul_add(large.im, small.re, mul_add(large.re, small.im, rest.im));
    return {hn::Add(large.re, re), hn::Add(large.im, im)};
  }
};

/// r neighbouring butterflies p, p + 1, ... of a row pass, from `from` on. The result is r rows of
/// the L columns of length m, in the order of square_row().
///
/// Row k > 0 of a transform is read from `rest` + k step: a backward transform is the forward one
/// with row r - k instead of row k, and other twiddles.
template <class Real, int transforms, bool long_table = false>
HWY_INLINE void row_butterfly(RowStart<Real> const& from, Index p,
                              RowTwiddles<Real> const& twiddles, Complex<Real>* rows) {
  constexpr int R = square<Real, transforms>;
  Complex<Real> x[R];
  x[0] = load_columns<Real>(from.first + 2 * p, from.half);
  HWY_UNROLL(16)
  for (int k = 1; k < R; ++k)
    x[k] = load_columns<Real>(from.rest + 2 * p + k * from.step, from.half);
  butterfly<R>(x);
  Vector<Real> const first = hn::Set(Tag<Real>(), twiddles.first);
  x[0] = {hn::Mul(x[0].re, first), hn::Mul(x[0].im, first)};
  HWY_UNROLL(16)
  for (int j = 1; j < R; ++j) x[j] = x[j] * (long_table ? twiddles.product(j) : twiddles.whole(j));
  Vector<Real> re[R];
  Vector<Real> im[R];
  HWY_UNROLL(16)
  for (int i = 0; i < R; ++i) {
    re[i] = x[square_row<Real, transforms>(i)].re;
    im[i] = x[square_row<Real, transforms>(i)].im;
  }
  transpose<Real, transforms>(re);
  transpose<Real, transforms>(im);
  HWY_UNROLL(16)
  for (int i = 0; i < R; ++i) rows[i] = {re[i], im[i]};
}

/// The work of a row pass: it stores all m rows of some groups in `own`, in blocks of `count` rows
/// that are `step` rows apart. If r does not divide m, the last r butterflies overlap those before.
template <class Real>
struct RowPass {
  OwnRows<Real> own;
  Index groups;
  Index m;
  Index count;
  Index step;
  Index tile;  // starts in a tile of a long table
  Index sign;  // -1: backward
  RowTwiddles<Real> twiddles;
  Index ahead;  // how many groups ahead data are prefetched; 0 if they are in cache
};

template <class Real, int transforms, bool long_table>
HWY_NOINLINE void row_pass(RowPlaces<Real const> from, RowPass<Real> b) {
  constexpr int R = square<Real, transforms>;
  constexpr Index part = 2 * R * transforms;  // of a group, in Reals, for each start
  for (Index g = 0; g < b.groups; ++g) {
    RowTwiddles<Real> twiddles = b.twiddles;
    Index left = b.tile;
    for (Index start = 0; start < b.m; start += R) {
      Index const p = start + R <= b.m ? start : b.m - R;
      if (b.ahead > 0) fetch(from.first + b.ahead * from.group + start * part, part * R);
      Complex<Real> rows[R];
      row_butterfly<Real, transforms, long_table>(row_start<R>(from, b.m, b.sign), p, twiddles,
                                                  rows);
      Real* const target = b.own.at(p + p / b.count * (b.step - b.count), g);
      HWY_UNROLL(16)
      for (int i = 0; i < R; ++i)
        store_row(rows[i], target + square_row<Real, transforms>(i) * row_reals<Real>);
      twiddles.fine += R - 1;
      if (long_table && --left == 0) {
        left = b.tile;
        twiddles.fine = b.twiddles.fine;
        twiddles.coarse += R - 1;
      }
    }
    from.first += from.group;
  }
}

template <class Real, int transforms, int M, int start>
HWY_INLINE void all_row_butterflies(RowStart<Real> const& from, RowTwiddles<Real> twiddles,
                                    Complex<Real>* x) {
  constexpr int R = square<Real, transforms>;
  if constexpr (start < M) {
    constexpr int p = start + R <= M ? start : M - R;
    Complex<Real> rows[R];
    row_butterfly<Real, transforms>(from, p, twiddles, rows);
    HWY_UNROLL(16)
    for (int i = 0; i < R; ++i) x[p + square_row<Real, transforms>(i)] = rows[i];
    twiddles.fine += R - 1;
    all_row_butterflies<Real, transforms, M, start + R>(from, twiddles, x);
  }
}

/// Whole transforms of length r M, one group after another, which stay in registers. Data are
/// prefetched `ahead` groups ahead; 0 if they are in cache.
template <class Real, int transforms, int M>
HWY_NOINLINE void whole_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             RowTwiddles<Real> twiddles, Index sign, Index ahead) {
  constexpr int R = square<Real, transforms>;
  for (Index g = 0; g < groups; ++g) {
    // Unknown, so that the compiler does not make two loops with the whole body in each.
    if (Index const some = unknown(ahead); some > 0) {
      Real const* const next = from.first + some * from.group;
      fetch(next, 2 * R * M);
      if (transforms == 2) fetch(next + from.half, 2 * R * M);
    }
    Complex<Real> x[M];
    all_row_butterflies<Real, transforms, M, 0>(row_start<R>(from, M, unknown(sign)), twiddles, x);
    butterfly<M>(x);
    store_columns<Real>(x[0], to.first, to.half);
    Index const step = unknown(sign * 2 * R);
    Real* const rest = to.first + (sign < 0 ? 2 * R * M : 0);
    HWY_UNROLL(64)
    for (int k = 1; k < M; ++k) store_columns<Real>(x[k], rest + k * step, to.half);
    from.first += from.group;
    to.first += to.group;
  }
}

/// The kernels for one r = L / transforms.
template <class Real>
struct RowKernels {
  void (*first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  void (*long_first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  // Null if the columns' length has no butterfly, or without has_all_kernels.
  void (*whole)(RowPlaces<Real const>, RowPlaces<Real>, Index, RowTwiddles<Real>, Index,
                Index) = nullptr;

  template <int transforms>
  static RowKernels of(Index m) {
    RowKernels kernels;
    kernels.first = row_pass<Real, transforms, false>;
    kernels.long_first = row_pass<Real, transforms, true>;
    [&]<int... M>(std::integer_sequence<int, M...>) {
      (kernels.template add_whole<transforms, M>(m), ...);
    }
    (std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>());
    return kernels;
  }

 private:
  template <int transforms, int M>
  void add_whole(Index m) {
    if constexpr (is_row_length<Real, transforms>(M) && has_all_kernels &&
                  !is_straight<Real>(square<Real, transforms> * M))
      if (m == M) whole = whole_rows<Real, transforms, M>;
  }
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

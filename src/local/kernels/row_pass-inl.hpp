// SPDX-License-Identifier: BSD-3-Clause
// The row pass of contiguous transforms, and whole short transforms; see rows-inl.hpp. Compiled
// once for each instruction set.
#include <algorithm>
#include <array>
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

/// The groups of `lanes` columns that `columns` make. If they do not fill the last one, it overlaps
/// the one before; a single one is made of two halves that overlap.
constexpr Index groups_of(Index columns, Index lanes) { return (columns + lanes - 1) / lanes; }

/// The first column of group g.
constexpr Index first_column(Index g, Index columns, Index lanes) {
  return std::max<Index>(std::min(g * lanes, columns - lanes), 0);
}

/// Column i of group g of R columns.
template <Index R, Index N>
constexpr Index row_column(Index g, Index i) {
  Index const overlap = R < N && i >= N / 2 ? N - R : 0;
  return first_column(g, R, N) + i - overlap;
}

/// The radices of row passes for lengths that no number of lanes divides.
inline constexpr std::array uneven_radices{3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 25, 27, 35, 49};

/// Whether a row pass of one transform in a group may have this radix, which is not L: a single
/// group has more columns than half of its lanes. Few lanes have no use for the longest.
template <class Real>
constexpr bool is_uneven_radix(Index radix) {
  constexpr Index L = lanes<Real>;
  return has_all_kernels && 2 * radix > L && radix % L != 0 && radix < (L < 16 ? 4 * L : 64);
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

/// Neighbouring butterflies p, p + 1, ... of a row pass of R rows, from `from` on, times twiddles.
///
/// Row k > 0 of a transform is read from `rest` + k step: a backward transform is the forward one
/// with row R - k instead of row k, and other twiddles.
template <class Real, int R, bool long_table = false>
HWY_INLINE void row_butterfly(RowStart<Real> const& from, Index p,
                              RowTwiddles<Real> const& twiddles, Complex<Real>* x) {
  x[0] = load_columns<Real>(from.first + 2 * p, from.half);
  HWY_UNROLL(64)
  for (int k = 1; k < R; ++k)
    x[k] = load_columns<Real>(from.rest + 2 * p + k * from.step, from.half);
  butterfly<R>(x);
  Vector<Real> const first = hn::Set(Tag<Real>(), twiddles.first);
  x[0] = {hn::Mul(x[0].re, first), hn::Mul(x[0].im, first)};
  HWY_UNROLL(64)
  for (int j = 1; j < R; ++j) x[j] = x[j] * (long_table ? twiddles.product(j) : twiddles.whole(j));
}

/// The square of group g of the R columns that a row pass leaves, transposed: rows of the columns
/// of length m, in the order of square_row().
template <class Real, int transforms, int R>
HWY_INLINE void transpose_group(Complex<Real> const* x, Index g, Complex<Real>* rows) {
  constexpr int N = square<Real, transforms>;
  Vector<Real> re[N];
  Vector<Real> im[N];
  HWY_UNROLL(16)
  for (int i = 0; i < N; ++i) {
    Complex<Real> const& row = x[row_column<R, N>(g, square_row<Real, transforms>(i))];
    re[i] = row.re;
    im[i] = row.im;
  }
  transpose<Real, transforms>(re);
  transpose<Real, transforms>(im);
  HWY_UNROLL(16)
  for (int i = 0; i < N; ++i) rows[i] = {re[i], im[i]};
}

/// The work of a row pass: it stores all m rows of some transforms in `own`, in blocks of `count`
/// rows that are `step` rows apart. If the number of neighbours does not divide m, the second
/// butterflies overlap the first.
template <class Real>
struct RowPass {
  OwnRows<Real> own;
  Index groups;  // before the pass; each leaves groups_of(R, N) groups, this number apart
  Index m;
  Index count;
  Index step;
  Index tile;  // starts in a tile of a long table
  Index sign;  // -1: backward
  RowTwiddles<Real> twiddles;
  Ahead ahead;
  RowPlaces<Real> to;  // of the whole transforms, for what is prefetched
};

template <class Real, int transforms, int R, bool long_table>
HWY_NOINLINE void row_pass(RowPlaces<Real const> from, RowPass<Real> b) {
  constexpr int N = square<Real, transforms>;
  constexpr Index groups = groups_of(R, N), neighbour = 2 * R * transforms;  // in Reals
  Index const rest = b.m % N;
  for (Index g = 0; g < b.groups; ++g) {
    RowTwiddles<Real> twiddles = b.twiddles;
    Index left = rest > 0 ? 1 : b.tile;
    Index move = rest > 0 ? rest : N;
    Following<Real> next(b.ahead, from, b.to, g);
    for (Index p = 0; p < b.m; p += std::exchange(move, N)) {
      next.fetch_some(N * neighbour);
      Complex<Real> x[R];
      row_butterfly<Real, R, long_table>(row_start<R>(from, b.m, b.sign), p, twiddles, x);
      HWY_UNROLL(8)
      for (Index c = 0; c < groups; ++c) {
        Complex<Real> rows[N];
        transpose_group<Real, transforms, R>(x, c, rows);
        Real* const target = b.own.at(p + p / b.count * (b.step - b.count), g + c * b.groups);
        HWY_UNROLL(16)
        for (int i = 0; i < N; ++i)
          store_row(rows[i], target + square_row<Real, transforms>(i) * row_reals<Real>);
      }
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
    constexpr int p = start == 0 ? 0 : start - (R - M % R) % R;
    Complex<Real> rows[R];
    row_butterfly<Real, R>(from, p, twiddles, rows);
    transpose_group<Real, transforms, R>(rows, 0, rows);
    HWY_UNROLL(16)
    for (int i = 0; i < R; ++i) x[p + square_row<Real, transforms>(i)] = rows[i];
    twiddles.fine += R - 1;
    all_row_butterflies<Real, transforms, M, start + R>(from, twiddles, x);
  }
}

/// Whole transforms of length r M, one group after another, which stay in registers.
template <class Real, int transforms, int M>
HWY_NOINLINE void whole_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             RowTwiddles<Real> twiddles, Index sign, Ahead ahead) {
  constexpr int R = square<Real, transforms>;
  for (Index g = 0; g < groups; ++g) {
    // Unknown, so that the compiler does not make two loops with the whole body in each.
    Ahead const some{unknown(ahead.source), unknown(ahead.target)};
    fetch_ahead<transforms>(some, from, to, 2 * R * M);
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

/// The kernels for one radix.
template <class Real>
struct RowKernels {
  void (*first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  void (*long_first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  // Null if the columns' length has no butterfly, or without has_all_kernels.
  void (*whole)(RowPlaces<Real const>, RowPlaces<Real>, Index, RowTwiddles<Real>, Index,
                Ahead) = nullptr;

  template <int transforms>
  static RowKernels of(Index m) {
    RowKernels kernels = passes<transforms, square<Real, transforms>>();
    [&]<int... M>(std::integer_sequence<int, M...>) {
      (kernels.template add_whole<transforms, M>(m), ...);
    }
    (std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>());
    return kernels;
  }

  /// The kernels of one transform in a group whose radix is not L; none if it has none.
  static RowKernels of_uneven(Index radix) {
    RowKernels kernels;
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (kernels.template add_uneven<uneven_radices[i]>(radix), ...);
    }
    (std::make_index_sequence<uneven_radices.size()>());
    return kernels;
  }

 private:
  template <int transforms, int R>
  static RowKernels passes() {
    return {row_pass<Real, transforms, R, false>, row_pass<Real, transforms, R, true>};
  }
  template <int R>
  void add_uneven(Index radix) {
    if constexpr (is_uneven_radix<Real>(R))
      if (radix == R) *this = passes<1, R>();
  }
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

// SPDX-License-Identifier: BSD-3-Clause
// One pass of a radix that has a butterfly, over the rows of some groups.
//
// Rows are read from the kernels' own buffer or directly from the user's array, and written
// likewise. There are three kinds of pass: the first (from the user's array), those in the middle,
// and the last, which stores rows at their places in the result. walk-inl.hpp orders the passes;
// direct-inl.hpp and walk-inl.hpp have primes without a butterfly. Compiled once for each
// instruction set.
#include "local/caches.hpp"
#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/finish-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/recipe.hpp"

#if defined(SIXSTEP_LOCAL_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_PASSES_INL
#undef SIXSTEP_LOCAL_PASSES_INL
#else
#define SIXSTEP_LOCAL_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// Rows of the kernels' own buffer. Those of group g begin at first + g group.
template <class Real>
struct OwnRows {
  Real* first;
  Index group;                   // Reals between groups
  Index step = row_reals<Real>;  // Reals between rows

  Real* at(Index k, Index g) const { return first + k * step + g * group; }
  OwnRows from_row(Index k) const { return {first + k * step, group, step}; }
  OwnRows of_group(Index g) const { return {first + g * group, 0, step}; }

  HWY_INLINE static Complex<Real> load(Real const* row) { return load_row(row); }
  HWY_INLINE void store(Complex<Real> x, Real* row, Index, Index) const { store_row(x, row); }
};

/// Such rows as a target. Row k is multiplied by twiddles[k], [re, im], or by its conjugate if
/// `sign` is -1.
template <class Real>
struct TwiddledRows {
  OwnRows<Real> rows;
  Real const* twiddles;
  Real sign;
  Index group = rows.group;
  Index step = rows.step;

  Real* at(Index k, Index g) const { return rows.at(k, g); }
  HWY_INLINE void store(Complex<Real> x, Real* row, Index k, Index) const {
    Complex<Real> twiddle = broadcast<Real>(twiddles[2 * k], twiddles[2 * k + 1]);
    twiddle.im = hn::Mul(twiddle.im, hn::Set(Tag<Real>(), sign));
    store_row(x * twiddle, row);
  }
};

/// Rows of the user's array as a source, `step` Reals apart. Each has the L columns of a group side
/// by side. They are multiplied by `scale`.
template <class Real>
struct UserSource {
  Real const* first;
  Index step;
  Index group;
  Scale<Real> scale;

  Real const* at(Index k, Index g) const { return first + k * step + g * group; }
  UserSource from_row(Index k) const { return {first + k * step, step, group, scale}; }

  HWY_INLINE Complex<Real> load(Real const* row) const { return scale(load_columns<Real>(row)); }
};

/// Rows that are used next, `step` Reals apart, with columns side by side. While row k is written,
/// row k of these is prefetched. Prefetches between butterflies cost almost nothing, but a
/// processor would wait for many at once.
template <class Real>
struct NextRows {
  Real const* first = nullptr;  // null: nothing is prefetched
  Index step = 0;
};

/// Rows of the user's array as a target, changed by `finish`, which is one of finish-inl.hpp's. The
/// second half of a group's columns lies `half` Reals after the first. `next` has the same groups.
template <class Real, class Finish>
struct UserSink {
  Real* first;
  Index step;
  Index group;
  Index half;
  Finish finish;
  NextRows<Real> next = {};

  Real* at(Index k, Index g) const { return first + k * step + g * group; }

  HWY_INLINE void store(Complex<Real> x, Real* row, Index k, Index g) const {
    store_columns<Real>(finish(x, k, g), row, half);
  }
};

/// The work of a first or middle pass: in each of `blocks` blocks of each group, butterflies
/// p = 0 ... count - 1. Butterfly p reads rows p + from_step k and writes rows p + step j of `own`,
/// j, k < r. The next block begins `block_step` rows later.
template <class Real>
struct Butterflies {
  OwnRows<Real> own;
  Index groups;
  Index blocks;
  Index block_step;
  Index count;
  Index step;
  Index from_step;
  Real const* twiddles;                       // [p][re: r - 1][im: r - 1]
  DirectRoots<Real> const* direct = nullptr;  // for a radix without a butterfly
};

/// A last pass stores row j of block q of outer block o in row
/// start + outer_weight o + weight q + stride j of the result, where n stands for 0.
///
/// A backward transform is the forward one with row n - k instead of row k; then start counts down
/// from n, and the other three are negative.
struct Places {
  Index n;
  Index start;
  Index outer_weight;
  Index weight;
  Index stride;

  Index of_first_row(Index o, Index q) const {
    Index const place = of_row(o, q, 0);
    return place == n ? 0 : place;
  }
  Index of_row(Index o, Index q, Index j) const {
    return start + outer_weight * o + weight * q + stride * j;
  }
};

/// One butterfly, whose rows are multiplied by their twiddles.
template <int R, class Real, class Source>
HWY_INLINE void middle_butterfly(Source const& from, Real const* source, Index source_step,
                                 Real* target, Index target_step, Real const* twiddles) {
  Complex<Real> x[R];
  HWY_UNROLL(16)
  for (int k = 0; k < R; ++k) x[k] = from.load(source + k * source_step);
  butterfly<R>(x);
  store_row(x[0], target);
  HWY_UNROLL(16)
  for (int j = 1; j < R; ++j)
    store_row(x[j] * broadcast<Real>(twiddles[j - 1], twiddles[R + j - 2]),
              target + j * target_step);
}

/// Reads and writes the kernels' own rows.
template <int R, class Real>
HWY_NOINLINE void middle_pass(OwnRows<Real> from, Butterflies<Real> b) {
  Index const source_step = b.from_step * from.step;
  Index const target_step = b.step * b.own.step;
  for (Index g = 0; g < b.groups; ++g) {
    for (Index block = 0; block < b.blocks; ++block) {
      Real const* twiddles = b.twiddles;
      Real const* source = from.at(block * b.block_step, g);
      Real* target = b.own.at(block * b.block_step, g);
      for (Index p = 0; p < b.count; ++p) {
        middle_butterfly<R>(from, source, source_step, target, target_step, twiddles);
        twiddles += 2 * (R - 1);
        source += from.step;
        target += b.own.step;
      }
    }
  }
}

/// Reads the user's rows and writes the kernels' own. Neighbouring groups read the same cache lines
/// and pages, so groups are the inner loop if rows compete for cache sets; otherwise rows are.
template <int R, class Real>
HWY_NOINLINE void first_pass(UserSource<Real> from, Butterflies<Real> b) {
  struct Loop {
    Index count;
    Index source;
    Index target;
    Index twiddles;
  };
  Loop const rows{b.count, from.step, b.own.step, 2 * (R - 1)};
  Loop const groups{b.groups, from.group, b.own.group, 0};
  bool const across = shares_sets(from.step * static_cast<Index>(sizeof(Real)), b.count * R);
  Loop const& outer = across ? rows : groups;
  Loop const& inner = across ? groups : rows;
  for (Index i = 0; i < outer.count; ++i) {
    Real const* source = from.first + i * outer.source;
    Real* target = b.own.first + i * outer.target;
    Real const* twiddles = b.twiddles + i * outer.twiddles;
    for (Index j = 0; j < inner.count; ++j) {
      middle_butterfly<R>(from, source, b.from_step * from.step, target, b.step * b.own.step,
                          twiddles);
      source += inner.source;
      target += inner.target;
      twiddles += inner.twiddles;
    }
  }
}

/// The work of a last pass: `outer` blocks, outer_step rows apart, of `blocks` blocks, `step` rows
/// apart, of R rows each.
template <class Real>
struct Blocks {
  Index groups;
  Index outer;
  Index outer_step;
  Index blocks;
  Index step;
  DirectRoots<Real> const* direct = nullptr;  // for a radix without a butterfly
};

/// Prefetches the next rows with the numbers of those that a butterfly writes: k0 and, for
/// j = 1 ... R - 1, k + j stride.
template <int R, class Real, class Sink>
HWY_INLINE void fetch_rows(Sink const&, Index, Index, Index, Index) {}
template <int R, class Real, class Finish>
HWY_INLINE void fetch_rows(UserSink<Real, Finish> const& to, Index k0, Index k, Index stride,
                           Index g) {
  if (to.next.first == nullptr) return;
  Real const* const first = to.next.first + g * to.group;
  Index const step = to.next.step;
  fetch(first + k0 * step, row_reals<Real>);
  for (int j = 1; j < R; ++j) fetch(first + (k + j * stride) * step, row_reals<Real>);
}

/// Reads any rows and writes them to their places in `to`, without twiddles.
template <int R, class Real, class Source, class Sink>
HWY_NOINLINE void last_pass(Source from, Blocks<Real> b, Places places, Sink to) {
  for (Index o = 0; o < b.outer; ++o) {
    for (Index q = 0; q < b.blocks; ++q) {
      Index const k0 = places.of_first_row(o, q);
      Index const k = places.of_row(o, q, 0);
      Real const* source = from.at(o * b.outer_step + q * b.step, 0);
      Real* target0 = to.at(k0, 0);
      Real* target = to.at(k, 0);
      for (Index g = 0; g < b.groups; ++g) {
        // Unknown, so that the compiler does not keep a pointer for each multiple of a step: there
        // are not enough registers.
        Index const source_step = unknown(from.step);
        Index const target_step = unknown(places.stride * to.step);
        Complex<Real> x[R];
        HWY_UNROLL(16)
        for (int i = 0; i < R; ++i) x[i] = from.load(source + i * source_step);
        fetch_rows<R, Real>(to, k0, k, places.stride, g);
        butterfly<R>(x);
        to.store(x[0], target0, k0, g);
        HWY_UNROLL(16)
        for (int j = 1; j < R; ++j)
          to.store(x[j], target + j * target_step, k + j * places.stride, g);
        source += from.group;
        target0 += to.group;
        target += to.group;
      }
    }
  }
}

template <class Real, class Source, class Sink>
using LastPass = void (*)(Source, Blocks<Real>, Places, Sink);

/// The passes of one radix, for all sources and targets that are used. `first`, `twiddled` and
/// `whole` are null without has_all_kernels.
template <class Real>
struct RadixKernels {
  template <class Finish>
  using ToUser = LastPass<Real, OwnRows<Real>, UserSink<Real, Finish>>;

  void (*first)(UserSource<Real>, Butterflies<Real>) = nullptr;
  void (*middle)(OwnRows<Real>, Butterflies<Real>);
  LastPass<Real, OwnRows<Real>, OwnRows<Real>> last;
  LastPass<Real, OwnRows<Real>, TwiddledRows<Real>> twiddled = nullptr;
  ToUser<Unchanged<Real>> to_user;
  ToUser<Twisted<Real>> to_user_twisted;
  LastPass<Real, UserSource<Real>, UserSink<Real, Unchanged<Real>>> whole = nullptr;

  ToUser<Unchanged<Real>> last_to_user(Unchanged<Real> const&) const { return to_user; }
  ToUser<Twisted<Real>> last_to_user(Twisted<Real> const&) const { return to_user_twisted; }
};

template <class Real, int R>
RadixKernels<Real> kernels_of() {
  using Own = OwnRows<Real>;
  using User = UserSource<Real>;
  RadixKernels<Real> kernels{
      .middle = middle_pass<R, Real>,
      .last = last_pass<R, Real, Own, Own>,
      .to_user = last_pass<R, Real, Own, UserSink<Real, Unchanged<Real>>>,
      .to_user_twisted = last_pass<R, Real, Own, UserSink<Real, Twisted<Real>>>};
  if constexpr (has_all_kernels) {
    kernels.first = first_pass<R, Real>;
    kernels.twiddled = last_pass<R, Real, Own, TwiddledRows<Real>>;
    kernels.whole = last_pass<R, Real, User, UserSink<Real, Unchanged<Real>>>;
  }
  return kernels;
}

/// The kernels of one of the small_radices in factor.hpp; empty for any other.
template <class Real>
RadixKernels<Real> kernels(Index radix) {
  switch (radix) {
    case 2:
      return kernels_of<Real, 2>();
    case 3:
      return kernels_of<Real, 3>();
    case 4:
      return kernels_of<Real, 4>();
    case 5:
      return kernels_of<Real, 5>();
    case 6:
      return kernels_of<Real, 6>();
    case 7:
      return kernels_of<Real, 7>();
    case 8:
      return kernels_of<Real, 8>();
    case 9:
      return kernels_of<Real, 9>();
    case 10:
      return kernels_of<Real, 10>();
    case 11:
      return kernels_of<Real, 11>();
    case 12:
      return kernels_of<Real, 12>();
    case 13:
      return kernels_of<Real, 13>();
    case 14:
      return kernels_of<Real, 14>();
    case 15:
      return kernels_of<Real, 15>();
    case 16:
      return kernels_of<Real, 16>();
    default:
      return {};
  }
}

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

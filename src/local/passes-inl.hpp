// SPDX-License-Identifier: BSD-3-Clause
// One pass of a small radix over the rows of a group: butterflies, twiddles, loads and stores.
//
// A row is one element of L columns. Rows come from and go to the kernels' own buffer, or straight
// from and to the user's array. Compiled once an instruction set; which pass follows which, and the
// large primes, are column_transform-inl.hpp's.
#include "local/butterflies-inl.hpp"
#include "local/finish-inl.hpp"
#include "local/program.hpp"
#include "local/vector-inl.hpp"

#if defined(SIXSTEP_LOCAL_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_PASSES_INL
#undef SIXSTEP_LOCAL_PASSES_INL
#else
#define SIXSTEP_LOCAL_PASSES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// Rows of the kernels' own buffer.
template <class Real>
struct OwnRows {
  Real* rows;

  HWY_INLINE Complex<Real> load(Index k) const { return load_row(rows + k * row_reals<Real>); }
  HWY_INLINE void store(Complex<Real> x, Index k) const {
    store_row(x, rows + k * row_reals<Real>);
  }
  OwnRows from_row(Index k) const { return {rows + k * row_reals<Real>}; }
};

/// L columns that lie side by side in the user's array, to read.
template <class Real>
struct UserSource {
  Real const* first;  // column 0 of the group
  Index const* row;

  HWY_INLINE Complex<Real> load(Index k) const { return load_columns<Real>(first + 2 * row[k]); }
  UserSource from_row(Index k) const { return {first, row + k}; }
};

/// The same, to write, with one of finish-inl.hpp's on the way.
template <class Real, class Finish>
struct UserSink {
  Real* first;
  Index const* row;
  Finish finish;

  HWY_INLINE void store(Complex<Real> x, Index k) const {
    store_columns<Real>(finish(x, k), first + 2 * row[k]);
  }
};

/// Butterflies p < count of one block: row p + step j of `own` from rows p + from_step k.
template <class Real>
struct Butterflies {
  OwnRows<Real> own;
  Index count;
  Index step;
  Index from_step;
  Real const* twiddles;  // [p][re: r - 1][im: r - 1]
};

/// Blocks whose rows are transformed and put where they belong: row j of block q to
/// start + weight q + stride j, where n stands for 0.
///
/// Backward, a transform is the forward one with row n - k in place of k: all three are negative.
struct Places {
  Index n;
  Index start;
  Index weight;
  Index stride;

  Index of_first_row(Index q) const {
    Index const place = start + weight * q;
    return place == n ? 0 : place;
  }
  Index of_row(Index q, Index j) const { return start + weight * q + stride * j; }
};

template <int R, class Real, class Source>
HWY_NOINLINE void middle_pass(Source from, Butterflies<Real> b) {
  for (Index p = 0; p < b.count; ++p, b.twiddles += 2 * (R - 1)) {
    Complex<Real> x[R];
    HWY_UNROLL(16)
    for (int k = 0; k < R; ++k) x[k] = from.load(p + b.from_step * k);
    butterfly<R>(x);
    b.own.store(x[0], p);
    HWY_UNROLL(16)
    for (int j = 1; j < R; ++j)
      b.own.store(x[j] * broadcast<Real>(b.twiddles[j - 1], b.twiddles[R + j - 2]), p + b.step * j);
  }
}

template <int R, class Real, class Source, class Sink>
HWY_NOINLINE void last_pass(Source from, Index blocks, Index block_step, Places places, Sink to) {
  for (Index q = 0; q < blocks; ++q) {
    Complex<Real> x[R];
    HWY_UNROLL(16)
    for (int k = 0; k < R; ++k) x[k] = from.load(q * block_step + k);
    butterfly<R>(x);
    to.store(x[0], places.of_first_row(q));
    HWY_UNROLL(16)
    for (int j = 1; j < R; ++j) to.store(x[j], places.of_row(q, j));
  }
}

template <class Real, class Source, class Sink>
using LastPass = void (*)(Source, Index, Index, Places, Sink);

/// The passes of one radix.
template <class Real>
struct RadixKernels {
  template <class Finish>
  using ToUser = LastPass<Real, OwnRows<Real>, UserSink<Real, Finish>>;

  void (*first)(UserSource<Real>, Butterflies<Real>);
  void (*middle)(OwnRows<Real>, Butterflies<Real>);
  LastPass<Real, OwnRows<Real>, OwnRows<Real>> last;
  ToUser<Unchanged<Real>> to_user;
  ToUser<Scaled<Real>> to_user_scaled;
  ToUser<Twisted<Real>> to_user_twisted;
  LastPass<Real, UserSource<Real>, UserSink<Real, Unchanged<Real>>> whole;

  ToUser<Unchanged<Real>> last_to_user(Unchanged<Real> const&) const { return to_user; }
  ToUser<Scaled<Real>> last_to_user(Scaled<Real> const&) const { return to_user_scaled; }
  ToUser<Twisted<Real>> last_to_user(Twisted<Real> const&) const { return to_user_twisted; }
};

template <class Real, int R>
RadixKernels<Real> kernels_of() {
  using Own = OwnRows<Real>;
  using User = UserSource<Real>;
  return {.first = middle_pass<R, Real, User>,
          .middle = middle_pass<R, Real, Own>,
          .last = last_pass<R, Real, Own, Own>,
          .to_user = last_pass<R, Real, Own, UserSink<Real, Unchanged<Real>>>,
          .to_user_scaled = last_pass<R, Real, Own, UserSink<Real, Scaled<Real>>>,
          .to_user_twisted = last_pass<R, Real, Own, UserSink<Real, Twisted<Real>>>,
          .whole = last_pass<R, Real, User, UserSink<Real, Unchanged<Real>>>};
}

/// The kernels of one of factor.hpp's small_radices; none for any other.
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
    case 15:
      return kernels_of<Real, 15>();
    case 16:
      return kernels_of<Real, 16>();
    default:
      return {};
  }
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

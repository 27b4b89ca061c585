// SPDX-License-Identifier: BSD-3-Clause
// Transforms that lie contiguously: lanes along the transform.
//
// With n = r m, r = L, a transform is r-point transforms of elements m apart, twiddles, and L
// columns of length m that lie side by side in the result too: X[k1 + r k2] is row k2 of column k1.
// So one pass is all that contiguous data need besides what columns need: its lanes hold r
// neighbouring p at first, and r columns k1 after a transposition in registers. With r = L/2 two
// transforms share the lanes, for lengths that are short or no multiple of L. Compiled once an
// instruction set.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "local/factor.hpp"
#include "local/passes-inl.hpp"
#include "local/roots.hpp"
#include "local/walk-inl.hpp"

#if defined(SIXSTEP_LOCAL_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_ROWS_INL
#undef SIXSTEP_LOCAL_ROWS_INL
#else
#define SIXSTEP_LOCAL_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// Where transforms lie: element k of the first one of group g is at first + g group + 2 k, that of
/// a second one that shares the group `half` Reals further on.
template <class Scalar>
struct RowPlaces {
  Scalar* first;
  Index group;
  Index half;  // L where one transform has all lanes
};

/// The factors of L lanes.
template <class Real>
struct alignas(64) TwiddleRow {
  Real parts[row_reals<Real>];  // [re: L][im: L]
};

/// Rows p, p + 1, ... of the r columns of length m, in the order of square_row().
///
/// Backward, a transform is the forward one with real and imaginary parts swapped before and after.
template <class Real, int transforms, bool swapped>
HWY_INLINE void row_butterfly(Real const* from, Index half, Index m,
                              TwiddleRow<Real> const* twiddles, Complex<Real>* rows) {
  constexpr int R = square<Real, transforms>;
  Complex<Real> x[R];
  HWY_UNROLL(16)
  for (int k = 0; k < R; ++k) {
    x[k] = load_columns<Real>(from + 2 * m * k, half);
    if constexpr (swapped) x[k] = {x[k].im, x[k].re};
  }
  butterfly<R>(x);
  HWY_UNROLL(16)
  for (int j = 1; j < R; ++j) x[j] = x[j] * load_row(twiddles[j - 1].parts);
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

/// All m rows of some groups, to `own`, in blocks of `count` rows that are `step` rows apart. Where
/// r does not divide m, the last butterfly overlaps the one before.
template <class Real>
struct RowPass {
  OwnRows<Real> own;
  Index groups;
  Index m;
  Index count;
  Index step;
  TwiddleRow<Real> const* twiddles;
};

template <class Real, int transforms, bool swapped>
HWY_NOINLINE void row_pass(RowPlaces<Real const> from, RowPass<Real> b) {
  constexpr int R = square<Real, transforms>;
  for (Index g = 0; g < b.groups; ++g) {
    Real const* const source = from.first + g * from.group;
    TwiddleRow<Real> const* twiddles = b.twiddles;
    for (Index start = 0; start < b.m; start += R, twiddles += R - 1) {
      Index const p = start + R <= b.m ? start : b.m - R;
      Complex<Real> rows[R];
      row_butterfly<Real, transforms, swapped>(source + 2 * p, from.half, b.m, twiddles, rows);
      Real* const target = b.own.at(p + p / b.count * (b.step - b.count), g);
      HWY_UNROLL(16)
      for (int i = 0; i < R; ++i)
        store_row(rows[i], target + square_row<Real, transforms>(i) * row_reals<Real>);
    }
  }
}

template <class Real, int transforms, bool swapped, int M, int start>
HWY_INLINE void all_row_butterflies(Real const* from, Index half, TwiddleRow<Real> const* twiddles,
                                    Complex<Real>* x) {
  constexpr int R = square<Real, transforms>;
  if constexpr (start < M) {
    constexpr int p = start + R <= M ? start : M - R;
    Complex<Real> rows[R];
    row_butterfly<Real, transforms, swapped>(from + 2 * p, half, M, twiddles, rows);
    HWY_UNROLL(16)
    for (int i = 0; i < R; ++i) x[p + square_row<Real, transforms>(i)] = rows[i];
    all_row_butterflies<Real, transforms, swapped, M, start + R>(from, half, twiddles + R - 1, x);
  }
}

/// Whole transforms of length r M, a group after another, without leaving the registers.
template <class Real, int transforms, int M, class Finish>
HWY_NOINLINE void short_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             TwiddleRow<Real> const* twiddles, Finish finish) {
  constexpr int R = square<Real, transforms>;
  constexpr bool swapped = is_swapped<Finish>;
  for (Index g = 0; g < groups; ++g) {
    Complex<Real> x[M];
    all_row_butterflies<Real, transforms, swapped, M, 0>(from.first, from.half, twiddles, x);
    butterfly<M>(x);
    HWY_UNROLL(16)
    for (int k = 0; k < M; ++k)
      store_columns<Real>(finish(x[k], k, g), to.first + 2 * R * k, to.half);
    from.first += from.group;
    to.first += to.group;
  }
}

/// The kernels of one factor r = L / transforms and one way to finish.
template <class Real, class Finish>
struct RowKernels {
  void (*first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  // None where the columns' length has no butterfly.
  void (*whole)(RowPlaces<Real const>, RowPlaces<Real>, Index, TwiddleRow<Real> const*,
                Finish) = nullptr;

  template <int transforms>
  static RowKernels of(Index m) {
    RowKernels kernels;
    kernels.first = row_pass<Real, transforms, is_swapped<Finish>>;
    [&]<int... M>(std::integer_sequence<int, M...>) {
      (kernels.template add_whole<transforms, M>(m), ...);
    }
    (std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>());
    return kernels;
  }

 private:
  template <int transforms, int M>
  void add_whole(Index m) {
    if constexpr (M >= square<Real, transforms>)
      if (m == M) whole = short_rows<Real, transforms, M, Finish>;
  }
};

/// How contiguous transforms of one length run.
template <class Real>
class RowWay {
 public:
  /// None for a length that has no such factor, or is too short or too long.
  static std::unique_ptr<RowWay> make(Index n) {
    constexpr Index longest = Index{1} << 15;  // the table has about n entries
    for (int transforms : {1, 2}) {
      Index const r = lanes<Real> / transforms;
      if (r > 1 && n <= longest && n % r == 0 && n / r >= r && is_smooth(n / r))
        return std::make_unique<RowWay>(n, transforms);
    }
    return nullptr;
  }

  RowWay(Index n, int transforms)
      : transforms_(transforms),
        radix_(lanes<Real> / transforms),
        core_(n / radix_),
        chain_(core_),
        unchanged_(kernels<Unchanged<Real>>()),
        scaled_(kernels<Scaled<Real>>()),
        swapped_(kernels<Swapped<Real>>()),
        count_(core_.passes.front().count > 1 ? core_.passes.front().count : core_.n),
        step_(core_.passes.front().count > 1 ? core_.passes.front().step : core_.n),
        groups_(std::clamp<Index>((Index{1} << 13) / (core_.n * row_bytes), 1, 4)) {
    Roots const roots(n);
    for (Index start = 0; start < core_.n; start += radix_)
      for (Index j = 1; j < radix_; ++j)
        twiddles_.push_back(twiddle(roots, std::min(start, core_.n - radix_), j));
  }
  RowWay(RowWay const&) = delete;  // chain_ refers to core_

  /// Transforms that share a group.
  Index transforms() const { return transforms_; }

  void run(RowPlaces<Real const> const& from, RowPlaces<Real> const& to, Index groups,
           bool backward, Real scale, Workspace<Real> const& work) const {
    auto const factor = hn::Set(Tag<Real>(), scale);
    if (backward)
      run(swapped_, from, to, groups, Swapped<Real>{factor}, work);
    else if (scale == Real{1})
      run(unchanged_, from, to, groups, Unchanged<Real>{}, work);
    else
      run(scaled_, from, to, groups, Scaled<Real>{factor}, work);
  }

 private:
  template <class Finish>
  RowKernels<Real, Finish> kernels() const {
    using Kernels = RowKernels<Real, Finish>;
    if (transforms_ == 1) return Kernels::template of<1>(core_.n);
    if constexpr (square < Real, 2 >> 1) return Kernels::template of<2>(core_.n);
    return {};
  }

  template <class Finish>
  void run(RowKernels<Real, Finish> const& kernels, RowPlaces<Real const> from, RowPlaces<Real> to,
           Index groups, Finish finish, Workspace<Real> work) const {
    if (kernels.whole != nullptr) {
      kernels.whole(from, to, groups, twiddles_.data(), finish);
      return;
    }
    for (Index g = 0; g < groups; g += work.groups) {
      work.groups = std::min(groups_, groups - g);
      kernels.first(from, {work.rows, work.groups, core_.n, count_, step_, twiddles_.data()});
      Walk<Real>(chain_, work, 1)
          .from_buffer(work.rows,
                       UserSink<Real, Finish>{to.first, 2 * radix_, to.group, to.half, finish});
      from.first += work.groups * from.group;
      to.first += work.groups * to.group;
    }
  }

  TwiddleRow<Real> twiddle(Roots const& roots, Index p, Index j) const {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      auto const root = roots.at<Real>((p + lane_column<Real>(lane) % radix_) * j);
      row.parts[lane] = root.real();
      row.parts[lanes<Real> + lane] = root.imag();
    }
    return row;
  }

  static constexpr Index row_bytes = row_reals<Real> * static_cast<Index>(sizeof(Real));

  Index transforms_;
  Index radix_;
  Program<Real> core_;
  Chain<Real> chain_;
  RowKernels<Real, Unchanged<Real>> unchanged_;
  RowKernels<Real, Scaled<Real>> scaled_;
  RowKernels<Real, Swapped<Real>> swapped_;
  Index count_;  // rows of a block of the core's buffer, and from one to the next
  Index step_;
  Index groups_;  // that are worked on together: they fit the first-level cache
  std::vector<TwiddleRow<Real>> twiddles_;  // [start / radix][j - 1]
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

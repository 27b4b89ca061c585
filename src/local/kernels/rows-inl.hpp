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

#include "hwy/cache_control.h"
#include "local/caches.hpp"
#include "local/kernels/passes-inl.hpp"
#include "local/kernels/two_level-inl.hpp"
#include "local/kernels/walk-inl.hpp"
#include "local/numbers/double_double.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/roots.hpp"

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

/// Factors of one number, as twice the precision has it, in all lanes.
template <class Real>
struct CoarseTwiddle {
  Real re, im;
  Real re_rest, im_rest;
};

/// The factors of a row pass, r - 1 of each start. A short table is whole. Of a long one, starts
/// count from `coarse`'s, of which there are r - 1 for every `tile` starts; see recipe.hpp.
template <class Real>
struct RowTwiddles {
  TwiddleRow<Real> const* fine;
  CoarseTwiddle<Real> const* coarse = nullptr;

  HWY_INLINE Complex<Real> whole(int j) const { return load_row(fine[j - 1].parts); }

  HWY_INLINE Complex<Real> product(int j) const {
    Complex<Real> const small = load_row(fine[j - 1].parts);
    CoarseTwiddle<Real> const& factor = coarse[j - 1];
    Complex<Real> const large = broadcast<Real>(factor.re, factor.im);
    Complex<Real> const rest = broadcast<Real>(factor.re_rest, factor.im_rest);
    auto const re = hn::NegMulAdd(large.im, small.im, hn::MulAdd(large.re, small.re, rest.re));
    auto const im = hn::MulAdd(large.im, small.re, hn::MulAdd(large.re, small.im, rest.im));
    return {hn::Add(large.re, re), hn::Add(large.im, im)};
  }
};

/// Rows p, p + 1, ... of the r columns of length m, in the order of square_row().
///
/// Backward, a transform is the forward one with real and imaginary parts swapped before and after.
template <class Real, int transforms, bool swapped, bool long_table = false>
HWY_INLINE void row_butterfly(Real const* from, Index half, Index m,
                              RowTwiddles<Real> const& twiddles, Complex<Real>* rows) {
  constexpr int R = square<Real, transforms>;
  Complex<Real> x[R];
  HWY_UNROLL(16)
  for (int k = 0; k < R; ++k) {
    x[k] = load_columns<Real>(from + 2 * m * k, half);
    if constexpr (swapped) x[k] = {x[k].im, x[k].re};
  }
  butterfly<R>(x);
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

/// Asks for so many Reals before they are needed. The hardware foresees steps from line to line,
/// not those of butterflies.
template <class Real>
HWY_INLINE void fetch(Real const* from, Index reals) {
  constexpr Index line = 64 / static_cast<Index>(sizeof(Real));
  for (Index i = 0; i < reals; i += line) hwy::Prefetch(from + i);
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
  Index tile;  // starts of a tile of a long table
  RowTwiddles<Real> twiddles;
  Index ahead;  // groups after which one is fetched; 0: they are in cache
};

template <class Real, int transforms, bool swapped, bool long_table>
HWY_NOINLINE void row_pass(RowPlaces<Real const> from, RowPass<Real> b) {
  constexpr int R = square<Real, transforms>;
  constexpr Index part = 2 * R * transforms;  // of a group, in Reals, for each start
  for (Index g = 0; g < b.groups; ++g) {
    Real const* const source = from.first + g * from.group;
    RowTwiddles<Real> twiddles = b.twiddles;
    Index left = b.tile;
    for (Index start = 0; start < b.m; start += R) {
      Index const p = start + R <= b.m ? start : b.m - R;
      if (b.ahead > 0) fetch(source + b.ahead * from.group + start * part, part * R);
      Complex<Real> rows[R];
      row_butterfly<Real, transforms, swapped, long_table>(source + 2 * p, from.half, b.m, twiddles,
                                                           rows);
      Real* const target = b.own.at(p + p / b.count * (b.step - b.count), g);
      HWY_UNROLL(16)
      for (int i = 0; i < R; ++i)
        store_row(rows[i], target + square_row<Real, transforms>(i) * row_reals<Real>);
      twiddles.fine += R - 1;
      if (long_table && --left == 0) {
        left = b.tile;
        twiddles = {b.twiddles.fine, twiddles.coarse + R - 1};
      }
    }
  }
}

template <class Real, int transforms, bool swapped, int M, int start>
HWY_INLINE void all_row_butterflies(Real const* from, Index half, RowTwiddles<Real> const& twiddles,
                                    Complex<Real>* x) {
  constexpr int R = square<Real, transforms>;
  if constexpr (start < M) {
    constexpr int p = start + R <= M ? start : M - R;
    Complex<Real> rows[R];
    row_butterfly<Real, transforms, swapped>(from + 2 * p, half, M, twiddles, rows);
    HWY_UNROLL(16)
    for (int i = 0; i < R; ++i) x[p + square_row<Real, transforms>(i)] = rows[i];
    all_row_butterflies<Real, transforms, swapped, M, start + R>(from, half,
                                                                 {twiddles.fine + R - 1}, x);
  }
}

/// Whole transforms of length r M, a group after another, without leaving the registers; `far`: out
/// of cache.
template <class Real, int transforms, int M, bool far, class Finish>
HWY_NOINLINE void short_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                             RowTwiddles<Real> twiddles, Finish finish) {
  constexpr int R = square<Real, transforms>;
  constexpr bool swapped = is_swapped<Finish>;
  for (Index g = 0; g < groups; ++g) {
    if constexpr (far) {
      Real const* const next = from.first + (32 + M - 1) / M * from.group;
      fetch(next, 2 * R * M);
      if (transforms == 2) fetch(next + from.half, 2 * R * M);
    }
    Complex<Real> x[M];
    all_row_butterflies<Real, transforms, swapped, M, 0>(from.first, from.half, twiddles, x);
    butterfly<M>(x);
    HWY_UNROLL(64)
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
  void (*long_first)(RowPlaces<Real const>, RowPass<Real>) = nullptr;
  // None where the columns' length has no butterfly.
  using Whole = void (*)(RowPlaces<Real const>, RowPlaces<Real>, Index, RowTwiddles<Real>, Finish);
  Whole whole = nullptr;
  Whole far_whole = nullptr;

  template <int transforms>
  static RowKernels of(Index m) {
    RowKernels kernels;
    kernels.first = row_pass<Real, transforms, is_swapped<Finish>, false>;
    kernels.long_first = row_pass<Real, transforms, is_swapped<Finish>, true>;
    [&]<int... M>(std::integer_sequence<int, M...>) {
      (kernels.template add_whole<transforms, M>(m), ...);
    }
    (std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32>());
    return kernels;
  }

 private:
  template <int transforms, int M>
  void add_whole(Index m) {
    if constexpr (M >= square<Real, transforms>)
      if (m == M) {
        // One of 8 x 8 and the like goes through memory line by line.
        constexpr bool in_order = transforms == 1 && M < 16;
        whole = short_rows<Real, transforms, M, false, Finish>;
        far_whole = short_rows<Real, transforms, M, !in_order, Finish>;
      }
  }
};

/// How contiguous transforms of one length run.
template <class Real>
class RowWay {
 public:
  /// None for a length that has no such factor, or is too short or too long.
  static std::unique_ptr<RowWay> make(Index n) {
    Index const longest = caches().second / 4;
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
        groups_(std::clamp<Index>(caches().first / 3 / (core_.n * row_bytes), 1, 4)) {
    if (n > caches().second / 128) two_level_ = TwoLevelRows<Real>::make(core_.n);
    if (two_level_) count_ = step_ = core_.n;
    Roots const roots(n);
    Index const starts = (core_.n + radix_ - 1) / radix_;
    // The starts of a long table are evenly spaced, lest the last one be in no tile.
    bool const whole = n <= longest_whole || core_.n % radix_ != 0;
    tile_ = starts;
    if (!whole)
      while (tile_ % 2 == 0 && tile_ * tile_ > starts) tile_ /= 2;
    for (Index start = 0; start < tile_; ++start)
      for (Index j = 1; j < radix_; ++j)
        fine_.push_back(
            twiddle(roots, std::min(start * radix_, core_.n - radix_), j, whole ? 0 : 1));
    for (Index start = 0; !whole && start < starts; start += tile_)
      for (Index j = 1; j < radix_; ++j)
        coarse_.push_back(coarse_twiddle(roots.wide(start * radix_ * j)));
  }
  RowWay(RowWay const&) = delete;  // chain_ refers to core_

  std::size_t scratch_bytes() const {
    using Carver = Carver<Real>;
    Index reals = groups_ * Carver::group_reals(core_.rows);
    if (two_level_)
      reals += Carver::group_reals(core_.n) + Carver::group_reals(two_level_->inner().rows) +
               Carver::aligned(tile_reals(two_level_->inner()));
    else
      reals += Carver::aligned(tile_reals(core_));
    return static_cast<std::size_t>(reals) * sizeof(Real);
  }

  /// Columns whose rows follow each other on both sides, without a twist.
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const {
    Work const work = carve(scratch);
    Index const groups = batch.columns / transforms_;
    run_groups(batch, 0, groups, 1, work);
    // One that is left over is in both halves of its group.
    if (groups * transforms_ < batch.columns) run_groups(batch, groups * transforms_, 1, 0, work);
  }

  /// "8 x 16 x 8".
  std::string describe() const {
    std::string const first = std::to_string(radix_) + " x ";
    return first + (two_level_ ? two_level_->describe() : core_.describe());
  }

 private:
  struct Work {
    OwnRows<Real> rows;  // of the row pass
    OwnRows<Real> between;
    Workspace<Real> walk;
  };

  Work carve(std::byte* scratch) const {
    Carver<Real> carver(scratch);
    Work work{.rows = carver.rows(core_.rows, groups_), .between = {}, .walk = {}};
    work.walk.groups = 1;
    work.walk.rows = work.rows;
    if (two_level_) {
      work.between = carver.rows(core_.n, 1);
      work.walk.rows = carver.rows(two_level_->inner().rows, 1);
    }
    work.walk.twiddles = carver.reals(tile_reals(two_level_ ? two_level_->inner() : core_));
    return work;
  }

  // A column of half a group later is `half_of` columns later.
  void run_groups(Batch<std::complex<Real>> const& batch, Index first, Index groups, Index half_of,
                  Work const& work) const {
    auto const places = [&]<class Scalar>(Scalar* data, Index lane) {
      return RowPlaces<Scalar>{data + 2 * first * lane, 2 * transforms_ * lane,
                               transforms_ == 1 ? lanes<Real> : 2 * lane * half_of};
    };
    auto const from =
        places(reinterpret_cast<Real const*>(batch.in.data + batch.in.row[0]), batch.in.lane);
    auto const to =
        places(reinterpret_cast<Real*>(batch.out.data + batch.out.row[0]), batch.out.lane);
    auto const factor = hn::Set(Tag<Real>(), batch.scale);
    bool const far = batch.far || groups * group_bytes(from) > caches().second / 2;
    if (batch.backward)
      run(swapped_, from, to, groups, Swapped<Real>{factor}, work, far);
    else if (batch.scale == Real{1})
      run(unchanged_, from, to, groups, Unchanged<Real>{}, work, far);
    else
      run(scaled_, from, to, groups, Scaled<Real>{factor}, work, far);
  }

  static Index group_bytes(RowPlaces<Real const> const& from) {
    return from.group * static_cast<Index>(sizeof(Real));
  }

  template <class Finish>
  RowKernels<Real, Finish> kernels() const {
    using Kernels = RowKernels<Real, Finish>;
    if (transforms_ == 1) return Kernels::template of<1>(core_.n);
    if constexpr (square < Real, 2 >> 1) return Kernels::template of<2>(core_.n);
    return {};
  }

  template <class Finish>
  void run(RowKernels<Real, Finish> const& kernels, RowPlaces<Real const> from, RowPlaces<Real> to,
           Index groups, Finish finish, Work work, bool far) const {
    RowTwiddles<Real> const twiddles{fine_.data(), coarse_.data()};
    if (kernels.whole != nullptr) {
      (far ? kernels.far_whole : kernels.whole)(from, to, groups, twiddles, finish);
      return;
    }
    // Groups of many lines are streams that the hardware foresees.
    constexpr Index ahead_bytes = Index{1} << 13;
    bool const fetched = far && group_bytes(from) <= caches().first / 2;
    Index const ahead = fetched ? std::max<Index>(ahead_bytes / group_bytes(from), 1) : 0;
    auto* const first = coarse_.empty() ? kernels.first : kernels.long_first;
    Index& some = work.walk.groups;
    for (Index g = 0; g < groups; g += some) {
      some = std::min(groups_, groups - g);
      first(from, {work.rows, some, core_.n, count_, step_, tile_, twiddles, ahead});
      UserSink<Real, Finish> const sink{to.first, 2 * radix_, to.group, to.half, finish};
      if (two_level_)
        two_level_->run(work.rows, work.between, sink, work.walk);
      else
        Walk<Real>(chain_, work.walk, 1).from_buffer(work.rows, sink);
      from.first += some * from.group;
      to.first += some * to.group;
    }
  }

  // Less `subtracted`.
  TwiddleRow<Real> twiddle(Roots const& roots, Index p, Index j, double subtracted) const {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      WideComplex const root = roots.wide((p + lane_column<Real>(lane) % radix_) * j);
      row.parts[lane] = rounded<Real>(root.re + DoubleDouble{-subtracted, 0});
      row.parts[lanes<Real> + lane] = rounded<Real>(root.im);
    }
    return row;
  }

  static CoarseTwiddle<Real> coarse_twiddle(WideComplex const& root) {
    auto const re = rounded<Real>(root.re);
    auto const im = rounded<Real>(root.im);
    return {re, im, rounded<Real>(root.re - DoubleDouble{static_cast<double>(re), 0}),
            rounded<Real>(root.im - DoubleDouble{static_cast<double>(im), 0})};
  }

  static constexpr Index longest_whole = Index{1} << 13;  // table of twiddles
  static constexpr Index row_bytes = row_reals<Real> * static_cast<Index>(sizeof(Real));

  Index transforms_;
  Index radix_;
  Recipe<Real> core_;
  Chain<Real> chain_;
  std::unique_ptr<TwoLevelRows<Real>> two_level_;  // none: the core's chain
  RowKernels<Real, Unchanged<Real>> unchanged_;
  RowKernels<Real, Scaled<Real>> scaled_;
  RowKernels<Real, Swapped<Real>> swapped_;
  Index count_;  // rows of a block of the core's buffer, and from one to the next
  Index step_;
  Index groups_;    // that are worked on together: they fit the first-level cache
  Index tile_ = 0;  // starts
  std::vector<TwiddleRow<Real>> fine_;       // [start][j - 1]; all starts if coarse_ is empty
  std::vector<CoarseTwiddle<Real>> coarse_;  // [start / tile][j - 1]
};

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of 2 to 15 numbers: the lanes of a vector have the same row of several
// columns, so that one butterfly transforms them all. Compiled once for each instruction set.
#include <algorithm>
#include <complex>
#include <cstddef>
#include <string>
#include <utility>

#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/interleaved-inl.hpp"
#include "local/kernels/row_groups-inl.hpp"
#include "local/kernels/row_places-inl.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/transform.hpp"
#include "sixstep/index.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_BUTTERFLY_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_BUTTERFLY_ROWS_INL
#undef SIXSTEP_LOCAL_BUTTERFLY_ROWS_INL
#else
#define SIXSTEP_LOCAL_BUTTERFLY_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The columns that are transformed together: 32 bytes of each row. A vector is loaded and stored
/// by halves, which takes no shuffles for doubles; whole vectors of 64 bytes would take as many
/// operations a number on two ports, and more on Zen 4.
template <class Real>
inline constexpr int columns_together = std::min(numbers<Real>,
                                                 static_cast<int>(16 / sizeof(Real)));

/// The rows that are loaded at once: those of half a vector.
template <class Real>
inline constexpr int rows_at_once = std::max(columns_together<Real> / 2, 1);

/// The first of the rows of step `i`, of R rows. The last step overlaps the one before it.
template <class Real, int R>
constexpr int step_begin(int i) {
  return std::min(i * rows_at_once<Real>, R - rows_at_once<Real>);
}

/// Swaps the upper number in each half of x with the lower one in that of y.
template <class Number>
HWY_INLINE void swap_in_halves(Number& x, Number& y) {
  hn::RepartitionToWide<hn::DFromV<decltype(x.parts)>> const wide;
  hn::DFromV<decltype(x.parts)> const d;
  auto const a = hn::BitCast(wide, x.parts), b = hn::BitCast(wide, y.parts);
  x.parts = hn::BitCast(d, hn::InterleaveLower(wide, a, b));
  y.parts = hn::BitCast(d, hn::InterleaveUpper(wide, a, b));
}

/// Loads the numbers of some rows, column t of which begins at place + t lane: y[i] is row i.
template <class Real, class Number>
HWY_INLINE void load_columns(Real const* place, Index lane, Number* y) {
  constexpr int S = columns_together<Real>, W = rows_at_once<Real>;
  NumbersTag<Real, S> const d;
  if constexpr (S == 1) {
    y[0].parts = hn::LoadU(d, place);
  } else {
    hn::Half<NumbersTag<Real, S>> const half;
    HWY_UNROLL(2)
    for (int t = 0; t < W; ++t)
      y[t].parts = hn::Combine(d, hn::LoadU(half, place + (W + t) * lane),
                               hn::LoadU(half, place + t * lane));
    if constexpr (W == 2) swap_in_halves(y[0], y[1]);
  }
}

/// Stores what load_columns() loads.
template <class Real, class Number>
HWY_INLINE void store_columns(Number* y, Real* place, Index lane) {
  constexpr int S = columns_together<Real>, W = rows_at_once<Real>;
  if constexpr (S == 1) {
    hn::StoreU(y[0].parts, NumbersTag<Real, S>(), place);
  } else {
    hn::Half<NumbersTag<Real, S>> const half;
    if constexpr (W == 2) swap_in_halves(y[0], y[1]);
    HWY_UNROLL(2)
    for (int t = 0; t < W; ++t) {
      hn::StoreU(hn::LowerHalf(half, y[t].parts), half, place + t * lane);
      hn::StoreU(hn::UpperHalf(half, y[t].parts), half, place + (W + t) * lane);
    }
  }
}

/// Whole transforms of R numbers, one group of columns after another. A backward transform is the
/// forward one of x[0], x[R - 1], ..., x[1].
template <int R, bool backward, class Real>
HWY_NOINLINE void butterfly_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                                 Scale<Real> scale, Ahead ahead) {
  constexpr int W = rows_at_once<Real>, steps = (R + W - 1) / W;
  using Number = Interleaved<Real, columns_together<Real>>;
  bool const fetches = ahead.any();
  for (; groups > 0; --groups, from.first += from.group, to.first += to.group) {
    if (HWY_UNLIKELY(fetches)) fetch_ahead<columns_together<Real>>(ahead, from, to, 2 * R);
    Number x[R];
    HWY_UNROLL(16)
    for (int i = 0; i < steps; ++i) {
      int const k = step_begin<Real, R>(i);
      Number y[W];
      load_columns(from.first + 2 * k, from.half, y);
      HWY_UNROLL(2)
      for (int j = 0; j < W; ++j) x[backward ? (R - k - j) % R : k + j] = y[j];
    }
    scale_numbers<R>(scale, x);
    butterfly<R, Eighths::last>(x);
    HWY_UNROLL(16)
    for (int i = 0; i < steps; ++i) {
      int const k = step_begin<Real, R>(i);
      Number y[W];
      HWY_UNROLL(2)
      for (int j = 0; j < W; ++j) y[j] = x[k + j];
      store_columns(y, to.first + 2 * k, to.half);
    }
  }
}

/// The kernels for one length.
template <class Real>
struct ButterflyRows {
  using Run = void (*)(RowPlaces<Real const>, RowPlaces<Real>, Index, Scale<Real>, Ahead);
  Run forward = nullptr;
  Run backward = nullptr;
  static constexpr Index transforms = columns_together<Real>;  // in a group

  /// `forward` is null for lengths other than 2 to 15. For 16 points, short_rows-inl.hpp is faster.
  static ButterflyRows of(Index n) {
    ButterflyRows kernel;
    [&]<int... i>(std::integer_sequence<int, i...>) { (kernel.template take<i + 2>(n), ...); }
    (std::make_integer_sequence<int, 14>());
    return kernel;
  }

 private:
  template <int R>
  void take(Index n) {
    if (n == R) *this = {butterfly_rows<R, false, Real>, butterfly_rows<R, true, Real>};
  }
};

/// These transforms for one length.
template <class Real>
class ButterflyRowsWay final : public ContiguousRows<Real> {
 public:
  ButterflyRowsWay(Index n, ButterflyRows<Real> const& kernel, Tuning const& tuning)
      : n_(n), kernel_(kernel), fetching_(tuning) {}

  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override { return std::to_string(n_); }
  void run(Batch<std::complex<Real>> const& batch, std::byte*) const override {
    auto const kernel = batch.backward ? kernel_.backward : kernel_.forward;
    run_in_groups<Real>(batch, kernel_.transforms, [&](auto from, auto to, Index groups) {
      // Twice as far, Zen 4 was .7 to 1.1 times as fast.
      Ahead const ahead = fetching_.ahead(batch, from, to, groups);
      kernel(from, to, groups, batch.scale, {ahead.source / 2, ahead.target / 2});
    });
  }

 private:
  Index n_;
  ButterflyRows<Real> kernel_;
  Fetching fetching_;
};

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

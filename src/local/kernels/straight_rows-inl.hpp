// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of some lengths: short ones in registers, others in straight loops.
//
// The tables and options of the kernels in short_rows-inl.hpp and straight_passes-inl.hpp, and the
// choice of a kernel for a length. Compiled once for each instruction set.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "local/caches.hpp"
#include "local/kernels/short_rows-inl.hpp"
#include "local/kernels/straight_passes-inl.hpp"
#include "local/numbers/roots.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_STRAIGHT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#undef SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#else
#define SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

/// Transforms whose columns are contiguous on both sides, without a twist.
template <class Real>
class ContiguousRows {
 public:
  virtual ~ContiguousRows() = default;
  virtual std::size_t scratch_bytes() const = 0;
  virtual void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const = 0;
  /// "8 x 16 x 8".
  virtual std::string describe() const = 0;
};

/// The places of groups of `transforms` transforms, from column `first` on.
template <class Real, class Element>
auto row_places(Columns<Element> const& columns, Index first, Index transforms) {
  using Scalar = std::conditional_t<std::is_const_v<Element>, Real const, Real>;
  Index const lane = 2 * columns.lane;
  return RowPlaces<Scalar>{reinterpret_cast<Scalar*>(columns.data + columns.row[0]) + first * lane,
                           transforms * lane, transforms > 1 ? lane : lanes<Real>};
}

/// Calls `run` for the whole groups of transforms, and then for the remaining transforms, each of
/// which fills all places of a group.
template <class Real, class Run>
void run_in_groups(Batch<std::complex<Real>> const& batch, Index transforms, Run const& run) {
  Index const groups = batch.columns / transforms;
  if (groups > 0)
    run(row_places<Real>(batch.in, 0, transforms), row_places<Real>(batch.out, 0, transforms),
        groups);
  Index const left = batch.columns - groups * transforms;
  if (left == 0) return;
  auto from = row_places<Real>(batch.in, batch.columns - left, 1);
  auto to = row_places<Real>(batch.out, batch.columns - left, 1);
  from.half = to.half = 0;
  run(from, to, left);
}

/// The twiddles of forward and backward transforms.
template <class Real>
struct TwiddleTable {
  std::vector<TwiddleRow<Real>> forward;
  std::vector<TwiddleRow<Real>> backward;

  TwiddleRow<Real> const* of(bool is_backward) const {
    return is_backward ? backward.data() : forward.data();
  }

  /// Sets `backward` to the conjugates of `forward`.
  void conjugate() {
    backward = forward;
    for (TwiddleRow<Real>& row : backward)
      for (int lane = 0; lane < lanes<Real>; ++lane) row.parts[lanes<Real> + lane] *= -1;
  }
};

#if HWY_TARGET != HWY_SCALAR

/// The transforms of short_rows-inl.hpp.
template <class Real>
class ShortRowsWay final : public ContiguousRows<Real> {
 public:
  ShortRowsWay(Index n, ShortRows<Real> const& kernel) : kernel_(kernel) {
    Roots const roots(n);
    for (int c = 0; c < kernel.b; c += kernel.neighbours)
      for (int a = 1; a < kernel.a; ++a) twiddles_.forward.push_back(twiddle(roots, c, a));
    twiddles_.conjugate();
  }

  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override {
    return kernel_.a == 1 ? std::to_string(kernel_.b)
                          : std::to_string(kernel_.a) + " x " + std::to_string(kernel_.b);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte*) const override {
    run_in_groups<Real>(batch, kernel_.transforms, [&](auto from, auto to, Index groups) {
      kernel_.run(from, to, groups, twiddles_.of(batch.backward), batch.backward ? -1 : 1,
                  batch.scale);
    });
  }

 private:
  // The twiddles of neighbours from c on, in the form that times() needs.
  TwiddleRow<Real> twiddle(Roots const& roots, Index c, Index a) const {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      auto const root = roots.template at<Real>((c + lane / 2 % kernel_.neighbours) * a);
      row.parts[lane] = root.real();
      row.parts[lanes<Real> + lane] = lane % 2 == 0 ? -root.imag() : root.imag();
    }
    return row;
  }

  ShortRows<Real> kernel_;
  TwiddleTable<Real> twiddles_;
};

/// The transforms of straight_passes-inl.hpp.
template <class Real, int R1, int R2, int R3, int R4>
class StraightRowsWay final : public ContiguousRows<Real> {
  using Shape = StraightShape<Real, R1, R2, R3, R4>;
  static constexpr Index real = sizeof(Real);

 public:
  explicit StraightRowsWay(Tuning const& tuning)
      : resident_bytes_(tuning.resident_of_second.of(caches().second)),
        fetched_bytes_(tuning.fetched_bytes),
        fetched_group_bytes_(tuning.fetched_group_of_first.of(caches().first)) {
    Roots const roots(Shape::n);
    add(second_, roots, 0, R2, R3 * R4);
    for (Index j = 0; j < R2; ++j) {
      add(third_, roots, R1 * j, R3, R4);
      for (Index i = 0; i < R3; ++i) add(fourth_, roots, R1 * (j + R2 * i), R4, 1);
    }
    for (TwiddleTable<Real>* table : {&second_, &third_, &fourth_}) table->conjugate();
  }

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(Shape::groups * Shape::group * real);
  }

  std::string describe() const override {
    std::string text = std::to_string(R1);
    for (int radix : {R2, R3, R4})
      if (radix > 1) text += " x " + std::to_string(radix);
    return text;
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    run_in_groups<Real>(batch, Shape::transforms, [&](auto from, auto to, Index groups) {
      straight_rows<R1, R2, R3, R4>(
          from, to, groups,
          StraightWork<Real>{reinterpret_cast<Real*>(scratch), second_.of(batch.backward),
                             third_.of(batch.backward), fourth_.of(batch.backward),
                             batch.backward ? -1 : 1, batch.scale,
                             ahead(groups, from.group * real, batch.far)});
    });
  }

 private:
  // How many groups ahead data are prefetched.
  Index ahead(Index groups, Index group_bytes, bool is_far) const {
    // Within groups of many lines the hardware prefetches.
    bool const fetched =
        (is_far || groups * group_bytes > resident_bytes_) && group_bytes <= fetched_group_bytes_;
    return fetched ? std::max<Index>(fetched_bytes_ / group_bytes, 1) : 0;
  }

  // The twiddles of a butterfly of columns `column`, column + 1, ...: w_n^(k column factor).
  static void add(TwiddleTable<Real>& table, Roots const& roots, Index column, Index radix,
                  Index factor) {
    for (Index part = 0; part < Shape::parts; ++part)
      for (Index k = 1; k < radix; ++k)
        table.forward.push_back(twiddle(roots, part * lanes<Real> + column, k * factor));
  }

  static TwiddleRow<Real> twiddle(Roots const& roots, Index column, Index factor) {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      auto const root = roots.template at<Real>((column + lane_column<Real>(lane) % R1) * factor);
      row.parts[lane] = root.real();
      row.parts[lanes<Real> + lane] = root.imag();
    }
    return row;
  }

  TwiddleTable<Real> second_;
  TwiddleTable<Real> third_;
  TwiddleTable<Real> fourth_;
  Index resident_bytes_;       // a larger batch counts as out of cache
  Index fetched_bytes_;        // how far ahead such a batch is prefetched, ...
  Index fetched_group_bytes_;  // ... if a group has at most this size
};

template <class Real, StraightRadices radices>
std::unique_ptr<ContiguousRows<Real>> straight_way(Index n, Tuning const& tuning) {
  if constexpr (fits<Real>(radices))
    if (n == radices.n())
      return std::make_unique<
          StraightRowsWay<Real, radices.r1, radices.r2, radices.r3, radices.r4>>(tuning);
  return nullptr;
}

/// The transform for a length in cache; null if these kernels do not have it.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_straight_rows(Index n, Tuning const& tuning) {
  std::unique_ptr<ContiguousRows<Real>> way;
  if constexpr (has_all_kernels) {
    if (ShortRows<Real> const kernel = ShortRows<Real>::of(n); kernel.run != nullptr)
      return std::make_unique<ShortRowsWay<Real>>(n, kernel);
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      ((way = way ? std::move(way) : straight_way<Real, straight_radices[i]>(n, tuning)), ...);
    }
    (std::make_index_sequence<straight_radices.size()>());
  }
  return way;
}

#else

template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_straight_rows(Index, Tuning const&) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle

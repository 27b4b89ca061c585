// SPDX-License-Identifier: BSD-3-Clause
// The Transform of one instruction set: adds faster ways to tiles of columns.
//
// rows-inl.hpp has the transforms that are contiguous on both sides, straight_columns-inl.hpp those
// of columns side by side, and tiled_columns-inl.hpp all others. Compiled once for each instruction
// set.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "local/caches.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/gather.hpp"
#include "local/kernels/rows-inl.hpp"
#include "local/kernels/straight_columns-inl.hpp"
#include "local/kernels/stream.hpp"
#include "local/kernels/tiled_columns-inl.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#undef SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#else
#define SIXSTEP_LOCAL_COLUMN_TRANSFORM_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// Adds faster ways to tiles: for contiguous columns, and for columns side by side of some lengths.
template <class Real>
class ColumnTransform final : public TiledColumns<Real> {
  using Tiled = TiledColumns<Real>;
  static constexpr Index L = SIXSTEP_KERNELS::lanes<Real>;
  static constexpr Index kept_rows = 8;  // that a set of the first-level cache keeps

 public:
  ColumnTransform(Recipe<Real> recipe, Tuning const& tuning)
      : Tiled(std::move(recipe), tuning),
        crowded_rows_(static_cast<double>(tuning.crowded_rows)),
        straight_(this->n()),
        row_way_(make_contiguous_rows<Real>(this->n(), tuning)) {
    if (!row_way_) make_few_way(tuning);
    if (!straight_.has(false) || prefers_codelets())
      for (bool const backward : {false, true})
        codelets_[backward] = codelet_makers<Real>(HWY_TARGET).columns(this->n(), backward);
  }

  std::size_t scratch_bytes() const override {
    std::size_t straight = Tiled::scratch_bytes();
    if (straight_.has(false))
      straight = std::max(straight, group_bytes() + straight_.scratch_bytes());
    ContiguousRows<Real> const* const rows = for_few();
    return rows != nullptr ? std::max(straight, few_bytes() + rows->scratch_bytes()) : straight;
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    Index const n = this->n();
    bool const twisted = batch.twist.roots != nullptr;
    Index const in_step = batch.in.row.step(n);
    Index const out_step = batch.out.row.step(n);
    if (row_way_ && !twisted && in_step == 1 && out_step == 1) {
      row_way_->run(batch, scratch);
      return;
    }
    if (!twisted && batch.in.lane == 1 && batch.out.lane == 1 && in_step != 0 && out_step != 0) {
      bool const far = this->competes(2 * in_step) || this->competes(2 * out_step);
      // Straight kernels and codelets read one line of each row at a time: too little if the rows
      // of a large array are in few cache sets.
      bool const crowded = batch.apart && (crowds(2 * in_step) || crowds(2 * out_step));
      bool const suits = suits_codelet(batch, in_step, out_step);
      bool const by_codelet = suits && !far && !crowded && prefers_codelets();
      if (straight_.has(far) && !crowded && batch.columns >= L && !by_codelet) {
        Batch<std::complex<Real>> whole = batch;
        // A group takes the time of a few contiguous columns.
        if (4 * (batch.columns % L) <= L) whole.columns -= few_columns(batch.columns);
        if (whole.columns < batch.columns) run_few(batch, whole.columns, scratch);
        run_straight(whole, 2 * in_step, 2 * out_step, far, scratch);
        return;
      }
      if (suits && !(far && n > kept_rows)) {
        NextRows<Real> const next =
            straight_.has(false) ? fetched_rows(batch, out_step) : NextRows<Real>{};
        codelets_[batch.backward]->run(
            {batch.in.data + batch.in.row[0], in_step},
            {batch.out.data + batch.out.row[0], out_step}, batch.columns,
            {reinterpret_cast<std::complex<Real> const*>(next.first), next.step / 2});
        return;
      }
    }
    Index const few = twisted ? 0 : few_columns(batch.columns);
    if (few > 0) run_few(batch, batch.columns - few, scratch);
    if (few == 0) return this->run_columns(batch, in_step, out_step, scratch);
    Batch<std::complex<Real>> whole = batch;
    whole.columns = batch.columns - few;
    if (whole.columns > 0) this->run_columns(whole, in_step, out_step, scratch);
  }

 private:
  void make_few_way(Tuning const& tuning) {
    if (!has_large_prime(this->n()) && (few_way_ = make_codelet_rows<Real>(this->n(), tuning))) {
      most_few_ = L * 3 / 4;
    } else if (auto rows = RowWay<Real>::make_uneven(this->n(), tuning)) {
      most_few_ = rows->columns_a_group();
      few_way_ = std::move(rows);
    }
  }

  std::size_t few_bytes() const {
    Index const reals = Carver<Real>::aligned(2 * (L - 1) * this->n());
    return static_cast<std::size_t>(reals) * sizeof(Real);
  }

  bool crowds(Index step) const {
    return rows_a_line(Tiled::bytes(step), this->n()) > crowded_rows_;
  }

  // Transforms at least L columns side by side. The last ones go with those before them that make a
  // group. These are transformed twice if the batch is not in place. Else the last group goes
  // first, and its results wait in a buffer.
  void run_straight(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step, bool far,
                    std::byte* scratch) const {
    Index const rest = batch.columns % L;
    auto const* const from = reinterpret_cast<Real const*>(batch.in.data + batch.in.row[0]);
    auto* const to = reinterpret_cast<Real*>(batch.out.data + batch.out.row[0]);
    auto* const group = reinterpret_cast<std::complex<Real>*>(scratch);
    std::byte* const rows = scratch + group_bytes();
    NextRows<Real> const next = fetched_rows(batch, out_step / 2);
    auto const run = [&](Real const* first, Real* target, Index groups, Index target_step,
                         NextRows<Real> const& fetched) {
      straight_.run(first, target, groups,
                    {.rows = reinterpret_cast<Real*>(rows),
                     .from_step = in_step,
                     .to_step = target_step,
                     .sign = batch.backward ? -1 : 1,
                     .scale = batch.scale,
                     .next = fetched},
                    far);
    };
    Index const last = 2 * (batch.columns - L);
    bool const apart = are_apart(batch, in_step / 2, out_step / 2);
    if (rest > 0 && !apart) run(from + last, reinterpret_cast<Real*>(scratch), 1, 2 * L, {});
    run(from, to, batch.columns / L, out_step, next);
    if (rest > 0 && apart) run(from + last, to + last, 1, out_step, {});
    if (rest > 0 && !apart)
      copy_strip<Real>({group + L - rest, RowMap::every(L), 1},
                       from_column(batch.out, batch.columns - rest), this->n(), rest, Far::neither);
  }

  // Whether both sides, whose columns lie side by side, are apart in memory.
  bool are_apart(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step) const {
    auto const* const in = batch.in.data + batch.in.row[0];
    auto const* const out = batch.out.data + batch.out.row[0];
    Index const extent = this->n() - 1, columns = batch.columns;
    return in_step > 0 && out_step > 0 &&
           (in + extent * in_step + columns <= out || out + extent * out_step + columns <= in);
  }

  std::size_t group_bytes() const {
    return static_cast<std::size_t>(Carver<Real>::aligned(2 * L * this->n())) * sizeof(Real);
  }

  // The rows that are prefetched: those that the caller wants, or those of the target some groups
  // ahead.
  NextRows<Real> fetched_rows(Batch<std::complex<Real>> const& batch, Index out_step) const {
    bool const in_place = batch.in.data == batch.out.data;
    if (batch.next != nullptr || !batch.apart || !this->fetches(in_place, 2 * out_step))
      return next_rows(batch);
    auto const* const to = reinterpret_cast<Real const*>(batch.out.data + batch.out.row[0]);
    return {to + this->apart_groups() * row_reals<Real>, 2 * out_step};
  }

  // Whether codelets are faster than straight kernels, from two steps on: they have fewer
  // instructions around their butterflies, which count where vectors have 32 bytes. 90 points
  // have larger errors as 10 x 9 than as 15 x 6.
  bool prefers_codelets() const { return has_256_bits<Real> && this->n() > 16 && this->n() != 90; }

  // Codelets multiply by no factor.
  bool suits_codelet(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step) const {
    if (codelets_[batch.backward] == nullptr || batch.scale != 1) return false;
    return batch.in.data == batch.out.data ? in_step == out_step
                                           : are_apart(batch, in_step, out_step);
  }

  // How many of the last columns go as contiguous ones, because in a group too many lanes would be
  // idle.
  Index few_columns(Index columns) const {
    Index const rest = columns % L;
    return row_way_ || rest <= most_few_ ? rest : 0;
  }
  ContiguousRows<Real> const* for_few() const { return row_way_ ? row_way_.get() : few_way_.get(); }

  // Transforms the columns from `first` on, fewer than L, as contiguous ones. Those that are not
  // are moved to a buffer and back.
  void run_few(Batch<std::complex<Real>> const& batch, Index first, std::byte* scratch) const {
    Index const n = this->n();
    Batch<std::complex<Real>> few = batch;
    few.in = from_column(batch.in, first);
    few.out = from_column(batch.out, first);
    few.columns = batch.columns - first;
    if (batch.in.row.step(n) == 1 && batch.out.row.step(n) == 1) {
      for_few()->run(few, scratch + few_bytes());
      return;
    }
    auto* const buffer = reinterpret_cast<std::complex<Real>*>(scratch);
    gather<Real>(few.in, n, few.columns, buffer, n);
    for_few()->run({.in = {buffer, RowMap::every(1), n},
                    .out = {buffer, RowMap::every(1), n},
                    .columns = few.columns,
                    .backward = batch.backward,
                    .scale = batch.scale},
                   scratch + few_bytes());
    scatter<Real>(buffer, n, n, few.columns, few.out);
  }

  double crowded_rows_;  // more of these for a line of the first-level cache are too many
  StraightColumns<Real> straight_;  // for columns side by side of some lengths
  std::array<std::unique_ptr<ColumnsCodelet<Real> const>, 2> codelets_;  // of others, by direction
  std::unique_ptr<ContiguousRows<Real>>
      row_way_;  // for contiguous columns; null: they go like all others
  std::unique_ptr<ContiguousRows<Real>> few_way_;  // for the last of them, if there is no row_way_
  Index most_few_ = 0;  // columns that few_way_ transforms in about the time of a group
};

/// The Transform for contiguous columns only, for lengths of which L columns would not stay in
/// cache.
template <class Real>
class RowTransform final : public Transform<std::complex<Real>> {
 public:
  /// Null for a length that rows-inl.hpp does not have.
  static std::unique_ptr<RowTransform> make(Index n, Tuning const& tuning, Purpose purpose) {
    auto way = make_contiguous_rows<Real>(n, tuning, purpose);
    if (!way) way = RowWay<Real>::make_uneven(n, tuning);
    return way ? std::make_unique<RowTransform>(n, std::move(way)) : nullptr;
  }

  RowTransform(Index n, std::unique_ptr<ContiguousRows<Real>> way) : n_(n), way_(std::move(way)) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override { return way_->scratch_bytes(); }
  std::string describe() const override {
    return "radix " + way_->describe() + ", " + name_of(HWY_TARGET);
  }
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    way_->run(batch, scratch);
  }

 private:
  Index n_;
  std::unique_ptr<ContiguousRows<Real>> way_;
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle

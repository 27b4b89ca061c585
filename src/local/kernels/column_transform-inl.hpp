// SPDX-License-Identifier: BSD-3-Clause
// The Transform of one instruction set: adds faster ways to tiles of columns.
//
// rows-inl.hpp has the transforms that are contiguous on both sides, straight_columns-inl.hpp those
// of columns side by side, and tiled_columns-inl.hpp all others. Compiled once for each instruction
// set.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "local/caches.hpp"
#include "local/kernels/gather.hpp"
#include "local/kernels/rows-inl.hpp"
#include "local/kernels/straight_columns-inl.hpp"
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

 public:
  ColumnTransform(Recipe<Real> recipe, Tuning const& tuning)
      : Tiled(std::move(recipe), tuning),
        crowded_rows_(static_cast<double>(tuning.crowded_rows)),
        straight_(this->n()),
        row_way_(make_contiguous_rows<Real>(this->n(), tuning)) {
    if (!row_way_) make_few_way(tuning);
  }

  std::size_t scratch_bytes() const override {
    std::size_t const straight = std::max(Tiled::scratch_bytes(), straight_.scratch_bytes());
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
    Index const few = twisted ? 0 : few_columns(batch.columns);
    if (few > 0) run_few(batch, batch.columns - few, scratch);
    if (!twisted && batch.in.lane == 1 && batch.out.lane == 1 && in_step != 0 && out_step != 0) {
      bool const far = this->competes(2 * in_step) || this->competes(2 * out_step);
      // Straight kernels read one line of each row at a time: too little if the rows of a large
      // array are in few cache sets.
      bool const crowded = batch.apart && (crowds(2 * in_step) || crowds(2 * out_step));
      if (straight_.has(far) && !crowded && batch.columns >= L) {
        run_straight(batch, 2 * in_step, 2 * out_step, far, scratch);
        Batch<std::complex<Real>> rest = batch;
        rest.columns = batch.columns % L - few;
        rest.in = from_column(batch.in, batch.columns - rest.columns);
        rest.out = from_column(batch.out, batch.columns - rest.columns);
        if (rest.columns > 0) run(rest, scratch);
        return;
      }
    }
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

  // Transforms all whole groups of columns side by side.
  void run_straight(Batch<std::complex<Real>> const& batch, Index in_step, Index out_step, bool far,
                    std::byte* scratch) const {
    auto* const to = reinterpret_cast<Real*>(batch.out.data + batch.out.row[0]);
    bool const in_place = batch.in.data == batch.out.data;
    NextRows<Real> const next =
        batch.next == nullptr && batch.apart && this->fetches(in_place, out_step)
            ? NextRows<Real>{to + this->apart_groups() * row_reals<Real>, out_step}
            : next_rows(batch);
    straight_.run(reinterpret_cast<Real const*>(batch.in.data + batch.in.row[0]), to,
                  batch.columns / L,
                  {.rows = reinterpret_cast<Real*>(scratch),
                   .from_step = in_step,
                   .to_step = out_step,
                   .sign = batch.backward ? -1 : 1,
                   .scale = batch.scale,
                   .next = next},
                  far);
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

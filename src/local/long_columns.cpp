// SPDX-License-Identifier: BSD-3-Clause
// Long columns: side by side, or in two levels.
#include "local/long_columns.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/memory.hpp"
#include "local/caches.hpp"
#include "local/staged.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

/// The elements that lie side by side in memory on one side (source or target) of a batch: either
/// its columns, or `rows` of its rows.
struct Lanes {
  bool columns;
  Index rows;

  /// The lanes of columns with n rows. A level uses at most `digit` neighbouring rows.
  template <class Element>
  static Lanes of(Columns<Element> const& side, Index n, Index digit) {
    if (side.lane == 1) return {true, 0};
    if (side.row.step(n) != 0) return {false, side.row.step(n) == 1 ? digit : 1};
    Index run = digit;
    for (Index k = 1; k < n; ++k)
      if (side.row[k] != side.row[k - 1] + 1) run = std::gcd(run, k);
    return {false, run};
  }

  /// Whether they fill all lanes of a kernel.
  bool enough(Index batch_columns, Index lanes) const {
    return (columns ? batch_columns : rows) >= lanes;
  }

  /// Cuts a level into batches of `count` elements side by side, and calls body(digit, column,
  /// count) with the row and the column where each begins.
  template <class Body>
  void for_each(Index digits, Index batch_columns, Body const& body) const {
    if (columns) {
      for (Index digit = 0; digit < digits; ++digit) body(digit, Index{0}, batch_columns);
      return;
    }
    for (Index column = 0; column < batch_columns; ++column)
      for (Index digit = 0; digit < digits; digit += rows) body(digit, column, rows);
  }
};

template <class Real>
class LongColumns final : public Transform<std::complex<Real>> {
 public:
  using Complex = std::complex<Real>;

  LongColumns(Index slow, Index fast, std::unique_ptr<Transform<Complex>> rows,
              Tuning const& tuning)
      : n_(slow * fast),
        roots_(n_),
        slow_(make_transform<Real>(slow, Local::own, tuning)),
        fast_(make_transform<Real>(fast, Local::own, tuning)),
        rows_(std::move(rows)),
        near_slow_(*slow_, {}, tuning),
        far_slow_(*slow_, {.source = true}, tuning),
        near_fast_(*fast_, {}, tuning),
        far_fast_(*fast_, {.target = true, .stream = true}, tuning),
        strided_far_fast_(*fast_, {.source = true, .target = true, .stream = true}, tuning),
        pad_(tuning.strip_pad_bytes / element_bytes) {
    Index const row = tuning.strip_row_bytes / element_bytes;
    Index const fits = tuning.strip_of_third.of(third_bytes(tuning)) / (n_ * element_bytes);
    Index const lanes = slow_->lanes();
    strip_ = std::clamp(fits / lanes * lanes, lanes, std::max(row, lanes));
  }

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::string describe() const override {
    return text("(", slow_->describe(), ") x (", fast_->describe(), ")");
  }

  std::size_t scratch_bytes() const override {
    std::size_t const levels =
        std::max({near_slow_.scratch_bytes(), far_slow_.scratch_bytes(), near_fast_.scratch_bytes(),
                  far_fast_.scratch_bytes(), strided_far_fast_.scratch_bytes()});
    return std::max(rows_->scratch_bytes(), buffer_bytes() + table_bytes() + levels);
  }

  void run(Batch<Complex> const& batch, std::byte* scratch) const override {
    Lanes const in = Lanes::of(batch.in, n_, fast_->n());
    Lanes const out = Lanes::of(batch.out, n_, slow_->n());
    bool const twisted = batch.twist.roots != nullptr;
    bool const contiguous = !in.columns && !out.columns && !twisted;
    bool const divides = !twisted || batch.twist.roots->n() % n_ == 0;
    Index const lanes = slow_->lanes();
    if (contiguous || !divides || !in.enough(batch.columns, lanes) ||
        !out.enough(batch.columns, lanes)) {
      rows_->run(batch, scratch);
      return;
    }
    Batch<Complex> part = batch;
    if (!twisted) part.twist = {};  // clear the other members
    for (Index column = 0; column < batch.columns; column += strip_) {
      part.columns = std::min(strip_, batch.columns - column);
      part.in = from_column(batch.in, column);
      part.out = from_column(batch.out, column);
      if (twisted) part.twist.first = batch.twist.first + column * batch.twist.step;
      run_strip(part, in, out, scratch);
    }
  }

 private:
  static constexpr Index element_bytes = sizeof(Complex);

  /// Element (j2, k1) of column c is at j2 fast + k1 slow + c column in the buffer.
  struct Place {
    Index fast, slow, column;
  };

  std::size_t buffer_bytes() const {
    Index const rows = (n_ + pad_) * strip_, columns = n_ * (strip_ + pad_);
    return aligned(static_cast<std::size_t>(std::max(rows, columns)) * sizeof(Complex));
  }
  std::size_t table_bytes() const {
    return aligned(static_cast<std::size_t>(std::max(slow_->n(), fast_->n())) * sizeof(Index));
  }

  Place place(Lanes const& in, Lanes const& out) const {
    if (in.columns && out.columns) return {slow_->n() * (strip_ + pad_), strip_ + pad_, 1};
    if (in.columns) return {slow_->n(), 1, n_ + pad_};
    return {1, fast_->n(), n_ + pad_};
  }

  /// The columns formed by the rows first, first + every, ... of a side, `count` of them. If the
  /// side's rows are not evenly spaced (step 0), fills `table` with their offsets.
  template <class Element>
  static Columns<Element> every(Columns<Element> const& side, Index first, Index every, Index count,
                                Index step, Index* table) {
    if (step != 0)
      return {side.data + side.row[0] + first * step, RowMap::every(every * step), side.lane};
    for (Index i = 0; i < count; ++i) table[i] = side.row[first + i * every];
    return {side.data, table, side.lane};
  }

  void run_strip(Batch<Complex> const& strip, Lanes const& in, Lanes const& out,
                 std::byte* scratch) const {
    Index const slow = slow_->n(), fast = fast_->n();
    auto* const buffer = reinterpret_cast<Complex*>(scratch);
    auto* const table = reinterpret_cast<Index*>(scratch + buffer_bytes());
    std::byte* const rest = scratch + buffer_bytes() + table_bytes();
    Place const at = place(in, out);
    Twist const& twist = strip.twist;
    bool const twisted = twist.roots != nullptr;

    // w_N^(k column) has a part in k1, which this level applies, and one in k2.
    Roots const& roots = twisted ? *twist.roots : roots_;
    Index const unit = roots.n() / n_;
    Index const in_step = strip.in.row.step(n_);
    bool const wide = strip.columns > slow_->lanes();
    Staged<Real> const& slow_level = strip.far && in.columns && wide ? far_slow_ : near_slow_;
    in.for_each(fast, strip.columns, [&](Index j, Index column, Index count) {
      auto source = every(from_column(strip.in, column), j, fast, slow, in_step, table);
      source.lane = 1;
      Columns<Complex> const target{buffer + j * at.fast + column * at.column,
                                    RowMap::every(at.slow), in.columns ? at.column : at.fast};
      slow_level.run({.in = source,
                      .out = target,
                      .columns = count,
                      .backward = strip.backward,
                      .scale = 1,
                      .twist = {&roots, twist.first + column * twist.step + j * unit,
                                in.columns ? twist.step : unit},
                      .far = strip.far},
                     rest);
    });

    Index const out_step = strip.out.row.step(n_);
    Staged<Real> const& fast_level = !strip.stream               ? near_fast_
                                     : in.columns && out.columns ? strided_far_fast_
                                                                 : far_fast_;
    out.for_each(slow, strip.columns, [&](Index k, Index column, Index count) {
      Columns<Complex const> const source{buffer + k * at.slow + column * at.column,
                                          RowMap::every(at.fast),
                                          out.columns ? at.column : at.slow};
      auto target = every(from_column(strip.out, column), k, slow, fast, out_step, table);
      target.lane = 1;
      fast_level.run({.in = source,
                      .out = target,
                      .columns = count,
                      .backward = strip.backward,
                      .scale = strip.scale,
                      .twist = {twist.roots, slow * (twist.first + column * twist.step),
                                out.columns ? slow * twist.step : 0}},
                     rest);
    });
  }

  Index n_;
  Roots roots_;
  std::unique_ptr<Transform<Complex>> slow_;
  std::unique_ptr<Transform<Complex>> fast_;
  std::unique_ptr<Transform<Complex>> rows_;
  Staged<Real> near_slow_, far_slow_;
  Staged<Real> near_fast_, far_fast_, strided_far_fast_;
  Index pad_;    // elements between rows, or between columns, of the buffer
  Index strip_;  // columns
};

template <class Real>
class SideBySide final : public Transform<std::complex<Real>> {
 public:
  using Complex = std::complex<Real>;
  using Any = std::unique_ptr<Transform<Complex>>;

  SideBySide(Any columns, Any rows) : columns_(std::move(columns)), rows_(std::move(rows)) {}

  Index n() const override { return columns_->n(); }
  Index lanes() const override { return 1; }
  std::string describe() const override { return columns_->describe(); }
  std::size_t scratch_bytes() const override {
    return std::max(columns_->scratch_bytes(), rows_->scratch_bytes());
  }

  void run(Batch<Complex> const& batch, std::byte* scratch) const override {
    bool const aside = batch.in.lane == 1 || batch.out.lane == 1;
    Batch<Complex> part = batch;
    part.columns = aside ? batch.columns / columns_->lanes() * columns_->lanes() : 0;
    if (part.columns > 0) columns_->run(part, scratch);
    if (part.columns == batch.columns) return;
    part.in = from_column(batch.in, part.columns);
    part.out = from_column(batch.out, part.columns);
    part.twist.first += part.columns * part.twist.step;
    part.columns = batch.columns - part.columns;
    rows_->run(part, scratch);
  }

 private:
  Any columns_, rows_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_side_by_side(
    std::unique_ptr<Transform<std::complex<Real>>> columns,
    std::unique_ptr<Transform<std::complex<Real>>> rows) {
  return std::make_unique<SideBySide<Real>>(std::move(columns), std::move(rows));
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_long_columns(
    Index slow, Index fast, std::unique_ptr<Transform<std::complex<Real>>> rows,
    Tuning const& tuning) {
  return std::make_unique<LongColumns<Real>>(slow, fast, std::move(rows), tuning);
}

template std::unique_ptr<Transform<std::complex<float>>> make_long_columns(
    Index, Index, std::unique_ptr<Transform<std::complex<float>>>, Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_long_columns(
    Index, Index, std::unique_ptr<Transform<std::complex<double>>>, Tuning const&);

template std::unique_ptr<Transform<std::complex<float>>> make_side_by_side(
    std::unique_ptr<Transform<std::complex<float>>>,
    std::unique_ptr<Transform<std::complex<float>>>);
template std::unique_ptr<Transform<std::complex<double>>> make_side_by_side(
    std::unique_ptr<Transform<std::complex<double>>>,
    std::unique_ptr<Transform<std::complex<double>>>);

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Arranges columns in blocks around complex transforms.
#include "local/real_core.hpp"

#include <algorithm>
#include <utility>

#include "local/caches.hpp"
#include "local/kernels/columns.hpp"
#include "local/numbers/at.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/real_blocks.hpp"
#include "local/targets.hpp"

namespace sixstep::local {

namespace {

/// The most columns of a block: a multiple of `lanes`, or fewer for very long columns.
Index most_columns(Index column_bytes, Index lanes, Tuning const& tuning) {
  Index const most =
      std::max<Index>(tuning.most_real_block_bytes / std::max<Index>(column_bytes, 1), 1);
  return most < lanes ? most : most / lanes * lanes;
}

/// How many contiguous columns of n points are transformed side by side.
Index contiguous_lanes(Index n, Index lanes) { return suits_rows(n, lanes) ? 2 : lanes; }

/// How many contiguous columns a block should have: as many as stay in the first-level cache, a
/// multiple of `lanes`.
Index contiguous_columns(Index column_bytes, Index lanes, Tuning const& tuning) {
  Index const block_bytes = tuning.real_contiguous_block_bytes;
  Index const fits = std::max<Index>(block_bytes / column_bytes / lanes, 1) * lanes;
  return std::min(fits, most_columns(column_bytes, lanes, tuning));
}

}  // namespace

Index block_columns(Index column_bytes, Index lanes, Index element_bytes, Tuning const& tuning) {
  Index const fits = tuning.real_block_bytes / std::max<Index>(column_bytes, 1) / lanes * lanes;
  Index const row = (tuning.real_row_bytes / element_bytes + lanes - 1) / lanes * lanes;
  return std::min(std::clamp(fits, lanes, std::max(row, lanes)),
                  most_columns(column_bytes, lanes, tuning));
}

// Sequences.

template <class Real>
Order<Real>::Order(std::vector<Pick<Real>> from, Index Way<Real>::*users)
    : picks(std::move(from)), straight(in_order<Real>(static_cast<Index>(picks.size()))) {
  // Sorted so that rows which are neighbours in x can be moved together. A row that is used several
  // times comes once first, then once again, and so on. Zeros, which come from no row, are last.
  Index rows = 0;
  for (Pick<Real> const& pick : picks) rows = std::max(rows, pick.row + 1);
  std::vector<Index> uses(at(rows));
  std::vector<std::pair<Index, Way<Real>>> numbered;
  numbered.reserve(picks.size());
  for (Index k = 0; k < static_cast<Index>(picks.size()); ++k) {
    Pick<Real> const& pick = picks[at(k)];
    Way<Real> way{k, k, pick.sign};
    way.*users = pick.row;
    numbered.push_back(
        {pick.sign == 0 ? static_cast<Index>(picks.size()) : uses[at(pick.row)]++, way});
  }
  auto const is_before = [users](auto const& a, auto const& b) {
    return std::pair(a.first, a.second.*users) < std::pair(b.first, b.second.*users);
  };
  if (!std::is_sorted(numbered.begin(), numbered.end(), is_before))
    std::stable_sort(numbered.begin(), numbered.end(), is_before);
  ways.reserve(numbered.size());
  for (auto const& [use, way] : numbered) ways.push_back(way);
}

template struct Order<float>;
template struct Order<double>;

// Strides are padded, because rows a power of two apart would compete for a few cache sets. A
// single column is contiguous.
template <class Real>
SequenceCore<Real>::SequenceCore(Order<Real> order, Results const& results, Local whose,
                                 Tuning const& tuning)
    : order_(std::move(order)),
      others_(straight<Real>(results.rows)),
      radix_(sequence_radix(static_cast<Index>(order_.picks.size()))),
      complex_(
          make_transform<Real>(static_cast<Index>(order_.picks.size()) / radix_, whose, tuning)),
      split_(dynamic_cast<SplitTransform<Real> const*>(complex_.get())),
      kernels_(real_kernels<Real>(tuning.bits)),
      factors_(sequence_factors<Real>(n(), radix_)) {
  constexpr Index real = sizeof(Real);
  Index const reals = (radix_ + 1) / 2 * 2;  // of a column, in a row
  Index const column_bytes = reals * complex_->n() * real;
  // Columns side by side are moved side by side, even if they are transformed one by one.
  Index const moved = whose == Local::own ? row_bytes(chosen_target()) / (2 * real) : 1;
  Index const lanes = std::max(complex_->lanes(), moved);
  columns_ = block_columns(column_bytes, lanes, real, tuning);
  near_columns_ = std::min(columns_, contiguous_columns(column_bytes, complex_->lanes(), tuning));
  Index const pad = columns_ > 1 ? tuning.real_pad_bytes / real : 0;
  stride_ = reals * columns_ + pad;
  rows_stride_ = columns_ + pad;
}

template <class Real>
Index SequenceCore<Real>::most_reals() const {
  return std::max(complex_->n() * stride_, (n() + 2) * rows_stride_);
}

template <class Real>
std::size_t SequenceCore<Real>::scratch_bytes() const {
  return 2 * Scratch::bytes<Real>(most_reals()) + complex_->scratch_bytes();
}

template <class Real>
typename SequenceCore<Real>::Block SequenceCore<Real>::block(std::byte* memory, Index columns,
                                                             Real scale, bool) const {
  Scratch scratch(memory);
  Index const stride = columns > 1 ? stride_ : (radix_ + 1) / 2 * 2;  // contiguous if radix_ is 1
  auto const sequences = [&]() -> Sequences<Real> {
    return {scratch.template take<Real>(most_reals()), stride, complex_->n(), radix_, columns};
  };
  Sequences<Real> const before = sequences();
  Sequences<Real> const after = sequences();
  return {before, after, scale, scratch.rest()};
}

// Full groups stay as they are; the rest, or all, become complex numbers with adjacent parts.
template <class Real>
void SequenceCore<Real>::run(Block const& block, bool backward) const {
  Index const lanes = complex_->lanes(), columns = block.before.columns;
  Index const full = split_ != nullptr ? columns - columns % lanes : 0;
  if (full > 0)
    split_->run_split({block.before.data, block.before.stride, 2 * lanes},
                      {block.after.data, block.after.stride, 2 * lanes},
                      full / lanes * block.before.count(), backward, block.rest);
  if (full == columns) return;
  Sequences<Real> const before = block.before.from_column(full);
  Sequences<Real> const after = block.after.from_column(full);
  RowMap const rows = RowMap::every(before.stride / 2);
  // The parts of a single column's numbers are adjacent as they are.
  bool const several = before.columns > 1;
  if (several) kernels_.interleave(before);
  complex_->run({.in = {reinterpret_cast<Complex const*>(before.data), rows, 1},
                 .out = {reinterpret_cast<Complex*>(after.data), rows, 1},
                 .columns = before.count() * before.columns,
                 .backward = backward},
                block.rest);
  if (several) kernels_.split_parts(after);
}

template <class Real>
void SequenceCore<Real>::analyse(Columns<Real const> const& users, Block const& block) const {
  if (users.lane == 1 || block.before.columns == 1) {
    kernels_.gather(order_.picks, users, block.before);
  } else {
    Columns<Real> const rows = reals(block.after);
    kernels_.move(order_.ways, users, rows, block.before.columns);
    kernels_.gather(order_.straight, as_source(rows), block.before);
  }
  run(block, false);
}

template <class Real>
void SequenceCore<Real>::synthesise(Block const& block, Columns<Real> const& users) const {
  run(block, true);
  if (users.lane == 1 || block.after.columns == 1) {
    kernels_.scatter(block.after, order_.picks, users);
  } else {
    Columns<Real> const rows = reals(block.before);
    kernels_.scatter(block.after, order_.straight, rows);
    kernels_.move(order_.ways, as_source(rows), users, block.after.columns);
  }
}

template <class Real>
void SequenceCore<Real>::put(Block const& block, Columns<Complex> const& users) const {
  bool const direct = users.lane == 1 || block.before.columns == 1;
  Columns<Complex> const rows = coefficients(block.before);
  kernels_.split(block.after, factors_, block.scale, direct ? users : rows);
  if (!direct) kernels_.move_complex(others_, as_source(rows), users, block.after.columns);
}

template <class Real>
void SequenceCore<Real>::get(Columns<Complex const> const& users, Block const& block) const {
  bool const direct = users.lane == 1 || block.before.columns == 1;
  Columns<Complex> const rows = coefficients(block.after);
  if (!direct) kernels_.move_complex(others_, users, rows, block.before.columns);
  kernels_.join(direct ? users : as_source(rows), factors_, block.scale, block.before);
}

template <class Real>
void SequenceCore<Real>::put(Block const& block, std::vector<Outputs<Real>> const& outputs,
                             Columns<Real> const& users) const {
  bool const direct = users.lane == 1 || block.before.columns == 1;
  Columns<Real> const rows = reals(block.before);
  kernels_.mix(block.after, factors_, outputs, block.scale, direct ? users : rows);
  if (!direct) kernels_.move(others_, as_source(rows), users, block.after.columns);
}

template <class Real>
void SequenceCore<Real>::get(Columns<Real const> const& users,
                             std::vector<Spread<Real>> const& spreads, Block const& block) const {
  bool const direct = users.lane == 1 || block.before.columns == 1;
  Columns<Real> const rows = reals(block.after);
  if (!direct) kernels_.move(others_, users, rows, block.before.columns);
  kernels_.spread(direct ? users : as_source(rows), spreads, factors_, block.scale, block.before);
}

template class SequenceCore<float>;
template class SequenceCore<double>;

// Short columns have too few vectors for the kernels that split halves.
bool goes_by_halves(Index n, Index lanes) { return n % 2 == 0 && n >= 2 * lanes; }

bool suits_rows(Index n, Index lanes) {
  for (Index r : {lanes, lanes / 2})
    if (r > 1 && n % r == 0 && n / r >= r && is_smooth(n / r)) return true;
  return false;
}

// Halves.

template <class Real>
HalfCore<Real>::HalfCore(Index n, bool backward, Local whose, Tuning const& tuning)
    : m_(n / 2),
      rows_(whose == Local::own && !is_reproducible(tuning)
                ? make_real_rows<Real>(m_, backward, chosen_target(), tuning)
                : nullptr),
      complex_(rows_ ? nullptr : make_transform<Real>(m_, whose, tuning)),
      kernels_(real_kernels<Real>(tuning.bits)),
      columns_(contiguous_columns(n * static_cast<Index>(sizeof(Real)),
                                  rows_ ? 2 : contiguous_lanes(m_, complex_->lanes()), tuning)),
      lane_(m_ + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))),
      resident_columns_(tuning.resident_of_second.of(caches().second) /
                        (n * static_cast<Index>(sizeof(Real)))),
      factors_(rows_ ? 1 : m_) {}

template <class Real>
HalfCore<Real>::HalfCore(Index n, std::unique_ptr<Transform<Complex>> complex, Tuning const& tuning)
    : m_(n / 2),
      complex_(std::move(complex)),
      kernels_(real_kernels<Real>()),
      columns_(1),
      lane_(m_ + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))),
      resident_columns_(tuning.resident_of_second.of(caches().second) /
                        (n * static_cast<Index>(sizeof(Real)))),
      factors_(m_) {}

template <class Real>
std::size_t HalfCore<Real>::scratch_bytes() const {
  if (rows_) return rows_->scratch_bytes();
  return Scratch::bytes<Complex>(columns_ * lane_) + complex_->scratch_bytes();
}

template <class Real>
std::string HalfCore<Real>::describe() const {
  return rows_ ? "radix " + rows_->describe() + ", " + instruction_set() : complex_->describe();
}

template <class Real>
bool HalfCore<Real>::fits(Columns<Real const> const& reals) const {
  return reals.lane % 2 == 0 && reals.row.step(2 * m_) == 1;
}

template <class Real>
void HalfCore<Real>::forward(Batch<Real, Complex> const& batch, std::byte* memory) const {
  auto const* const reals = reinterpret_cast<Complex const*>(batch.in.data + batch.in.row[0]);
  Complex* const spectrum = batch.out.data + batch.out.row[0];
  if (rows_) {
    rows_->run({.in = {reals, RowMap::every(1), batch.in.lane / 2},
                .out = {spectrum, RowMap::every(1), batch.out.lane},
                .columns = batch.columns,
                .scale = batch.scale,
                .far = batch.far,
                .far_target = batch.far_target},
               memory);
    return;
  }
  Scratch scratch(memory);
  auto* const block = scratch.take<Complex>(columns_ * lane_);
  for (Index first = 0; first < batch.columns; first += columns_) {
    Index const columns = std::min(columns_, batch.columns - first);
    complex_->run({.in = {reals + first * batch.in.lane / 2, RowMap::every(1), batch.in.lane / 2},
                   .out = {block, RowMap::every(1), lane_},
                   .columns = columns,
                   .far = batch.far || batch.columns > resident_columns_},
                  scratch.rest());
    kernels_.split_halves({.from = reinterpret_cast<Real const*>(block),
                           .to = reinterpret_cast<Real*>(spectrum + first * batch.out.lane),
                           .from_lane = 2 * lane_,
                           .to_lane = 2 * batch.out.lane,
                           .columns = columns,
                           .factors = &factors_,
                           .scale = batch.scale / 2});
  }
}

template <class Real>
void HalfCore<Real>::backward(Batch<Complex, Real> const& batch, std::byte* memory) const {
  Complex const* const spectrum = batch.in.data + batch.in.row[0];
  auto* const reals = reinterpret_cast<Complex*>(batch.out.data + batch.out.row[0]);
  if (rows_) {
    rows_->run({.in = {spectrum, RowMap::every(1), batch.in.lane},
                .out = {reals, RowMap::every(1), batch.out.lane / 2},
                .columns = batch.columns,
                .backward = true,
                .scale = batch.scale,
                .far = batch.far,
                .far_target = batch.far_target},
               memory);
    return;
  }
  Scratch scratch(memory);
  auto* const block = scratch.take<Complex>(columns_ * lane_);
  for (Index first = 0; first < batch.columns; first += columns_) {
    Index const columns = std::min(columns_, batch.columns - first);
    kernels_.join_halves({.from = reinterpret_cast<Real const*>(spectrum + first * batch.in.lane),
                          .to = reinterpret_cast<Real*>(block),
                          .from_lane = 2 * batch.in.lane,
                          .to_lane = 2 * lane_,
                          .columns = columns,
                          .factors = &factors_,
                          .scale = batch.scale});
    complex_->run(
        {.in = {block, RowMap::every(1), lane_},
         .out = {reals + first * batch.out.lane / 2, RowMap::every(1), batch.out.lane / 2},
         .columns = columns,
         .backward = true},
        scratch.rest());
  }
}

// Halves of cosines.

template <class Real>
HalfCosineCore<Real>::HalfCosineCore(Index n, bool sines, Local whose, Tuning const& tuning)
    : n_(n),
      sines_(sines),
      complex_(make_transform<Real>(n / 2, whose, tuning)),
      kernels_(real_kernels<Real>()),
      factors_(n / 2),
      columns_(contiguous_columns(n * static_cast<Index>(sizeof(Real)),
                                  contiguous_lanes(n / 2, complex_->lanes()), tuning)),
      lane_(n + tuning.real_pad_bytes / static_cast<Index>(sizeof(Real))) {}

template <class Real>
std::size_t HalfCosineCore<Real>::scratch_bytes() const {
  return Scratch::bytes<Real>(columns_ * lane_) + complex_->scratch_bytes();
}

template <class Real>
bool HalfCosineCore<Real>::fits(Columns<Real const> const& columns) const {
  return columns.lane != 1 && columns.row.step(n_) == 1;
}

template <class Real>
template <bool backward>
void HalfCosineCore<Real>::run(Batch<Real> const& batch, std::byte* memory) const {
  Scratch scratch(memory);
  Real* const block = scratch.take<Real>(columns_ * lane_);
  Real const* in = batch.in.data + batch.in.row[0];
  Real* out = batch.out.data + batch.out.row[0];
  Real const sign = sines_ ? -1 : 1;
  for (Index first = 0; first < batch.columns; first += columns_) {
    Index const columns = std::min(columns_, batch.columns - first);
    for (Index c = 0; c < columns; ++c, in += batch.in.lane) {
      Real* const column = block + c * lane_;
      if constexpr (backward)
        kernels_.join_cosines(in, factors_, sines_, reinterpret_cast<Complex*>(column));
      else
        kernels_.fold(in, n_, sign, column);
    }
    auto* const points = reinterpret_cast<Complex*>(block);
    complex_->run({.in = {points, RowMap::every(1), lane_ / 2},
                   .out = {points, RowMap::every(1), lane_ / 2},
                   .columns = columns,
                   .backward = backward,
                   .scale = backward ? batch.scale : 1},
                  scratch.rest());
    for (Index c = 0; c < columns; ++c, out += batch.out.lane) {
      Real const* const column = block + c * lane_;
      if constexpr (backward)
        kernels_.unfold(column, n_, sign, out);
      else
        kernels_.split_cosines(reinterpret_cast<Complex const*>(column), factors_, batch.scale,
                               sines_, out);
    }
  }
}

template class HalfCosineCore<float>;
template class HalfCosineCore<double>;
template class HalfCore<float>;
template class HalfCore<double>;

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// Blocks of columns around complex transforms.
#include "local/real_core.hpp"

#include <algorithm>

#include "local/numbers/at.hpp"
#include "local/numbers/factor.hpp"

namespace sixstep::local {

namespace {

/// The most columns of a block, which only of very long columns are fewer than lanes.
Index most_columns(Index column_bytes, Tuning const& tuning) {
  return std::max<Index>(tuning.most_real_block_bytes / std::max<Index>(column_bytes, 1) / 2 * 2,
                         2);
}

/// Whether n contiguous points are a length for the kernels of rows-inl.hpp.
bool suits_rows(Index n, Index lanes) {
  for (Index r : {lanes, lanes / 2})
    if (r > 1 && n % r == 0 && n / r >= r && is_smooth(n / r)) return true;
  return false;
}

/// How many columns of n contiguous points are transformed side by side.
Index contiguous_lanes(Index n, Index lanes) { return suits_rows(n, lanes) ? 2 : lanes; }

/// How many contiguous columns a block should have: as many as stay in the first-level cache, a
/// multiple of `lanes`.
Index contiguous_columns(Index column_bytes, Index lanes, Tuning const& tuning) {
  Index const block_bytes = tuning.real_contiguous_block_bytes;
  Index const fits = std::max<Index>(block_bytes / column_bytes / lanes, 1) * lanes;
  return std::min(fits, most_columns(column_bytes, tuning));
}

}  // namespace

Index block_columns(Index column_bytes, Index lanes, Index element_bytes, Tuning const& tuning) {
  Index const fits = tuning.real_block_bytes / std::max<Index>(column_bytes, 1) / lanes * lanes;
  Index const row = (tuning.real_row_bytes / element_bytes + lanes - 1) / lanes * lanes;
  return std::min(std::clamp(fits, lanes, std::max(row, lanes)),
                  most_columns(column_bytes, tuning));
}

// Pairs.

// The stride is padded: rows a power of two apart would compete for a few sets of the cache.
template <class Real>
PairCore<Real>::PairCore(Index n, Local whose, Tuning const& tuning)
    : n_(n), complex_(make_transform<Real>(n, whose, tuning)) {
  constexpr Index real = sizeof(Real);
  Index const pad = tuning.real_pad_bytes / real;
  columns_ = block_columns(n * real, 2 * complex_->lanes(), real, tuning);
  stride_ = columns_ > 2 ? columns_ + pad : columns_;
  for (Index j = 0; j < n; ++j) {
    real_rows_.push_back(j * stride_);
    point_rows_.push_back(j * stride_ / 2);
  }
}

template <class Real>
std::size_t PairCore<Real>::scratch_bytes() const {
  return Scratch::bytes<Real>(block_size()) + Scratch::bytes<Index>(n_) + complex_->scratch_bytes();
}

template <class Real>
typename PairCore<Real>::Block PairCore<Real>::block(Scratch& scratch) const {
  Block block{};
  block.z = {scratch.template take<Real>(block_size()), stride_, n_, 0};
  block.users_row = scratch.template take<Index>(n_);
  return block;
}

template <class Real>
void PairCore<Real>::run(Columns<Complex const> const& in, Columns<Complex> const& out,
                         Block const& block, bool backward, Real scale) const {
  complex_->run({.in = in,
                 .out = out,
                 .columns = (block.z.columns + 1) / 2,
                 .backward = backward,
                 .scale = scale},
                block.rest);
}

template <class Real>
void PairCore<Real>::forward(Block const& block) const {
  if (block.z.columns % 2 != 0)
    for (Index j = 0; j < n_; ++j) block.z.at(j)[block.z.columns] = 0;
  Columns<Complex> const z = points(block.z);
  run({z.data, z.row, z.lane}, z, block, false, 1);
}

template <class Real>
void PairCore<Real>::backward(Block const& block, Real scale) const {
  Columns<Complex> const z = points(block.z);
  run({z.data, z.row, z.lane}, z, block, true, scale);
}

template <class Real>
bool PairCore<Real>::lie_in_pairs(RowMap row, Index lane, std::vector<Index> const& order,
                                  Index* users_row) const {
  if (lane != 1) return false;
  for (Index j = 0; j < n_; ++j) {
    Index const place = row[order[at(j)]] - row[0];
    if (place % 2 != 0) return false;
    users_row[j] = place / 2;
  }
  return true;
}

template <class Real>
void PairCore<Real>::forward_from(Columns<Real const> const& columns, Block const& block) const {
  run({reinterpret_cast<Complex const*>(columns.data + columns.row[0]), block.users_row, 1},
      points(block.z), block, false, 1);
}

template <class Real>
void PairCore<Real>::backward_to(Block const& block, Real scale,
                                 Columns<Real> const& columns) const {
  Columns<Complex> const z = points(block.z);
  run({z.data, z.row, z.lane},
      {reinterpret_cast<Complex*>(columns.data + columns.row[0]), block.users_row, 1}, block, true,
      scale);
}

// One complex column of n points is more work than two of n/2. It is faster all the same where n is
// a length for the kernels of rows-inl.hpp and n/2 is not, or where n/2 points are too short for
// the vectors that take them apart.
bool goes_by_halves(Index n, Index lanes) {
  if (n % 2 != 0) return false;
  return suits_rows(n / 2, lanes) || (!suits_rows(n, lanes) && n >= 2 * lanes);
}

// Halves.

template <class Real>
HalfCore<Real>::HalfCore(Index n, Local whose, Tuning const& tuning)
    : m_(n / 2),
      complex_(make_transform<Real>(m_, whose, tuning)),
      kernels_(real_kernels<Real>()),
      columns_(contiguous_columns(n * static_cast<Index>(sizeof(Real)),
                                  contiguous_lanes(m_, complex_->lanes()), tuning)),
      lane_(m_ + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))),
      factors_(m_) {}

template <class Real>
std::size_t HalfCore<Real>::scratch_bytes() const {
  return Scratch::bytes<Complex>(columns_ * lane_) + complex_->scratch_bytes();
}

template <class Real>
bool HalfCore<Real>::fits(Columns<Real const> const& reals) const {
  return reals.lane % 2 == 0 && reals.row.step(2 * m_) == 1;
}

template <class Real>
void HalfCore<Real>::forward(Batch<Real, Complex> const& batch, std::byte* memory) const {
  Scratch scratch(memory);
  auto* const block = scratch.take<Complex>(columns_ * lane_);
  auto const* const reals = reinterpret_cast<Complex const*>(batch.in.data + batch.in.row[0]);
  Complex* const spectrum = batch.out.data + batch.out.row[0];
  for (Index first = 0; first < batch.columns; first += columns_) {
    Index const columns = std::min(columns_, batch.columns - first);
    complex_->run({.in = {reals + first * batch.in.lane / 2, RowMap::every(1), batch.in.lane / 2},
                   .out = {block, RowMap::every(1), lane_},
                   .columns = columns,
                   .far = batch.far},
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
  Scratch scratch(memory);
  auto* const block = scratch.take<Complex>(columns_ * lane_);
  Complex const* const spectrum = batch.in.data + batch.in.row[0];
  auto* const reals = reinterpret_cast<Complex*>(batch.out.data + batch.out.row[0]);
  for (Index first = 0; first < batch.columns; first += columns_) {
    Index const columns = std::min(columns_, batch.columns - first);
    kernels_.join_halves({.from = reinterpret_cast<Real const*>(spectrum + first * batch.in.lane),
                          .to = reinterpret_cast<Real*>(block),
                          .from_lane = 2 * batch.in.lane,
                          .to_lane = 2 * lane_,
                          .columns = columns,
                          .factors = &factors_,
                          .scale = 1});
    complex_->run(
        {.in = {block, RowMap::every(1), lane_},
         .out = {reals + first * batch.out.lane / 2, RowMap::every(1), batch.out.lane / 2},
         .columns = columns,
         .backward = true,
         .scale = batch.scale},
        scratch.rest());
  }
}

// Contiguous pairs.

template <class Real>
PairedRows<Real>::PairedRows(Index n, Local whose, Tuning const& tuning)
    : n_(n),
      complex_(make_transform<Real>(n, whose, tuning)),
      kernels_(real_kernels<Real>()),
      columns_(contiguous_columns(n * static_cast<Index>(sizeof(Complex)),
                                  contiguous_lanes(n, complex_->lanes()), tuning)),
      lane_(n + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))) {}

template <class Real>
std::size_t PairedRows<Real>::scratch_bytes() const {
  return Scratch::bytes<Complex>(columns_ * lane_) + complex_->scratch_bytes();
}

template <class Real>
bool PairedRows<Real>::fits(Columns<Real const> const& reals) const {
  return reals.lane != 1 && reals.row.step(n_) == 1;
}

template <class Real>
template <class In, class Out, class Before, class After>
void PairedRows<Real>::run(Batch<In, Out> const& batch, std::byte* memory, bool backward,
                           Real scale, Before const& before, After const& after) const {
  Scratch scratch(memory);
  auto* const block = scratch.take<Complex>(columns_ * lane_);
  In const* const in = batch.in.data + batch.in.row[0];
  Out* const out = batch.out.data + batch.out.row[0];
  Index const most = 2 * columns_;
  for (Index first = 0; first < batch.columns; first += most) {
    Index const columns = std::min(most, batch.columns - first);
    before({in + first * batch.in.lane, batch.in.lane, columns, n_, block, lane_});
    complex_->run({.in = {block, RowMap::every(1), lane_},
                   .out = {block, RowMap::every(1), lane_},
                   .columns = (columns + 1) / 2,
                   .backward = backward,
                   .scale = scale},
                  scratch.rest());
    after({out + first * batch.out.lane, batch.out.lane, columns, n_, block, lane_});
  }
}

template <class Real>
void PairedRows<Real>::forward(Batch<Real, Complex> const& batch, std::byte* scratch) const {
  run(batch, scratch, false, 1, kernels_.zip_columns,
      [&](Zipped<Complex, Complex const> const& all) {
        kernels_.split_columns(all, batch.scale / 2);
      });
}

template <class Real>
void PairedRows<Real>::backward(Batch<Complex, Real> const& batch, std::byte* scratch) const {
  run(batch, scratch, true, batch.scale, kernels_.join_columns, kernels_.unzip_columns);
}

template class PairedRows<float>;
template class PairedRows<double>;

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
template class PairCore<float>;
template class PairCore<double>;
template class HalfCore<float>;
template class HalfCore<double>;

}  // namespace sixstep::local

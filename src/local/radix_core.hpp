// SPDX-License-Identifier: BSD-3-Clause
// Real Fourier transforms by real radices (see kernels/real_kernels.hpp), on a block of columns at
// a time. Columns may lie anywhere; each has one lane.
//
// It is for lengths in cache whose primes have butterflies, with our own kernels; see real_core.hpp
// for all others. No result depends on another column.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/kernels/split_rows.hpp"
#include "local/real_core.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {

template <class Real>
class RadixCore {
 public:
  using Complex = std::complex<Real>;

  /// Empty if this core does not take the length. `order` is that of the n reals in the user's
  /// rows; `results` is the number of the user's rows on the other side.
  static std::optional<RadixCore> make(Order<Real> const& order, Results const& results,
                                       Local whose, Tuning const& tuning);

  /// The memory that a run uses.
  struct Block {
    RealBlock<Real> passes;
    Real* rows;              // n/2 + 1 pairs of rows for each group, and one more row
    RowPlace<Real>* places;  // of the user's rows
    Index columns;
    Real scale;
    bool far;         // the next columns are prefetched
    std::byte* rest;  // scratch memory of complex transforms
  };

  Index n() const { return passes_.n; }
  Index lanes() const { return kernels_.radices.lanes; }
  std::size_t scratch_bytes() const;

  // Like those of SequenceCore.
  Index take(Index columns, bool wide) const;
  Block block(std::byte* scratch, Index columns, Real scale, bool far) const;
  void analyse(Columns<Real const> const& users, Block const& block) const;
  void synthesise(Block const& block, Columns<Real> const& users) const;
  void put(Block const& block, Columns<Complex> const& users) const;
  void get(Columns<Complex const> const& users, Block const& block) const;
  void put(Block const& block, std::vector<Outputs<Real>> const& outputs,
           Columns<Real> const& users) const;
  void get(Columns<Real const> const& users, std::vector<Spread<Real>> const& spreads,
           Block const& block) const;

  std::string describe() const;

 private:
  /// The complex transform of the columns of a pass.
  struct ColumnTransform {
    std::unique_ptr<Transform<Complex>> complex;  // null for one point
    SplitTransform<Real> const* split;            // the same object
  };

  RadixCore(Order<Real> const& order, Results const& results, Tuning const& tuning);

  // Reals in a block's rows for one group.
  Index group_rows() const { return (n() / 2 + 1) * 2 * lanes(); }
  Index rows_reals() const { return columns_ / lanes() * group_rows() + lanes(); }
  Index groups(Block const& block) const { return (block.columns + lanes() - 1) / lanes(); }
  // Whether columns are read from the user's array, or written to it, without a copy.
  bool is_direct(Index lane, Block const& block) const {
    return lane == 1 && block.columns % lanes() == 0;
  }
  template <class Number>
  Columns<Number> rows_of(Block const& block, Index group) const {
    return {reinterpret_cast<Number*>(block.rows + group * group_rows()), RowMap::every(lanes()),
            1};
  }
  // Whether the rows of the user's columns are contiguous and correspond to `places`.
  template <class Number>
  bool is_contiguous(Columns<Number> const& users, std::vector<PlacedRow<Real>> const& places,
                     Block const& block) const {
    Index const rows = static_cast<Index>(places.size() * sizeof(Real) / sizeof(Number));
    return rows > 0 && block.columns % lanes() == 0 && users.row.step(rows) == 1;
  }
  void place_rows();
  // Moves contiguous columns to the places of their rows in the block.
  void spread(Real const* from, Index lane, std::vector<PlacedRow<Real>> const& places,
              Block const& block) const;
  // Calls move(first column, rows of the block, number of columns) for each group.
  template <class Number, class Move>
  void for_groups(Block const& block, Move const& move) const;
  template <class Scalar>
  RealRows<Scalar> direct_rows(Columns<Scalar> const& users, Block const& block) const;
  RealRows<Real> moved_rows(Block const& block) const;
  /// The complex columns of a block; `all`: also those that the kernels' put() and get() transform.
  void transform(Block const& block, bool backward, bool all) const;

  Order<Real> order_;
  RealKernels<Real> kernels_;
  RealPasses<Real> passes_;
  std::vector<ColumnTransform> transforms_;
  std::vector<Way<Real>> others_;
  Index columns_;            // of a block, at most
  Index near_columns_;       // of a block that stays in the first-level cache
  Index complex_reals_ = 0;  // of the passes' complex columns in a block
  Index sums_reals_ = 0;
  std::size_t transform_bytes_ = 0;
  // The places of the rows of contiguous columns in a block, relative to block.passes.before: the
  // rows in `order`, if each occurs once, and the results.
  std::vector<PlacedRow<Real>> reals_, results_;
  // The real and imaginary parts of the coefficients alternately, before the backward transforms of
  // the passes and after the forward ones.
  std::vector<PlacedRow<Real>> parts_before_, parts_after_;
  bool plain_;  // the user's rows are in natural order, without signs
};

/// Whether RadixCore takes n points, with our own kernels: not if a prime has no butterfly, or a
/// block would leave the second-level cache.
template <class Real>
bool suits_radices(Index n, Tuning const& tuning);

/// The core for a length.
template <class Real>
using RealCore = std::variant<SequenceCore<Real>, RadixCore<Real>>;

/// Whether so many columns fill the vectors of a core side by side.
template <class Real>
bool fills_vectors(RealCore<Real> const& core, Index count) {
  auto const* const sequences = std::get_if<SequenceCore<Real>>(&core);
  return sequences ? count >= sequences->lanes() && !sequences->is_narrow()
                   : count >= std::get<RadixCore<Real>>(core).lanes();
}

template <class Real>
RealCore<Real> make_core(Order<Real> const& order, Results const& results, Local whose,
                         Tuning const& tuning) {
  if (auto core = RadixCore<Real>::make(order, results, whose, tuning)) return std::move(*core);
  return SequenceCore<Real>(order, results, whose, tuning);
}

extern template bool suits_radices<float>(Index, Tuning const&);
extern template bool suits_radices<double>(Index, Tuning const&);
extern template class RadixCore<float>;
extern template class RadixCore<double>;

}  // namespace sixstep::local

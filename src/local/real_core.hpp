// SPDX-License-Identifier: BSD-3-Clause
// Real Fourier transforms of n points, and their inverses, by way of complex transforms.
//
// There are three ways, each a class that works on a block of columns at a time:
//
//   SequenceCore    columns anywhere, any n: each becomes one or more complex columns of the block,
//                   of n/2 points together if n is even.
//   HalfCore        contiguous columns of even n: x[2j] + i x[2j+1] are n/2 complex points, where
//                   they are.
//   HalfCosineCore  contiguous columns of even n of four cosine and sine transforms: as HalfCore,
//                   on elements in another order.
//
// None lets a result depend on another column. What is done before and after the complex transforms
// is the kernels' work, see kernels/real_kernels.hpp; which way a batch goes is decided by
// r2c_transform.cpp and r2r_transform.cpp.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/kernels/split_rows.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// Hands out pieces of a run's scratch memory, one after another, each aligned to 64 bytes.
class Scratch {
 public:
  explicit Scratch(std::byte* first) : next_(first) {}

  template <class T>
  T* take(Index count) {
    return reinterpret_cast<T*>(std::exchange(next_, next_ + bytes<T>(count)));
  }
  /// What is left.
  std::byte* rest() const { return next_; }

  /// What take<T>(count) uses up.
  template <class T>
  static std::size_t bytes(Index count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* next_;
};

/// Where a column of reals v has its elements in the user's rows x: v[k] is
/// picks[k].sign * x[picks[k].row].
template <class Real>
struct Order {
  /// `users`: the side of `ways` on which x is.
  Order(std::vector<Pick<Real>> picks, Index Way<Real>::*users);

  std::vector<Pick<Real>> picks;
  std::vector<Way<Real>> ways;       // the same, sorted by the rows of x
  std::vector<Pick<Real>> straight;  // where v itself lies in a block
};

/// Complex transforms of the sequences of real columns (see kernels/real_kernels.hpp), in a block.
template <class Real>
class SequenceCore {
 public:
  using Complex = std::complex<Real>;

  /// `results`: the user's rows on the side that `order` is not of.
  SequenceCore(Order<Real> order, Index results, Local whose, Tuning const& tuning);

  /// The memory that a run works in: sequences before and after the complex transform. Where they
  /// are not in use, reals() and coefficients() may be.
  struct Block {
    Sequences<Real> before, after;
    Real scale;
    std::byte* rest;  // scratch memory of the complex transform
  };

  Index n() const { return radix_ * complex_->n(); }
  /// Columns that are worked on side by side.
  Index lanes() const { return std::min(complex_->lanes(), columns_); }
  std::size_t scratch_bytes() const;

  /// How many of so many columns the next block takes: `wide` if they lie side by side.
  Index take(Index columns, bool wide) const {
    return std::min(columns, wide ? columns_ : near_columns_);
  }
  /// A block for so many columns, whose results are times `scale`.
  Block block(std::byte* scratch, Index columns, Real scale) const;

  /// Makes the complex transforms in a block from the user's reals, and the user's reals from such.
  void analyse(Columns<Real const> const& users, Block const& block) const;
  void synthesise(Block const& block, Columns<Real> const& users) const;
  /// The coefficients of a block, to and from the user's rows.
  void put(Block const& block, Columns<Complex> const& users) const;
  void get(Columns<Complex const> const& users, Block const& block) const;
  /// The same of what is made of each coefficient, and of what makes it.
  void put(Block const& block, std::vector<Outputs<Real>> const& outputs,
           Columns<Real> const& users) const;
  void get(Columns<Real const> const& users, std::vector<Spread<Real>> const& spreads,
           Block const& block) const;

  std::string describe() const { return complex_->describe(); }

 private:
  Index most_reals() const;  // of one of a block's sequences and of what else is in their memory
  void run(Block const& block, bool backward) const;
  // n + 2 rows of reals or n/2 + 1 rows of coefficients in the memory of `z`.
  Columns<Real> reals(Sequences<Real> const& z) const {
    return {z.data, RowMap::every(rows_stride_), 1};
  }
  Columns<Complex> coefficients(Sequences<Real> const& z) const {
    return {reinterpret_cast<Complex*>(z.data), RowMap::every(rows_stride_), 1};
  }

  Order<Real> order_;
  std::vector<Way<Real>> others_;
  int radix_;
  std::unique_ptr<Transform<Complex>> complex_;
  SplitTransform<Real> const* split_;  // the same, if it is one
  RealKernels<Real> kernels_;
  std::vector<Complex> factors_;
  Index columns_;       // of a block at most ...
  Index near_columns_;  // ... and of one that stays in the first-level cache
  Index stride_;        // from row to row of the sequences, in Reals
  Index rows_stride_;   // from row to row of reals() and coefficients(), in their elements
};

/// Real transforms of contiguous columns of even n, each as one complex column of n/2 points.
///
/// The coefficients of a column follow each other, too.
template <class Real>
class HalfCore {
 public:
  using Complex = std::complex<Real>;

  HalfCore(Index n, Local whose, Tuning const& tuning);

  std::size_t scratch_bytes() const;
  /// Real columns of a block.
  Index columns() const { return columns_; }

  /// Whether columns of reals lie as is needed: contiguous, and an even number of reals apart.
  bool fits(Columns<Real const> const& reals) const;
  void forward(Batch<Real, Complex> const& batch, std::byte* scratch) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* scratch) const;

  std::string describe() const { return complex_->describe(); }

 private:
  Index m_;  // n/2
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  Index columns_;  // of a block
  Index lane_;     // from column to column of it, in complex numbers
  HalfFactors<Real> factors_;
};

/// Cosine and sine transforms of contiguous columns of even n: DCT-II or, with `sines`, DST-II, and
/// backward DCT-III or DST-III. Each column is one complex column of n/2 points in the block.
template <class Real>
class HalfCosineCore {
 public:
  using Complex = std::complex<Real>;

  HalfCosineCore(Index n, bool sines, Local whose, Tuning const& tuning);

  std::size_t scratch_bytes() const;

  /// Whether columns of one side lie as is needed: contiguous.
  bool fits(Columns<Real const> const& columns) const;
  void forward(Batch<Real> const& batch, std::byte* scratch) const { run<false>(batch, scratch); }
  void backward(Batch<Real> const& batch, std::byte* scratch) const { run<true>(batch, scratch); }

  std::string describe() const { return complex_->describe(); }

 private:
  template <bool backward>
  void run(Batch<Real> const& batch, std::byte* scratch) const;

  Index n_;
  bool sines_;  // the DCT-II of (-1)^j x[j] is the DST-II of x from the last to the first
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  CosineFactors<Real> factors_;
  Index columns_;  // of a block
  Index lane_;     // from column to column of it, in Reals
};

/// Whether contiguous columns of n reals are faster by HalfCore than by SequenceCore. `lanes`: the
/// columns that complex transforms work on side by side.
bool goes_by_halves(Index n, Index lanes);

/// The same batch; a single column has no next one, which may as well be far away: contiguous rows
/// are all it takes to go the way of contiguous columns.
template <class In, class Out>
Batch<In, Out> with_free_lanes(Batch<In, Out> batch, Index n) {
  if (batch.columns == 1) batch.in.lane = batch.out.lane = 2 * n;
  return batch;
}

/// How many columns of `column_bytes` each a block should have: a multiple of `lanes`, as many as
/// stay in cache, but no more than make long enough rows. Of very long columns fewer than `lanes`.
Index block_columns(Index column_bytes, Index lanes, Index element_bytes, Tuning const& tuning);

extern template struct Order<float>;
extern template struct Order<double>;
extern template class SequenceCore<float>;
extern template class SequenceCore<double>;
extern template class HalfCore<float>;
extern template class HalfCore<double>;
extern template class HalfCosineCore<float>;
extern template class HalfCosineCore<double>;

}  // namespace sixstep::local

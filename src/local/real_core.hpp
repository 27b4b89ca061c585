// SPDX-License-Identifier: BSD-3-Clause
// Real Fourier transforms of n points, and their inverses, by complex transforms.
//
// Three classes, each of which works on a block of columns at a time:
//
//   SequenceCore    columns anywhere, any n: each becomes one or more complex columns of the block,
//                   which have n/2 points together if n is even.
//   HalfCore        contiguous columns of even n: x[2j] + i x[2j+1] are n/2 complex points where
//                   they lie.
//   HalfCosineCore  contiguous columns of even n, for four cosine and sine transforms: like
//                   HalfCore, on elements in another order.
//
// No result depends on another column. The kernels (kernels/real_kernels.hpp) do the work before
// and after the complex transforms. r2c_transform.cpp and r2r_transform.cpp choose the class for a
// batch.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/columns.hpp"
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
  /// The rest of the memory.
  std::byte* rest() const { return next_; }

  /// The bytes that take<T>(count) uses.
  template <class T>
  static std::size_t bytes(Index count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* next_;
};

/// The elements of a column of reals v in the user's rows x: v[k] is
/// picks[k].sign * x[picks[k].row].
template <class Real>
struct Order {
  /// `users` is the member of Way that is the row of x.
  Order(std::vector<Pick<Real>> picks, Index Way<Real>::*users);

  std::vector<Pick<Real>> picks;
  std::vector<Way<Real>> ways;       // the same, sorted by the rows of x
  std::vector<Pick<Real>> straight;  // the picks of v within a block
};

/// The user's rows on the other side than an Order: the coefficients, or reals made of them.
struct Results {
  Index rows;
  bool are_coefficients;
};

/// Complex transforms of the sequences of real columns (see kernels/real_kernels.hpp) in a block.
template <class Real>
class SequenceCore {
 public:
  using Complex = std::complex<Real>;

  SequenceCore(Order<Real> order, Results const& results, Local whose, Tuning const& tuning);

  /// The memory that a run uses: sequences before and after the complex transform. While one is not
  /// in use, its memory may hold reals() or coefficients().
  struct Block {
    Sequences<Real> before, after;
    Real scale;
    std::byte* rest;  // scratch memory of the complex transform
  };

  Index n() const { return radix_ * complex_->n(); }
  /// The number of columns that are worked on side by side.
  Index lanes() const { return std::min(complex_->lanes(), columns_); }
  /// Whether columns are so long that they do not fill vectors side by side.
  bool is_narrow() const { return complex_->lanes() == 1 || columns_ < complex_->lanes(); }
  std::size_t scratch_bytes() const;

  /// How many of `columns` columns the next block takes; `wide` if they lie side by side.
  Index take(Index columns, bool wide) const {
    return std::min(columns, wide ? columns_ : near_columns_);
  }
  /// A block for `columns` columns, whose results are multiplied by `scale`. `far`: they are out of
  /// cache, which matters to RadixCore only.
  Block block(std::byte* scratch, Index columns, Real scale, bool far) const;

  /// Computes the complex transforms in a block from the user's reals, and the user's reals from
  /// them.
  void analyse(Columns<Real const> const& users, Block const& block) const;
  void synthesise(Block const& block, Columns<Real> const& users) const;
  /// Moves the coefficients of a block to and from the user's rows.
  void put(Block const& block, Columns<Complex> const& users) const;
  void get(Columns<Complex const> const& users, Block const& block) const;
  /// These write outputs that are made of each coefficient, and read spreads that make each one.
  void put(Block const& block, std::vector<Outputs<Real>> const& outputs,
           Columns<Real> const& users) const;
  void get(Columns<Real const> const& users, std::vector<Spread<Real>> const& spreads,
           Block const& block) const;

  std::string describe() const { return complex_->describe(); }

 private:
  Index most_reals() const;  // of a sequence of a block, and of other data in its memory
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
  Index columns_;       // of a block, at most
  Index near_columns_;  // of a block that stays in the first-level cache
  Index stride_;        // between rows of the sequences, in Reals
  Index rows_stride_;   // between rows of reals() and coefficients(), in their elements
};

/// Real transforms of contiguous columns of even n, each as one complex column of n/2 points. The
/// coefficients of a column are contiguous, too.
template <class Real>
class HalfCore {
 public:
  using Complex = std::complex<Real>;

  /// `backward`: only backward() will be called, otherwise only forward().
  HalfCore(Index n, bool backward, Local whose, Tuning const& tuning);
  /// For one column at a time, by `complex`.
  HalfCore(Index n, std::unique_ptr<Transform<Complex>> complex, Tuning const& tuning);

  std::size_t scratch_bytes() const;
  /// The number of real columns in a block.
  Index columns() const { return columns_; }

  /// Whether columns of reals suit it: contiguous, with an even distance between columns.
  bool fits(Columns<Real const> const& reals) const;
  void forward(Batch<Real, Complex> const& batch, std::byte* scratch) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* scratch) const;

  std::string describe() const;

 private:
  Index m_;                                     // n/2
  std::unique_ptr<ContiguousRows<Real>> rows_;  // null: the members after it do its work
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  Index columns_;           // of a block
  Index lane_;              // between columns of a block, in complex numbers
  Index resident_columns_;  // more of them count as out of cache
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

  /// Whether columns of one side suit it: contiguous.
  bool fits(Columns<Real const> const& columns) const;
  void forward(Batch<Real> const& batch, std::byte* scratch) const { run<false>(batch, scratch); }
  void backward(Batch<Real> const& batch, std::byte* scratch) const { run<true>(batch, scratch); }

  std::string describe() const { return complex_->describe(); }

 private:
  template <bool backward>
  void run(Batch<Real> const& batch, std::byte* scratch) const;

  Index n_;
  bool sines_;  // the DCT-II of (-1)^j x[j], reversed, is the DST-II of x
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  CosineFactors<Real> factors_;
  Index columns_;  // of a block
  Index lane_;     // between columns of a block, in Reals
};

/// Whether HalfCore is faster than SequenceCore for contiguous columns of n reals. `lanes` is the
/// number of columns that complex transforms work on side by side.
bool goes_by_halves(Index n, Index lanes);

/// Whether the kernels of rows-inl.hpp suit n contiguous points.
bool suits_rows(Index n, Index lanes);

/// Returns the batch, but gives a single column a large lane: it has no neighbour, so
/// contiguous rows suffice for it to count as contiguous.
template <class In, class Out>
Batch<In, Out> with_free_lanes(Batch<In, Out> batch, Index n) {
  if (batch.columns == 1) batch.in.lane = batch.out.lane = 2 * n;
  return batch;
}

/// How many columns of `column_bytes` a block should have: a multiple of `lanes` that stays in
/// cache, and no more than give rows of sufficient length. Very long columns get fewer than
/// `lanes`.
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

// SPDX-License-Identifier: BSD-3-Clause
// Real Fourier transforms of n points, and their inverses, by way of complex transforms.
//
// There are four ways, each a class that works on a block of columns at a time:
//
//   PairCore        columns anywhere: two real columns a and b are one complex column a + i b of n
//                   points. Two columns that lie side by side are that already, where they are;
//                   others are moved to the block.
//   HalfCore        contiguous columns of even n: x[2j] + i x[2j+1] are n/2 complex points.
//   PairedRows      contiguous columns of any n: pairs as above, put together in the block.
//   HalfCosineCore  contiguous columns of even n of four cosine and sine transforms: as HalfCore,
//                   on elements in another order.
//
// What becomes of the complex results (taking pairs or halves apart) is the kernels' work, see
// kernels/real_kernels.hpp; which way a batch goes is decided by r2c_transform.cpp and
// r2r_transform.cpp.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/real_kernels.hpp"
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

/// Complex transforms of pairs of real columns, in a block where rows of reals lie side by side:
/// column c of row k of the block is at k * stride + c, and columns 2i and 2i + 1 are the real and
/// imaginary part of complex column i.
template <class Real>
class PairCore {
 public:
  using Complex = std::complex<Real>;

  PairCore(Index n, Local whose, Tuning const& tuning);

  /// The memory that a run works in.
  struct Block {
    Pairs<Real> z;     // the block itself; its user sets z.columns
    Index* users_row;  // n entries, for the table that lie_in_pairs() makes
    std::byte* rest;   // scratch memory of the complex transform
  };

  Index n() const { return n_; }
  /// Real columns that are worked on side by side.
  Index lanes() const { return std::min(2 * complex_->lanes(), columns_); }
  /// Real columns of a block: a multiple of lanes().
  Index columns() const { return columns_; }
  /// Complex columns, that is pairs, that the complex transform works on side by side.
  Index complex_lanes() const { return complex_->lanes(); }
  /// Reals of a block.
  Index block_size() const { return n_ * stride_; }
  std::size_t scratch_bytes() const;
  /// A block in memory from `scratch`. `rest` is left for the caller to set when it has taken all
  /// that it needs itself.
  Block block(Scratch& scratch) const;

  /// The columns of a block of reals at `data`.
  Columns<Real> rows(Real* data) const { return {data, real_rows_.data(), 1}; }

  /// The complex transform of the block, in place. Of an odd number of columns the last has no
  /// partner: forward() gives it one of zeros.
  void forward(Block const& block) const;
  void backward(Block const& block, Real scale) const;

  /// Whether columns that lie so in the user's array are complex columns, two and two, where they
  /// are. If so, `users_row` becomes the table of their rows: its entry j, in complex numbers from
  /// row[0], is where the user has what belongs to row j of the block, which is row order[j].
  bool lie_in_pairs(RowMap row, Index lane, std::vector<Index> const& order,
                    Index* users_row) const;
  /// As forward() from the user's columns, and as backward() to them, where they lie in pairs and
  /// the table is made. The block's columns are even in number.
  void forward_from(Columns<Real const> const& columns, Block const& block) const;
  void backward_to(Block const& block, Real scale, Columns<Real> const& columns) const;

  std::string describe() const { return complex_->describe(); }

 private:
  // The block as complex columns.
  Columns<Complex> points(Pairs<Real> const& z) const {
    return {reinterpret_cast<Complex*>(z.data), point_rows_.data(), 1};
  }
  void run(Columns<Complex const> const& in, Columns<Complex> const& out, Block const& block,
           bool backward, Real scale) const;

  Index n_;
  std::unique_ptr<Transform<Complex>> complex_;
  Index columns_;                  // real ones, of a block
  Index stride_;                   // from row to row of it, in Reals
  std::vector<Index> real_rows_;   // where its rows begin, in Reals
  std::vector<Index> point_rows_;  // the same in complex numbers
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

/// Real transforms of contiguous columns of any n, two of them as one complex column of n points.
/// The coefficients of a column follow each other, too.
template <class Real>
class PairedRows {
 public:
  using Complex = std::complex<Real>;

  PairedRows(Index n, Local whose, Tuning const& tuning);

  std::size_t scratch_bytes() const;
  /// Real columns of a block.
  Index columns() const { return 2 * columns_; }

  /// Whether columns of reals lie as is needed: contiguous.
  bool fits(Columns<Real const> const& reals) const;
  void forward(Batch<Real, Complex> const& batch, std::byte* scratch) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* scratch) const;

  std::string describe() const { return complex_->describe(); }

 private:
  // Block by block: before(), which fills it from `in`; the complex transform; after(), which
  // empties it to `out`.
  template <class In, class Out, class Before, class After>
  void run(Batch<In, Out> const& batch, std::byte* scratch, bool backward, Real scale,
           Before const& before, After const& after) const;

  Index n_;
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  Index columns_;  // complex ones, of a block
  Index lane_;     // from one to the next, in complex numbers
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

/// Whether contiguous columns of n reals are faster by HalfCore than by PairedRows. `lanes`: the
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
/// stay in cache, but no more than make long enough rows. Of very long columns fewer than `lanes`,
/// but at least two.
Index block_columns(Index column_bytes, Index lanes, Index element_bytes, Tuning const& tuning);

extern template class PairCore<float>;
extern template class PairCore<double>;
extern template class HalfCore<float>;
extern template class HalfCore<double>;
extern template class PairedRows<float>;
extern template class PairedRows<double>;
extern template class HalfCosineCore<float>;
extern template class HalfCosineCore<double>;

}  // namespace sixstep::local

// SPDX-License-Identifier: BSD-3-Clause
// The real Fourier transform and its inverse, block by block, by way of complex transforms.
//
// Columns go in pairs, one the real part and one the imaginary part of a complex column of n
// points: two columns side by side are such a pair where they lie, others are moved to a block.
// Contiguous columns of even n go by themselves, x[2j] + i x[2j+1] being n/2 complex points.
#pragma once

#include <algorithm>
#include <complex>
#include <memory>
#include <utility>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// Memory for reals and for tables of rows, one after another.
class Scratch {
 public:
  explicit Scratch(std::byte* first) : next_(first) {}

  template <class T>
  T* take(Index count) {
    return reinterpret_cast<T*>(std::exchange(next_, next_ + bytes<T>(count)));
  }
  std::byte* rest() const { return next_; }

  template <class T>
  static std::size_t bytes(Index count) {
    return (static_cast<std::size_t>(count) * sizeof(T) + 63) / 64 * 64;
  }

 private:
  std::byte* next_;
};

/// n-point transforms of pairs of columns, and the memory of a block of them.
template <class Real>
class PairCore {
 public:
  using Complex = std::complex<Real>;

  PairCore(Index n, Local whose);

  /// Memory of one run.
  struct Block {
    Pairs<Real> z;
    Index* users_row;
    std::byte* rest;
  };

  Index n() const { return n_; }
  /// Columns that are worked on side by side, and those of a block: a multiple of them.
  Index lanes() const { return std::min(2 * complex_->lanes(), columns_); }
  Index columns() const { return columns_; }
  /// Those of the complex transform, which are pairs.
  Index complex_lanes() const { return complex_->lanes(); }
  /// Reals of a block.
  Index block_size() const { return n_ * stride_; }
  std::size_t scratch_bytes() const;
  /// With memory from `scratch`, all but `rest`.
  Block block(Scratch& scratch) const;

  /// The rows of a block of reals.
  Columns<Real> rows(Real* data) const { return {data, real_rows_.data(), 1}; }

  /// z becomes its transform; a column without partner gets zeros for one.
  void forward(Block const& block) const;
  void backward(Block const& block, Real scale) const;

  /// Whether the pairs of columns are complex numbers where they lie. If so, row j of z is to be
  /// users' row order[j]; the table that says so goes to `users_row`.
  bool lie_in_pairs(RowMap row, Index lane, std::vector<Index> const& order,
                    Index* users_row) const;
  /// From, or to, columns that lie in pairs; `columns` of the block is even.
  void forward_from(Columns<Real const> const& columns, Block const& block) const;
  void backward_to(Block const& block, Real scale, Columns<Real> const& columns) const;

  std::string describe() const { return complex_->describe(); }

 private:
  Columns<Complex> points(Pairs<Real> const& z) const {
    return {reinterpret_cast<Complex*>(z.data), point_rows_.data(), 1};
  }
  void run(Columns<Complex const> const& in, Columns<Complex> const& out, Block const& block,
           bool backward, Real scale) const;

  Index n_;
  std::unique_ptr<Transform<Complex>> complex_;
  Index columns_;
  Index stride_;  // in Reals
  std::vector<Index> real_rows_;
  std::vector<Index> point_rows_;  // in complex numbers
};

/// n-point real transforms of even n of contiguous columns, by n/2 complex points.
template <class Real>
class HalfCore {
 public:
  using Complex = std::complex<Real>;

  HalfCore(Index n, Local whose);

  std::size_t scratch_bytes() const;
  /// That are worked on together.
  Index columns() const { return columns_; }

  /// Whether columns of reals lie as is needed. Coefficients follow each other.
  bool fits(Columns<Real const> const& reals) const;
  void forward(Batch<Real, Complex> const& batch, std::byte* scratch) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* scratch) const;

  std::string describe() const { return complex_->describe(); }

 private:
  Index m_;
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  Index columns_;  // of a block
  Index lane_;     // from column to column of it
  HalfFactors<Real> factors_;
};

/// n-point real transforms of pairs of contiguous columns, by n complex points in a block. As
/// HalfCore.
template <class Real>
class PairedRows {
 public:
  using Complex = std::complex<Real>;

  PairedRows(Index n, Local whose);

  std::size_t scratch_bytes() const;

  Index columns() const { return 2 * columns_; }

  bool fits(Columns<Real const> const& reals) const;
  void forward(Batch<Real, Complex> const& batch, std::byte* scratch) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* scratch) const;

  std::string describe() const { return complex_->describe(); }

 private:
  template <class In, class Out, class Before, class After>
  void run(Batch<In, Out> const& batch, std::byte* scratch, bool backward, Real scale,
           Before const& before, After const& after) const;

  Index n_;
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  Index columns_;  // complex ones, of a block
  Index lane_;     // from one to the next
};

/// n-point DCT-II, DST-II and, backward, DCT-III and DST-III of even n of contiguous columns, as
/// HalfCore around a block.
template <class Real>
class HalfCosineCore {
 public:
  using Complex = std::complex<Real>;

  HalfCosineCore(Index n, bool sines, Local whose);

  std::size_t scratch_bytes() const;

  /// Whether columns lie as is needed.
  bool fits(Columns<Real const> const& columns) const;
  void forward(Batch<Real> const& batch, std::byte* scratch) const { run<false>(batch, scratch); }
  void backward(Batch<Real> const& batch, std::byte* scratch) const { run<true>(batch, scratch); }

  std::string describe() const { return complex_->describe(); }

 private:
  template <bool backward>
  void run(Batch<Real> const& batch, std::byte* scratch) const;

  Index n_;
  // A DCT-II of x[j] (-1)^j is a DST-II from the other end, and likewise for the inverses.
  bool sines_;
  std::unique_ptr<Transform<Complex>> complex_;
  RealKernels<Real> kernels_;
  CosineFactors<Real> factors_;
  Index columns_;  // of a block
  Index lane_;     // from column to column of it, in Reals
};

/// Whether contiguous columns of n reals go by themselves, by HalfCore, or in pairs, by PairedRows,
/// where complex transforms work on `lanes` columns side by side.
bool goes_by_halves(Index n, Index lanes);

/// How many columns of `column_bytes` a block should have: as many as fit a cache and are worth a
/// row of their own, a multiple of `lanes`; of very long ones fewer, but two.
Index block_columns(Index column_bytes, Index lanes, Index element_bytes);

extern template class PairCore<float>;
extern template class PairCore<double>;
extern template class HalfCore<float>;
extern template class HalfCore<double>;
extern template class PairedRows<float>;
extern template class PairedRows<double>;
extern template class HalfCosineCore<float>;
extern template class HalfCosineCore<double>;

}  // namespace sixstep::local

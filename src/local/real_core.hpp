// SPDX-License-Identifier: BSD-3-Clause
// The real Fourier transform and its inverse on a block of columns in dense memory, by way of a
// complex transform.
//
// Even n: n/2 complex points z[j] = x[2j] + i x[2j+1] a column. Odd n: n complex points for each
// pair of columns, one the real part and one the imaginary part. What is in the middle of a block
// need not be known outside: reals() and spectrum() tell where its elements lie.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "local/transform.hpp"

namespace sixstep::local {

/// Element k of column c is data[row[k] + c * lane].
struct Rows {
  std::vector<Index> row;
  Index lane = 1;
};

/// Memory of one run.
template <class Real>
struct RealBlock {
  Real* reals;
  Real* spectrum;
  Index columns;  // at most those of a block
  Real scale;     // of the result
  std::byte* scratch;
  Real* pairs = nullptr;  // where not null, reals of an even n that lie one after another: those of
  Index lane = 0;         // column c from pairs + c lane on, lane even; `reals` is free then
};

template <class Real>
class RealCore {
 public:
  RealCore(Index n, Local whose);

  Index n() const { return n_; }
  /// Columns that are worked on side by side, and those of a block: a multiple of them.
  Index lanes() const { return lanes_; }
  Index columns() const { return columns_; }

  /// Where the n reals lie in a block's memory.
  Rows const& reals() const { return reals_; }
  /// Where the real parts of the n/2 + 1 coefficients lie in a block's memory; the imaginary part
  /// of each is columns() behind.
  Rows const& spectrum() const { return spectrum_; }

  /// Reals that the two take.
  Index reals_size() const;
  Index spectrum_size() const;
  std::size_t scratch_bytes() const { return complex_->scratch_bytes(); }

  /// The spectrum of the reals, which are lost but for those in pairs.
  void forward(RealBlock<Real> const& block) const;
  /// The reals of the spectrum, unnormalised.
  void backward(RealBlock<Real> const& block) const;

  std::string describe() const { return complex_->describe(); }

 private:
  void transform(RealBlock<Real> const& block, bool backward, Real scale) const;
  void split_even(RealBlock<Real> const& block) const;
  void split_odd(RealBlock<Real> const& block) const;
  void join_even(RealBlock<Real> const& block) const;
  void join_odd(RealBlock<Real> const& block) const;

  void add_partner(RealBlock<Real> const& block, Real* data, std::vector<Index> const& rows) const;

  bool even() const { return n_ % 2 == 0; }
  /// Rows of z, and of the spectrum.
  Index points() const { return even() ? n_ / 2 : n_; }
  Index coefficients() const { return n_ / 2 + 1; }

  Index n_;
  std::unique_ptr<Transform<std::complex<Real>>> complex_;
  Index lanes_;
  Index columns_;
  Index z_stride_;  // reals from row to row of z, and of the spectrum
  Index spectrum_stride_;
  std::vector<Index> z_rows_;     // in complex numbers
  std::vector<Index> pair_rows_;  // 0, 1, 2 ...; even n
  Rows reals_;
  Rows spectrum_;
  std::vector<std::complex<Real>> twiddles_;  // w_n^k, k = 0 ... n/4; of an even n
};

/// How many columns of `column_bytes` a block should have: as many as fit a cache and are worth a
/// row of their own, a multiple of `lanes`.
Index block_columns(Index column_bytes, Index lanes, Index element_bytes);

}  // namespace sixstep::local

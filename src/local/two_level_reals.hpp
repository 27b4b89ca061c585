// SPDX-License-Identifier: BSD-3-Clause
// One long column of reals in two levels, by all threads of a team.
//
// The column has n = slow * fast points, j = fast j1 + j2, and k = k1 + slow k2 (Bailey, 1990):
//   X[k1 + slow k2] = sum_j2 w_fast^(j2 k2) [ w_n^(j2 k1) sum_j1 w_slow^(j1 k1) x[fast j1 + j2] ].
// The inner sums are those of `fast` columns of reals, two of which are one column of complex
// numbers where they lie. Since X[n-k] is the conjugate of X[k], the outer sums are needed for
// k1 <= slow/2 only, and all their results are coefficients up to n/2 or conjugates of some.
//
// The outer sums of k1 come from the inner ones of k1 and slow - k1, and give the coefficients of
// these k1. So they replace their operands, and a transform from one array to another passes twice
// over memory and needs no third array.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "local/kernels/paired_columns.hpp"
#include "local/staged.hpp"
#include "local/transform.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// The transform of n reals, n even, to n/2 + 1 coefficients, and the reverse. Immutable: any
/// number of threads may run it at once, each with its own workspace.
template <class Real>
class TwoLevelReals {
 public:
  using Complex = std::complex<Real>;

  TwoLevelReals(Index n, Local whose, Tuning const& tuning);

  /// The number of reals between those that are transformed together first.
  static Index fast_of(Index n);

  /// "(radix ...) x (radix ...)".
  std::string describe() const;
  /// An estimate of the bytes of all tables.
  std::size_t bytes() const;
  /// The bytes that a team needs, aligned to 64. `apart`: the spectrum holds what is between the
  /// levels, because it may be written and does not overlap the reals.
  std::size_t workspace_bytes(bool apart, int threads) const;

  void forward(Real const* in, Complex* out, Real scale, int threads, std::byte* workspace) const;
  /// Overwrites `in` only if it is `apart`.
  void backward(Complex const* in, Real* out, Real scale, bool apart, int threads,
                std::byte* workspace) const;

 private:
  Index half() const { return fast_->n() / 2; }
  Index blocks() const { return 1 + (slow_->n() / 2 + width_ - 1) / width_; }
  std::size_t between_bytes() const;
  std::size_t block_bytes() const;
  std::size_t thread_bytes() const;
  template <class Number>
  MirroredColumns<Number> columns(Number* matrix, Index first) const;

  /// The inner sums of all pairs of columns: element k1 of pair p is at p slow + k1 of a matrix.
  void first_level(Real const* in, Complex* matrix, int threads, std::byte* memory) const;
  void last_level(Complex const* matrix, Real* out, Real scale, int threads,
                  std::byte* memory) const;
  /// The outer sums of k1 = 0, and those of `width_` others from `first` on.
  void first_coefficients(Complex const* matrix, Complex* out, Real scale, std::byte* memory) const;
  void coefficients(Complex const* matrix, Index first, Complex* out, Real scale,
                    std::byte* memory) const;
  /// Their inverses.
  void first_operands(Complex const* in, Complex* matrix, std::byte* memory) const;
  void operands(Complex const* in, Index first, Complex* matrix, std::byte* memory) const;

  std::shared_ptr<Transform<Complex> const> slow_, fast_;
  std::shared_ptr<Roots const> roots_;
  Staged<Real> pairs_, pairs_back_;
  PairedColumnKernels<Real> kernels_;
  Index width_;  // of a block: how many k1 are transformed at once
  Index pitch_;  // between its rows
  bool streams_;
  std::vector<Complex> row_factors_;           // w_fast^(2p)
  std::vector<Real> factors_re_, factors_im_;  // -i w_n^k1, see ColumnFactors
};

extern template class TwoLevelReals<float>;
extern template class TwoLevelReals<double>;

}  // namespace sixstep::local

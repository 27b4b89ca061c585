// SPDX-License-Identifier: BSD-3-Clause
// The first and the last step of a transform of one contiguous column of n = A B reals, n odd.
#pragma once

#include <complex>
#include <memory>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// With 0 <= b, q < B and 0 <= p <= A/2 (Cooley and Tukey 1965), y_p are rows of B numbers:
///   y_p[b] = w_n^(b p) sum_a x[b + B a] w_A^(a p),   X[p + A q] = sum_b y_p[b] w_B^(b q).
/// y_0 is real, and X[n-k] = conj X[k], so these rows suffice. The steps between the first and the
/// last are the transforms of rows in place: r2c of row 0 and complex ones of the others, or c2r of
/// row 0 and backward ones. `In` and `Out` are Real and complex numbers, or both are Real, if the
/// coefficients are in an order of reals. Immutable: any number of threads may use it at once.
template <class Real, class In, class Out>
class OddProduct {
 public:
  virtual ~OddProduct() = default;

  /// A and B.
  Index radix() const { return A_; }
  Index row_points() const { return B_; }
  /// Row p begins at real p pitch() and has room for B complex numbers. Row 0 holds B reals or the
  /// B/2 + 1 coefficients of these.
  Index pitch() const { return pitch_; }
  Index rows_reals() const { return (A_ / 2 + 1) * pitch_; }

  /// Writes the rows, whose memory is aligned to 64 bytes.
  virtual void first(In const* in, Real* rows) const = 0;
  /// Reads them after their transforms.
  virtual void last(Real const* rows, Out* out) const = 0;

 protected:
  OddProduct(Index A, Index B, Index pitch) : A_(A), B_(B), pitch_(pitch) {}

 private:
  Index A_, B_, pitch_;
};

template <class Real>
using OddR2c = OddProduct<Real, Real, std::complex<Real>>;
template <class Real>
using OddC2r = OddProduct<Real, std::complex<Real>, Real>;

}  // namespace sixstep::local

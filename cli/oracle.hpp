// SPDX-License-Identifier: BSD-3-Clause
// Whether a transform is right: a field to transform, and sums over it that need no FFT.
//
// Shares no code with the transforms. Knows layouts, but nothing of how a plan works.
#pragma once

#include <mpi.h>

#include <complex>

#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// Fills this rank's part with values that a hash makes of the global index: real and imaginary
/// part in [-0.5, 0.5), exact in single precision; of reals, the real part.
template <class Element>
void fill(Layout const& layout, int rank, int threads, Element* data);

/// How far a spectrum is from that of the field, as sums in long double tell.
struct Errors {
  /// max |X[k] - X_ref[k]| / sqrt(N) over a few k, X_ref the sum over all points of the field.
  double forward = 0;
  /// max |x_ref[j] - x[j]| over a few j, x_ref the sum over all of the spectrum: so an error
  /// anywhere in it shows.
  double backward = 0;

  /// The larger of both; not a number if either is none.
  double worst() const;
};

/// Compares `spectrum`, which lies as `output` says, with that of the field of fill(). Collective.
///
/// `output` is of the shape of `input`; or of two axes for any of them, as Plan::output() tells.
template <class Real>
Errors verify(Layout const& input, Layout const& output, MPI_Comm comm,
              std::complex<Real> const* spectrum);

/// The same of a spectrum of the field's real parts, n/2 + 1 along the last axis.
template <class Real>
Errors verify_r2c(Layout const& input, Layout const& output, MPI_Comm comm,
                  std::complex<Real> const* spectrum);

extern template void fill(Layout const&, int, int, float*);
extern template void fill(Layout const&, int, int, double*);
extern template void fill(Layout const&, int, int, std::complex<float>*);
extern template void fill(Layout const&, int, int, std::complex<double>*);
extern template Errors verify(Layout const&, Layout const&, MPI_Comm, std::complex<float> const*);
extern template Errors verify(Layout const&, Layout const&, MPI_Comm, std::complex<double> const*);
extern template Errors verify_r2c(Layout const&, Layout const&, MPI_Comm,
                                  std::complex<float> const*);
extern template Errors verify_r2c(Layout const&, Layout const&, MPI_Comm,
                                  std::complex<double> const*);

}  // namespace sixstep::cli

// SPDX-License-Identifier: BSD-3-Clause
// Checks transforms: a field to transform, and sums over it that need no FFT.
//
// This file shares no code with the transforms. It knows layouts, but not how a plan works.
#pragma once

#include <mpi.h>

#include <complex>

#include "sixstep/layout.hpp"

namespace sixstep::cli {

/// Fills this rank's part with hashes of the global indices: real and imaginary parts are in
/// [-0.5, 0.5) and exact in single precision. A real array gets the real parts.
template <class Element>
void fill(Layout const& layout, int rank, int threads, Element* data);

/// The errors of a spectrum, computed by sums in long double.
struct Errors {
  /// max |X[k] - X_ref[k]| / sqrt(N) over a few k, X_ref the sum over all points of the field.
  double forward = 0;
  /// max |x_ref[j] - x[j]| over a few j, x_ref the sum over the whole spectrum, so that an error in
  /// any coefficient shows.
  double backward = 0;

  /// The larger of both; NaN if either is NaN.
  double worst() const;
};

/// Compares `spectrum`, in the layout `output`, with the transform of the field of fill().
/// Collective.
///
/// `output` has the shape of `input`, or has two axes for one of them: see Plan::output().
template <class Real>
Errors verify(Layout const& input, Layout const& output, MPI_Comm comm,
              std::complex<Real> const* spectrum);

/// Verifies the spectrum of the field's real parts in the same way, with n/2 + 1 points along the
/// last axis.
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

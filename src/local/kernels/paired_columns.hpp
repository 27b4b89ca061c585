// SPDX-License-Identifier: BSD-3-Clause
// Columns of reals that are transformed in pairs: z = x + i y. The transform of z gives those of x
// and y, as both have conjugate coefficients at k and -k:
//   2 X[k] = Z[k] + conj Z[-k],  2 i Y[k] = Z[k] - conj Z[-k].
//
// Compiled for every instruction set.
#pragma once

#include <complex>

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// Columns of a matrix, and as many that lie in reverse order: element c of a row is at
/// own[row step + c], and its image at image[row step - c].
template <class Complex>
struct MirroredColumns {
  Complex* own;
  Complex* image;
  Index step;
  Index rows;
  Index columns;
};

/// A block of such columns, each with twice as many rows as the matrix.
template <class Complex>
struct PairedBlock {
  Complex* data;
  Index step;
};

/// A complex factor for each column, in the form in which alternating real and imaginary parts are
/// multiplied by it: (re, re) and (-im, im).
template <class Real>
struct ColumnFactors {
  Real const* re;
  Real const* im;
};

/// The functions that pair columns, compiled for one instruction set.
template <class Real>
struct PairedColumnKernels {
  using Complex = std::complex<Real>;

  /// With z an element of row r of the matrix, and z' the conjugate of its image times rows[r]:
  /// z + z' in row 2r of the block, z - z' times the column's factor in row 2r + 1. Prefetches the
  /// columns that are next in both directions.
  void (*separate)(MirroredColumns<Complex const> const& from, Complex const* rows,
                   ColumnFactors<Real> const& columns, PairedBlock<Complex> const& to);
  /// With x from row 2r of the block and y from row 2r + 1: x + i y as an element of row r of the
  /// matrix, and the conjugate of x - i y as its image.
  void (*join)(PairedBlock<Complex const> const& from, MirroredColumns<Complex> const& to);
  /// Row r of the matrix in row r of the block, and its conjugate images in row 2 rows - 1 - r.
  void (*unfold)(MirroredColumns<Complex const> const& from, PairedBlock<Complex> const& to);
  /// The inverse of unfold().
  void (*fold)(PairedBlock<Complex const> const& from, MirroredColumns<Complex> const& to);
};

template <class Real>
PairedColumnKernels<Real> paired_column_kernels(Target target);

template <>
PairedColumnKernels<float> paired_column_kernels(Target target);
template <>
PairedColumnKernels<double> paired_column_kernels(Target target);

}  // namespace sixstep::local

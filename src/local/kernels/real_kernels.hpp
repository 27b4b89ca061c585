// SPDX-License-Identifier: BSD-3-Clause
// What real transforms do besides complex ones: taking results apart, putting spectra together,
// and moving columns between arrays and blocks.
//
// Compiled for every instruction set. A pair of columns is a complex one, a + i b; rows of pairs,
// and rows that lie side by side, are sequences of complex numbers to these kernels.
#pragma once

#include <vector>

#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// A block of the n rows of pairs: those of row k from data + k stride on, for `columns` columns.
template <class Real>
struct Pairs {
  Real* data;
  Index stride;  // in Reals
  Index n;
  Index columns;  // twice the pairs; one less if the last has no partner

  Real* at(Index k) const { return data + k * stride; }
  /// Row n - k.
  Real* mirror(Index k) const { return at(k == 0 ? 0 : n - k); }
};

/// Contiguous columns of n reals, or of their n/2 + 1 coefficients, and the complex columns of n
/// points that pairs of them are: those of pair i from z + i z_lane on.
template <class Element, class Scalar>
struct Zipped {
  Element* first;
  Index lane;
  Index columns;  // if odd, the last is its own partner
  Index n;
  Scalar* z;
  Index z_lane;
};

/// Contiguous real transforms of length 2 m as complex ones of length m, a column `lane` Reals
/// after the other.
template <class Real>
struct Halves {
  Real const* from;
  Real* to;
  Index from_lane;
  Index to_lane;
  Index columns;
  HalfFactors<Real> const* factors;
  Real scale;
};

/// A row on its way, from row `from` of one side to row `to` of the other.
template <class Real>
struct Way {
  Index from;
  Index to;
  Real sign;
};

/// Kernels of one instruction set. All rows are side by side but for move().
template <class Real>
struct RealKernels {
  using Complex = std::complex<Real>;

  /// A[k] = scale (Z[k] + conj Z[n-k]), B[k] = scale (Z[k] - conj Z[n-k]) / i, k = 0 ... n/2.
  void (*split_pairs)(Pairs<Real> const& z, Real scale, Columns<Complex> const& to);
  /// Z[k] = A[k] + i B[k], Z[n-k] = conj A[k] + i conj B[k].
  void (*join_pairs)(Columns<Complex const> const& from, Pairs<Real> const& z);
  /// Mixes of the spectra that split_pairs() gives.
  void (*mix_pairs)(Pairs<Real> const& z, std::vector<Mix<Real>> const& mixes, Real scale,
                    Columns<Real> const& to);
  /// Spreads to the spectra that join_pairs() takes.
  void (*spread_pairs)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                       Pairs<Real> const& z);
  /// scale times twice the m + 1 coefficients, of the transforms of x[2j] + i x[2j+1].
  void (*split_halves)(Halves<Real> const& halves);
  /// The m complex numbers whose backward transform is x[2j] + i x[2j+1].
  void (*join_halves)(Halves<Real> const& halves);
  /// The same of pairs of contiguous columns. Of a column that is its own partner, the first wins.
  void (*zip_columns)(Zipped<Real const, Complex> const& all);
  void (*unzip_columns)(Zipped<Real, Complex const> const& all);
  void (*split_columns)(Zipped<Complex, Complex const> const& all, Real scale);
  void (*join_columns)(Zipped<Complex const, Complex> const& all);
  /// v = x[0], x[2], x[4] ... s x[5], s x[3], s x[1] of n contiguous reals, s = sign, and back.
  void (*fold)(Real const* x, Index n, Real sign, Real* v);
  void (*unfold)(Real const* v, Index n, Real sign, Real* x);
  /// The cosines 2 Re(w_4n^k V[k]) of the transform V of n = 2 m contiguous reals, from the
  /// transform z of x[2j] + i x[2j+1]; `mirrored`: from the last to the first.
  void (*split_cosines)(std::complex<Real> const* z, CosineFactors<Real> const& factors, Real scale,
                        bool mirrored, Real* y);
  /// The z whose backward transform is that of V[k] = w_4n^-k (x[k] - i x[n-k]).
  void (*join_cosines)(Real const* x, CosineFactors<Real> const& factors, bool mirrored,
                       std::complex<Real>* z);
  /// The elements of all ways.
  void (*move)(std::vector<Way<Real>> const& ways, Columns<Real const> const& from,
               Columns<Real> const& to, Index columns);
  void (*move_complex)(std::vector<Way<Real>> const& ways, Columns<Complex const> const& from,
                       Columns<Complex> const& to, Index columns);
};

/// Those of the instruction set in use.
template <class Real>
RealKernels<Real> real_kernels();

template <>
RealKernels<float> real_kernels();
template <>
RealKernels<double> real_kernels();

}  // namespace sixstep::local

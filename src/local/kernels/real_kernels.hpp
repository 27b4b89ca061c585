// SPDX-License-Identifier: BSD-3-Clause
// What real transforms do around the complex transform that computes them: putting its input
// together, taking its results apart, and moving columns between the user's arrays and blocks.
//
// A table of functions that are compiled for every instruction set. Two real columns a and b are
// the complex column z = a + i b; capital letters are their transforms. Z is the complex
// transform's result, A and B are what is wanted (or the other way round, backward).
#pragma once

#include <vector>

#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// A block of n rows in which `columns` real columns lie side by side, two and two a complex
/// column: column c of row k is at data + k stride + c.
template <class Real>
struct Pairs {
  Real* data;
  Index stride;  // in Reals
  Index n;
  Index columns;  // if odd, the last one has no partner

  Real* at(Index k) const { return data + k * stride; }
  /// Row n - k.
  Real* mirror(Index k) const { return at(k == 0 ? 0 : n - k); }
};

/// Contiguous columns, `lane` elements apart, and the complex columns that two of them are
/// together. The columns have n reals each or n/2 + 1 coefficients (Element tells which). Columns
/// 2i and 2i + 1 are the n points from z + i z_lane on.
template <class Element, class Scalar>
struct Zipped {
  Element* first;
  Index lane;
  Index columns;  // if odd, the last is its own partner
  Index n;
  Scalar* z;
  Index z_lane;
};

/// Contiguous columns on both sides of a step between n = 2 m reals, seen as m complex points
/// x[2j] + i x[2j+1], and their m + 1 coefficients.
template <class Real>
struct Halves {
  Real const* from;
  Real* to;
  Index from_lane;  // from column to column, in Reals
  Index to_lane;
  Index columns;
  HalfFactors<Real> const* factors;
  Real scale;
};

/// Where a row goes: row `from` of one side, times `sign`, to row `to` of the other.
template <class Real>
struct Way {
  Index from;
  Index to;
  Real sign;
};

/// The kernels of one instruction set.
///
/// Columns lie side by side where a kernel takes Pairs, are contiguous where it takes Zipped,
/// Halves or a pointer, and lie anywhere for move().
template <class Real>
struct RealKernels {
  using Complex = std::complex<Real>;

  /// Coefficients from the transform of pairs:
  /// A[k] = scale (Z[k] + conj Z[n-k]), B[k] = scale (Z[k] - conj Z[n-k]) / i, k = 0 ... n/2.
  void (*split_pairs)(Pairs<Real> const& z, Real scale, Columns<Complex> const& to);
  /// Its inverse, but for a factor: Z[k] = A[k] + i B[k], Z[n-k] = conj A[k] + i conj B[k].
  void (*join_pairs)(Columns<Complex const> const& from, Pairs<Real> const& z);
  /// As split_pairs(), and mixes[k] of the coefficients to row k of `to`.
  void (*mix_pairs)(Pairs<Real> const& z, std::vector<Mix<Real>> const& mixes, Real scale,
                    Columns<Real> const& to);
  /// The coefficients spreads[k] of the rows of `from`, and with them as join_pairs().
  void (*spread_pairs)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                       Pairs<Real> const& z);
  /// From the transforms of the m points, 2 scale times the m + 1 coefficients.
  void (*split_halves)(Halves<Real> const& halves);
  /// From the m + 1 coefficients, m complex numbers whose backward transform is the m points.
  void (*join_halves)(Halves<Real> const& halves);
  /// Of contiguous pairs: reals to z, z to reals, Z to coefficients (as split_pairs()),
  /// coefficients to Z (as join_pairs()). A last column without partner is its own partner, and
  /// right all the same.
  void (*zip_columns)(Zipped<Real const, Complex> const& all);
  void (*unzip_columns)(Zipped<Real, Complex const> const& all);
  void (*split_columns)(Zipped<Complex, Complex const> const& all, Real scale);
  void (*join_columns)(Zipped<Complex const, Complex> const& all);
  /// v = x[0], x[2], x[4] ... s x[5], s x[3], s x[1] of n contiguous reals, where s is `sign`; and
  /// back.
  void (*fold)(Real const* x, Index n, Real sign, Real* v);
  void (*unfold)(Real const* v, Index n, Real sign, Real* x);
  /// The cosine transform y[k] = 2 scale Re(w_4n^k V[k]), where V is the transform of n = 2 m
  /// contiguous reals and z that of the same as m complex points. `mirrored`: y from the last to
  /// the first.
  void (*split_cosines)(std::complex<Real> const* z, CosineFactors<Real> const& factors, Real scale,
                        bool mirrored, Real* y);
  /// The m complex numbers z whose backward transform is, as n = 2 m reals, that of the
  /// coefficients V[k] = w_4n^-k (x[k] - i x[n-k]). `mirrored`: x from the last to the first.
  void (*join_cosines)(Real const* x, CosineFactors<Real> const& factors, bool mirrored,
                       std::complex<Real>* z);
  /// The rows of all `ways`, of `columns` columns.
  void (*move)(std::vector<Way<Real>> const& ways, Columns<Real const> const& from,
               Columns<Real> const& to, Index columns);
  void (*move_complex)(std::vector<Way<Real>> const& ways, Columns<Complex const> const& from,
                       Columns<Complex> const& to, Index columns);
};

/// The kernels of the instruction set in use.
template <class Real>
RealKernels<Real> real_kernels();

template <>
RealKernels<float> real_kernels();
template <>
RealKernels<double> real_kernels();

}  // namespace sixstep::local

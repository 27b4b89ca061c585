// SPDX-License-Identifier: BSD-3-Clause
// The work of real transforms before and after the complex transforms inside: preparing their
// input, computing coefficients from their results, and moving columns between the user's arrays
// and blocks.
//
// A table of functions that are compiled for each instruction set. No result depends on another
// column.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/transform.hpp"
#include "sixstep/bits.hpp"

namespace sixstep::local {

/// A block of real columns as complex columns that lie side by side.
///
/// A column of n = radix * rows reals is cut into `radix` sequences: sequence q is x[q],
/// x[radix + q], x[2 radix + q] ... Sequences 2i and 2i + 1 are the real and the imaginary part of
/// a complex sequence; if the radix is odd, the imaginary part of the last one is zero.
///
/// Columns lie in groups of L, as in SplitRows; the last group may have fewer. In each row a group
/// has all real and all imaginary parts of its complex sequence 0, then those of sequence 1, and so
/// on.
template <class Real>
struct Sequences {
  Real* data;
  Index stride;  // between rows, in Reals
  Index rows;
  int radix;
  Index columns;

  /// The number of complex sequences of a column.
  int count() const { return (radix + 1) / 2; }
  /// The real parts of a complex sequence in the group of `width` columns that begins at `column`.
  /// The imaginary parts follow.
  Real* at(Index row, int sequence, Index column, Index width) const {
    return data + row * stride + 2 * (count() * column + sequence * width);
  }
  /// The part of the block from a column on.
  Sequences from_column(Index column) const {
    return {at(0, 0, column, 0), stride, rows, radix, columns - column};
  }
};

// Real transforms by real radices. A column of n reals is m butterflies of R reals x[p + m j],
// whose results k = 1 ... (R-1)/2, times w_n^(p k), are complex columns of m points. Their
// coefficients are X[k + R q], q = 0 ... m-1, or the conjugates of those beyond n/2. All
// butterflies (real_butterflies-inl.hpp) also leave a real column of m or, if R is even, 2 m reals,
// whose coefficients are every R-th or R/2-th. It gets further passes until one or two reals are
// left.

/// The butterflies of put() and get(). These transform complex columns of as many points, or of a
/// product of two of them.
inline constexpr std::array column_butterflies{2, 3, 4, 5, 6, 8, 9, 10, 12, 16};

/// A pass of a real radix. Its results lie in a RealBlock, group by group.
template <class Real>
struct RealPass {
  int radix;
  Index rows;    // m
  Index weight;  // coefficient k of its column is coefficient weight k of all
  Index left;    // reals of the next pass's column
  std::vector<std::complex<Real>> twiddles;  // w_n^(p k) for p = 0, then for p = 1 and so on
  Index columns;                             // where its complex columns begin
  Index column;                              // Reals between complex columns of a group
  Index sums;                                // where the next pass's columns begin
  // If put() and get() transform its complex columns, too: butterflies of `inner` points, the
  // factors w_rows^(q p), q = 0 ... inner-1 and p = 1 ... rows/inner-1 for each q, and butterflies
  // of rows/inner points.
  int inner = 0;
  std::vector<std::complex<Real>> inner_twiddles = {};

  int count() const { return (radix - 1) / 2; }  // complex columns

  /// Row q of complex column k, 1 <= k <= count(), is the coefficient `number` of n reals, or its
  /// conjugate. In the first group it begins `row` Reals into the block, if a vector has `lanes`.
  struct Coefficient {
    Index number;
    bool conjugate;
    Index row;
  };
  Coefficient coefficient(Index k, Index q, Index n, Index lanes) const {
    Index const place = weight * (k + radix * q);
    bool const conjugate = 2 * place > n;
    return {conjugate ? n - place : place, conjugate, columns + (k - 1) * column + q * 2 * lanes};
  }
};

template <class Real>
struct RealPasses {
  Index n;
  std::vector<RealPass<Real>> list;
};

/// The memory of these passes: complex columns before and after their transforms, and real columns.
/// A row of a group is L reals, or L real parts and L imaginary parts.
template <class Real>
struct RealBlock {
  Real* before;
  Real* after;
  Real* sums;

  Real* results(RealPass<Real> const& pass) const { return pass.rows == 1 ? before : after; }
};

/// The place of a row that is multiplied by `factor` when it is moved.
template <class Real>
struct RowPlace {
  Index offset;
  Real factor;
};

/// The place of a row of a group in a block, and its factor when it is moved.
template <class Real>
struct PlacedRow {
  Index offset;  // of group 0
  Index group;   // between groups
  Real sign;
};

/// Rows of groups of real columns: row k of group g is at data + g group + places[k].offset.
/// Without places it is at data + g group + k step, and all rows have the factor `scale`.
template <class Scalar>
struct RealRows {
  using Real = std::remove_const_t<Scalar>;

  Scalar* data;
  Index group;
  Index step = 0;
  RowPlace<Real> const* places = nullptr;
  Real scale = 1;
  bool scaled = false;  // some factor is not 1
};

/// Contiguous columns on both sides of a step between n = 2 m reals, treated as m complex points
/// x[2j] + i x[2j+1], and their m + 1 coefficients.
template <class Real>
struct Halves {
  Real const* from;
  Real* to;
  Index from_lane;  // between columns, in Reals
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

/// A real made of a coefficient V: re Re V + im Im V, for row `row`. A negative row means no
/// output.
template <class Real>
struct Output {
  Index row = -1;
  Real re = 0;
  Real im = 0;
};
template <class Real>
using Outputs = std::array<Output<Real>, 2>;

/// Passes of real radices over groups of L columns, and the functions that move their results.
/// `lanes` is L, or 0 for instruction sets without these kernels, which then compile faster.
template <class Real>
struct RealRadixKernels {
  using Complex = std::complex<Real>;

  Index lanes = 0;
  /// A pass, and its inverse.
  void (*analyse)(RealPass<Real> const& pass, RealRows<Real const> const& from, Index groups,
                  RealBlock<Real> const& block);
  void (*synthesise)(RealPass<Real> const& pass, RealBlock<Real> const& block, Index groups,
                     RealRows<Real> const& to);
  /// Replaces two reals that the last pass leaves by their sum and difference, X[0] and X[n/2], or
  /// the reverse.
  void (*turn_sums)(RealPass<Real> const& last, Index groups, RealBlock<Real> const& block);
  /// Move the coefficients of all passes to and from rows. A group's columns begin `group` columns
  /// after those of the previous group. They also transform the complex columns of passes with
  /// `inner`: put() after analyse(), get() before synthesise().
  void (*put)(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
              Columns<Complex> const& to, Index group);
  void (*get)(Columns<Complex const> const& from, Index group, RealPasses<Real> const& passes,
              RealBlock<Real> const& block, Index groups);
  /// These write outputs[k], made of each coefficient, and read the coefficients spreads[k].
  void (*put_outputs)(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
                      std::vector<Outputs<Real>> const& outputs, Columns<Real> const& to,
                      Index group);
  void (*get_spreads)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                      Index group, RealPasses<Real> const& passes, RealBlock<Real> const& block,
                      Index groups);
  /// Move contiguous columns, `lane` Reals apart, to the places of their rows in a block, and back.
  /// Columns `ahead` Reals ahead are prefetched; 0 for none.
  void (*spread_columns)(Real const* from, Index lane, Index groups, Index ahead,
                         std::vector<PlacedRow<Real>> const& places, Real* block);
  void (*collect_columns)(Real const* block, std::vector<PlacedRow<Real>> const& places,
                          Index groups, Real* to, Index lane);
};

/// The kernels of one instruction set.
///
/// Columns lie side by side for kernels with Sequences, are contiguous for those with Halves or a
/// pointer, and lie anywhere for move(). `factors` of sequences are those of sequence_factors().
template <class Real>
struct RealKernels {
  using Complex = std::complex<Real>;
  using Factors = std::vector<Complex>;
  using CosineParts = typename CosineFactors<Real>::Parts;

  /// Stores the reals v[k] = picks[k] of x as sequences.
  void (*gather)(std::vector<Pick<Real>> const& picks, Columns<Real const> const& x,
                 Sequences<Real> const& z);
  /// The inverse: x[picks[k].row] = picks[k].sign * v[k].
  void (*scatter)(Sequences<Real> const& z, std::vector<Pick<Real>> const& picks,
                  Columns<Real> const& x);
  /// Changes each row in place from separate parts to numbers with adjacent parts.
  void (*interleave)(Sequences<Real> const& z);
  /// The inverse of interleave().
  void (*split_parts)(Sequences<Real> const& z);
  /// Computes `scale` times the coefficients k = 0 ... n/2 from the transforms of the complex
  /// sequences.
  void (*split)(Sequences<Real> const& z, Factors const& factors, Real scale,
                Columns<Complex> const& to);
  /// Computes, from the coefficients, complex sequences whose backward transforms are `scale` times
  /// the reals.
  void (*join)(Columns<Complex const> const& from, Factors const& factors, Real scale,
               Sequences<Real> const& z);
  /// Like split(), but stores the outputs[k] of each coefficient k in rows of `to`.
  void (*mix)(Sequences<Real> const& z, Factors const& factors,
              std::vector<Outputs<Real>> const& outputs, Real scale, Columns<Real> const& to);
  /// Like join(), but with the coefficients spreads[k] of the rows of `from`.
  void (*spread)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                 Factors const& factors, Real scale, Sequences<Real> const& z);
  /// Computes 2 scale times the m + 1 coefficients from the transforms of the m points.
  void (*split_halves)(Halves<Real> const& halves);
  /// Computes, from the m + 1 coefficients, m complex numbers whose backward transforms are the m
  /// points.
  void (*join_halves)(Halves<Real> const& halves);
  /// v = x[0], x[2], x[4] ... s x[5], s x[3], s x[1] for n contiguous reals, where s is `sign`; and
  /// the inverse.
  void (*fold)(Real const* x, Index n, Real sign, Real* v);
  void (*unfold)(Real const* v, Index n, Real sign, Real* x);
  /// The cosine transform y[k] = 2 scale Re(w_4n^k V[k]), where V is the transform of n = 2 m
  /// contiguous reals, and z is the transform of these reals as m complex points. `mirrored`
  /// reverses y.
  void (*split_cosines)(std::complex<Real> const* z, CosineFactors<Real> const& factors, Real scale,
                        bool mirrored, Real* y);
  /// The m complex numbers z whose backward transform, as n = 2 m reals, is that of the
  /// coefficients V[k] = w_4n^-k (x[k] - i x[n-k]). `mirrored` reverses x.
  void (*join_cosines)(Real const* x, CosineFactors<Real> const& factors, bool mirrored,
                       std::complex<Real>* z);
  /// These two do so for an odd number n of contiguous reals, whose transform is V. The factors are
  /// odd_cosine_factors().
  void (*split_odd_cosines)(Complex const* V, CosineParts const& factors, Index n, bool mirrored,
                            Real* y);
  void (*join_odd_cosines)(Real const* x, CosineParts const& factors, Index n, bool mirrored,
                           Complex* V);
  /// Moves the rows of all `ways` for `columns` columns.
  void (*move)(std::vector<Way<Real>> const& ways, Columns<Real const> const& from,
               Columns<Real> const& to, Index columns);
  void (*move_complex)(std::vector<Way<Real>> const& ways, Columns<Complex const> const& from,
                       Columns<Complex> const& to, Index columns);
  /// to[c to_row + r] = from[r from_row + c] for all rows r and columns c of a matrix of reals or
  /// of complex numbers. Strides count these.
  void (*transpose)(Real const* from, Index from_row, Index rows, Index columns, Real* to,
                    Index to_row);
  void (*transpose_complex)(Real const* from, Index from_row, Index rows, Index columns, Real* to,
                            Index to_row);
  RealRadixKernels<Real> radices = {};
};

/// The kernels of the instruction set in use.
template <class Real>
RealKernels<Real> real_kernels();

template <>
RealKernels<float> real_kernels();
template <>
RealKernels<double> real_kernels();

/// Those of sequences, and moves, in the reproducible arithmetic; all others are null.
template <class Real>
RealKernels<Real> reproducible_real_kernels();

template <>
RealKernels<float> reproducible_real_kernels();
template <>
RealKernels<double> reproducible_real_kernels();

/// The kernels for these bits.
template <class Real>
RealKernels<Real> real_kernels(Bits bits) {
  return bits == Bits::none ? real_kernels<Real>() : reproducible_real_kernels<Real>();
}

}  // namespace sixstep::local

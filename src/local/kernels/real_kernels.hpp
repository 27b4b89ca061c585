// SPDX-License-Identifier: BSD-3-Clause
// What real transforms do around the complex transform that computes them: putting its input
// together, taking its results apart, and moving columns between the user's arrays and blocks.
//
// A table of functions that are compiled for every instruction set. No result of a column depends
// on another column.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "local/numbers/real_factors.hpp"
#include "local/numbers/real_tables.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// A block of real columns as complex columns, side by side.
///
/// A column of n = radix * rows reals is cut into `radix` sequences: sequence q is x[q],
/// x[radix + q], x[2 radix + q] ... Sequences 2i and 2i + 1 are the real and the imaginary part of
/// a complex sequence; if the radix is odd, the imaginary part of the last one is zero.
///
/// Columns lie in groups of L, as in SplitRows; of the last group, which may have fewer, in as
/// many. In each row a group has all real and all imaginary parts of its complex sequence 0, then
/// those of sequence 1 and so on.
template <class Real>
struct Sequences {
  Real* data;
  Index stride;  // from row to row, in Reals
  Index rows;
  int radix;
  Index columns;

  /// Complex sequences of a column.
  int count() const { return (radix + 1) / 2; }
  /// The real parts of a complex sequence in the group of `width` columns that begins at `column`.
  /// The imaginary parts follow.
  Real* at(Index row, int sequence, Index column, Index width) const {
    return data + row * stride + 2 * (count() * column + sequence * width);
  }
  /// The groups from a column on.
  Sequences from_column(Index column) const {
    return {at(0, 0, column, 0), stride, rows, radix, columns - column};
  }
};

// Real transforms by real radices. A column of n reals is m butterflies of R reals x[p + m j],
// whose results k = 1 ... (R-1)/2, times w_n^(p k), are complex columns of m points. The
// coefficients of these are X[k + R q], q = 0 ... m-1, those beyond n/2 by their conjugates. What
// is left of all butterflies (real_butterflies-inl.hpp) is a real column of m or, if R is even, 2 m
// reals, whose coefficients are every R-th or R/2-th. It has passes of its own, until two reals or
// one are left.

/// Lengths of complex columns whose whole transform is one butterfly of put() or get().
inline constexpr std::array single_butterflies{2, 3, 4, 5, 6, 8, 9, 10, 12, 16};

/// A pass of a real radix. What it makes lies in a RealBlock, group by group.
template <class Real>
struct RealPass {
  int radix;
  Index rows;    // m
  Index weight;  // coefficient k of its column is coefficient weight k of all
  Index left;    // reals of the next pass's column
  std::vector<std::complex<Real>> twiddles;  // w_n^(p k) for p = 0, then for p = 1 and so on
  Index columns;                             // where its complex columns begin
  Index column;                              // Reals from one of a group to the next
  Index sums;                                // where the next pass's columns begin
  bool single = false;                       // put() and get() transform its complex columns, too

  int count() const { return (radix - 1) / 2; }  // complex columns

  /// Row q of complex column k, 1 <= k <= count(), is this coefficient of n reals, or the conjugate
  /// of it. In the first group it begins `row` Reals into the block, if a vector has `lanes`.
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

/// Memory of such passes: complex columns before and after their transforms, and real columns.
/// A row of a group is L reals, or L real parts and L imaginary parts.
template <class Real>
struct RealBlock {
  Real* before;
  Real* after;
  Real* sums;

  Real* results(RealPass<Real> const& pass) const { return pass.rows == 1 ? before : after; }
};

/// Where a row lies that is multiplied by `factor` on its way.
template <class Real>
struct RowPlace {
  Index offset;
  Real factor;
};

/// Where a row of a group lies in a block, and what it is multiplied by on its way.
template <class Real>
struct PlacedRow {
  Index offset;  // of group 0
  Index group;   // from a group to the next
  Real sign;
};

/// Rows of groups of real columns: row k of group g at data + g group + places[k].offset. Without
/// places at k step from there, all with the factor `scale`.
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

/// What is made of a coefficient V: re Re V + im Im V goes to row `row`. A negative row: nothing.
template <class Real>
struct Output {
  Index row = -1;
  Real re = 0;
  Real im = 0;
};
template <class Real>
using Outputs = std::array<Output<Real>, 2>;

/// Passes of real radices over some groups of L columns, and what moves their results. `lanes`, L,
/// is 0 for instruction sets that are spared the time to compile these.
template <class Real>
struct RealRadixKernels {
  using Complex = std::complex<Real>;

  Index lanes = 0;
  /// A pass, and the way back.
  void (*analyse)(RealPass<Real> const& pass, RealRows<Real const> const& from, Index groups,
                  RealBlock<Real> const& block);
  void (*synthesise)(RealPass<Real> const& pass, RealBlock<Real> const& block, Index groups,
                     RealRows<Real> const& to);
  /// Of two reals that the last pass leaves, the sum and the difference: X[0] and X[n/2], or what
  /// is made of them.
  void (*turn_sums)(RealPass<Real> const& last, Index groups, RealBlock<Real> const& block);
  /// The coefficients of all passes, to and from rows of which a group's columns begin `group`
  /// columns after those of the one before. The complex columns of `single` passes are transformed
  /// on this way: put() takes them as analyse() has left them, get() leaves them for synthesise().
  void (*put)(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
              Columns<Complex> const& to, Index group);
  void (*get)(Columns<Complex const> const& from, Index group, RealPasses<Real> const& passes,
              RealBlock<Real> const& block, Index groups);
  /// The same, but of each coefficient the outputs[k]; and the coefficients spreads[k].
  void (*put_outputs)(RealPasses<Real> const& passes, RealBlock<Real> const& block, Index groups,
                      std::vector<Outputs<Real>> const& outputs, Columns<Real> const& to,
                      Index group);
  void (*get_spreads)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                      Index group, RealPasses<Real> const& passes, RealBlock<Real> const& block,
                      Index groups);
  /// Contiguous columns, `lane` Reals apart, to the places of their rows in a block; and back.
  void (*spread_columns)(Real const* from, Index lane, Index groups,
                         std::vector<PlacedRow<Real>> const& places, Real* block);
  void (*collect_columns)(Real const* block, std::vector<PlacedRow<Real>> const& places,
                          Index groups, Real* to, Index lane);
};

/// The kernels of one instruction set.
///
/// Columns lie side by side where a kernel takes Sequences, are contiguous where it takes Halves or
/// a pointer, and lie anywhere for move(). `factors` of sequences are those of sequence_factors().
template <class Real>
struct RealKernels {
  using Complex = std::complex<Real>;
  using Factors = std::vector<Complex>;

  /// The reals v[k] = picks[k] of x, as sequences.
  void (*gather)(std::vector<Pick<Real>> const& picks, Columns<Real const> const& x,
                 Sequences<Real> const& z);
  /// The way back: x[picks[k].row] = picks[k].sign * v[k].
  void (*scatter)(Sequences<Real> const& z, std::vector<Pick<Real>> const& picks,
                  Columns<Real> const& x);
  /// In place: the parts of the numbers of each row, and then those of each number side by side.
  void (*interleave)(Sequences<Real> const& z);
  /// The way back.
  void (*split_parts)(Sequences<Real> const& z);
  /// From the transforms of the complex sequences, scale times the coefficients k = 0 ... n/2.
  void (*split)(Sequences<Real> const& z, Factors const& factors, Real scale,
                Columns<Complex> const& to);
  /// From the coefficients, complex sequences whose backward transforms are scale times the reals.
  void (*join)(Columns<Complex const> const& from, Factors const& factors, Real scale,
               Sequences<Real> const& z);
  /// As split(), and of each coefficient k the outputs[k], to rows of `to`.
  void (*mix)(Sequences<Real> const& z, Factors const& factors,
              std::vector<Outputs<Real>> const& outputs, Real scale, Columns<Real> const& to);
  /// The coefficients spreads[k] of the rows of `from`, and with them as join().
  void (*spread)(Columns<Real const> const& from, std::vector<Spread<Real>> const& spreads,
                 Factors const& factors, Real scale, Sequences<Real> const& z);
  /// From the transforms of the m points, 2 scale times the m + 1 coefficients.
  void (*split_halves)(Halves<Real> const& halves);
  /// From the m + 1 coefficients, m complex numbers whose backward transform is the m points.
  void (*join_halves)(Halves<Real> const& halves);
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
  RealRadixKernels<Real> radices = {};
};

/// The kernels of the instruction set in use.
template <class Real>
RealKernels<Real> real_kernels();

template <>
RealKernels<float> real_kernels();
template <>
RealKernels<double> real_kernels();

}  // namespace sixstep::local

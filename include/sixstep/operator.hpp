// SPDX-License-Identifier: BSD-3-Clause
// Operator: a transform, a product with a symbol and the transform back, in one call.
#pragma once

#include <mpi.h>

#include <vector>

#include "sixstep/plan.hpp"
#include "sixstep/symbol.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The options of an operator: those of a plan, and two more.
struct OperatorOptions : Options {
  /// The length of the domain along each axis of the layout, in any unit; it makes k. Empty: 2 pi
  /// along periodic axes (c2c, r2c), pi between walls (cosines and sines), so that k is the wave
  /// number. The domain has all points of a transform: those of Options::lengths, where given.
  std::vector<double> sides = {};
  /// false: no table is kept; the symbol's function is called for each coefficient at each
  /// execution, by several threads at the same time.
  bool kept = true;
};

/// A result that does not lie as the input does: it may have other points of the transform back, or
/// more or fewer of them.
struct OperatorResult {
  Layout layout;
  /// The length of the transform back along each of the transformed axes; empty: Options::lengths,
  /// or else the points of the result. Modes that only one of the transforms has are dropped: the
  /// result is interpolated.
  std::vector<Index> lengths = {};
  /// The first point along each of the transformed axes, from 0 on; points 0, 1 ... follow the last
  /// one of the transform. Empty: 0.
  std::vector<Index> first = {};
};

/// A linear operator that a symbol describes: out = F^-1( symbol(k) F(in) ).
///
/// The transforms are those of a Plan with the same options: complex, real (r2c), cosines and
/// sines, along any axes, of several fields, with fewer modes, longer than the layout. The result
/// is scaled and lies as the input does or in a layout of its own, in natural order; where the
/// coefficients lie is nobody's concern, so they take the shortest way. The last transform along
/// one axis, the product and the first transform back are one pass over memory: three passes for
/// slabs where a transform, a loop and a transform back have five.
///
/// A coefficient with the wave number n/2 of an even number n of modes stands for the waves n/2 and
/// -n/2: it is multiplied by the mean of the symbol at both, which is 0 for odd derivatives. Where
/// a transform has more points than n, the coefficient is the sum of those of both waves, and in
/// the transform back each of them gets half of it. So real fields stay real, with c2c too.
///
/// Constructing is collective over `comm`, and throws the errors of a Plan, or, on every rank,
/// Error
/// - if `sides` are not as many as axes, or not above 0;
/// - if a result has other extents along axes that are not transformed, more points than the
///   transform back, or a first point that this transform does not have;
/// - if a matrix does not have a column for each of Options::fields;
/// - if one number of a kept symbol is infinite or no number: the message names k;
/// - if all axes are between walls and a number of the symbol is not real;
/// - if an option is set that it does not have: output, transform, twiddle; device where not kept.
///
/// An exception that the symbol's function throws reaches all ranks as an Error, if the symbol is
/// kept; else apply() throws it, on the ranks where it was thrown, after all exchanges.
template <class Real>
class Operator : public Planned<Real> {
 public:
  using typename Planned<Real>::Complex;

  /// An empty operator. Any call on it but bool() throws Error.
  Operator() noexcept = default;
  Operator(Layout const& layout, MPI_Comm comm, Symbol const& symbol,
           OperatorOptions const& options = {});
  Operator(Layout const& layout, OperatorResult const& result, MPI_Comm comm, Symbol const& symbol,
           OperatorOptions const& options = {});

  /// Applies the operator to `in`, an array of input_size() elements, and writes `out`, of
  /// output_size(). In place (`in == out`) the array has in_place_size(). Reals if the transforms
  /// have an r2c axis, or cosines and sines alone. Errors: those of Plan::execute().
  void apply(Complex const* in, Complex* out);
  void apply(Real const* in, Real* out);

  /// Takes another symbol from now on, of the same size: a function in place of an array, too, and
  /// an array in place of a function. Nothing is planned anew. Collective. Errors, on every rank,
  /// and the old symbol stays: those of the constructor about symbols; an array in place of a
  /// function where ranks share a single long axis, whose coefficients then have no natural order.
  void renew(Symbol const& symbol);
};

extern template class Operator<float>;
extern template class Operator<double>;

}  // namespace sixstep
#pragma GCC visibility pop

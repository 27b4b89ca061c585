// SPDX-License-Identifier: BSD-3-Clause
// Products of small matrices of reals. A short transform of reals is one, whatever its kind.
#pragma once

#include "local/targets.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

/// c = a b: `rows` x `columns` numbers, each a sum of `depth` products. The rows of each matrix are
/// contiguous. c overlaps neither a nor b.
template <class Real>
struct MatrixProduct {
  Real const* a;
  Real const* b;
  Real* c;
  Index a_row, b_row, c_row;  // distances between rows
  Index rows, depth, columns;
};

template <class Real>
using MultiplyMatrices = void (*)(MatrixProduct<Real> const&);

/// The function for the vectors of an instruction set, one of available_targets(); null if they
/// have fewer than 256 bits, which other ways of transforming need less.
template <class Real>
MultiplyMatrices<Real> matrix_multiplier(Target target);

template <>
MultiplyMatrices<float> matrix_multiplier(Target target);
template <>
MultiplyMatrices<double> matrix_multiplier(Target target);

/// out[k] = sum_j in[j] elements[j][k], j < points, for all results k. The output may be the input.
template <class Real>
using MultiplyColumn = void (*)(Real const* in, Index points, Real const* elements, Real* out);

inline constexpr Index most_column_results = 24;

/// The function for so many results, likewise; null too for fewer than 2 or more than
/// most_column_results.
template <class Real>
MultiplyColumn<Real> column_multiplier(Index results, Target target);

template <>
MultiplyColumn<float> column_multiplier(Index results, Target target);
template <>
MultiplyColumn<double> column_multiplier(Index results, Target target);

}  // namespace sixstep::local

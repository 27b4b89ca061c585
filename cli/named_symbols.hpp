// SPDX-License-Identifier: BSD-3-Clause
// Symbols of operators by their names and formulas on the command line.
//
// This file knows nothing about arrays, plans or MPI.
#pragma once

#include <string>
#include <vector>

#include "sixstep/symbol.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sixstep::cli {

/// The names of numbers, for --operator, and for --filter in place of a formula:
///   derivative=A                      i k along axis A
///   laplacian, inverse_laplacian      -|k|^2; -1/|k|^2, and 0 at k = 0
///   helmholtz=ALPHA                   1 / (ALPHA + |k|^2)
///   gaussian=SIGMA                    exp(-|k|^2 SIGMA^2 / 2)
///   lowpass=K, highpass=K             1 where |k| <= K, or where |k| >= K; else 0
inline constexpr char operator_names[] =
    "derivative=A, laplacian, inverse_laplacian, helmholtz=ALPHA, gaussian=SIGMA, lowpass=K, "
    "highpass=K";
/// The names of matrices between fields, for --operator. A vector has a field for each axis.
inline constexpr char matrix_names[] = "gradient, divergence, curl, project";

/// The symbol for --operator, for arrays with this number of axes. Throws Error
/// - if there is no such name or axis;
/// - if a number is missing;
/// - if a curl has another number of axes than 3.
Symbol operator_symbol(std::string const& words, int axes);

/// --operator.
CLI::Option* add_operator(CLI::App& command, std::string& words);

/// The arrays that filters are for.
struct Filtered {
  int axes;
  std::vector<int> transformed;  // the axes along which waves are filtered
  bool is_real;
};

/// The symbol for --filter: a name, in which a hyphen may stand for the underscore, or a formula in
/// k0, k1 ... along the axes and k = |k|, as in exp(-(k/20)^2).
///
/// Errors: those of operator_symbol(); the derivative's axis is not transformed; muParser does not
/// understand the formula, or the command was built without muParser. The symbol's function throws
/// Error where the formula has no finite value, and, for a real array, where its values at k and -k
/// differ, because the result would be complex.
Symbol filter_symbol(std::string const& words, Filtered const& array);

/// The product of the symbols, whose axes count in the reverse order if `reversed`.
Symbol product(std::vector<Symbol> const& symbols, bool reversed);

}  // namespace sixstep::cli

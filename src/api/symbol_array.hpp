// SPDX-License-Identifier: BSD-3-Clause
// Symbols that are arrays of the caller's: brought to where the coefficients lie.
#pragma once

#include <memory>

#include "formulas/operators.hpp"
#include "formulas/times_array.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/symbol.hpp"

namespace sixstep {

/// The product of coefficients and an array that lies as they do. The formula reads `factors` when
/// it is applied, so they may be filled after planning; `are_real` tells what they will be. If a
/// function of k takes the array's place, a table is kept as `kept` says.
formulas::OperatorProduct times_array(std::shared_ptr<formulas::Factors> factors, bool are_real,
                                      bool kept);

/// The formula of a product with an array in place of that with a function of k.
formulas::TimesArray times_array(std::shared_ptr<formulas::TimesSymbol const> function,
                                 std::shared_ptr<formulas::Factors const> factors);

/// The numbers of a symbol that is an array for the coefficients of a formula. Collective. Throws
/// Error on every rank
/// - if its numbers have another precision;
/// - if its layout has another shape than the coefficients, or is for another number of ranks;
/// - if a rank that holds a part of it has no numbers, or one that is infinite or no number;
/// - if coefficients are real, and the numbers are not.
formulas::Factors factors_of(Symbol const& symbol, formulas::TimesArray const& formula,
                             int real_bytes, MPI_Comm comm);

}  // namespace sixstep

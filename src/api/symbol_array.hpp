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
/// it is applied, so they may be filled after planning. `fields` are those of the operator.
formulas::OperatorProduct times_array(std::shared_ptr<formulas::Factors> factors, int fields);

/// The numbers of a symbol for the coefficients of a formula. Collective. Throws Error on every
/// rank
/// - if the symbol is no array, or its numbers have another precision;
/// - if its layout has another shape than the coefficients, or is for another number of ranks;
/// - if a rank that holds a part of it has no numbers, or one that is infinite or no number;
/// - if coefficients are real, and the numbers are not.
formulas::Factors factors_of(Symbol const& symbol, formulas::TimesArray const& formula,
                             int real_bytes, MPI_Comm comm);

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Multiplies coefficients by a symbol, in the midst of a schedule.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "formulas/formula.hpp"
#include "formulas/spectrum.hpp"

namespace sixstep::formulas {

/// The formula of an operator: "times symbol". A rank keeps the symbol's numbers in a table, or
/// calls its function at each execution.
class TimesSymbol : public Formula {
 public:
  /// The symbol's numbers are kept, as it suits the host; likewise, and a product's factors are
  /// multiplied from the first axis to the last, so that its bits do not depend on where
  /// coefficients lie; kept in a table with a number for each coefficient, as devices need it; or
  /// the symbol's function is called at each execution.
  enum class Way { kept, in_order, in_table, called };

  TimesSymbol(Spectrum spectrum, Symbol symbol, Way way)
      : spectrum_(std::move(spectrum)), symbol_(std::move(symbol)), way_(way) {}

  /// The product with another symbol. Throws Error if it is an array, a matrix of another size, or
  /// a number in place of a matrix.
  TimesSymbol with(Symbol const& symbol) const;
  /// Throws Error unless an array may take the place of the symbol: it is a number for each
  /// coefficient, in a schedule whose coefficients lie in the axes of the layout.
  void require_place_for_array() const;

  Spectrum const& spectrum() const { return spectrum_; }

  std::string name() const override { return "operator"; }
  std::string name(int) const override { return "times symbol"; }
  /// Where a symbol is kept, number() throws Error
  /// - if one of its numbers on this rank is infinite or no number;
  /// - if coefficients are real and one of its numbers is not.
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const override;

 private:
  Spectrum spectrum_;
  Symbol symbol_;
  Way way_;
};

}  // namespace sixstep::formulas

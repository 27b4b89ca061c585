// SPDX-License-Identifier: BSD-3-Clause
// Wire: the shortest form of messages that keeps a plan's tolerance. Pure.
//
// docs/decisions/0050-short-messages.md proves the bounds.
#pragma once

#include "base/short_form.hpp"
#include "formulas/composition.hpp"
#include "sixstep/options.hpp"

namespace sixstep::decision {

/// The effect of rounded messages on the result of a plan.
struct Rounding {
  double tolerance = 0;
  double condition = 1;  // the most by which transforms change relative errors
  int others = 0;        // of several runs, how often all exchanges of a direction may round

  /// A bound of the relative error of the result, behind `exchanges` that round.
  double bound(ShortForm const& form, int exchanges, int real_bytes) const;
  /// The form with the fewest bytes whose bound is below the tolerance; if there is none, reals
  /// stay as they are.
  ShortForm form(int exchanges, int real_bytes) const;
};

/// The effect on this plan. Throws Error if no bound is known: where points or modes are
/// dropped, or a single axis is transformed by a convolution.
Rounding rounding_of(formulas::Composition const& composition, Options const& options);

}  // namespace sixstep::decision

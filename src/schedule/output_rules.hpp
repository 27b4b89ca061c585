// SPDX-License-Identifier: BSD-3-Clause
// Rules for outputs: where an output that the plan chooses may lie.
//
// Such an output has the axes of the user's array, and no rank has more than twice an even share of
// it. Both are rules, not prices: no price knows what the user does with the output.
#pragma once

#include <vector>

#include "schedule/problem.hpp"

namespace sixstep::schedule {

/// The conditions on an output that the plan chooses.
struct OutputRules {
  bool in_digits;     // an axis that is viewed as two may become two axes of the output
  Index most_points;  // that any rank may have
};

/// The rules for the output of a settled problem. An axis may become two where a single axis has
/// more than one point, because there is no other axis to split. A rank may have twice an even
/// share, or as much as the most even grid of blocks leaves on its fullest rank if that is more.
OutputRules output_rules(Problem const& problem);

/// Grids of blocks over the output's axes with at most `most_points` on any rank. They split as few
/// axes as possible, near square over each choice of them, and only axes that may have as many
/// parts as there are ranks.
std::vector<Grid> even_grids(Problem const& problem, PerAxis<int> const& most_parts,
                             Index most_points);

}  // namespace sixstep::schedule

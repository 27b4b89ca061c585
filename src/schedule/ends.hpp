// SPDX-License-Identifier: BSD-3-Clause
// Ends: where an output of the plan's choice may lie.
//
// It has the axes of the user's array, and no rank has more than twice an even share of it. Both
// are rules, not prices: what the user does with the output is not part of any price.
#pragma once

#include <vector>

#include "schedule/problem.hpp"

namespace sixstep::schedule {

/// What is asked of an output of the plan's choice.
struct Ends {
  bool in_digits;     // an axis that is viewed as two may become two of the output's
  Index most_points;  // that a rank may have of it
};

/// Those of a settled problem. Digits are possible where a single axis has more than one point, as
/// there is no other axis to split. A rank may have twice an even share, or what the most even grid
/// of blocks leaves on its fullest rank if that is more.
Ends ends_of(Problem const& problem);

/// Grids of blocks over the output's axes that leave at most so many points on any rank: over as
/// few axes as can be, near square over each choice of them. Only axes that may have as many parts
/// as there are ranks are split.
std::vector<Grid> even_grids(Problem const& problem, PerAxis<int> const& most_parts,
                             Index most_points);

}  // namespace sixstep::schedule

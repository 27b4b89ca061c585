// SPDX-License-Identifier: BSD-3-Clause
// Grids of ranks over working axes, which the search may choose.
#pragma once

#include <vector>

#include "schedule/frame.hpp"

namespace sixstep::schedule {

/// The most parts that the axes of the user's array may have in grids that the plan chooses.
PerAxis<int> users_most_parts(Frame const& frame);
/// The input's grid. For a list of boxes, a near-square grid over two axes that the plan may split.
Grid first_grid(Layout const& input, PerAxis<int> const& users_most_parts);
/// Grids over working axes that may have at most `most_parts` parts: the numbers of ranks of
/// `first` move to other axes, and join where there are more numbers than axes to split.
std::vector<Grid> grids_of(Grid const& first, PerAxis<int> const& most_parts,
                           Choices const& choices);

}  // namespace sixstep::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Layouts as numbers from which they can be made again, for pickle and copy.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::python {

/// The members of a Series: first part, parts, lo, hi, step, distance.
using SeriesState = std::tuple<int, int, Index, Index, Index, Index>;
/// Extent, number of parts of a cyclic axis (or 0), stride of ranks, parts, and series of blocks.
using AxisState = std::tuple<Index, int, int, int, std::vector<SeriesState>>;
/// lo and hi along each axis.
using BoxState = std::vector<std::pair<Index, Index>>;
/// Before and after, along each axis.
using GhostsState = std::pair<std::vector<Index>, std::vector<Index>>;

/// Shape, order, ranks; then a grid and whether each axis is cyclic, or the deals of the axes and
/// of the idle axes, or boxes; then ghosts: none, one entry for all ranks, or one for each rank.
using LayoutState = std::tuple<std::vector<Index>, std::vector<int>, int, std::vector<int>,
                               std::vector<bool>, std::vector<AxisState>, std::vector<AxisState>,
                               std::vector<BoxState>, std::vector<GhostsState>>;

LayoutState state_of(Layout const& layout);
/// A layout that is equal to the one with this state. Errors: those of the Layout functions that
/// make it.
Layout layout_of(LayoutState const& state);

}  // namespace sixstep::python

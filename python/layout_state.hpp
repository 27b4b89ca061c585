// SPDX-License-Identifier: BSD-3-Clause
// Layouts as numbers from which they can be made again, for pickle and copy.
#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::python {

/// First part, parts, lo, hi, step, distance, as a Series has them.
using SeriesState = std::tuple<int, int, Index, Index, Index, Index>;
/// Extent, parts that indices go to in turn, stride of ranks, parts, and the series of blocks.
using AxisState = std::tuple<Index, int, int, int, std::vector<SeriesState>>;
/// lo and hi along each axis.
using BoxState = std::vector<std::pair<Index, Index>>;
/// Before and after, along each axis.
using GhostsState = std::pair<std::vector<Index>, std::vector<Index>>;

/// Shape, order, ranks; then a grid and whether each axis is cyclic, or how each axis and each idle
/// axis is dealt out, or boxes; then ghosts: none, the same on all ranks, or those of each rank.
using LayoutState = std::tuple<std::vector<Index>, std::vector<int>, int, std::vector<int>,
                               std::vector<bool>, std::vector<AxisState>, std::vector<AxisState>,
                               std::vector<BoxState>, std::vector<GhostsState>>;

LayoutState state_of(Layout const& layout);
/// Equal to the layout of which `state` is. Errors: those of the layouts that it is made by.
Layout layout_of(LayoutState const& state);

}  // namespace sixstep::python

// SPDX-License-Identifier: BSD-3-Clause
// Layouts of one axis: blocks in any order of the ranks, or cyclic.
#pragma once

#include <optional>
#include <vector>

#include "layout/deals.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// The range that `rank` holds in a layout of one axis.
Range range_of(Layout const& line, int rank);

bool is_cyclic(Layout const& line);

/// How a layout in blocks deals out its axis.
std::vector<Series> const& series_of(Layout const& line);

/// The layout that deals out n points by `series` to the parts of `line`.
Layout blocks(Layout const& line, Index n, std::vector<Series> series);

/// The layout of one axis that gives every rank the same points as `layout`, whose other axes have
/// one point; empty if it is neither in blocks nor cyclic over all ranks.
std::optional<Layout> line_of(Layout const& layout, int axis);

/// The layout of the points below n.
Layout cut(Layout const& line, Index n);

/// A schedule that only moves elements: an exchange, or nothing where every rank keeps its own.
Schedule reroute(Layout const& from, Layout const& to, layout::Number number,
                 Problem const& problem, Choices const& choices);

}  // namespace sixstep::schedule

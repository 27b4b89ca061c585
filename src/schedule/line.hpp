// SPDX-License-Identifier: BSD-3-Clause
// Layouts of one axis: blocks in any order of the ranks, or cyclic.
#pragma once

#include <optional>
#include <vector>

#include "layout/deals.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

/// What `rank` holds of a layout of one axis.
Range range_of(Layout const& line, int rank);

bool is_cyclic(Layout const& line);

/// How a layout in blocks deals out its axis.
std::vector<Series> const& series_of(Layout const& line);

/// The ranks of a layout have other blocks of n points: `series`, of its parts.
Layout blocks(Layout const& line, Index n, std::vector<Series> series);

/// The same points on every rank, of one axis of a layout whose others have one point; none if it
/// is neither in blocks nor cyclic over all ranks.
std::optional<Layout> line_of(Layout const& layout, int axis);

/// The points below n.
Layout cut(Layout const& line, Index n);

/// A schedule that only moves elements: an exchange, or nothing where every rank keeps its own.
Schedule reroute(Layout const& from, Layout const& to, layout::Number number,
                 Problem const& problem, Choices const& choices);

}  // namespace sixstep::schedule

// SPDX-License-Identifier: BSD-3-Clause
// The ends of axes of Poisson's equation: which transform fits them, and where the points are.
#pragma once

#include <vector>

#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/poisson.hpp"

namespace sixstep {

enum class Condition { none, value, slope };

/// An axis between its ends: index j lies at spacing (j + before). The kind of an axis without
/// walls is c2c.
struct Ends {
  Kind kind;
  Condition first;
  Condition last;
  double before;
  double spacing;
  double length;
};

/// The ends of an axis with n points from end to end of `length`.
Ends ends_of(Walls walls, Points points, Index n, double length);

/// The ends of an axis with n points at this distance from each other.
Ends ends_with_spacing(Walls walls, Points points, Index n, double spacing);

/// The entry of an axis where there is one for all axes or one for each.
template <class Value>
Value entry(std::vector<Value> const& given, int axis) {
  return given.size() == 1 ? given[0] : given[static_cast<std::size_t>(axis)];
}

/// Throws Error unless there are as many entries as axes, or one.
void require_entries(char const* name, std::size_t count, int axes);

/// Throws Error if an axis with n points cannot have these ends; `axis` is its name.
void require_ends(Walls walls, Points points, Index n, int axis, int axes);

}  // namespace sixstep

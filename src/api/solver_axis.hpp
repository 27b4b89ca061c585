// SPDX-License-Identifier: BSD-3-Clause
// The axes of Poisson's equation: the transform that fits the walls, and the places of the points.
#pragma once

#include <vector>

#include "sixstep/kind.hpp"
#include "sixstep/layout.hpp"
#include "sixstep/poisson.hpp"

namespace sixstep {

enum class Condition { none, value, slope };

/// An axis and the conditions at its ends: index j lies at spacing (j + before). The kind of an
/// axis without walls is c2c.
struct SolverAxis {
  Kind kind;
  Condition first;
  Condition last;
  double before;
  double spacing;
  double length;
};

/// An axis with n points, whose ends are `length` apart.
SolverAxis solver_axis(Walls walls, Points points, Index n, double length);

/// An axis with n points at this distance from each other.
SolverAxis solver_axis_with_spacing(Walls walls, Points points, Index n, double spacing);

/// The entry of an axis where there is one for all axes or one for each.
template <class Value>
Value entry(std::vector<Value> const& given, int axis) {
  return given.size() == 1 ? given[0] : given[static_cast<std::size_t>(axis)];
}

/// Throws Error unless there are as many entries as axes, or one.
void require_entries(char const* name, std::size_t count, int axes);

/// Throws Error if an axis with n points cannot have these ends; `axis` is its name.
void require_solver_axis(Walls walls, Points points, Index n, int axis, int axes);

}  // namespace sixstep

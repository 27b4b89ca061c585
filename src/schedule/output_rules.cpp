// SPDX-License-Identifier: BSD-3-Clause
// Rules for outputs: an even share of the output, and the grids that come near it.
#include "schedule/output_rules.hpp"

#include <algorithm>
#include <limits>

namespace sixstep::schedule {

namespace {

/// The points of the fullest rank.
Index fullest(Shape const& shape, Grid const& grid) {
  Index points = 1;
  for (int axis = 0; axis < shape.size(); ++axis)
    points *= (shape[axis] + grid[axis] - 1) / grid[axis];
  return points;
}

/// The axes of the output that blocks may split.
PerAxis<int> splittable(Problem const& problem, Shape const& shape) {
  PerAxis<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis)
    if (axis != problem.kept_whole) axes.push_back(axis);
  return axes;
}

/// A near-square grid over `axes`.
Grid grid_over(PerAxis<int> const& axes, Shape const& shape, int ranks) {
  Shape split;
  for (int axis : axes) split.push_back(shape[axis]);
  Grid const parts = choose_grid(split, ranks, split.size());
  Grid grid(shape.size(), 1);
  for (int i = 0; i < axes.size(); ++i) grid[axes[i]] = parts[i];
  return grid;
}

}  // namespace

OutputRules output_rules(Problem const& problem) {
  if (problem.output || problem.is_inner) return {true, std::numeric_limits<Index>::max()};
  Shape const shape = output_shape(problem);
  int const ranks = problem.input.ranks();
  PerAxis<int> axes = splittable(problem, shape);
  auto const long_axes = std::count_if(axes.begin(), axes.end(),
                                       [&](int axis) { return problem.input.shape()[axis] > 1; });
  Index const points = volume(shape);
  OutputRules rules{problem.lies == Output::cheapest && long_axes <= 1,
                    2 * (points / ranks) + 2 * (points % ranks) / ranks};
  // Longest axes first: a few of them are enough, and many axes have many grids.
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return shape[a] > shape[b]; });
  Index least = points;
  PerAxis<int> some;
  for (int axis : axes) {
    some.push_back(axis);
    least = std::min(least, fullest(shape, grid_over(some, shape, ranks)));
    if (least <= rules.most_points) return rules;
  }
  rules.most_points = least;
  return rules;
}

std::vector<Grid> even_grids(Problem const& problem, PerAxis<int> const& most_parts,
                             Index most_points) {
  Shape const shape = output_shape(problem);
  int const ranks = problem.input.ranks();
  PerAxis<int> axes;
  for (int axis : splittable(problem, shape))
    if (most_parts[axis] >= ranks) axes.push_back(axis);
  std::vector<Grid> found;
  for (int count = 1; count <= axes.size() && found.empty(); ++count)
    for (unsigned chosen = 1; chosen < 1U << axes.size(); ++chosen) {
      PerAxis<int> some;
      for (int i = 0; i < axes.size(); ++i)
        if (chosen & (1U << i)) some.push_back(axes[i]);
      if (some.size() != count) continue;
      Grid const grid = grid_over(some, shape, ranks);
      if (fullest(shape, grid) <= most_points) found.push_back(grid);
    }
  return found;
}

}  // namespace sixstep::schedule

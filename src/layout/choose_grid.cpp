// SPDX-License-Identifier: BSD-3-Clause
// The grid of ranks that splits a shape into the most even blocks.
#include <algorithm>
#include <limits>

#include "layout/checks.hpp"

namespace sixstep {

namespace {

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int d = 1; d <= n / d; ++d) {
    if (n % d != 0) continue;
    found.push_back(d);
    if (d < n / d) found.push_back(n / d);
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct GridSearch {
  Shape const& shape;
  int split_axes;
  std::vector<int> divisors;  // of all ranks
  Grid current;
  Grid best;
  Index best_fullest = std::numeric_limits<Index>::max();
  Index best_spread = std::numeric_limits<Index>::max();

  void visit(int axis, int ranks_left) {
    if (axis == split_axes - 1) {
      current[axis] = ranks_left;
      consider();
      return;
    }
    for (int const parts : divisors) {
      if (ranks_left % parts != 0) continue;
      current[axis] = parts;
      visit(axis + 1, ranks_left / parts);
    }
  }

  void consider() {
    Index fullest = 1;
    Index spread = 0;
    for (int axis = 0; axis < shape.size(); ++axis)
      fullest *= (shape[axis] + current[axis] - 1) / current[axis];
    for (int axis = 0; axis < split_axes; ++axis) spread += current[axis];
    if (std::pair(fullest, spread) < std::pair(best_fullest, best_spread)) {
      best = current;
      best_fullest = fullest;
      best_spread = spread;
    }
  }
};

}  // namespace

Grid choose_grid(Shape const& shape, int ranks, int split_axes) {
  check_shape(shape);
  require(ranks >= 1, "ranks: at least 1 is needed, ", ranks, " was given");
  require(split_axes >= 1 && split_axes <= shape.size(), "split_axes: 1 to ", shape.size(),
          " are needed for a shape of ", shape.size(), " axes, ", split_axes, " was given");
  GridSearch search{shape, split_axes, divisors(ranks), Grid(shape.size(), 1), {}};
  search.visit(0, ranks);
  return search.best;
}

}  // namespace sixstep

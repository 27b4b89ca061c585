// SPDX-License-Identifier: BSD-3-Clause
// Grids of ranks over working axes, made of the numbers of ranks in the input's grid.
#include "schedule/grids.hpp"

#include <algorithm>

namespace sixstep::schedule {

namespace {

/// All ways to deal out ranks to the working axes in the order of the input's grid. Its numbers of
/// ranks move to other axes, and join where there are more numbers than axes to split.
struct Grids {
  PerAxis<int> factors;
  PerAxis<int> most_parts;
  int joins_left;
  std::size_t most;
  Grid current;
  std::vector<Grid> found;

  void place(int factor, int first_axis) {
    if (found.size() == most) return;
    if (factor == factors.size()) {
      found.push_back(current);
      return;
    }
    for (int axis = first_axis; axis < current.size(); ++axis) {
      bool const joins = current[axis] > 1;
      if (joins && joins_left == 0) continue;
      if (factors[factor] > most_parts[axis] / current[axis]) continue;
      joins_left -= joins ? 1 : 0;
      current[axis] *= factors[factor];
      place(factor + 1, axis);
      current[axis] /= factors[factor];
      joins_left += joins ? 1 : 0;
    }
  }
};

}  // namespace

PerAxis<int> users_most_parts(Frame const& frame) {
  PerAxis<int> parts;
  for (PerAxis<int> const& digits : frame.input_view.digits)
    parts.push_back(frame.most_parts[digits[0]]);
  return parts;
}

Grid first_grid(Layout const& input, PerAxis<int> const& users_most_parts) {
  if (!input.grid().empty()) return input.grid();
  Shape splittable;
  for (int axis = 0; axis < input.axes(); ++axis)
    if (users_most_parts[axis] > 1) splittable.push_back(input.shape()[axis]);
  return splittable.empty()
             ? Grid{}
             : choose_grid(splittable, input.ranks(), std::min(2, splittable.size()));
}

std::vector<Grid> grids_of(Grid const& first, PerAxis<int> const& most_parts,
                           Choices const& choices) {
  PerAxis<int> factors;
  for (int parts : first)
    if (parts > 1) factors.push_back(parts);
  auto const splittable = static_cast<int>(
      std::count_if(most_parts.begin(), most_parts.end(), [](int parts) { return parts > 1; }));
  int const joins =
      choices.regrid ? factors.size() : std::max(0, factors.size() - (splittable - 1));
  Grids grids{factors,
              most_parts,
              joins,
              static_cast<std::size_t>(choices.tuning.most_grids),
              Grid(most_parts.size(), 1),
              {}};
  grids.place(0, 0);
  return grids.found;
}

}  // namespace sixstep::schedule

// SPDX-License-Identifier: BSD-3-Clause
// Ends of axes.
#include "api/ends.hpp"

#include "layout/counting.hpp"

namespace sixstep {

Ends ends_of(Walls walls, Points points, Index n, double length) {
  auto const count = static_cast<double>(n);
  bool const in_cells = points == Points::cells;
  double const half = in_cells ? 0.5 : 0;
  using enum Condition;
  switch (walls) {
    case Walls::periodic:
    case Walls::open:
      break;
    case Walls::dirichlet:
      return in_cells ? Ends{Kind::dst2, value, value, half, length / count, length}
                      : Ends{Kind::dst1, value, value, 1, length / (count + 1), length};
    case Walls::neumann:
      return in_cells ? Ends{Kind::dct2, slope, slope, half, length / count, length}
                      : Ends{Kind::dct1, slope, slope, 0, length / (count - 1), length};
    case Walls::dirichlet_neumann:
      return {in_cells ? Kind::dst4 : Kind::dst3,
              value,
              slope,
              in_cells ? half : 1,
              length / count,
              length};
    case Walls::neumann_dirichlet:
      return {in_cells ? Kind::dct4 : Kind::dct3, slope, value, half, length / count, length};
  }
  return {Kind::c2c, none, none, 0, length / count, length};
}

Ends ends_with_spacing(Walls walls, Points points, Index n, double spacing) {
  return ends_of(walls, points, n, spacing / ends_of(walls, points, n, 1).spacing);
}

void require_entries(char const* name, std::size_t count, int axes) {
  require(count == 1 || static_cast<int>(count) == axes, name, ": one for each of the ", axes,
          " axes or one for all is needed, ", count, " were given");
}

void require_ends(Walls walls, Points points, Index n, int axis, int axes) {
  require(n > 1 || walls != Walls::neumann || points != Points::nodes,
          "points: nodes between Neumann walls need at least 2 points along axis ",
          axis_name(axis, axes));
}

}  // namespace sixstep

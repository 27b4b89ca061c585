// SPDX-License-Identifier: BSD-3-Clause
// The axes of Poisson's equation.
#include "api/solver_axis.hpp"

#include "layout/counting.hpp"

namespace sixstep {

SolverAxis solver_axis(Walls walls, Points points, Index n, double length) {
  auto const count = static_cast<double>(n);
  bool const in_cells = points == Points::cells;
  double const half = in_cells ? 0.5 : 0;
  using enum Condition;
  switch (walls) {
    case Walls::periodic:
    case Walls::open:
      break;
    case Walls::dirichlet:
      return in_cells ? SolverAxis{Kind::dst2, value, value, half, length / count, length}
                      : SolverAxis{Kind::dst1, value, value, 1, length / (count + 1), length};
    case Walls::neumann:
      return in_cells ? SolverAxis{Kind::dct2, slope, slope, half, length / count, length}
                      : SolverAxis{Kind::dct1, slope, slope, 0, length / (count - 1), length};
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

SolverAxis solver_axis_with_spacing(Walls walls, Points points, Index n, double spacing) {
  return solver_axis(walls, points, n, spacing / solver_axis(walls, points, n, 1).spacing);
}

void require_entries(char const* name, std::size_t count, int axes) {
  require(count == 1 || static_cast<int>(count) == axes, name, ": one for each of the ", axes,
          " axes or one for all is needed, ", count, " were given");
}

void require_solver_axis(Walls walls, Points points, Index n, int axis, int axes) {
  require(n > 1 || walls != Walls::neumann || points != Points::nodes,
          "points: nodes between Neumann walls need at least 2 points along axis ",
          axis_name(axis, axes));
}

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Poisson: the equation laplacian u = f in a box, periodic or between walls.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "sixstep/named.hpp"
#include "sixstep/operator.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The ends of an axis: it is periodic, or u (Dirichlet) or du/dx (Neumann) is given at both walls,
/// or one at the first and the other at the last wall. OpenPoisson alone has axes that are open: u
/// goes on beyond the box.
enum class Walls { periodic, dirichlet, neumann, dirichlet_neumann, neumann_dirichlet, open };
constexpr auto names_of(Walls) {
  return std::array{"periodic",          "dirichlet",         "neumann",
                    "dirichlet_neumann", "neumann_dirichlet", "open"};
}

/// The points between two walls: the middles of equal cells, which end at the walls, or nodes. A
/// node lies on each wall where du/dx is given, and none where u is given. The transforms that
/// fit the walls: Schumann and Sweet (1988), J. Comput. Phys. 75, 123.
///
///     points of an axis of length L      transform        x of j = 0 ... n - 1
///     periodic                           r2c, c2c         L j / n
///     cells, dirichlet                   dst2             L (j + 1/2) / n
///     cells, neumann                     dct2             the same
///     cells, dirichlet_neumann           dst4             the same
///     cells, neumann_dirichlet           dct4             the same
///     nodes, dirichlet                   dst1             L (j + 1) / (n + 1)
///     nodes, neumann                     dct1             L j / (n - 1)
///     nodes, dirichlet_neumann           dst3             L (j + 1) / n
///     nodes, neumann_dirichlet           dct3             L j / n
enum class Points { cells, nodes };
constexpr auto names_of(Points) { return std::array{"cells", "nodes"}; }

/// A wall: the first or the last end of an axis.
struct Wall {
  int axis;
  bool is_last;
};
/// Returns u, or du/dx along the wall's axis, at a point x of a wall, as its kind says.
using WallValues = std::function<double(Wall const& wall, PerAxis<double> const& x)>;

/// The options of an operator, and those of the equation. The walls determine axes and kinds.
struct PoissonOptions : OperatorOptions {
  /// One an axis, or one for all axes. Empty: all axes are periodic.
  std::vector<Walls> walls = {};
  /// One an axis, or one for all axes.
  std::vector<Points> points = {Points::cells};
  /// 0: the laplacian is exact for all waves that the points can hold. 2 or 4: that of finite
  /// differences of this order (differences.hpp), which see mirror images behind walls.
  int accuracy = 0;
  /// The mean of u where the equation leaves it open: all axes are periodic or between Neumann
  /// walls. Points on walls count half.
  double mean = 0;
};

/// A solver of laplacian u = f for reals, along all axes of a layout.
///
/// Constructing is collective, and throws the errors of an Operator, or, on every rank, Error
/// - if there is neither one of `walls` or `points` an axis nor one for all, or an axis is open;
/// - if axes, kinds, modes, a sphere, columns or several fields are given.
template <class Real>
class Poisson {
 public:
  Poisson(Layout const& layout, MPI_Comm comm, PoissonOptions const& options = {});
  Poisson(Poisson&&) noexcept;
  Poisson& operator=(Poisson&&) noexcept;
  ~Poisson();

  /// Solves for the right side `f`, an array of the operator's input_size(), and writes `u`, of its
  /// in_place_size(); both may be one array. Collective.
  ///
  /// Without `values`, u or du/dx is 0 at walls. They need accuracy 2; the differences then hold at
  /// all points to rounding, with the given values at or behind the walls. Ranks call the function
  /// for the points of their own boxes.
  ///
  /// Returns the mean of f (of f and of what the walls add to it) if the equation has no solution
  /// because this mean is not 0; u then solves it for f without the mean. Returns 0 if there is a
  /// solution, or if the mean is below 1000 roundings of the root mean square.
  ///
  /// Errors: those of Operator::apply(); `values` are given with another accuracy than 2; on all
  /// ranks, what `values` throws.
  double solve(Real const* f, Real* u, WallValues const& values = {});

  /// The place of a point: its distance from the first wall, or from point 0, along each axis.
  PerAxis<double> x(Shape const& point) const;
  /// The distance between points along each axis.
  PerAxis<double> spacing() const;
  /// The operator, which has the arrays' sizes, boxes and memory, and tells what it does.
  Operator<Real>& inverse();

 private:
  class State;
  std::unique_ptr<State> state_;
};

extern template class Poisson<float>;
extern template class Poisson<double>;

}  // namespace sixstep
#pragma GCC visibility pop

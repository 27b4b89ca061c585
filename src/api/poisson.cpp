// SPDX-License-Identifier: BSD-3-Clause
// Poisson: the transforms and spacings that fit walls, what walls add to a right side, and means.
#include "sixstep/poisson.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>

#include "api/alike.hpp"
#include "api/planning.hpp"
#include "api/solver_axis.hpp"
#include "runtime/communicator.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/exact_sum.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep {

namespace {

void check(Layout const& layout, PoissonOptions const& options) {
  if (!options.walls.empty()) require_entries("walls", options.walls.size(), layout.axes());
  require_entries("points", options.points.size(), layout.axes());
  require(std::find(options.walls.begin(), options.walls.end(), Walls::open) == options.walls.end(),
          "walls: open is for OpenPoisson");
  require(options.axes.empty(), "axes: the equation has all axes of the layout");
  require(options.kinds.empty(), "kinds: the walls determine them");
  require(options.modes.empty(), "modes: the equation has all modes");
  require(options.sphere.empty(), "sphere: the equation has all modes");
  require(options.columns.empty(), "columns: the equation has all modes");
  require(options.device == Device::none, "device: the equation is solved on the host");
  require(options.fields == 1, "fields: 1 is needed, ", options.fields, " was given");
  require_sides(options.sides, layout.axes());
  for (int axis = 0; axis < layout.axes(); ++axis)
    require_solver_axis(options.walls.empty() ? Walls::periodic : entry(options.walls, axis),
                        entry(options.points, axis), layout.shape()[axis], axis, layout.axes());
}

std::vector<SolverAxis> solver_axes(Layout const& layout, PoissonOptions const& options) {
  std::vector<SolverAxis> all;
  SolverAxis* last_periodic = nullptr;
  for (int axis = 0; axis < layout.axes(); ++axis) {
    Walls const walls = options.walls.empty() ? Walls::periodic : entry(options.walls, axis);
    double const by_default = (walls == Walls::periodic ? 2 : 1) * std::numbers::pi;
    double const length =
        options.sides.empty() ? by_default : options.sides[static_cast<std::size_t>(axis)];
    all.push_back(solver_axis(walls, entry(options.points, axis), layout.shape()[axis], length));
  }
  for (SolverAxis& each : all)
    if (each.kind == Kind::c2c) last_periodic = &each;
  if (last_periodic) last_periodic->kind = Kind::r2c;
  return all;
}

/// A wall adds this, times the given value, to the right side at the points next to it. A
/// difference of second order has the value behind the wall that these conditions need: twice the
/// given one less the mirror image (cells), the given one (nodes), the mirror image and the slope.
double lift(SolverAxis const& axis, Condition condition, bool is_last) {
  bool const in_cells = axis.before == 0.5;
  double const h = axis.spacing;
  if (condition == Condition::value) return -(in_cells ? 2 : 1) / (h * h);
  return (in_cells ? 1 : 2) / h * (is_last ? -1 : 1);
}

}  // namespace

template <class Real>
class Poisson<Real>::State {
 public:
  State(std::vector<SolverAxis> of_axes, Operator<Real> made, mpi::Communicator duplicate,
        PoissonOptions const& options)
      : axes(std::move(of_axes)),
        inverse(std::move(made)),
        comm(std::move(duplicate)),
        accuracy(options.accuracy),
        mean(options.mean) {
    for (SolverAxis const& each : axes)
      has_constants =
          has_constants && each.first != Condition::value && each.last != Condition::value;
  }

  std::vector<SolverAxis> axes;
  Operator<Real> inverse;
  mpi::Communicator comm;
  int accuracy;
  double mean;
  bool has_constants = true;  // any constant may be added to a solution

  PerAxis<double> spacing() const {
    PerAxis<double> found;
    for (SolverAxis const& each : axes) found.push_back(each.spacing);
    return found;
  }

  PerAxis<double> x(Shape const& point) const {
    PerAxis<double> found;
    for (SolverAxis const& each : axes)
      found.push_back(each.spacing * (static_cast<double>(point[found.size()]) + each.before));
    return found;
  }

  /// Calls visit(thread, point, place) for all points of this rank.
  void for_each_point(auto const& visit) {
    Walk const walk(inverse.input_box(), inverse.input_strides());
    Index const begin = inverse.input().offset(comm.rank());  // behind ghosts
    int const threads = inverse.threads();
    on_threads(threads, [&](int thread) {
      auto const begin_of = [&](int part) { return walk.points() * part / threads; };
      auto const here = [&](Shape const& point, Index place) {
        visit(thread, point, begin + place);
      };
      walk(begin_of(thread), begin_of(thread + 1), here);
    });
  }

  void add_walls(WallValues const& values, Real* right) {
    right += inverse.input().offset(comm.rank());
    for (int axis = 0; axis < static_cast<int>(axes.size()); ++axis) {
      SolverAxis const& here = axes[static_cast<std::size_t>(axis)];
      Range const whole = inverse.input_box().ranges[axis];
      Index const n = inverse.input().shape()[axis];
      for (bool const is_last : {false, true}) {
        Condition const condition = is_last ? here.last : here.first;
        Index const index = is_last ? n - 1 : 0;
        if (condition == Condition::none || whole.empty()) continue;
        Index const steps = (index - whole.lo) / whole.step;
        if (index < whole.lo || index >= whole.hi || whole.lo + steps * whole.step != index)
          continue;
        Box layer = inverse.input_box();
        layer.ranges[axis] = {index, index + 1};
        Shape const strides = inverse.input_strides();
        double const factor = lift(here, condition, is_last);
        for_each(layer, strides, [&](Shape const& point, Index place) {
          PerAxis<double> on_wall = x(point);
          on_wall[axis] = is_last ? here.length : 0;
          right[place + steps * strides[axis]] +=
              static_cast<Real>(factor * values({axis, is_last}, on_wall));
        });
      }
    }
  }

  /// The mean of a right side; 0 if it is within rounding.
  double mean_of(Real const* right) {
    double points = 1;
    bool has_points_on_walls = false;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      bool const on_walls = axes[axis].kind == Kind::dct1;
      has_points_on_walls = has_points_on_walls || on_walls;
      points *=
          static_cast<double>(inverse.input().shape()[static_cast<int>(axis)] - (on_walls ? 1 : 0));
    }
    bool const is_dense = inverse.input_size() == inverse.input_box().volume();
    Sums const all = is_dense && !has_points_on_walls ? sums_of_all(right) : weighted_sums(right);
    double const found = all.values.value() / points;
    double const square = all.squares.value() / points;
    double const rounding = 1000. * std::numeric_limits<Real>::epsilon() * std::sqrt(square);
    return std::abs(found) > rounding ? found : 0;
  }

 private:
  /// Sums that are rounded once, so that they do not depend on the number of ranks. Terms wait
  /// until they are a run.
  class alignas(64) Sums {
   public:
    ExactSum values, squares;

    void add(double weight, double value) {
      terms_[waiting_] = weight * value;
      of_squares_[waiting_] = weight * (value * value);
      if (++waiting_ == terms_.size()) end();
    }
    /// Adds the terms that wait.
    void end() {
      values.add(std::span(terms_).first(waiting_));
      squares.add(std::span(of_squares_).first(waiting_));
      waiting_ = 0;
    }

   private:
    std::array<double, 512> terms_, of_squares_;
    std::size_t waiting_ = 0;
  };

  /// Adds up the sums of all threads and ranks. Collective.
  Sums together(std::vector<Sums>& of_threads) const {
    Sums all;
    for (Sums& each : of_threads) {
      each.end();
      all.values.add(each.values);
      all.squares.add(each.squares);
    }
    for (ExactSum* sum : {&all.values, &all.squares}) {
      ExactSum::Words words = sum->words();
      mpi::reduce_to_all(comm, words.data(), static_cast<Index>(words.size()), MPI_INT64_T,
                         MPI_SUM);
      *sum = ExactSum(words);
    }
    return all;
  }

  /// The sums over an array without gaps.
  Sums sums_of_all(Real const* right) {
    int const threads = inverse.threads();
    std::vector<Sums> sums(static_cast<std::size_t>(threads));
    on_threads(threads, [&](int thread) {
      Sums& mine = sums[static_cast<std::size_t>(thread)];
      Index const end = inverse.input_size() * (thread + 1) / threads;
      for (Index i = inverse.input_size() * thread / threads; i < end; ++i) mine.add(1, right[i]);
    });
    return together(sums);
  }

  /// The sums over this rank's points, of which those on a wall count half.
  Sums weighted_sums(Real const* right) {
    std::vector<Sums> sums(static_cast<std::size_t>(inverse.threads()));
    PerAxis<Index> last_on_wall;
    for (SolverAxis const& each : axes)
      last_on_wall.push_back(
          each.kind == Kind::dct1 ? inverse.input().shape()[last_on_wall.size()] - 1 : -1);
    for_each_point([&](int thread, Shape const& point, Index place) {
      double weight = 1;
      for (int axis = 0; axis < point.size(); ++axis)
        if (last_on_wall[axis] > 0 && (point[axis] == 0 || point[axis] == last_on_wall[axis]))
          weight /= 2;
      sums[static_cast<std::size_t>(thread)].add(weight, right[place]);
    });
    return together(sums);
  }
};

template <class Real>
Poisson<Real>::Poisson(Layout const& layout, MPI_Comm user_comm, PoissonOptions const& options) {
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  mpi::together(comm, [&] { check(layout, options); });
  std::vector<SolverAxis> axes = solver_axes(layout, options);
  OperatorOptions inner = options;
  inner.sides.clear();
  Differences by{.accuracy = options.accuracy};
  for (SolverAxis const& each : axes) {
    inner.kinds.push_back(each.kind);
    inner.sides.push_back(each.length);
    if (options.accuracy > 0) by.spacing.push_back(each.spacing);
  }
  AlikeArguments().add("accuracy", options.accuracy).add("mean", options.mean).require(comm);
  Operator<Real> inverse(layout, comm, symbols::inverse_laplacian(by), inner);
  state_ = std::make_unique<State>(std::move(axes), std::move(inverse), std::move(comm), options);
}

template <class Real>
Poisson<Real>::Poisson(Poisson&&) noexcept = default;
template <class Real>
Poisson<Real>& Poisson<Real>::operator=(Poisson&&) noexcept = default;
template <class Real>
Poisson<Real>::~Poisson() = default;

template <class Real>
double Poisson<Real>::solve(Real const* f, Real* u, WallValues const& values) {
  State& state = *state_;
  if (values) {
    require(state.accuracy == 2, "values: accuracy 2 is needed for values at walls, ",
            state.accuracy, " was given");
    if (f != u) state.for_each_point([&](int, Shape const&, Index place) { u[place] = f[place]; });
    mpi::together(state.comm, [&] { state.add_walls(values, u); });
    f = u;
  }
  double const left_out = state.has_constants ? state.mean_of(f) : 0;
  state.inverse.apply(f, u);
  if (state.has_constants && state.mean != 0)
    state.for_each_point(
        [&](int, Shape const&, Index place) { u[place] += static_cast<Real>(state.mean); });
  return left_out;
}

template <class Real>
PerAxis<double> Poisson<Real>::x(Shape const& point) const {
  return state_->x(point);
}

template <class Real>
PerAxis<double> Poisson<Real>::spacing() const {
  return state_->spacing();
}

template <class Real>
Operator<Real>& Poisson<Real>::inverse() {
  return state_->inverse;
}

template class Poisson<float>;
template class Poisson<double>;

}  // namespace sixstep

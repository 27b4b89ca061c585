// SPDX-License-Identifier: BSD-3-Clause
// OpenPoisson: the axes of the equation, and the convolution that solves it.
#include "sixstep/open_poisson.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <utility>

#include "api/alike.hpp"
#include "api/open_kernel.hpp"
#include "api/solver_axis.hpp"
#include "layout/counting.hpp"
#include "runtime/communicator.hpp"
#include "runtime/mpi.hpp"
#include "schedule/problem.hpp"
#include "sixstep/good_size.hpp"

namespace sixstep {

namespace {

using std::numbers::pi;

Walls walls_of(OpenPoissonOptions const& options, int i) {
  return options.walls.empty() ? Walls::open : entry(options.walls, i);
}

void check(OpenPoissonOptions const& options, int axes) {
  require_entries("spacing", options.spacing.size(), axes);
  require_entries("points", options.points.size(), axes);
  if (!options.walls.empty()) require_entries("walls", options.walls.size(), axes);
  require(options.shift.empty() || static_cast<int>(options.shift.size()) == axes,
          "shift: one for each of the ", axes, " axes is needed, ", options.shift.size(),
          " were given");
  int open = 0;
  for (int i = 0; i < axes; ++i) {
    double const spacing = entry(options.spacing, i);
    require(std::isfinite(spacing) && spacing > 0, "spacing: distances above 0 are needed, ",
            spacing, " was given");
    bool const is_open = walls_of(options, i) == Walls::open;
    if (is_open) ++open;
    double const shift = options.shift.empty() ? 0 : options.shift[static_cast<std::size_t>(i)];
    require(std::isfinite(shift) && (is_open || shift == 0),
            "shift: distances along open axes and 0 along the others are needed, ", shift,
            " was given");
  }
  require(open > 0, "walls: an open axis is needed, there is none; Poisson solves for the others");
}

/// Throws Error if a Green's function does not serve the axes of an equation.
void check(Greens const& greens, OpenDomain const& domain) {
  int const open = domain.dimensions();
  bool const is_given = greens.function || greens.numbers;
  require(!greens.function || !greens.numbers,
          "numbers: a function or numbers are possible, both were given");
  require(is_given || open <= 3, "axes: at most 3 are possible without a function, ", open,
          " were given");
  require(has_name(greens.greens_function), "greens_function: ", names_in_words<GreensFunction>(),
          " is needed, ", to_string(greens.greens_function), " was given");
  require(has_name(greens.space), "space: ", names_in_words<GreensSpace>(), " is needed, ",
          to_string(greens.space), " was given");
  require(is_given || greens.greens_function == GreensFunction::truncated || open < 3 ||
              open == static_cast<int>(domain.axes.size()),
          "greens_function: truncated is needed with three open axes beside others");
}

TableAxis open_axis(int axis, Index n, double spacing) {
  Index const length = good_size(2 * n - 1, 2);
  return {axis, Kind::c2c, true, n, length, n, length, 0, spacing};
}

/// All distances between two points, in order.
TableAxis shifted_axis(int axis, Index n, double spacing, double shift) {
  Index const all = 2 * n - 1;
  double const begin = shift - static_cast<double>(n - 1) * spacing;
  return {axis, Kind::c2c, true, n, all, all, 2 * all, begin, spacing};
}

/// The waves of an axis that is periodic or between walls.
TableAxis closed_axis(int axis, Index n, SolverAxis const& closed) {
  double const first = schedule::wave_number(closed.kind, n, 0);
  if (closed.kind == Kind::c2c)
    return {axis, closed.kind, false, n, n, n / 2 + 1, n, 0, 2 * pi / closed.length};
  double const step = pi / closed.length;
  return {axis, closed.kind, false, n, n, n, 2 * n, first * step, step};
}

OpenDomain domain_of(Layout const& layout, OpenPoissonOptions const& options) {
  require(options.kinds.empty(), "kinds: the equation is one of reals along all of `axes`");
  require(options.lengths.empty(), "lengths: twice the points are transformed");
  require(options.sphere.empty(), "sphere: the equation has all modes");
  require(options.columns.empty(), "columns: the equation has all modes");
  schedule::Problem problem{.input = layout};
  problem.axes = options.axes;
  std::vector<int> const axes = schedule::checked(problem).axes;
  check(options, static_cast<int>(axes.size()));
  OpenDomain domain{{}, options.shift};
  for (std::size_t at = 0; at < axes.size(); ++at) {
    int const i = static_cast<int>(at), axis = axes[at];
    Index const n = layout.shape()[axis];
    double const spacing = entry(options.spacing, i);
    Walls const walls = walls_of(options, i);
    Points const points = entry(options.points, i);
    require_solver_axis(walls, points, n, axis, layout.axes());
    if (walls != Walls::open)
      domain.axes.push_back(
          closed_axis(axis, n, solver_axis_with_spacing(walls, points, n, spacing)));
    else if (options.shift.empty())
      domain.axes.push_back(open_axis(axis, n, spacing));
    else
      domain.axes.push_back(shifted_axis(axis, n, spacing, options.shift[at]));
  }
  auto const last = std::find_if(domain.axes.rbegin(), domain.axes.rend(),
                                 [](TableAxis const& axis) { return axis.is_open; });
  last->kind = Kind::r2c;
  return domain;
}

/// The convolution with a kernel that is given by waves along axes that are not open.
ConvolutionOptions convolution_of(OpenDomain const& domain, OpenPoissonOptions const& options) {
  ConvolutionOptions made{options};
  made.axes.clear();
  made.even = options.shift.empty();
  made.mode = made.even ? ConvolutionMode::periodic : ConvolutionMode::same;
  for (TableAxis const& axis : domain.axes) {
    made.axes.push_back(axis.axis);
    made.kinds.push_back(axis.kind);
    if (made.even) made.lengths.push_back(axis.length);
  }
  return made;
}

}  // namespace

/// The state that a solver keeps, so that it can take another Green's function.
template <class Real>
class OpenPoisson<Real>::State {
 public:
  State(Layout const& layout, mpi::Communicator communicator, OpenPoissonOptions const& options)
      : comm(std::move(communicator)), bits(options.reproducible) {
    mpi::together(comm, [&] {
      domain = domain_of(layout, options);
      check(options, domain);
    });
    AlikeArguments().add("spacing", options.spacing).add("shift", options.shift).require(comm);
    Shape shape = layout.shape();
    for (TableAxis const& axis : domain.axes) shape[axis.axis] = axis.length;
    kernel = Layout::slab(shape, comm.size(), domain.axes[0].axis);
  }

  std::vector<int> in_waves() const {
    std::vector<int> axes;
    for (TableAxis const& axis : domain.axes)
      if (!axis.is_open) axes.push_back(axis.axis);
    return axes;
  }

  mpi::Communicator comm;
  Bits bits;
  OpenDomain domain;
  Layout kernel;
};

template <class Real>
OpenPoisson<Real>::OpenPoisson(Layout const& layout, MPI_Comm comm,
                               OpenPoissonOptions const& options)
    : state_(std::make_shared<State>(layout, mpi::Communicator::duplicate(comm), options)),
      convolution_(Convolution<Real>::made(layout, state_->kernel, nullptr, state_->comm,
                                           convolution_of(state_->domain, options),
                                           {options.shift.empty(), state_->in_waves()})) {
  renew(options);
}

template <class Real>
void OpenPoisson<Real>::renew(Greens const& greens) {
  mpi::Communicator const& comm = state_->comm;
  mpi::together(comm, [&] { check(greens, state_->domain); });
  std::optional<Layout> numbers;
  if (greens.numbers) numbers = greens.numbers->layout;
  AlikeArguments()
      .add("greens_function", greens.greens_function)
      .add("function", static_cast<bool>(greens.function))
      .add("numbers", numbers)
      .add("space", greens.space)
      .require(comm);
  std::vector<double> const values =
      kernel_of(state_->kernel, state_->domain, greens, state_->bits, comm);
  if constexpr (std::is_same_v<Real, double>)
    convolution_.set_kernel(values.data());
  else
    convolution_.set_kernel(std::vector<Real>(values.begin(), values.end()).data());
}

template class OpenPoisson<float>;
template class OpenPoisson<double>;

}  // namespace sixstep

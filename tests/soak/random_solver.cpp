// SPDX-License-Identifier: BSD-3-Clause
// What solvers are asked for beyond what plans are.
#include "random_solver.hpp"

#include <algorithm>

#include "choices.hpp"
#include "free_space.hpp"
#include "kept_waves.hpp"

namespace soak {

using cases::Random;

namespace {

/// Small enough for sums over all pairs of points.
Shape random_solver_shape(Random& random, Make make, int ranks) {
  bool const is_convolution = make == Make::convolution || make == Make::open_poisson;
  if (random.once_in(8)) {
    Shape line{long_extent(random, ranks, is_convolution ? 150 : 600)};
    if (random.once_in(3)) line.push_back(random.between(1, 2));
    random.shuffle(line);
    return line;
  }
  Index const points = one_of<Index>(random, {20, 60, is_convolution ? 100 : 300});
  return cases::random_shape(random, random.between(1, is_convolution ? 3 : 4), points);
}

/// c2c, and perhaps r2c along one of the axes.
void choose_periodic_kinds(Random& random, Job& job) {
  std::size_t const axes = kinds_of(job).size();
  job.options.kinds.assign(axes, Kind::c2c);
  if (axes > 0 && random.once_in(2))
    job.options.kinds[static_cast<std::size_t>(random.between(0, static_cast<int>(axes) - 1))] =
        Kind::r2c;
}

/// A result with other points, of which a layout says how they are shared.
void choose_result(Random& random, Job& job, int ranks) {
  enum class Lengths { own, of_layout, of_input };
  auto const lengths = static_cast<Lengths>(random.between(0, 2));
  Shape shape = job.shape;
  Solver& solver = job.solver;
  for (AxisKind const& one : kinds_of(job)) {
    bool const are_cut = job.options.modes.empty() && job.options.columns.empty();
    Index const least = std::max({Index{2}, one.points / 2, are_cut ? Index{1} : one.modes});
    bool const is_same = lengths == Lengths::of_input || random.once_in(2);
    Index const back = is_same ? one.points : random.between(least, least + 2 * one.points);
    Index const points = lengths == Lengths::of_layout ? back : random.between(Index{1}, back);
    solver.back.push_back(back);
    solver.first.push_back(random.between(Index{0}, back - 1));
    shape[one.axis] = points;
  }
  if (lengths != Lengths::own && job.options.lengths.empty() == (lengths == Lengths::of_layout))
    solver.back.clear();
  if (random.once_in(3)) solver.first.clear();
  job.output = random_sharing(random, shape, ranks);
  job.output_shape = shape;
}

void choose_kernel(Random& random, Job& job, int ranks) {
  Solver& solver = job.solver;
  solver.mode = static_cast<ConvolutionMode>(random.between(0, 3));
  solver.correlate = random.once_in(3);
  bool const is_periodic = solver.mode == ConvolutionMode::periodic;
  if (is_periodic) choose_lengths(random, job);
  solver.even = is_periodic && random.once_in(3);
  solver.kernel = job.shape;
  for (AxisKind const& one : kinds_of(job))
    solver.kernel[one.axis] =
        solver.even ? one.points
                    : random.between(Index{1}, is_periodic ? one.points : 2 * job.shape[one.axis]);
  solver.kernel_in = random_sharing(random, solver.kernel, ranks);
}

/// The result of a convolution: as the signal, where that can be, or in a layout of its own.
void choose_convolved(Random& random, Job& job, int ranks) {
  job.output.reset();
  if (job.solver.mode != ConvolutionMode::periodic) job.options.padded = false;
  if (job.input.form == Sharing::Form::boxes || random.once_in(2))
    job.output = random_sharing(random, output_shape_of(job), ranks);
}

/// Ends of axes, of which one at least is open, a shift, and a Green's function.
void choose_equation(Random& random, Job& job, int ranks) {
  Solver& solver = job.solver;
  constexpr Index longest = 300;  // of sums over all pairs of points
  for (Index& extent : job.shape) extent = std::min(extent, longest);
  std::vector<AxisKind> const axes = kinds_of(job);
  auto const open_one =
      static_cast<std::size_t>(random.between(0, static_cast<int>(axes.size()) - 1));
  bool const is_shifted = random.once_in(3);
  solver.greens = static_cast<GreensBy>(random.between(0, 2));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    bool const is_open = i == open_one || random.once_in(2);
    Walls walls = is_open ? Walls::open : static_cast<Walls>(random.between(0, 4));
    Points points = static_cast<Points>(random.between(0, 1));
    if (walls == Walls::neumann && axes[i].points < 2) points = Points::cells;
    solver.walls.push_back(walls);
    solver.points.push_back(points);
    if (is_shifted) solver.shift.push_back(is_open ? 0.5 * random.between(-9, 9) : 0);
    solver.more_waves.push_back(random.between(Index{0}, Index{5}));
  }
  job.input = random_sharing(random, job.shape, ranks);
  solver.kernel_in = random_sharing(random, numbers_shape(equation_of(job)), ranks);
}

}  // namespace

void choose_solver(Random& random, Job& job, int ranks) {
  job.make = one_of(random, std::vector<Make>{Make::op, Make::op, Make::op, Make::map, Make::map,
                                              Make::convolution, Make::open_poisson});
  job.shape = random_solver_shape(random, job.make, ranks);
  job.options.axes = cases::random_axes(random, job.shape.size());
  if (job.make == Make::convolution) {
    choose_periodic_kinds(random, job);
    choose_kernel(random, job, ranks);
    choose_layouts(random, job, ranks);
    choose_convolved(random, job, ranks);
    return;
  }
  if (job.make == Make::open_poisson) return choose_equation(random, job, ranks);
  choose_kinds(random, job);
  choose_lengths(random, job);
  choose_modes(random, job);
  choose_waves(random, job);
  choose_layouts(random, job, ranks);
  if (job.make == Make::map) return;
  job.output.reset();
  if (random.once_in(2)) choose_result(random, job, ranks);
}

namespace {

/// Whether devices have a solver: an operator that multiplies coefficients by a kept number of a
/// function of k.
bool runs_on_devices(Job const& job) {
  return job.make == Make::op && job.solver.results.empty() && !job.solver.called &&
         !job.solver.array;
}

}  // namespace

void complete_solver(Random& random, Job& job, int ranks) {
  for (Execution& one : job.executions) {
    one.direction = Direction::forward;
    one.scale = Scale::none;
  }
  Solver& solver = job.solver;
  bool const is_symbolic = job.make == Make::op || job.make == Make::map;
  solver.has_sides = random.once_in(2) && is_symbolic;
  solver.real = random.once_in(3) && is_symbolic;
  if (job.make == Make::open_poisson) solver.renewed = random.once_in(2);
  if (job.make == Make::op) {
    solver.called = random.once_in(3);
    solver.renewed = random.once_in(3);
    if (random.once_in(3)) solver.results = {random.between(1, 4)};
    solver.product = solver.results.empty() && random.once_in(3);
    solver.array = solver.results.empty() && !keeps_waves(job) && random.once_in(3);
  } else if (job.make == Make::map) {
    auto const perhaps = [&] {
      return random.once_in(3) && !keeps_waves(job) ? random.between(1, 3) : 0;
    };
    if (!keeps_waves(job) && random.once_in(4))
      solver.results_in = random_sharing(random, result_shape(job), ranks);
    solver.results = {perhaps(), random.between(1, 3), perhaps()};
    solver.batch = one_of<Index>(random, {16, 1, 5, 64, 200});
    solver.to_points = static_cast<Scale>(random.between(0, 2));
    solver.from_points = static_cast<Scale>(random.between(0, 2));
  }
  if (!runs_on_devices(job)) job.options.device = Device::none;
}

}  // namespace soak

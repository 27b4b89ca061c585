// SPDX-License-Identifier: BSD-3-Clause
// Fewer teams, plans, executions, ranks, axes and points; the usual options.
#include "simpler.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace soak {

namespace {

template <class Value>
void erase(std::vector<Value>& values, std::size_t i) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}

template <class Value>
PerAxis<Value> without(PerAxis<Value> const& values, int axis) {
  PerAxis<Value> rest;
  for (int a = 0; a < values.size(); ++a)
    if (a != axis) rest.push_back(values[a]);
  return rest;
}

int renumbered(int axis, int gone) { return axis > gone ? axis - 1 : axis; }

// Layouts follow the shape.

void drop_axis(Sharing& sharing, int axis) {
  if (!sharing.grid.empty()) sharing.grid = without(sharing.grid, axis);
  if (!sharing.distribution.empty()) sharing.distribution = without(sharing.distribution, axis);
  for (Box& box : sharing.boxes) box.ranges = without(box.ranges, axis);
  Order order;
  for (int a : sharing.order)
    if (a != axis) order.push_back(renumbered(a, axis));
  sharing.order = order;
  if (!sharing.before.empty()) {
    sharing.before = without(sharing.before, axis);
    sharing.after = without(sharing.after, axis);
  }
  sharing.axis = std::max(0, renumbered(sharing.axis, axis));
}

void clip(Sharing& sharing, Shape const& shape) {
  for (Box& box : sharing.boxes)
    for (int axis = 0; axis < std::min(box.axes(), shape.size()); ++axis) {
      Range& range = box.ranges[axis];
      range = {std::min(range.lo, shape[axis]), std::min(range.hi, shape[axis])};
    }
}

void set_extent(Job& job, int axis, Index extent) {
  job.shape[axis] = extent;
  std::vector<AxisKind> const kinds = kinds_of(job);
  std::size_t i = 0;
  for (AxisKind const& one : kinds) {
    if (i == job.options.modes.size()) break;
    if (one.axis == axis) job.options.modes[i] = std::min(job.options.modes[i], extent);
    ++i;
  }
  bool const is_fixed = std::none_of(kinds.begin(), kinds.end(),
                                     [&](AxisKind const& one) { return one.axis == axis; });
  for (Shape* other : {&job.solver.kernel, &job.output_shape})
    if (is_fixed && axis < other->size()) (*other)[axis] = extent;
  clip(job.input, job.shape);
  clip(job.solver.kernel_in, job.solver.kernel);
  if (job.output) clip(*job.output, output_shape_of(job));
}

void set_extent(Shape& shape, Sharing& sharing, int axis, Index extent) {
  shape[axis] = extent;
  clip(sharing, shape);
}

/// Erases the entry of the i-th of the axes from what has one for each.
void erase_axis(Job& job, std::size_t i) {
  Options& options = job.options;
  std::size_t const axes = options.axes.size();
  for (std::vector<Index>* values : {&job.solver.back, &job.solver.first})
    if (values->size() == axes) erase(*values, i);
  Solver& solver = job.solver;
  if (solver.walls.size() == axes) erase(solver.walls, i);
  if (solver.points.size() == axes) erase(solver.points, i);
  if (solver.shift.size() == axes) erase(solver.shift, i);
  if (solver.more_waves.size() == axes) erase(solver.more_waves, i);
  if (options.kinds.size() == axes && axes > 1) erase(options.kinds, i);
  if (options.lengths.size() == axes) erase(options.lengths, i);
  if (options.sphere.size() == axes && axes > 1) erase(options.sphere, i);
  if (options.modes.size() == axes) erase(options.modes, i);
  erase(options.axes, i);
}

void drop_axis(Job& job, int axis) {
  std::vector<int>& axes = job.options.axes;
  if (axes.empty())
    for (int a = 0; a < job.shape.size(); ++a) axes.push_back(a);
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (axes[i] == axis)
      erase_axis(job, i);
    else
      axes[i] = renumbered(axes[i], axis);
  }
  job.shape = without(job.shape, axis);
  drop_axis(job.input, axis);
  if (job.output) drop_axis(*job.output, axis);
  if (!job.solver.kernel.empty()) drop_axis(job.solver.kernel_in, axis);
  if (job.make == Make::open_poisson) job.solver.kernel_in = Sharing{};
  for (Shape* values :
       {&job.input_strides, &job.output_strides, &job.output_shape, &job.solver.kernel})
    if (!values->empty()) *values = without(*values, axis);
}

// Steps of a job.

using Step = std::function<void(Job&)>;

void add_executions(std::vector<Step>& steps, Job const& job) {
  for (std::size_t i = 0; job.executions.size() > 1 && i < job.executions.size(); ++i)
    steps.push_back([i](Job& j) { erase(j.executions, i); });
  for (std::size_t i = 0; i < job.executions.size(); ++i) {
    steps.push_back([i](Job& j) { j.executions[i].scale = Scale::none; });
    steps.push_back([i](Job& j) { j.executions[i].input = Whose::own; });
    steps.push_back([i](Job& j) { j.executions[i].output = Whose::own; });
    steps.push_back([i](Job& j) { j.executions[i].in_place = false; });
  }
}

void add_shapes(std::vector<Step>& steps, Job const& job) {
  for (int axis = 0; axis < job.shape.size(); ++axis) {
    Index const extent = job.shape[axis];
    if (job.shape.size() > 1) steps.push_back([axis](Job& j) { drop_axis(j, axis); });
    for (Index smaller : {Index{1}, Index{2}, extent / 2, extent - 1})
      if (smaller >= 1 && smaller < extent)
        steps.push_back([axis, smaller](Job& j) { set_extent(j, axis, smaller); });
  }
  auto const add = [&](Shape const& shape, auto const& set) {
    for (int axis = 0; axis < shape.size(); ++axis)
      for (Index smaller : {Index{1}, shape[axis] / 2, shape[axis] - 1})
        if (smaller >= 1 && smaller < shape[axis])
          steps.push_back([=](Job& j) { set(j, axis, smaller); });
  };
  add(job.solver.kernel, [](Job& j, int axis, Index smaller) {
    set_extent(j.solver.kernel, j.solver.kernel_in, axis, smaller);
  });
  add(job.output_shape, [](Job& j, int axis, Index smaller) {
    if (j.output) set_extent(j.output_shape, *j.output, axis, smaller);
  });
}

void add_solver(std::vector<Step>& steps, Job const& job) {
  if (job.make == Make::plan) return;
  steps.push_back([](Job& j) {
    j.output.reset();
    j.output_shape = {};
    j.solver.back.clear();
    j.solver.first.clear();
  });
  steps.push_back([](Job& j) { j.solver.back.clear(); });
  steps.push_back([](Job& j) { j.solver.first.clear(); });
  steps.push_back([](Job& j) { j.solver.results.clear(); });
  for (std::size_t i = 0; i < job.solver.results.size(); ++i)
    for (int fewer : {0, 1})
      steps.push_back([=](Job& j) { j.solver.results[i] = std::min(fewer, j.solver.results[i]); });
  steps.push_back([](Job& j) { j.solver.has_sides = false; });
  steps.push_back([](Job& j) { j.solver.real = true; });
  steps.push_back([](Job& j) { j.solver.product = false; });
  steps.push_back([](Job& j) { j.solver.array = false; });
  steps.push_back([](Job& j) { j.solver.called = false; });
  steps.push_back([](Job& j) { j.solver.renewed = false; });
  steps.push_back([](Job& j) { j.solver.results_in.reset(); });
  steps.push_back([](Job& j) { j.solver.batch = Solver().batch; });
  steps.push_back([](Job& j) { j.solver.to_points = j.solver.from_points = Scale::none; });
  steps.push_back([](Job& j) { j.solver.shift.clear(); });
  steps.push_back([](Job& j) { j.solver.greens = GreensBy::function; });
  steps.push_back([](Job& j) { j.solver.more_waves.clear(); });
  steps.push_back([](Job& j) { j.solver.points.assign(j.solver.points.size(), Points::cells); });
  for (std::size_t i = 0; i < job.solver.walls.size(); ++i)
    steps.push_back([i](Job& j) { j.solver.walls[i] = Walls::open; });
  steps.push_back([](Job& j) { j.solver.correlate = j.solver.even = false; });
  steps.push_back([](Job& j) { j.solver.kernel_in = Sharing{}; });
}

void add_layouts(std::vector<Step>& steps) {
  steps.push_back([](Job& j) { j.options.device = sixstep::Device::none; });
  steps.push_back([](Job& j) {
    if (j.output_shape.empty()) j.output.reset();
  });
  steps.push_back([](Job& j) { j.input_strides = {}; });
  steps.push_back([](Job& j) { j.output_strides = {}; });
  steps.push_back([](Job& j) { j.input = Sharing{}; });
  steps.push_back([](Job& j) { j.output = Sharing{}; });
  steps.push_back([](Job& j) { j.output = j.input; });
  steps.push_back([](Job& j) { j.input.order = {}; });
  steps.push_back([](Job& j) {
    if (j.output) j.output->order = {};
  });
  steps.push_back([](Job& j) { j.input.before = j.input.after = {}; });
  steps.push_back([](Job& j) {
    if (j.output) j.output->before = j.output->after = {};
  });
  auto const block = [](Sharing& sharing) {
    std::fill(sharing.distribution.begin(), sharing.distribution.end(), Distribution::block);
  };
  steps.push_back([block](Job& j) { block(j.input); });
  steps.push_back([block](Job& j) {
    if (j.output) block(*j.output);
  });
}

void add_options(std::vector<Step>& steps, Job const& job) {
  steps.push_back([](Job& j) { j.moved = j.early = j.outlive = false, j.late = 0; });
  steps.push_back([](Job& j) { j.odd_rank = -1; });
  steps.push_back([](Job& j) { j.isa.clear(); });
  steps.push_back([](Job& j) { j.node_ranks = 0; });
  steps.push_back([](Job& j) { j.options = Options{.threads = 1}; });
  steps.push_back([](Job& j) { j.options.padded = false; });
  for (int fewer : {1, 2})
    steps.push_back([fewer](Job& j) { j.options.fields = std::min(fewer, j.options.fields); });
  steps.push_back([](Job& j) { j.options.preserve_input = true; });
  steps.push_back([](Job& j) { j.options.low_memory = false; });
  steps.push_back([](Job& j) { j.options.regrid = false; });
  steps.push_back([](Job& j) { j.options.split_untransformed = false; });
  steps.push_back([](Job& j) { j.options.own_workspace = true; });
  steps.push_back([](Job& j) { j.options.wire = {}; });
  steps.push_back([](Job& j) { j.options.reproducible = sixstep::Bits::none; });
  steps.push_back([](Job& j) { j.options.verify = sixstep::Verify::none; });
  steps.push_back([](Job& j) {
    if (j.options.verify == sixstep::Verify::all) j.options.verify = sixstep::Verify::result;
  });
  steps.push_back([](Job& j) { j.options.exchange = sixstep::Exchange::shared; });
  steps.push_back([](Job& j) { j.options.threads = 1; });
  steps.push_back([](Job& j) { j.options.local = sixstep::Local::own; });
  steps.push_back([](Job& j) { j.options.kinds.clear(), j.options.padded = false; });
  steps.push_back([](Job& j) { j.options.modes.clear(); });
  steps.push_back([](Job& j) { j.options.sphere.clear(), j.options.columns.clear(); });
  auto const each = static_cast<std::ptrdiff_t>(kinds_of(job).size()) + 1;
  for (std::ptrdiff_t i = 0; i + each <= static_cast<std::ptrdiff_t>(job.options.columns.size());
       i += each)
    steps.push_back([i, each](Job& j) {
      auto const begin = j.options.columns.begin() + i;
      j.options.columns.erase(begin, begin + each);
    });
  steps.push_back([](Job& j) { j.options.lengths.clear(), j.options.modes.clear(); });
  for (std::size_t i = 0; i < job.options.kinds.size(); ++i)
    steps.push_back([i](Job& j) { j.options.kinds[i] = Kind::c2c; });
  for (std::size_t i = 0; job.options.axes.size() > 1 && i < job.options.axes.size(); ++i)
    steps.push_back([i](Job& j) { erase_axis(j, i); });
  steps.push_back([](Job& j) {
    if (j.options.kinds.size() <= 1 && j.options.lengths.empty() && j.options.modes.empty())
      j.options.axes.clear();
  });
  steps.push_back([](Job& j) { j.single = false; });
}

std::vector<Step> steps_of(Job const& job) {
  std::vector<Step> steps;
  add_executions(steps, job);
  add_shapes(steps, job);
  add_solver(steps, job);
  add_layouts(steps);
  add_options(steps, job);
  return steps;
}

}  // namespace

std::vector<Problem> simpler(Problem const& problem) {
  std::vector<Problem> found;
  std::string const line = print(problem);
  auto const add = [&](auto const& step) {
    Problem other = problem;
    step(other);
    if (print(other) != line) found.push_back(other);
  };
  for (std::size_t team = 0; team < problem.size(); ++team) {
    if (problem.size() > 1) add([&](Problem& p) { erase(p, team); });
    std::vector<Job> const& jobs = problem[team].jobs;
    for (std::size_t i = 0; jobs.size() > 1 && i < jobs.size(); ++i)
      add([&](Problem& p) { erase(p[team].jobs, i); });
  }
  for (std::size_t team = 0; team < problem.size(); ++team) {
    for (std::size_t i = 0; problem[team].ranks.size() > 1 && i < problem[team].ranks.size(); ++i)
      add([&](Problem& p) { erase(p[team].ranks, i); });
    add([&](Problem& p) { std::sort(p[team].ranks.begin(), p[team].ranks.end()); });
    for (std::size_t i = 0; i < problem[team].jobs.size(); ++i)
      for (Step const& step : steps_of(problem[team].jobs[i]))
        add([&](Problem& p) { step(p[team].jobs[i]); });
  }
  return found;
}

}  // namespace soak

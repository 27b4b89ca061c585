// SPDX-License-Identifier: BSD-3-Clause
// What is chosen, and how often.
#include "random_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "choices.hpp"
#include "kept_waves.hpp"
#include "mistakes.hpp"
#include "random_solver.hpp"

namespace soak {

using cases::Random;

namespace {

Whose random_whose(Random& random) {
  return static_cast<Whose>(one_of(random, std::vector<int>{0, 0, 0, 1, 1, 1, 2, 3, 4}));
}

void choose_executions(Random& random, Job& job) {
  int const count = one_of(random, std::vector<int>{1, 1, 2, 2, 3, 5});
  bool const alike = random.once_in(2);  // arrays, from execution to execution
  Whose const input = random_whose(random), output = random_whose(random);
  for (int i = 0; i < count; ++i)
    job.executions.push_back(
        {.direction = random.once_in(2) ? Direction::forward : Direction::backward,
         .in_place = random.once_in(3),
         .input = alike ? input : random_whose(random),
         .output = alike ? output : random_whose(random),
         .scale = static_cast<Scale>(random.between(0, 2))});
  for (Execution& one : job.executions)
    if (one.in_place) one.input = one.output;
}

/// What most callers ask for: a volume in slabs, pencils or bricks, of reals or complex numbers.
void choose_usual(Random& random, Job& job) {
  for (int axis = 0; axis < 3; ++axis) job.shape.push_back(random.between(2, 16));
  job.options.axes = {0, 1, 2};
  random.shuffle(job.options.axes);
  if (!random.once_in(3)) job.options.kinds = {Kind::r2c};
  job.input.form = static_cast<Sharing::Form>(random.between(0, 3));
  if (job.input.form == Sharing::Form::grid) job.input.form = Sharing::Form::pencil;
  job.input.axis = random.between(0, 2);
  if (random.once_in(3)) job.input.order = cases::random_order(random, 3);
  choose_lengths(random, job);
  choose_modes(random, job);
  if (random.between(0, 2) > 0) job.output = job.input;
}

/// A long axis that all ranks share, in blocks or cyclic.
void choose_line(Random& random, Job& job, int ranks) {
  job.shape = {long_extent(random, ranks, random.once_in(20) ? 20000 : 3000)};
  if (random.once_in(4)) job.options.kinds = {Kind::r2c};
  Sharing cyclic{.form = Sharing::Form::grid, .grid = {ranks}};
  cyclic.distribution = {Distribution::cyclic};
  Sharing const blocks;
  job.input = random.once_in(3) ? cyclic : blocks;
  if (random.between(0, 2) > 0) job.output = random.once_in(4) ? cyclic : blocks;
}

/// Axes in any order with gaps between them, the two fastest perhaps interlaced: at distances that
/// have no common divisor, one of them as long as the other axis.
Shape random_strides(Random& random, Shape const& shape) {
  Shape strides(shape.size(), 0);
  Index stride = random.once_in(2) ? 1 : random.between(1, 3);
  Order const order = cases::random_order(random, shape.size());
  int first = 0;
  if (order.size() > 1 && random.once_in(3)) {
    int const a = order[0], b = order[1];
    strides[a] = shape[b] + random.between(0, 3);
    do strides[b] = random.between(Index{1}, 2 * strides[a]);
    while (std::gcd(strides[a], strides[b]) != 1);
    stride = (shape[a] - 1) * strides[a] + (shape[b] - 1) * strides[b] + 1;
    first = 2;
  }
  for (int i = first; i < order.size(); ++i) {
    int const axis = order[i];
    strides[axis] = stride;
    stride = stride * shape[axis] + (random.once_in(2) ? 0 : random.between(0, 9));
  }
  return strides;
}

/// All of it on each rank.
void choose_serial(Random& random, Job& job, Machine const& machine) {
  job.serial = true;
  job.shape = random_shape(random, 1);
  job.options.axes = cases::random_axes(random, job.shape.size());
  choose_kinds(random, job);
  job.input.order = cases::random_order(random, job.shape.size());
  if (int const real = real_axis(job); real >= 0 && job.input.order.back() == real)
    job.options.padded = random.once_in(2);
  if (!job.options.padded && random.once_in(2))
    job.input_strides = random_strides(random, job.shape);
  if (random.once_in(2)) job.output_strides = random_strides(random, result_shape(job));
  job.options.preserve_input = !random.once_in(3);
  job.options.threads = random.between(0, 3);
  if (!machine.locals.empty() && random.once_in(30))
    job.options.local = one_of(random, machine.locals);
  if (!machine.isas.empty() && random.once_in(4)) job.isa = one_of(random, machine.isas);
}

/// Messages within a tolerance, where a plan takes one. A single axis may be transformed by a
/// convolution, which refuses it.
void choose_wire(Random& random, Job& job) {
  Options const& options = job.options;
  Index longest = 1;
  for (Index extent : job.shape) longest = std::max(longest, extent);
  bool const may_shorten = job.make == Make::plan && options.device == sixstep::Device::none &&
                           options.lengths.empty() && options.modes.empty() && !keeps_waves(job) &&
                           volume(job.shape) > longest;
  if (may_shorten && random.once_in(3))
    job.options.wire.tolerance = std::pow(10.0, -random.between(2, job.single ? 6 : 13));
}

/// Reproducible results, where a plan gives them.
void choose_bits(Random& random, Job& job) {
  Options const& options = job.options;
  bool const may_be_asked = job.make == Make::plan && !keeps_waves(job) &&
                            options.device == sixstep::Device::none &&
                            options.local == sixstep::Local::own && options.wire.tolerance == 0;
  if (may_be_asked && random.once_in(5))
    job.options.reproducible =
        one_of(random, std::vector{sixstep::Bits::machine, sixstep::Bits::everywhere});
}

/// Checked results, where a plan checks them.
void choose_verify(Random& random, Job& job) {
  bool const may_be_asked =
      job.make == Make::plan && !keeps_waves(job) && job.options.device == sixstep::Device::none;
  if (!may_be_asked || !random.once_in(3)) return;
  job.options.verify = random.once_in(2) ? sixstep::Verify::all : sixstep::Verify::result;
}

Job random_job(Random& random, int ranks, Machine const& machine) {
  Job job;
  job.single = random.once_in(3);
  if (random.once_in(6)) {
    choose_serial(random, job, machine);
    choose_bits(random, job);
    choose_executions(random, job);
    for (Execution& one : job.executions) one.input = one.output = Whose::own;
    return job;
  }
  bool const is_solver = random.once_in(3);
  if (is_solver) {
    choose_solver(random, job, ranks);
  } else if (random.once_in(5)) {
    choose_usual(random, job);
  } else if (random.once_in(25)) {
    choose_line(random, job, ranks);
  } else {
    job.shape = random_shape(random, ranks);
    job.options.axes = cases::random_axes(random, job.shape.size());
    choose_kinds(random, job);
    choose_lengths(random, job);
    choose_modes(random, job);
    choose_waves(random, job);
    choose_layouts(random, job, ranks);
  }
  choose_options(random, job, machine);
  choose_executions(random, job);
  if (is_solver) complete_solver(random, job, ranks);
  if (keeps_waves(job)) job.options.device = sixstep::Device::none;
  job.node_ranks = one_of(random, std::vector<int>{0, 0, 0, 1, 2, 2, 3});
  choose_wire(random, job);
  choose_bits(random, job);
  choose_verify(random, job);
  job.late = random.once_in(10) ? random.between(1, 2) : 0;
  job.moved = random.once_in(20);
  job.early = random.once_in(4);
  job.outlive = random.once_in(6);
  if (random.once_in(16)) {
    job.odd_rank = random.between(0, ranks - 1);
    job.odd_word = sixstep::text("threads=", random.between(1, 3));
  }
  if (random.once_in(25)) make_mistake(random, job, ranks);
  return job;
}

// Teams.

/// All ranks in their order or another, or several teams and perhaps a few who look on.
Problem random_teams(Random& random, int ranks) {
  std::vector<int> all;
  for (int rank = 0; rank < ranks; ++rank) all.push_back(rank);
  if (ranks == 1 || random.between(0, 9) < 6) return {Team{all, {}}};
  random.shuffle(all);
  int const teams = std::min(ranks, one_of(random, std::vector<int>{1, 1, 2, 2, 3}));
  Problem problem(static_cast<std::size_t>(teams));
  bool const is_full = random.once_in(2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    int const team =
        i < problem.size() ? static_cast<int>(i) : random.between(is_full ? 0 : -1, teams - 1);
    if (team >= 0) problem[static_cast<std::size_t>(team)].ranks.push_back(all[i]);
  }
  return problem;
}

}  // namespace

Problem random_problem(Random& random, int ranks, Machine const& machine) {
  Problem problem = random_teams(random, ranks);
  for (Team& team : problem) {
    int const jobs = one_of(random, std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1, 2, 3});
    for (int i = 0; i < jobs; ++i)
      team.jobs.push_back(random_job(random, static_cast<int>(team.ranks.size()), machine));
  }
  return problem;
}

}  // namespace soak

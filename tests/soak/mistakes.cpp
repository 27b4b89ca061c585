// SPDX-License-Identifier: BSD-3-Clause
// Mistakes: in shapes, axes, kinds, layouts and options, on all ranks or on one.
#include "mistakes.hpp"

#include <algorithm>

#include "words.hpp"

namespace soak {

using cases::Random;
using sixstep::text;

namespace {

void mistake_axes(Random& random, Job& job) {
  int const axes = job.shape.size();
  job.options.kinds.clear();
  job.options.padded = false;
  job.options.axes = {random.between(0, axes - 1)};
  job.options.axes.push_back(random.once_in(3)   ? job.options.axes[0]
                             : random.once_in(2) ? axes
                                                 : -random.between(1, 9));
}

void mistake_kinds(Random& random, Job& job) {
  int const axes = job.shape.size();
  job.options.padded = false;
  job.options.axes.clear();
  switch (random.between(0, 3)) {
    case 0:  // two r2c
      if (axes >= 2) {
        job.options.kinds.assign(static_cast<std::size_t>(axes), Kind::r2c);
        break;
      }
      [[fallthrough]];
    case 1:  // too many
      job.options.kinds.assign(static_cast<std::size_t>(axes) + 1, Kind::c2c);
      break;
    case 2:  // none that there is
      job.options.kinds.assign(static_cast<std::size_t>(axes),
                               static_cast<Kind>(random.between(10, 99)));
      break;
    default:  // no r2c axis
      job.options.kinds.clear();
      job.options.padded = true;
  }
}

void mistake_modes(Random& random, Job& job) {
  job.options.modes.clear();
  for (AxisKind const& one : kinds_of(job)) job.options.modes.push_back(one.points);
  if (random.once_in(3)) {
    job.options.modes.push_back(1);
    return;
  }
  Index& one = job.options.modes[static_cast<std::size_t>(
      random.between(0, static_cast<int>(job.options.modes.size()) - 1))];
  one = random.once_in(2) ? one + 1 : -random.between(Index{0}, Index{3});
}

void mistake_lengths(Random& random, Job& job) {
  job.options.lengths.clear();
  job.options.modes.clear();
  for (AxisKind const& one : kinds_of(job)) job.options.lengths.push_back(one.points);
  if (random.once_in(3)) {
    job.options.lengths.push_back(1);
    return;
  }
  job.options.lengths[static_cast<std::size_t>(
      random.between(0, static_cast<int>(job.options.lengths.size()) - 1))] -= 1;
}

void mistake_output(Random& random, Job& job) {
  job.output = Sharing{};
  job.output_shape = result_shape(job);
  if (random.once_in(3))
    job.output_shape.push_back(2);
  else
    ++job.output_shape[random.between(0, job.output_shape.size() - 1)];
}

void mistake_layout(Random& random, Job& job, int ranks) {
  job.options.padded = false;
  job.input = Sharing{.form = Sharing::Form::grid, .grid = Grid(job.shape.size(), 1)};
  job.input.grid[0] = ranks + (random.once_in(2) && ranks > 1 ? -1 : 1);
  if (!random.once_in(3)) return;
  job.input.grid[0] = ranks;
  job.input.order = Order(job.shape.size() + 1, 0);  // no permutation
}

void mistake_value(Random& random, Job& job) {
  switch (random.between(0, 4)) {
    case 0:
      job.options.threads = -random.between(1, 99);
      break;
    case 1:
      job.options.windows = random.once_in(2) ? -random.between(1, 99) : random.between(65, 999);
      break;
    case 2:
      job.options.driver = static_cast<sixstep::Driver>(random.between(5, 99));
      break;
    case 3:
      job.options.pipelines = -random.between(1, 99);
      break;
    default:
      job.options.exchange = static_cast<sixstep::Exchange>(random.between(10, 99));
  }
}

/// What one rank reads of a solver and the others do not. Returns whether there is such a word.
bool mistake_of_solver(Random& random, Job& job, int ranks) {
  Solver const& solver = job.solver;
  if (job.make == Make::open_poisson) return false;
  std::vector<std::string> words;
  if (job.make != Make::convolution) {
    if (!solver.product) words.emplace_back("results=7.7.7");  // a product has no rows
    if (!solver.has_sides) words.emplace_back("sides");
  } else {
    words = {"mode=77", "mode=99"};
    if (!solver.correlate) words.emplace_back("correlate");
  }
  if (job.make == Make::op && !solver.called) words.emplace_back("called");
  if (job.make == Make::map) words.insert(words.end(), {"batch=0", "results=0.0.0"});
  if (words.empty()) return false;
  job.odd_word =
      words[static_cast<std::size_t>(random.between(0, static_cast<int>(words.size()) - 1))];
  job.odd_rank = random.between(0, ranks - 1);
  return true;
}

/// What one rank reads and the others do not.
void mistake_on_one_rank(Random& random, Job& job, int ranks) {
  if (job.make != Make::plan && ranks > 1 && random.once_in(2) &&
      mistake_of_solver(random, job, ranks))
    return;
  bool const has_low_memory = job.options.low_memory, has_regrid = job.options.regrid;
  std::vector<std::string> words{"threads=-1", "exchange=9", "local=77",
                                 job.single ? "double" : "float", text("axes=", job.shape.size())};
  if (ranks > 1 && !has_low_memory) words.emplace_back("low_memory");
  if (ranks > 1 && !has_regrid) words.emplace_back("regrid");
  job.odd_word =
      words[static_cast<std::size_t>(random.between(0, static_cast<int>(words.size()) - 1))];
  job.odd_rank = random.between(0, ranks - 1);
  if (ranks == 1 && (job.odd_word == "double" || job.odd_word == "float")) job.odd_word = words[0];
}

}  // namespace

void make_mistake(Random& random, Job& job, int ranks) {
  job.refused = true;
  job.odd_rank = -1;
  job.odd_word.clear();
  switch (random.between(0, 8)) {
    case 0:
      return mistake_axes(random, job);
    case 1:
      if (job.make == Make::open_poisson) return mistake_value(random, job);
      return mistake_kinds(random, job);
    case 2:
      if (job.make != Make::plan) return mistake_on_one_rank(random, job, ranks);
      return mistake_output(random, job);
    case 3:
      return mistake_layout(random, job, ranks);
    case 4:
      return mistake_value(random, job);
    case 5:
      return mistake_modes(random, job);
    case 6:
      return mistake_lengths(random, job);
    case 7:
      job.input = Sharing{};
      job.output.reset();
      job.options = {};
      job.shape[random.between(0, job.shape.size() - 1)] = 0;
      return;
    default:
      return mistake_on_one_rank(random, job, ranks);
  }
}

}  // namespace soak

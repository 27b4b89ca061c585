// SPDX-License-Identifier: BSD-3-Clause
// Compositions: lists them, and finds the cheapest.
#include "formulas/composition.hpp"

#include <algorithm>
#include <optional>

#include "base/match.hpp"
#include "formulas/bluestein.hpp"
#include "formulas/half_complex.hpp"
#include "formulas/in_place.hpp"
#include "formulas/reals_in_two_levels.hpp"
#include "formulas/sphere.hpp"
#include "formulas/zero_imaginary.hpp"
#include "local/numbers/reproducible.hpp"
#include "program/compile.hpp"
#include "schedule/line.hpp"
#include "schedule/output_rules.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

// This limit keeps the bytes of several such arrays within 64 bits.
constexpr Index most_points = Index{1} << 57;

Composition of_schedule(schedule::Schedule const& schedule) {
  Composition made{
      .input = schedule.input, .output = schedule.output, .points = schedule.transformed_points()};
  made.schedules = {schedule};
  made.forward = {{Run{0}, given, result, true}};
  made.backward = {{Run{0, true}, given, result, true}};
  return made;
}

/// The problem as one of a single axis: c2c or r2c along an axis that is alone and keeps all of its
/// modes; empty for any other problem.
std::optional<schedule::Problem> as_line(schedule::Problem const& problem) {
  Shape const& shape = problem.input.shape();
  auto const longest = std::max_element(shape.begin(), shape.end());
  int const axis = static_cast<int>(longest - shape.begin());
  if (volume(shape) != *longest || problem.padded) return std::nullopt;
  if (problem.input.has_ghosts() || problem.output->has_ghosts()) return std::nullopt;
  std::optional<Kind> kind;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    if (!is_whole(problem, i)) return std::nullopt;
    if (problem.axes[i] == axis)
      kind = problem.kinds[i];
    else if (problem.kinds[i] != Kind::c2c)
      return std::nullopt;
  }
  if (kind != Kind::c2c && kind != Kind::r2c) return std::nullopt;
  std::optional<Layout> const input = schedule::line_of(problem.input, axis);
  std::optional<Layout> const output = schedule::line_of(*problem.output, axis);
  if (!input || !output) return std::nullopt;
  return schedule::Problem{.input = *input,
                           .output = output,
                           .axes = {0},
                           .kinds = {*kind},
                           .real_bytes = problem.real_bytes};
}

/// The layout of the result where the caller does not choose one: the input's if it is even enough,
/// else even blocks along the longest axis.
Layout default_output(schedule::Problem const& problem) {
  Shape const shape = schedule::output_shape(problem);
  Layout const& input = problem.input;
  if (shape == input.shape() &&
      input.largest_local_size() <= schedule::output_rules(problem).most_points)
    return input;
  auto const longest = std::max_element(shape.begin(), shape.end());
  int const axis = static_cast<int>(longest - shape.begin());
  return Layout::slab(shape, input.ranks(), axis).with_order(input.order());
}

Composition composed(schedule::Problem const& line, schedule::Choices const& choices) {
  if (line.kinds[0] == Kind::c2c) return bluestein(line, choices);
  return line.input.shape()[0] % 2 == 0 ? half_complex(line, choices)
                                        : zero_imaginary(line, choices);
}

/// A composition for the only axis of `closed`, with the ends that the caller sees.
Composition finished(Composition made, schedule::Problem const& closed, std::string why) {
  schedule::Numbers const numbers = schedule::numbers_of(closed.kinds);
  made.input = layout::place(closed.input, numbers.input);
  made.output = layout::place(*closed.output, numbers.output);
  made.why = std::move(why);
  return made;
}

/// The problem in little more than the memory of its array, if it is one long axis.
std::optional<Composition> of_little_memory(schedule::Problem const& closed,
                                            schedule::Choices const& choices) {
  std::optional<schedule::Problem> const line = as_line(closed);
  if (!line || line->kinds[0] != Kind::c2c) return std::nullopt;
  std::optional<Composition> made = in_place(*line, choices);
  if (!made) return std::nullopt;
  return finished(std::move(*made), closed, "low memory for a single axis");
}

Task moved(Task task, std::size_t schedules, std::size_t formulas, Slot slots,
           Composition::Route const& route, bool is_setup) {
  auto const place = [&](Slot slot) {
    return slot == given ? route.source : slot == result ? route.target : slot + slots - first_work;
  };
  std::visit(match{[&](Run& run) {
                     run.schedule += schedules;
                     if (run.times) run.times->formula += formulas;
                     for (std::size_t& formula : run.operations) formula += formulas;
                   },
                   [&](Apply& apply) {
                     apply.formula += formulas;
                     apply.other = place(apply.other);
                   },
                   [](Turn&) {}},
             task.what);
  task.source = place(task.source);
  task.target = place(task.target);
  if (!is_setup && task.scaled) task.factor *= route.factor;
  return task;
}

bool reads_input(Task const& task) {
  auto const* const apply = std::get_if<Apply>(&task.what);
  return task.source == given || (apply && apply->other == given);
}

Composition cheapest(schedule::Problem const& problem, schedule::Choices const& choices) {
  schedule::Problem closed = schedule::settled(problem);
  Shape const& shape = closed.input.shape();
  require(
      volume(shape) <= most_points, "input: at most 2^57 points can be transformed, ",
      [&] { return to_string(shape); }, " are ", volume(shape));
  Composition const direct = of_schedule(schedule::schedule(problem, choices));
  if (closed.moves || local::is_reproducible(choices.tuning)) return direct;
  if (choices.low_memory && closed.output)
    if (std::optional<Composition> made = of_little_memory(closed, choices)) return *made;
  Index const ranks = closed.input.ranks();
  Index const even_share = (volume(shape) + ranks - 1) / ranks;
  if (even_share < choices.tuning.fewest_points_a_rank ||
      2 * direct.schedules[0].fullest <= 3 * even_share)
    return direct;
  if (!closed.output) closed.output = default_output(closed);
  std::optional<schedule::Problem> const line = as_line(closed);
  if (!line) return direct;
  Composition made = composed(*line, choices);
  if (made.seconds(choices.rates) > choices.tuning.worth_composing * direct.seconds(choices.rates))
    return direct;
  return finished(std::move(made), closed, "a single axis, which ranks cannot share as it is");
}

}  // namespace

void Composition::add(Composition const& inner, Route const& there, Route const& back) {
  auto const append = [&](std::vector<Task>& tasks, std::vector<Task> const& more,
                          Route const& route, bool is_setup) {
    for (Task const& task : more)
      tasks.push_back(moved(task, schedules.size(), formulas.size(), slots(), route, is_setup));
  };
  append(setup, inner.setup, there, true);
  append(forward, inner.forward, there, false);
  append(backward, inner.backward, back, false);
  schedules.insert(schedules.end(), inner.schedules.begin(), inner.schedules.end());
  formulas.insert(formulas.end(), inner.formulas.begin(), inner.formulas.end());
  work.insert(work.end(), inner.work.begin(), inner.work.end());
}

program::Meets Composition::meets(std::size_t schedule) const {
  program::Meets meets{.allocated = true, .overwrites = true};
  for (std::vector<Task> const* tasks : {&setup, &forward, &backward})
    for (auto task = tasks->begin(); task != tasks->end(); ++task) {
      auto const* const run = std::get_if<Run>(&task->what);
      if (!run || run->schedule != schedule) continue;
      (run->backward ? meets.backward : meets.forward) = true;
      // The user may give one array for both.
      bool const of_user = task->source < first_work && task->target < first_work;
      bool const is_one_array = task->source == task->target;
      meets.in_place = meets.in_place || is_one_array || of_user;
      meets.two = meets.two || !is_one_array;
      meets.allocated = meets.allocated && task->source == given && task->target == result;
      bool const is_read_later = std::any_of(task + 1, tasks->end(), reads_input);
      meets.overwrites =
          meets.overwrites && (is_one_array || (task->source == given && !is_read_later));
    }
  return meets;
}

program::Arrays Composition::arrays_of(Task const& task, program::Arrays const& users) const {
  program::Meets const met = meets(std::get<Run>(task.what).schedule);
  return {.in_place = task.source == task.target,
          .in_segments = users.in_segments && met.allocated,
          .preserve_input = users.preserve_input || !met.overwrites};
}

Compiled Composition::compiled(Task const& task, int rank,
                               std::vector<program::Limits> const& limits,
                               program::Arrays const& users) const {
  Run const& run = std::get<Run>(task.what);
  schedule::Schedule const& there = schedules[run.schedule];
  schedule::Schedule const schedule = run.backward ? schedule::reverse(there) : there;
  program::Limits const usual;
  program::Limits const& its = run.schedule < limits.size() ? limits[run.schedule] : usual;
  return {schedule, program::compile(schedule, rank, run.backward ? its.reversed() : its,
                                     arrays_of(task, users))};
}

std::optional<std::size_t> Composition::direct() const {
  for (std::size_t i = 0; i < schedules.size(); ++i)
    if (meets(i).allocated) return i;
  return std::nullopt;
}

int Composition::exchanges() const {
  int sum = 0;
  for (Task const& task : forward)
    sum += std::visit(match{[&](Run const& run) { return schedules[run.schedule].exchanges(); },
                            [](Apply const&) { return 0; },
                            [](Turn const& turn) { return turn.square.ranks > 1 ? 1 : 0; }},
                      task.what);
  return sum;
}

double Composition::seconds(schedule::RoughRates const& rates) const {
  double const bytes = static_cast<double>(input.layout.largest_local_size()) *
                       static_cast<double>(schedules[0].bytes_of(layout::Number::complex));
  double sum = 0;
  for (Task const& task : forward)
    sum += std::visit(match{[&](Run const& run) { return schedules[run.schedule].seconds; },
                            [&](Apply const&) { return 3 * bytes / rates.memory_Bps; },
                            [&](Turn const& turn) {
                              double const moved = 2 * bytes / rates.memory_Bps;
                              if (turn.square.ranks == 1) return moved;
                              return 2 * moved + bytes / rates.bandwidth_Bps +
                                     turn.square.ranks * rates.latency_s;
                            }},
                      task.what);
  return sum;
}

Composition compose(schedule::Problem const& problem, schedule::Choices const& choices) {
  if (is_packed(schedule::checked(problem))) return compose_sphere(problem, choices);
  Composition made = cheapest(problem, choices);
  made.waves = schedule::Waves(schedule::settled(problem), made.input, made.output);
  return made;
}

Composition compose_serial(schedule::Problem const& problem, int threads,
                           schedule::Choices const& choices) {
  bool const strided = !problem.input_strides.empty() || !problem.output_strides.empty();
  schedule::Problem const closed = settled(problem);
  std::optional<schedule::Problem> const line = strided ? std::nullopt : as_line(closed);
  Index const least =
      threads > 1 ? choices.tuning.least_shared_reals : choices.tuning.least_two_level_reals;
  bool const has_two_levels = line && !local::is_reproducible(choices.tuning) &&
                              line->kinds[0] == Kind::r2c && line->input.shape()[0] % 2 == 0 &&
                              line->input.shape()[0] >= least;
  if (!has_two_levels) return compose(problem, choices);
  return finished(reals_in_two_levels(*line, choices), closed,
                  "a long column of reals, which threads share in two levels");
}

std::string name(Turn const& turn) {
  return text(turn.square.ranks > 1 ? "exchange: " : "", "transposition in place in blocks");
}

}  // namespace sixstep::formulas

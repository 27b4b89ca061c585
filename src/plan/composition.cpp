// SPDX-License-Identifier: BSD-3-Clause
// Compositions: which there are, and which is the cheapest.
#include "plan/composition.hpp"

#include <algorithm>
#include <optional>

#include "plan/bluestein.hpp"
#include "plan/half_complex.hpp"
#include "plan/in_place.hpp"
#include "plan/line.hpp"
#include "plan/match.hpp"
#include "plan/zero_imaginary.hpp"

namespace sixstep::plan {

namespace {

constexpr double worth_composing = 0.9;  // of the time of a schedule
constexpr Index fewest_points = 8;       // a rank
// Bytes of several such arrays are counted in 64 bits.
constexpr Index most_points = Index{1} << 57;

Composition of_schedule(Schedule const& schedule) {
  Composition made{schedule.input, schedule.output, schedule.input_number, schedule.output_number,
                   schedule.transformed_points()};
  made.schedules = {schedule};
  made.forward = {{Run{0}, given, result, true}};
  made.backward = {{Run{0, true}, given, result, true}};
  return made;
}

/// The same problem in one axis: c2c or r2c along one that is alone; none if it is another.
std::optional<Problem> as_line(Problem const& problem) {
  Shape const& shape = problem.input.shape();
  auto const longest = std::max_element(shape.begin(), shape.end());
  int const axis = static_cast<int>(longest - shape.begin());
  if (volume(shape) != *longest || problem.padded) return std::nullopt;
  std::optional<Kind> kind;
  for (std::size_t i = 0; i < problem.axes.size(); ++i) {
    if (problem.axes[i] == axis)
      kind = problem.kinds[i];
    else if (problem.kinds[i] != Kind::c2c)
      return std::nullopt;
  }
  if (kind != Kind::c2c && kind != Kind::r2c) return std::nullopt;
  std::optional<Layout> const input = line_of(problem.input, axis);
  std::optional<Layout> const output = line_of(*problem.output, axis);
  if (!input || !output) return std::nullopt;
  return Problem{*input, output, {0}, {*kind}, false, problem.real_bytes};
}

/// The layout of the result where the caller has no wish: as the input, or even blocks along the
/// r2c axis.
Layout default_output(Problem const& problem) {
  Shape const shape = output_shape(problem);
  if (shape == problem.input.shape()) return problem.input;
  auto const longest = std::max_element(shape.begin(), shape.end());
  return Layout::slab(shape, problem.input.ranks(), static_cast<int>(longest - shape.begin()));
}

Composition composed(Problem const& line, Choices const& choices) {
  if (line.kinds[0] == Kind::c2c) return bluestein(line, choices);
  return line.input.shape()[0] % 2 == 0 ? half_complex(line, choices)
                                        : zero_imaginary(line, choices);
}

/// The problem in little more than the memory of its array, if it is one long axis.
std::optional<Composition> of_little_memory(Problem const& closed, Choices const& choices) {
  std::optional<Problem> const line = as_line(closed);
  if (!line || line->kinds[0] != Kind::c2c) return std::nullopt;
  std::optional<Composition> made = in_place(*line, choices);
  if (!made) return std::nullopt;
  made->input = exchange::place(closed.input);
  made->output = exchange::place(*closed.output);
  return made;
}

Task moved(Task task, std::size_t schedules, std::size_t formulas, Slot slots,
           Composition::Ends const& ends, bool is_setup) {
  auto const place = [&](Slot slot) {
    return slot == given ? ends.source : slot == result ? ends.target : slot + slots - first_work;
  };
  std::visit(match{[&](Run& run) { run.schedule += schedules; },
                   [&](Apply& apply) {
                     apply.formula += formulas;
                     apply.other = place(apply.other);
                   },
                   [](Turn&) {}},
             task.what);
  task.source = place(task.source);
  task.target = place(task.target);
  if (!is_setup && task.scaled) task.factor *= ends.factor;
  return task;
}

}  // namespace

void Composition::add(Composition const& inner, Ends const& there, Ends const& back) {
  auto const append = [&](std::vector<Task>& tasks, std::vector<Task> const& more, Ends const& ends,
                          bool is_setup) {
    for (Task const& task : more)
      tasks.push_back(moved(task, schedules.size(), formulas.size(), slots(), ends, is_setup));
  };
  append(setup, inner.setup, there, true);
  append(forward, inner.forward, there, false);
  append(backward, inner.backward, back, false);
  schedules.insert(schedules.end(), inner.schedules.begin(), inner.schedules.end());
  formulas.insert(formulas.end(), inner.formulas.begin(), inner.formulas.end());
  work.insert(work.end(), inner.work.begin(), inner.work.end());
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

double Composition::seconds(Machine const& machine) const {
  double const bytes = static_cast<double>(input.layout.largest_local_size()) *
                       static_cast<double>(schedules[0].bytes_of(Number::complex));
  double sum = 0;
  for (Task const& task : forward)
    sum += std::visit(match{[&](Run const& run) { return schedules[run.schedule].seconds; },
                            [&](Apply const&) { return 3 * bytes / machine.memory_Bps; },
                            [&](Turn const& turn) {
                              double const moved = 2 * bytes / machine.memory_Bps;
                              if (turn.square.ranks == 1) return moved;
                              return 2 * moved + bytes / machine.bandwidth_Bps +
                                     turn.square.ranks * machine.latency_s;
                            }},
                      task.what);
  return sum;
}

Composition compose(Problem const& problem, Choices const& choices) {
  Problem closed = checked(problem);
  Shape const& shape = closed.input.shape();
  require(volume(shape) <= most_points, "input: at most 2^57 points can be transformed, ",
          to_string(shape), " are ", volume(shape));
  Composition const direct = of_schedule(schedule(problem, choices));
  if (choices.low_memory && closed.output)
    if (std::optional<Composition> made = of_little_memory(closed, choices)) return *made;
  Index const ranks = closed.input.ranks();
  Index const even_share = (volume(shape) + ranks - 1) / ranks;
  if (even_share < fewest_points || 2 * direct.schedules[0].fullest <= 3 * even_share)
    return direct;
  if (!closed.output) closed.output = default_output(closed);
  std::optional<Problem> const line = as_line(closed);
  if (!line) return direct;
  Composition made = composed(*line, choices);
  if (made.seconds(choices.machine) > worth_composing * direct.seconds(choices.machine))
    return direct;
  made.input = exchange::place(closed.input);
  made.output = exchange::place(*closed.output);
  return made;
}

std::string name(Formula const& formula) {
  return std::visit(
      match{
          [](Bluestein const& f) {
            return text("convolution of 2 x ", f.home.shape()[0], " points (Bluestein)");
          },
          [](HalfComplex const& f) { return text(f.n, " reals as ", f.n / 2, " complex numbers"); },
          [](ZeroImaginary const&) {
            return std::string("reals as complex numbers without imaginary parts");
          },
          [](InPlace const& f) {
            return text(f.square.item * f.square.side, " rows of ", f.square.side,
                        " points, in place");
          }},
      formula);
}

std::string name(Turn const& turn) {
  return text(turn.square.ranks > 1 ? "exchange: " : "", "transposition in place in blocks");
}

std::string name(Map map) {
  switch (map) {
    case Map::chirp:
    case Map::spread:
    case Map::collect:
      return "times chirp";
    case Map::keep:
    case Map::multiply:
      return "times transformed chirp";
    case Map::join:
      return "coefficients of reals";
    case Map::split:
      return "coefficients of complex numbers";
    case Map::widen:
      return "reals to complex numbers";
    case Map::fill:
      return "half of the coefficients to all";
    case Map::copy:
      return "copy, unless in place";
    case Map::rows:
      return "twiddle, rows";
    default:
      return "complex numbers to reals";
  }
}

}  // namespace sixstep::plan

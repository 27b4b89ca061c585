// SPDX-License-Identifier: BSD-3-Clause
// Composes maps. Coefficients lie as in the output of a plan, points as in its input.
#include "formulas/maps.hpp"

#include <memory>
#include <string>
#include <utility>

#include "formulas/sphere.hpp"
#include "layout/fields.hpp"
#include "local/numbers/reproducible.hpp"

namespace sixstep::formulas {

namespace {

/// The links of a map and the formulas of its operations, as far as they have been added.
class Steps {
 public:
  Steps(schedule::Schedule const& forward, MapNeeds const& needs, int fields)
      : needs_(needs), fields_(fields) {
    if (needs.fields_axis >= 0) working_ = forward.input.view.digits[needs.fields_axis][0];
  }

  void add(schedule::Half half) { links.emplace_back(std::move(half)); }
  void add(MapNeeds::Step const& step, layout::Placement const& points,
           std::optional<Spectrum> spectrum) {
    std::string const what = spectrum ? "function of k" : "function";
    links.emplace_back(schedule::AtPoints{.what = what,
                                          .axis = working_,
                                          .mixes = working_ >= 0,
                                          .before = fields_,
                                          .after = step.results});
    formulas.push_back(std::make_shared<CallsFunction>(
        step.function,
        Told{points, points.layout.axes() - (working_ >= 0 ? 1 : 0), fields_, step.results,
             needs_.batch, std::move(spectrum)},
        what));
    fields_ = step.results;
  }

  /// The placement of the array at this point, if that of other fields is `there`.
  layout::Placement here(layout::Placement const& there) const {
    return working_ < 0 || there.view.shape[working_] == fields_
               ? there
               : there.with_extent(working_, fields_);
  }
  /// The number of the last operation; empty if there is none.
  std::optional<int> last() const {
    return formulas.empty() ? std::nullopt : std::optional(static_cast<int>(formulas.size()) - 1);
  }

  std::vector<schedule::Link> links;
  std::vector<std::shared_ptr<Formula const>> formulas;
  std::vector<Checkable> checkable;

 private:
  MapNeeds const& needs_;
  int fields_;  // at this point
  int working_ = -1;
};

/// The fields of the input.
int fields_of(schedule::Problem const& problem, MapNeeds const& needs) {
  return needs.fields_axis < 0 ? 1 : static_cast<int>(problem.input.shape()[needs.fields_axis]);
}

/// The layout of several fields of results.
Layout results_layout(schedule::Problem const& problem, MapNeeds const& needs, int fields) {
  if (needs.fields_axis < 0) return *needs.results;
  bool const interleaved = problem.input.order()[needs.fields_axis] == needs.fields_axis;
  return with_fields(*needs.results, fields, interleaved ? Storage::interleaved : Storage::blocks);
}

/// The schedules from points to the coefficients of the input, and to those of the result.
struct Ways {
  schedule::Schedule to_input;
  schedule::Schedule to_result;
};

Ways ways_of(schedule::Problem const& problem, schedule::Choices const& choices,
             MapNeeds const& needs, std::shared_ptr<schedule::Columns const> const& columns) {
  schedule::Problem inner = problem;
  if (needs.fields_axis >= 0) inner.never_split = needs.fields_axis;
  if (columns) {
    schedule::Schedule const forward =
        schedule_of_columns(schedule::checked(inner), columns, choices);
    return {forward, forward};
  }
  // Both must have the same working axes. Whether they can have the user's depends on layouts.
  if (needs.results && !local::is_reproducible(choices.tuning)) {
    schedule::Problem other = inner;
    other.output = results_layout(problem, needs, fields_of(problem, needs));
    auto const to_input = schedule::plain_schedule(inner, choices);
    auto const to_result = schedule::plain_schedule(other, choices);
    if (to_input && to_result) return {*to_input, *to_result};
  }
  schedule::Schedule forward = schedule::schedule(inner, choices);
  if (forward.output.layout.axes() > problem.input.axes()) {
    inner.lies = Output::natural_axes;  // another plan could not be given this output
    forward = schedule::schedule(inner, choices);
  }
  return {forward, forward};
}

/// The operations of a map, between its transforms.
Steps steps_of(schedule::Problem const& problem, Ways const& ways, MapNeeds const& needs) {
  int const axes = problem.input.axes() - (needs.fields_axis >= 0 ? 1 : 0);
  auto const spectrum = [&](schedule::Schedule const& way) {
    return Spectrum({schedule::checked(problem), way.input, way.output}, way.output, axes,
                    needs.sides);
  };
  Steps steps(ways.to_input, needs, fields_of(problem, needs));
  if (needs.before) steps.add(*needs.before, ways.to_input.output, spectrum(ways.to_input));
  schedule::Problem const checked = schedule::checked(problem);
  steps.checkable.push_back({.problem = checked,
                             .points = steps.here(ways.to_input.input),
                             .coefficients = steps.here(ways.to_input.output),
                             .to_points = true,
                             .undoes = true,
                             .behind = steps.last()});
  steps.add({schedule::reverse(ways.to_input), true});
  steps.add(needs.at_points, ways.to_input.input, {});
  steps.checkable.back().before = steps.last();
  steps.checkable.push_back({.problem = checked,
                             .points = steps.here(ways.to_result.input),
                             .coefficients = steps.here(ways.to_result.output),
                             .behind = steps.last()});
  steps.add({ways.to_result});
  if (needs.after) {
    steps.add(*needs.after, ways.to_result.output, spectrum(ways.to_result));
    steps.checkable.back().before = steps.last();
  }
  for (Checkable& each : steps.checkable) each.problem.input = each.points.layout;
  return steps;
}

}  // namespace

/// Moves the result to this layout, if it is not there.
void move_result(Composition& made, Layout const& results, schedule::Choices const& choices,
                 int real_bytes) {
  layout::Placement const there = made.output;
  if (there.layout == results) return;
  Slot const between = made.add_work(there.layout);
  schedule::Problem const moves{
      .input = there.layout, .output = results, .real_bytes = real_bytes, .moves = there.number};
  std::size_t const moved = made.add(schedule::schedule(moves, choices));
  made.output = made.schedules[moved].output;
  made.forward[0].target = between;
  made.forward.push_back({Run{.schedule = moved}, between, result});
}

Composition compose_map(schedule::Problem const& problem, schedule::Choices const& choices,
                        MapNeeds const& needs) {
  std::shared_ptr<schedule::Columns const> const columns =
      schedule::columns_of(schedule::checked(problem));
  Ways const ways = ways_of(problem, choices, needs, columns);
  Steps const steps = steps_of(problem, ways, needs);
  Composition made;
  made.points = ways.to_input.transformed_points();
  made.has_fields = needs.fields_axis >= 0;
  made.schedules = {schedule::joined(steps.links)};
  made.input = made.schedules[0].input;
  made.output = made.schedules[0].output;
  made.formulas = steps.formulas;
  Run run{.schedule = 0};
  for (std::size_t i = 0; i < made.formulas.size(); ++i) run.operations.push_back(i);
  made.forward = {{run, given, result, true}};
  if (columns) pack_ends(made, problem, columns);
  if (needs.results)
    move_result(
        made,
        results_layout(problem, needs, (needs.after ? *needs.after : needs.at_points).results),
        choices, problem.real_bytes);
  made.checkable = steps.checkable;
  // The caller's arrays may have rows with gaps, or another layout.
  if (!made.checkable.front().behind) made.checkable.front().coefficients = made.input;
  if (!made.checkable.back().before) made.checkable.back().coefficients = made.output;
  return made;
}

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Composes maps. Coefficients lie as in the output of a plan, points as in its input.
#include "formulas/maps.hpp"

#include <string>
#include <utility>

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

  std::vector<schedule::Link> links;
  std::vector<std::shared_ptr<Formula const>> formulas;

 private:
  MapNeeds const& needs_;
  int fields_;  // at this point
  int working_ = -1;
};

}  // namespace

Composition compose_map(schedule::Problem const& problem, schedule::Choices const& choices,
                        MapNeeds const& needs) {
  schedule::Problem inner = problem;
  if (needs.fields_axis >= 0) inner.never_split = needs.fields_axis;
  schedule::Schedule forward = schedule::schedule(inner, choices);
  if (forward.output.layout.axes() > problem.input.axes()) {
    inner.lies = Output::natural_axes;  // another plan could not be given this output
    forward = schedule::schedule(inner, choices);
  }
  int const fields =
      needs.fields_axis < 0 ? 1 : static_cast<int>(problem.input.shape()[needs.fields_axis]);
  int const axes = problem.input.axes() - (needs.fields_axis >= 0 ? 1 : 0);
  schedule::Waves const waves(schedule::settled(inner), forward.input, forward.output);
  Spectrum const spectrum(waves, forward.output, axes, needs.sides);
  Steps steps(forward, needs, fields);
  if (needs.before) steps.add(*needs.before, forward.output, spectrum);
  steps.add({schedule::reverse(forward), true});
  steps.add(needs.at_points, forward.input, {});
  steps.add({forward});
  if (needs.after) steps.add(*needs.after, forward.output, spectrum);
  Composition made;
  made.points = forward.transformed_points();
  made.has_fields = needs.fields_axis >= 0;
  made.schedules = {schedule::joined(steps.links)};
  made.input = made.schedules[0].input;
  made.output = made.schedules[0].output;
  made.formulas = steps.formulas;
  Run run{.schedule = 0};
  for (std::size_t i = 0; i < made.formulas.size(); ++i) run.operations.push_back(i);
  made.forward = {{run, given, result, true}};
  return made;
}

}  // namespace sixstep::formulas

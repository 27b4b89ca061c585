// SPDX-License-Identifier: BSD-3-Clause
// Composes operators. Where the coefficients lie is nobody's concern, so the search is free to
// leave them wherever the way there and back is shortest.
#include "formulas/operators.hpp"

#include "formulas/times_symbol.hpp"

namespace sixstep::formulas {

Composition compose_operator(schedule::Problem const& problem, schedule::Choices const& choices,
                             OperatorNeeds const& needs) {
  schedule::Problem inner = problem;
  inner.output.reset();
  inner.lies = Output::cheapest;
  inner.is_inner = true;
  bool const mixes = needs.fields_axis >= 0 && needs.symbol.is_matrix();
  if (mixes) inner.never_split = needs.fields_axis;
  schedule::Schedule const forward = schedule::schedule(inner, choices);
  schedule::AtPoints operation{.what = "times symbol"};
  if (needs.fields_axis >= 0) {
    operation.axis = forward.input.view.digits[needs.fields_axis][0];
    operation.mixes = mixes;
    operation.before = problem.input.shape()[needs.fields_axis];
    operation.after = mixes ? needs.symbol.results() : operation.before;
  }
  Composition made;
  made.points = forward.transformed_points();
  made.has_fields = needs.fields_axis >= 0;
  made.schedules = {
      schedule::joined(forward, {Direction::forward, operation, Direction::backward})};
  made.input = made.schedules[0].input;
  made.output = made.schedules[0].output;
  int const axes = problem.input.axes() - (needs.fields_axis >= 0 ? 1 : 0);
  schedule::Waves const waves(schedule::settled(inner), forward.input, forward.output);
  made.formulas = {std::make_shared<TimesSymbol>(Spectrum(waves, forward.output, axes, needs.sides),
                                                 needs.symbol, needs.kept)};
  made.forward = {{Run{.schedule = 0, .operations = {0}}, given, result, true}};
  return made;
}

}  // namespace sixstep::formulas

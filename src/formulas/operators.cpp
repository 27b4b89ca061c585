// SPDX-License-Identifier: BSD-3-Clause
// Composes operators. Where the coefficients lie is nobody's concern, so the search is free to
// leave them wherever the way there is shortest.
#include "formulas/operators.hpp"

#include <optional>
#include <utility>

#include "sixstep/error.hpp"

namespace sixstep::formulas {

OperatorProduct times_symbol(Symbol const& symbol, TimesSymbol::Way way) {
  // A product has a short table for each axis.
  bool const reads_table = way == TimesSymbol::Way::in_table ||
                           (way != TimesSymbol::Way::called && !symbol.is_product());
  return {.is_matrix = symbol.is_matrix(),
          .results = symbol.results(),
          .is_table = way == TimesSymbol::Way::in_table && !symbol.is_matrix(),
          .numbers = reads_table ? Index{symbol.results()} * symbol.fields() : 0,
          .are_real = symbol.is_real(),
          .formula = [symbol, way](Spectrum const& spectrum) {
            return std::make_shared<TimesSymbol>(spectrum, symbol, way);
          }};
}

namespace {

/// The schedules of an operator: to the coefficients, and from there to the result.
struct ThereAndBack {
  schedule::Schedule forward;
  schedule::Schedule backward;
};

schedule::Schedule in_users_axes(schedule::Problem const& problem,
                                 schedule::Choices const& choices) {
  std::optional<schedule::Schedule> made = schedule::plain_schedule(problem, choices);
  require_internal(made.has_value(), "an operator in other axes");
  return std::move(*made);
}

ThereAndBack there_and_back(schedule::Problem const& problem, schedule::Choices const& choices,
                            OperatorNeeds const& needs,
                            std::shared_ptr<schedule::Columns const> const& columns) {
  if (!needs.result) {
    schedule::Schedule const forward = columns ? schedule_of_columns(problem, columns, choices)
                                       : needs.product.in_users_axes
                                           ? in_users_axes(problem, choices)
                                           : schedule::schedule(problem, choices);
    return {forward, schedule::reverse(forward)};
  }
  schedule::Problem result = *needs.result;
  result.is_inner = true;
  result.splits = problem.splits;
  result.never_split = problem.never_split;
  result.kept_whole = problem.kept_whole;
  if (columns)
    return {schedule_of_columns(problem, columns, choices),
            schedule::reverse(schedule_of_columns(result, columns, choices))};
  // Both schedules must have the same working axes.
  schedule::Schedule const forward = in_users_axes(problem, choices);
  result.output = forward.output.layout;
  return {forward, schedule::reverse(in_users_axes(result, choices))};
}

}  // namespace

Composition compose_operator(schedule::Problem const& problem, schedule::Choices const& choices,
                             OperatorNeeds const& needs) {
  schedule::Problem inner = problem;
  inner.output.reset();
  inner.lies = Output::cheapest;
  inner.is_inner = true;
  inner.splits = true;
  OperatorProduct const& product = needs.product;
  bool const mixes = needs.fields_axis >= 0 && product.is_matrix;
  if (mixes) inner.never_split = needs.fields_axis;
  std::shared_ptr<schedule::Columns const> const columns =
      schedule::columns_of(schedule::checked(inner));
  ThereAndBack const ways =
      there_and_back(columns ? schedule::checked(inner) : inner, choices, needs, columns);
  schedule::Schedule const& forward = ways.forward;
  bool const are_real = product.are_real || forward.output.number == layout::Number::real;
  schedule::AtPoints operation{.what = product.name,
                               .table_reals = product.numbers * (are_real ? 1 : 2)};
  if (needs.fields_axis >= 0) {
    operation.axis = forward.input.view.digits[needs.fields_axis][0];
    operation.mixes = mixes;
    operation.before = problem.input.shape()[needs.fields_axis];
    operation.after = mixes ? product.results : operation.before;
  }
  Composition made;
  made.points = forward.transformed_points();
  made.has_fields = needs.fields_axis >= 0;
  made.schedules = {
      schedule::joined({schedule::Half{forward}, operation, schedule::Half{ways.backward, true}})};
  made.input = made.schedules[0].input;
  made.output = made.schedules[0].output;
  int const axes = problem.input.axes() - (needs.fields_axis >= 0 ? 1 : 0);
  schedule::Waves waves(schedule::settled(inner), forward.input, forward.output);
  if (columns) waves = waves.gathered(columns);
  made.formulas = {product.formula(Spectrum(waves, forward.output, axes, needs.sides))};
  made.forward = {{Run{.schedule = 0, .operations = {0}}, given, result, true}};
  schedule::Problem back =
      needs.result ? schedule::checked(*needs.result) : schedule::checked(inner);
  back.input = made.output.layout;
  back.splits = inner.splits;
  made.checkable = {{.problem = schedule::checked(inner),
                     .points = made.input,
                     .coefficients = forward.output,
                     .before = 0},
                    {.problem = std::move(back),
                     .points = made.output,
                     .coefficients = operation.from(forward.output),
                     .to_points = true,
                     .undoes = true,
                     .behind = 0}};
  return made;
}

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Operators: checks what they need beyond a plan, and makes their runners.
#include "api/operator_runner.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/alike.hpp"
#include "api/planning.hpp"
#include "layout/counting.hpp"
#include "layout/fields.hpp"
#include "layout/fingerprint.hpp"

namespace sixstep {

namespace {

/// Throws Error if an option is set that an operator does not have.
void check(OperatorWanted const& wanted) {
  OperatorOptions const& options = wanted.options;
  require(options.output == Output::cheapest,
          "output: an operator has none; its result lies as the input does");
  require(options.transform, "transform: an operator without a transform is not possible");
  require(options.twiddle < 0, "twiddle: an operator has none");
  require(options.device == Device::none || wanted.product.is_table,
          "device: an operator needs the host, unless its symbol is a kept number for each wave "
          "vector");
  require_sides(options.sides, wanted.input.axes());
}

/// Whether fields have an axis: one field that becomes several has one, too.
bool has_fields(OperatorWanted const& wanted) {
  return wanted.options.fields > 1 || wanted.product.results > 1;
}

/// The problems that lead to the coefficients, from the input and, if it has a layout of its own,
/// from the result.
struct Problems {
  schedule::Problem input;
  std::optional<schedule::Problem> result;
};

void check_result(schedule::Problem const& problem, schedule::Problem const& result) {
  int const axes = problem.input.axes();
  auto const name = [&](int axis) { return text(axis_name(axis, axes)); };
  std::size_t const wanted = result.axes.size();
  for (auto const& [what, count] :
       {std::pair("lengths", result.lengths.size()), std::pair("first", result.first.size())})
    require(count == wanted, "result: ", what, ": a number for each of the ", wanted,
            " axes is needed, ", count, " were given");
  for (int axis = 0; axis < axes; ++axis) {
    bool const is_fixed =
        std::find(result.axes.begin(), result.axes.end(), axis) == result.axes.end();
    Index const points = problem.input.shape()[axis], made = result.input.shape()[axis];
    require(!is_fixed || made == points, "result: axis ", name(axis), " is not transformed, so ",
            points, " points are needed, it has ", made);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    int const axis = result.axes[i];
    Index const points = result.input.shape()[axis], length = result.lengths[i];
    require(length >= points, "result: lengths: ", points, " or more are needed along axis ",
            name(axis), ", as its layout has so many points there; ", length, " was given");
    require(result.first[i] >= 0 && result.first[i] < length, "result: first: 0 to ", length - 1,
            " are possible along axis ", name(axis), ", ", result.first[i], " was given");
    require(problem.modes[i] <= length, "modes: at most ", length, " of axis ", name(axis),
            " can be kept, as the transform back has so many points; ", problem.modes[i],
            " were asked for");
  }
}

Problems problems_of(schedule::Problem const& given, OperatorWanted const& wanted) {
  schedule::Problem const checked = schedule::checked(given);
  if (!wanted.result) return {given, std::nullopt};
  OperatorResult const& asked = *wanted.result;
  Layout const& layout = asked.layout;
  int const axes = given.input.axes();
  require(layout.axes() == axes && layout.ranks() == given.input.ranks(), "result: a layout of ",
          axes, " axes for ", given.input.ranks(),
          " ranks is needed, like the input's; this one has ", layout.axes(), " axes and ",
          layout.ranks(), " ranks");
  Problems made{checked, checked};
  schedule::Problem& result = *made.result;
  result.input = layout;
  result.padded = false;
  for (std::size_t i = 0; i < result.axes.size(); ++i)
    if (given.lengths.empty()) result.lengths[i] = layout.shape()[result.axes[i]];
  if (!asked.lengths.empty()) result.lengths = asked.lengths;
  if (!asked.first.empty()) result.first = asked.first;
  if (given.modes.empty() && result.lengths.size() == result.modes.size())
    for (std::size_t i = 0; i < result.modes.size(); ++i)
      made.input.modes[i] = std::min(made.input.modes[i], result.lengths[i]);
  result.modes = made.input.modes;
  check_result(made.input, result);
  return made;
}

/// All that an operator's composition depends on, besides the problem of its input.
std::string in_words(OperatorWanted const& wanted, std::optional<schedule::Problem> const& result) {
  formulas::OperatorProduct const& product = wanted.product;
  std::string words = text("operator ", product.name);
  if (product.is_matrix) words += text(", ", product.results, " results");
  if (!result) return words;
  words += text(", to ", result->input.describe(), ", #",
                layout::Fingerprint().add(result->input).value());
  for (std::size_t i = 0; i < result->axes.size(); ++i)
    words += text(", ", result->lengths[i], " from ", result->first[i]);
  return words;
}

formulas::Composition compose(tuner::Design const& design, OperatorWanted const& wanted,
                              std::optional<schedule::Problem> result) {
  OperatorOptions const& options = wanted.options;
  schedule::Problem const& problem = design.problem;
  bool const with_axis = has_fields(wanted);
  if (result && with_axis)
    result->input = with_fields(result->input, options.fields,
                                options.interleaved ? Storage::interleaved : Storage::blocks);
  return formulas::compose_operator(
      problem, design.choices,
      {wanted.product, options.sides, with_axis ? problem.input.axes() - 1 : -1, result});
}

}  // namespace

std::unique_ptr<runners::CompositionRunner> make_operator(OperatorWanted const& wanted,
                                                          MPI_Comm user_comm, int real_bytes) {
  OperatorOptions const& options = wanted.options;
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  tuner::Design design = design_of(wanted.input, std::nullopt, options, real_bytes);
  std::optional<schedule::Problem> result;
  mpi::together(comm, [&] {
    check(wanted);
    Problems problems = problems_of(design.problem, wanted);
    design.problem = std::move(problems.input);
    result = std::move(problems.result);
  });
  bool const has_result = wanted.result.has_value();
  AlikeArguments alike;
  alike.add("sides", options.sides).add("result", has_result);
  if (has_result)
    alike.add("result", wanted.result->layout)
        .add("result", wanted.result->lengths, "lengths")
        .add("result", wanted.result->first, "first");
  alike.require(comm);
  if (has_fields(wanted)) design = with_fields_axis(design, wanted.input);
  design.compose = [&](tuner::Design const& tuned) { return compose(tuned, wanted, result); };
  design.what = in_words(wanted, result);
  return make_runner(design, std::move(comm));
}

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Map: checks what it needs beyond a plan, and composes it.
#include "sixstep/map.hpp"

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <utility>

#include "api/alike.hpp"
#include "api/planning.hpp"
#include "formulas/maps.hpp"
#include "layout/fingerprint.hpp"

namespace sixstep {

namespace {

template <class Real>
using Step = typename MapFunctions<Real>::Step;

template <class Real>
bool is_there(Step<Real> const& step) {
  return step.results != 0 || step.function.template of<Real>() ||
         step.function.template of<std::complex<Real>>();
}

template <class Real>
void check(Step<Real> const& step, char const* name, layout::Number number) {
  bool const of_reals = number == layout::Number::real;
  require(step.results >= 1, name, ".results: 1 or more are needed, ", step.results, " were given");
  require(of_reals ? static_cast<bool>(step.function.template of<Real>())
                   : static_cast<bool>(step.function.template of<std::complex<Real>>()),
          name, ".function: one of Batch<", of_reals ? "Real" : "Complex", "> is needed");
}

/// Throws Error if an option is set that a map does not have, or a function does not fit.
template <class Real>
void check(Layout const& points, MapFunctions<Real> const& functions, MapOptions const& options,
           schedule::Numbers const& numbers) {
  require(options.transform, "transform: a map without a transform is not possible");
  require(options.twiddle < 0, "twiddle: a map has none");
  require(options.device == Device::none, "device: maps run on the host");
  bool const is_packed = schedule::keeps_columns(options);
  require(!is_packed || !(is_there<Real>(functions.before) || is_there<Real>(functions.after)),
          "before, after: with a sphere or columns a map has no functions of coefficients");
  require(!is_packed || !options.results,
          "results: with a sphere or columns they are packed, and have no layout to choose");
  require(options.batch >= 1, "batch: 1 or more points are needed, ", options.batch, " were given");
  require_sides(options.sides, points.axes());
  for (auto const& [name, scale] :
       {std::pair{"backward", options.backward}, {"forward", options.forward}})
    require(scale == Scale::none || scale == Scale::by_n || scale == Scale::by_sqrt_n, name,
            ": none, by_n or by_sqrt_n is needed, ", static_cast<int>(scale), " was given");
  if (is_there<Real>(functions.before)) check<Real>(functions.before, "before", numbers.output);
  check<Real>(functions.at_points, "at_points", numbers.input);
  if (is_there<Real>(functions.after)) check<Real>(functions.after, "after", numbers.output);
}

void check_results(Layout const& results, schedule::Problem const& problem) {
  Shape const shape = schedule::output_shape(problem);
  require(
      results.shape() == shape && results.ranks() == problem.input.ranks(),
      "results: a layout of the coefficients' shape ", [&] { return to_string(shape); }, " for ",
      problem.input.ranks(), " ranks is needed, this one has the shape ",
      [&] { return to_string(results.shape()); }, " and ", results.ranks(), " ranks");
}

/// Whether fields have an axis.
template <class Real>
bool has_fields(MapFunctions<Real> const& functions, MapOptions const& options) {
  return std::max({options.fields, functions.before.results, functions.at_points.results,
                   functions.after.results}) > 1;
}

template <class Real>
formulas::MapNeeds::Step needed(Step<Real> const& step) {
  if constexpr (sizeof(Real) == sizeof(float))
    return {{.single = step.function}, step.results};
  else
    return {{.twice = step.function}, step.results};
}

template <class Real>
formulas::MapNeeds needs_of(MapFunctions<Real> const& functions, MapOptions const& options,
                            int fields_axis) {
  formulas::MapNeeds needs{.before = {},
                           .at_points = needed<Real>(functions.at_points),
                           .after = {},
                           .sides = options.sides,
                           .batch = options.batch,
                           .fields_axis = fields_axis,
                           .results = options.results};
  if (is_there<Real>(functions.before)) needs.before = needed<Real>(functions.before);
  if (is_there<Real>(functions.after)) needs.after = needed<Real>(functions.after);
  return needs;
}

template <class Real>
std::unique_ptr<runners::CompositionRunner> make_map(Layout const& points,
                                                     std::optional<Layout> const& coefficients,
                                                     MPI_Comm user_comm,
                                                     MapFunctions<Real> const& functions,
                                                     MapOptions const& options) {
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  tuner::Design design = design_of(points, coefficients, options, sizeof(Real));
  bool const many = has_fields(functions, options);
  mpi::together(comm, [&] {
    require(points.axes() < max_axes || !many, "points: a layout of at most ", max_axes - 1,
            " axes is possible for several fields, this one has ", points.axes());
    schedule::Problem const checked = schedule::checked(design.problem);
    check(points, functions, options, schedule::numbers_of(checked.kinds));
    if (options.results) check_results(*options.results, checked);
  });
  AlikeArguments()
      .add("sides", options.sides)
      .add("scales",
           std::vector{static_cast<int>(options.backward), static_cast<int>(options.forward)})
      .add("results", options.results)
      .add("functions",
           std::vector{functions.before.results, functions.at_points.results,
                       functions.after.results},
           "results")
      .require(comm);
  if (many) design = with_fields_axis(design, points);
  design.compose = [&](tuner::Design const& tuned) {
    int const fields_axis = many ? tuned.problem.input.axes() - 1 : -1;
    return formulas::compose_map(tuned.problem, tuned.choices,
                                 needs_of<Real>(functions, options, fields_axis));
  };
  design.what = text("map with ", functions.before.results, ", ", functions.at_points.results,
                     " and ", functions.after.results, " results");
  if (options.results)
    design.what += text(" in ", options.results->describe(), ", #",
                        layout::Fingerprint().add(*options.results).value());
  return make_runner(design, std::move(comm));
}

}  // namespace

template <class Real>
Map<Real>::Map(Layout const& points, MPI_Comm comm, MapFunctions<Real> const& functions,
               MapOptions const& options)
    : Planned<Real>(make_map(points, std::nullopt, comm, functions, options)),
      backward_(options.backward),
      forward_(options.forward) {}

template <class Real>
Map<Real>::Map(Layout const& points, Layout const& coefficients, MPI_Comm comm,
               MapFunctions<Real> const& functions, MapOptions const& options)
    : Planned<Real>(make_map(points, std::optional(coefficients), comm, functions, options)),
      backward_(options.backward),
      forward_(options.forward) {}

template <class Real>
void Map<Real>::apply(Complex const* in, Complex* out) {
  require_number(this->runner(), layout::Number::complex, "map");
  this->runner().execute(in, out, Direction::forward, forward_, false, backward_);
}

template <class Real>
void Map<Real>::apply(Real const* in, Real* out) {
  require_number(this->runner(), layout::Number::real, "map");
  this->runner().execute(in, out, Direction::forward, forward_, false, backward_);
}

template class Map<float>;
template class Map<double>;

}  // namespace sixstep

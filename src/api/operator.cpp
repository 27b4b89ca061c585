// SPDX-License-Identifier: BSD-3-Clause
// Operator: checks what it needs beyond a plan, and composes it.
#include "sixstep/operator.hpp"

#include <memory>
#include <optional>

#include "api/alike.hpp"
#include "api/planning.hpp"
#include "formulas/operators.hpp"
#include "formulas/times_symbol.hpp"

namespace sixstep {

namespace {

/// Throws Error if an option is set that an operator does not have, or does not fit the symbol.
void check(Layout const& layout, Symbol const& symbol, OperatorOptions const& options) {
  require(options.output == Output::cheapest,
          "output: an operator has none; its result lies as the input does");
  require(options.transform, "transform: an operator without a transform is not possible");
  require(options.twiddle < 0, "twiddle: an operator has none");
  require(options.device == Device::none,
          "device: operators run on the host; use a plan and a product on the device");
  int const axes = layout.axes();
  require_sides(options.sides, axes);
  require(axes < max_axes || !symbol.is_matrix(), "symbol: a matrix needs a layout of at most ",
          max_axes - 1, " axes, this one has ", axes);
  if (!symbol.is_matrix()) return;
  require(symbol.fields() == options.fields && symbol.results() >= 1, "symbol: a matrix with ",
          options.fields, options.fields == 1 ? " column" : " columns",
          ", one for each of the fields, is needed, ", symbol.results(), " x ", symbol.fields(),
          " was given");
}

/// Whether fields have an axis: one field that becomes several has one, too.
bool has_fields(Symbol const& symbol, OperatorOptions const& options) {
  return options.fields > 1 || symbol.results() > 1;
}

tuner::Recipe recipe_of(Layout const& layout, Symbol const& symbol, OperatorOptions const& options,
                        int real_bytes) {
  tuner::Recipe const recipe = recipe_of(layout, std::nullopt, options, real_bytes);
  return has_fields(symbol, options) ? with_fields_axis(recipe, layout) : recipe;
}

formulas::Composition compose(tuner::Recipe const& recipe, Symbol const& symbol,
                              OperatorOptions const& options) {
  schedule::Problem const& problem = recipe.problem;
  int const fields_axis = has_fields(symbol, options) ? problem.input.axes() - 1 : -1;
  return formulas::compose_operator(problem, recipe.choices,
                                    {symbol, options.kept, options.sides, fields_axis});
}

std::unique_ptr<runners::CompositionRunner> make_operator(Layout const& layout, MPI_Comm user_comm,
                                                          Symbol const& symbol,
                                                          OperatorOptions const& options,
                                                          int real_bytes) {
  mpi::Communicator comm = mpi::Communicator::duplicate(user_comm);
  mpi::together(comm, [&] { check(layout, symbol, options); });
  AlikeArguments()
      .add("sides", options.sides)
      .add("kept", options.kept)
      .add("symbol", std::vector{symbol.results(), symbol.fields()}, "size")
      .require(comm);
  return make_runner(recipe_of(layout, symbol, options, real_bytes), std::move(comm),
                     [&](tuner::Recipe const& recipe) { return compose(recipe, symbol, options); });
}

}  // namespace

template <class Real>
Operator<Real>::Operator(Layout const& layout, MPI_Comm comm, Symbol const& symbol,
                         OperatorOptions const& options)
    : Plan<Real>(make_operator(layout, comm, symbol, options, sizeof(Real))) {}

template <class Real>
void Operator<Real>::apply(Complex const* in, Complex* out) {
  require_number(this->runner(), layout::Number::complex, "operator");
  this->runner().execute(in, out, Direction::forward, Scale::none, false, Scale::by_n);
}

template <class Real>
void Operator<Real>::apply(Real const* in, Real* out) {
  require_number(this->runner(), layout::Number::real, "operator");
  this->runner().execute(in, out, Direction::forward, Scale::none, false, Scale::by_n);
}

template <class Real>
void Operator<Real>::renew(Symbol const& symbol) {
  auto const& old = dynamic_cast<formulas::TimesSymbol const&>(this->runner().formula(0));
  this->runner().renew(0,
                       [&] { return std::make_shared<formulas::TimesSymbol>(old.with(symbol)); });
}

template class Operator<float>;
template class Operator<double>;

}  // namespace sixstep

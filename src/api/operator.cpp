// SPDX-License-Identifier: BSD-3-Clause
// Operator: a runner whose product is a symbol.
#include "sixstep/operator.hpp"

#include <memory>
#include <optional>
#include <vector>

#include "api/alike.hpp"
#include "api/operator_runner.hpp"
#include "api/planning.hpp"
#include "api/symbol_array.hpp"
#include "formulas/times_symbol.hpp"
#include "layout/counting.hpp"

namespace sixstep {

namespace {

/// Throws Error if a symbol does not fit.
void check(Layout const& layout, Symbol const& symbol, OperatorOptions const& options) {
  int const axes = layout.axes();
  require(axes < max_axes || !symbol.is_matrix(), "symbol: a matrix needs a layout of at most ",
          max_axes - 1, " axes, this one has ", axes);
  require(!symbol.array() || !schedule::keeps_columns(options),
          "symbol: an array is possible without sphere and columns, with these a function of k");
  if (!symbol.is_matrix()) return;
  require(symbol.fields() == options.fields && symbol.results() >= 1, "symbol: a matrix with ",
          options.fields, options.fields == 1 ? " column" : " columns",
          ", one for each of the fields, is needed, ", symbol.results(), " x ", symbol.fields(),
          " was given");
}

std::unique_ptr<runners::CompositionRunner> made(Layout const& input,
                                                 std::optional<OperatorResult> const& result,
                                                 MPI_Comm user_comm, Symbol const& symbol,
                                                 OperatorOptions const& options, int real_bytes) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  mpi::together(comm, [&] { check(input, symbol, options); });
  AlikeArguments()
      .add("kept", options.kept)
      .add("symbol", std::vector{symbol.results(), symbol.fields()}, "size")
      .add("symbol", symbol.array() != nullptr, "whether it is an array")
      .require(comm);
  using Way = formulas::TimesSymbol::Way;
  Way const way = !options.kept                        ? Way::called
                  : options.device != Device::none     ? Way::in_table
                  : options.reproducible != Bits::none ? Way::in_order
                                                       : Way::kept;
  auto const factors = std::make_shared<formulas::Factors>();
  auto runner = make_operator(
      OperatorWanted{input, result, options,
                     symbol.array() ? times_array(factors, symbol.is_real(), options.kept)
                                    : formulas::times_symbol(symbol, way)},
      comm, real_bytes);
  if (symbol.array()) {
    auto const& formula = dynamic_cast<formulas::TimesArray const&>(runner->formula(0));
    *factors = factors_of(symbol, formula, real_bytes, comm);
  }
  return runner;
}

}  // namespace

template <class Real>
Operator<Real>::Operator(Layout const& layout, MPI_Comm comm, Symbol const& symbol,
                         OperatorOptions const& options)
    : Planned<Real>(made(layout, std::nullopt, comm, symbol, options, sizeof(Real))) {}

template <class Real>
Operator<Real>::Operator(Layout const& layout, OperatorResult const& result, MPI_Comm comm,
                         Symbol const& symbol, OperatorOptions const& options)
    : Planned<Real>(made(layout, result, comm, symbol, options, sizeof(Real))) {}

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
  auto& runner = this->runner();
  formulas::Formula const& old = runner.formula(0);
  auto const* const array = dynamic_cast<formulas::TimesArray const*>(&old);
  std::shared_ptr<formulas::TimesSymbol const> const function =
      array ? array->function()
            : std::make_shared<formulas::TimesSymbol>(
                  dynamic_cast<formulas::TimesSymbol const&>(old));
  AlikeArguments()
      .add("symbol", symbol.array() != nullptr, "whether it is an array")
      .require(runner.comm());
  if (!symbol.array()) {
    runner.renew(0,
                 [&] { return std::make_shared<formulas::TimesSymbol>(function->with(symbol)); });
    return;
  }
  mpi::together(runner.comm(), [&] { function->require_place_for_array(); });
  formulas::TimesArray const made = times_array(function, nullptr);
  auto const factors =
      std::make_shared<formulas::Factors>(factors_of(symbol, made, sizeof(Real), runner.comm()));
  runner.renew(0, [&] { return std::make_shared<formulas::TimesArray>(made.with(factors)); });
}

template class Operator<float>;
template class Operator<double>;

}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Checks arrays of numbers for coefficients, and redistributes them.
#include "api/symbol_array.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>
#include <variant>

#include "api/alike.hpp"
#include "layout/counting.hpp"
#include "layout/fields.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep {

namespace {

template <class Number>
void check(Symbol::Array const& given, Number const* numbers, formulas::TimesArray const& formula,
           int real_bytes, int rank) {
  using Real = decltype(std::real(Number()));
  Layout const& wanted = formula.coefficients();
  require(
      given.layout.shape() == wanted.shape(), "symbol: an array of shape ",
      [&] { return to_string(wanted.shape()); }, " is needed, a number for each coefficient; ",
      [&] { return to_string(given.layout.shape()); }, " was given");
  require(given.layout.ranks() == wanted.ranks(), "symbol: a layout for ", wanted.ranks(),
          " ranks is needed, this one is for ", given.layout.ranks());
  require(sizeof(Real) == static_cast<std::size_t>(real_bytes), "symbol: numbers with ", real_bytes,
          " bytes a real are needed, as the operator has; these have ", sizeof(Real));
  require(formula.number() == layout::Number::complex || std::is_same_v<Number, Real>,
          "symbol: real numbers are needed, because all axes are between walls");
  require(numbers != nullptr || given.layout.box(rank).empty(),
          "symbol: a pointer to numbers is needed, null was given");
  Index const needed = given.layout.array_size(rank);
  require(given.size < 0 || given.size >= needed, "symbol: an array of ", needed,
          " numbers is needed on rank ", rank, ", ", given.size, " were given");
}

/// Throws Error if a number is infinite or no number.
template <class Number>
void check_numbers(Number const* numbers, Layout const& layout, int rank) {
  for_each(layout, rank, [&](Shape const& index, Index place) {
    std::complex<double> const number(numbers[place]);
    if (std::isfinite(number.real()) && std::isfinite(number.imag())) return;
    throw Error(text("symbol: finite numbers are needed, for the coefficient (", list(index, ", "),
                     ") it is ", number.real(),
                     number.imag() == 0 ? "" : text(" + ", number.imag(), " i")));
  });
}

template <class Number>
formulas::Factors moved(Symbol::Array const& given, Number const* numbers,
                        Layout const& coefficients, MPI_Comm comm) {
  Redistribution<Number> redistribution(given.layout, coefficients, comm,
                                        {.exchange = Exchange::pairwise});
  auto const size = static_cast<std::size_t>(std::max<Index>(1, redistribution.to_size()));
  std::shared_ptr<Number[]> const there(new Number[size]);
  Number const nothing{};
  redistribution.forward(numbers ? numbers : &nothing, there.get());
  mpi::together(comm, [&] { check_numbers(there.get(), coefficients, mpi::rank_of(comm)); });
  return {there, std::is_floating_point_v<Number>};
}

}  // namespace

formulas::TimesArray times_array(std::shared_ptr<formulas::TimesSymbol const> function,
                                 std::shared_ptr<formulas::Factors const> factors) {
  formulas::Spectrum const& spectrum = function->spectrum();
  layout::Placement const& placement = spectrum.placement();
  bool const has_fields = placement.layout.axes() > spectrum.axes();
  formulas::TimesArray made(has_fields ? of_one_field(placement.layout) : placement.layout,
                            std::move(factors), placement.number, "array");
  made.keep(std::move(function));
  return made;
}

formulas::OperatorProduct times_array(std::shared_ptr<formulas::Factors> factors, bool are_real,
                                      bool kept) {
  using Way = formulas::TimesSymbol::Way;
  return {
      .name = "times array",
      .in_users_axes = true,
      .numbers = 1,
      .are_real = are_real,
      .formula = [factors = std::move(factors), kept](formulas::Spectrum const& spectrum) {
        auto const one = [](Wavevector const&) { return 1.; };
        return std::make_shared<formulas::TimesArray>(times_array(
            std::make_shared<formulas::TimesSymbol>(spectrum, one, kept ? Way::kept : Way::called),
            factors));
      }};
}

formulas::Factors factors_of(Symbol const& symbol, formulas::TimesArray const& formula,
                             int real_bytes, MPI_Comm comm) {
  Symbol::Array const* const given = symbol.array();
  mpi::together(comm, [&] {
    std::visit(
        [&](auto numbers) { check(*given, numbers, formula, real_bytes, mpi::rank_of(comm)); },
        given->numbers);
  });
  AlikeArguments()
      .add("symbol", given->numbers.index(), "type of numbers")
      .add("symbol", given->layout)
      .require(comm);
  return std::visit(
      [&](auto numbers) { return moved(*given, numbers, formula.coefficients(), comm); },
      given->numbers);
}

}  // namespace sixstep

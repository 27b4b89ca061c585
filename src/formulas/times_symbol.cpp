// SPDX-License-Identifier: BSD-3-Clause
// Fills tables of symbols, and multiplies by them.
#include "formulas/times_symbol.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <type_traits>
#include <vector>

#include "formulas/pointwise.hpp"
#include "layout/counting.hpp"
#include "layout/loops.hpp"
#include "program/legs.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

using Numbers = std::vector<std::complex<double>>;

Numbers numbers_of(Symbol const& symbol) {
  return Numbers(static_cast<std::size_t>(symbol.results() * symbol.fields()));
}

template <class Number>
Number as(std::complex<double> const& number) {
  if constexpr (std::is_floating_point_v<Number>)
    return static_cast<Number>(number.real());
  else
    return Number(number);
}

/// The coefficients on one rank, of type Element, times numbers of type Number.
template <class Element, class Number>
class Product : public Pointwise, public program::OnPoints {
 public:
  Product(Spectrum const& spectrum, program::Numbering const& numbering, Symbol const& symbol,
          bool kept)
      : spectrum_(spectrum), symbol_(symbol), kept_(kept) {
    if (kept_) fill(numbering);
  }

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation(int) const override { return this; }

  void apply(program::PointRow const& row) const override {
    if (kept_ && !symbol_.is_matrix())
      multiply(row, table_.data() + row.number, row.number_step);
    else
      multiply_matrices(row);
  }

 private:
  void fill(program::Numbering const& numbering) {
    Box const& box = numbering.box;
    Numbers numbers = numbers_of(symbol_);
    table_.resize(static_cast<std::size_t>(numbering.size()) * numbers.size());
    if (box.empty()) return;
    PerAxis<int> axes;
    Shape counted(box.axes(), 1);
    for (int axis = 0; axis < box.axes(); ++axis) {
      axes.push_back(axis);
      if (numbering.strides[axis] > 0) counted[axis] = box.ranges[axis].count();
    }
    layout::for_each(axes, Shape(box.axes(), 0), counted, [&](Shape const& counts) {
      Shape index = counts;
      for (int axis : axes)
        index[axis] = box.ranges[axis].lo + counts[axis] * box.ranges[axis].step;
      spectrum_.evaluate(symbol_, index, numbers.data());
      Number* const here =
          table_.data() + layout::dot(axes, counts, numbering.strides) *
                              static_cast<Index>(numbers.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        check(numbers[i], index);
        here[i] = as<Number>(numbers[i]);
      }
    });
  }

  void check(std::complex<double> const& number, Shape const& index) const {
    auto const say = [&](char const* needed) {
      throw Error(text("symbol: ", needed, " are needed, at k = (", list(spectrum_.at(index), ", "),
                       ") it is ", number.real(),
                       number.imag() == 0 ? "" : text(" + ", number.imag(), " i")));
    };
    if (!std::isfinite(number.real()) || !std::isfinite(number.imag())) say("finite numbers");
    if (std::is_floating_point_v<Number> && number.imag() != 0)
      say("real numbers, because all axes are between walls,");
  }

  static Element product(Element value, Number factor) {
    if constexpr (std::is_same_v<Element, Number> && !std::is_floating_point_v<Element>)
      return times(value, factor);
    else
      return value * factor;
  }

  /// One field of a row times numbers of the table.
  static void multiply(program::PointRow const& row, Number const* factors, Index step) {
    auto const* const source = static_cast<Element const*>(row.source);
    auto* const target = static_cast<Element*>(row.target);
    auto const all = [&](Index from, Index to, Index factor) {
      for (Index i = 0; i < row.count; ++i)
        target[i * to] = product(source[i * from], factors[i * factor]);
    };
    if (row.from.point == 1 && row.to.point == 1 && step == 1)
      all(1, 1, 1);
    else
      all(row.from.point, row.to.point, step);
  }

  /// The fields of each point of a row times its matrix, or one field times the number that the
  /// symbol's function returns.
  void multiply_matrices(program::PointRow const& row) const {
    Numbers numbers = numbers_of(symbol_);
    std::vector<Number> called(numbers.size());
    std::vector<Element> values(static_cast<std::size_t>(symbol_.fields()));
    Shape index = row.index;
    for (Index i = 0; i < row.count; ++i, index[row.axis] += row.index_step) {
      Number const* matrix = called.data();
      if (kept_) {
        matrix = table_.data() +
                 (row.number + i * row.number_step) * static_cast<Index>(numbers.size());
      } else {
        spectrum_.evaluate(symbol_, index, numbers.data());
        for (std::size_t j = 0; j < numbers.size(); ++j) called[j] = as<Number>(numbers[j]);
      }
      auto const* const source = static_cast<Element const*>(row.source) + i * row.from.point;
      auto* const target = static_cast<Element*>(row.target) + i * row.to.point;
      for (std::size_t field = 0; field < values.size(); ++field)
        values[field] = source[static_cast<Index>(field) * row.from.field];
      for (int to = 0; to < symbol_.results(); ++to) {
        Element sum = 0;
        for (Element const& value : values) sum += product(value, *matrix++);
        target[to * row.to.field] = sum;
      }
    }
  }

  Spectrum spectrum_;
  Symbol symbol_;
  bool kept_;
  std::vector<Number> table_;
};

}  // namespace

TimesSymbol TimesSymbol::with(Symbol const& symbol) const {
  require(symbol.is_matrix() == symbol_.is_matrix() && symbol.results() == symbol_.results() &&
              symbol.fields() == symbol_.fields(),
          "symbol: ", symbol_.is_matrix() ? "a matrix of " : "a number, ", symbol_.results(), " x ",
          symbol_.fields(), ", is needed as before, ", symbol.results(), " x ", symbol.fields(),
          " was given");
  return {spectrum_, schedule_, symbol, kept_};
}

std::unique_ptr<Pointwise> TimesSymbol::on_rank(int rank, int real_bytes, Local) const {
  program::Numbering const numbering = program::numbering_of_points(schedule_, rank);
  auto const made = [&](auto real) -> std::unique_ptr<Pointwise> {
    using Real = decltype(real);
    using Complex = std::complex<Real>;
    if (spectrum_.placement().number == layout::Number::real)
      return std::make_unique<Product<Real, Real>>(spectrum_, numbering, symbol_, kept_);
    if (symbol_.is_real())
      return std::make_unique<Product<Complex, Real>>(spectrum_, numbering, symbol_, kept_);
    return std::make_unique<Product<Complex, Complex>>(spectrum_, numbering, symbol_, kept_);
  };
  if (real_bytes == sizeof(float)) return made(float());
  return made(double());
}

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Tables of one axis each, and the products of their numbers row by row.
#include "formulas/times_factors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "formulas/pointwise.hpp"
#include "layout/counting.hpp"
#include "local/kernels/multiply.hpp"
#include "local/transform.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

/// The numbers of an axis in natural order. A coefficient that stands for two waves has their mean.
std::vector<std::complex<double>> numbers_along(int axis, Spectrum const& spectrum,
                                                Symbol const& symbol, bool must_be_real) {
  Symbol::Factor const& factor = symbol.factor(axis, spectrum.axes());
  std::vector<std::complex<double>> numbers;
  for (Index natural = 0; natural < spectrum.count(axis); ++natural) {
    PerAxis<double> const waves = spectrum.components(axis, natural);
    std::complex<double> sum = 0;
    for (double const k : waves) sum += factor(k);
    std::complex<double> const number = sum / static_cast<double>(waves.size());
    bool const is_finite = std::isfinite(number.real()) && std::isfinite(number.imag());
    if (!is_finite || (must_be_real && number.imag() != 0))
      throw Error(text("symbol: ", is_finite ? "real" : "finite",
                       " numbers are needed, the factor of axis ", axis_name(axis, spectrum.axes()),
                       " at k = ", waves[0], " is ", number.real(),
                       number.imag() == 0 ? "" : text(" + ", number.imag(), " i")));
    numbers.push_back(number);
  }
  return numbers;
}

/// The coefficients on one rank, of type Element, times numbers of type Number.
template <class Element, class Number>
class FactorsProduct : public Pointwise, public program::OnPoints {
 public:
  FactorsProduct(Spectrum const& spectrum, Symbol const& symbol, bool in_order)
      : spectrum_(spectrum), in_order_(in_order) {
    for (int axis = 0; axis < spectrum.axes(); ++axis) {
      std::vector<Number>& table = tables_.emplace_back();
      for (std::complex<double> const& number :
           numbers_along(axis, spectrum, symbol, std::is_floating_point_v<Number>))
        table.push_back(as<Number>(number));
    }
  }

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }
  bool may_repeat() const override { return true; }

  void apply(program::PointBlock const& block) const override {
    PerAxis<Place> places;
    for (int axis = 0; axis < spectrum_.axes(); ++axis) places.push_back(place(axis, block));
    auto const* source = static_cast<Element const*>(block.source);
    auto* target = static_cast<Element*>(block.target);
    constexpr Index most = 512;
    std::array<Real, 2 * most> memory;  // not set to 0
    auto* const numbers = reinterpret_cast<Number*>(memory.data());
    for (Index row = 0; row < block.rows.count; ++row) {
      Factors const factors = factors_of(places);
      for (Index i = 0; i < block.points.count; i += most) {
        Index const count = std::min(most, block.points.count - i);
        in_order_ ? write_in_order(places, i, count, numbers) : write(factors, i, count, numbers);
        multiply(source + i * block.from.point, block.from.point, target + i * block.to.point,
                 block.to.point, numbers, count);
      }
      for (Place& place : places) place.number += place.row_step;
      source += block.from.row;
      target += block.to.row;
    }
  }

 private:
  using Real = typename local::RealOf<Number>::type;

  /// The factors of a row of points: one that all have, and one that changes from point to point.
  struct Factors {
    Number same = 1;
    Number const* changing = nullptr;  // null: none does
    Index step = 0;
  };

  /// Where the number of an axis is for the first point of a row, and its steps from row to row and
  /// from point to point.
  struct Place {
    Number const* number;
    Index row_step;
    Index point_step;
  };

  Place place(int axis, program::PointBlock const& block) const {
    Index first = 0;
    for (int digit = 0; digit < block.index.size(); ++digit)
      if (block.index[digit] != 0) first += spectrum_.weight(axis, digit) * block.index[digit];
    auto const step = [&](program::PointBlock::Along const& along) {
      return along.count > 1 ? spectrum_.weight(axis, along.axis) * along.index_step : 0;
    };
    return {tables_[static_cast<std::size_t>(axis)].data() + first, step(block.rows),
            step(block.points)};
  }

  static Factors factors_of(PerAxis<Place> const& places) {
    Factors found;
    for (Place const& place : places)
      if (place.point_step == 0)
        found.same = local::product(found.same, *place.number);
      else
        found = {found.same, place.number, place.point_step};
    return found;
  }

  /// Writes the numbers of the points from number `first` on.
  static void write(Factors const& factors, Index first, Index count, Number* numbers) {
    if (factors.changing == nullptr) {
      std::fill_n(numbers, count, factors.same);
      return;
    }
    Number const* const from = factors.changing + first * factors.step;
    if (factors.step == 1)
      for (Index i = 0; i < count; ++i) numbers[i] = local::product(factors.same, from[i]);
    else
      for (Index i = 0; i < count; ++i)
        numbers[i] = local::product(factors.same, from[i * factors.step]);
  }

  static void write_in_order(PerAxis<Place> const& places, Index first, Index count,
                             Number* numbers) {
    for (Index i = 0; i < count; ++i) {
      numbers[i] = places[0].number[(first + i) * places[0].point_step];
      for (int axis = 1; axis < places.size(); ++axis)
        numbers[i] =
            local::product(numbers[i], places[axis].number[(first + i) * places[axis].point_step]);
    }
  }

  static void multiply(Element const* source, Index from, Element* target, Index to,
                       Number const* numbers, Index count) {
    if constexpr (local::is_complex<Element>)
      if (from == 1 && to == 1)
        return local::multiply_rows<Real, !local::is_complex<Number>>(
            reinterpret_cast<Real const*>(source), reinterpret_cast<Real*>(target),
            reinterpret_cast<Real const*>(numbers), {1, count, 0, 0, 0});
    for (Index i = 0; i < count; ++i) target[i * to] = local::product(source[i * from], numbers[i]);
  }

  Spectrum spectrum_;
  bool in_order_;
  std::vector<std::vector<Number>> tables_;  // of each axis
};

}  // namespace

std::unique_ptr<Pointwise> times_factors(Spectrum const& spectrum, Symbol const& symbol,
                                         int real_bytes, bool in_order) {
  return in_numbers<FactorsProduct>(real_bytes, spectrum.placement().number == layout::Number::real,
                                    symbol.is_real(), spectrum, symbol, in_order);
}

}  // namespace sixstep::formulas

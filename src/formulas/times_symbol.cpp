// SPDX-License-Identifier: BSD-3-Clause
// Fills tables of symbols, and multiplies by them.
#include "formulas/times_symbol.hpp"

#include <cmath>
#include <complex>
#include <type_traits>
#include <utility>
#include <vector>

#include "formulas/first_failure.hpp"
#include "formulas/pointwise.hpp"
#include "formulas/times_factors.hpp"
#include "layout/counting.hpp"
#include "layout/loops.hpp"
#include "local/kernels/multiply.hpp"
#include "local/transform.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

/// Throws Error unless a number of a symbol is finite, and real if it must be.
void check_number(Spectrum const& spectrum, Symbol const& symbol, bool is_real,
                  std::complex<double> const& number, Shape const& index) {
  auto const say = [&](char const* needed) {
    throw Error(text("symbol: ", needed, " are needed, at k = (", list(spectrum.at(index), ", "),
                     ") it is ", number.real(),
                     number.imag() == 0 ? "" : text(" + ", number.imag(), " i")));
  };
  if (!std::isfinite(number.real()) || !std::isfinite(number.imag())) say("finite numbers");
  if (is_real && number.imag() != 0)
    say(symbol.is_real() ? "real numbers, as it is said to be real,"
                         : "real numbers, because all axes are between walls,");
}

/// The coefficients on one rank, of type Element, times numbers of type Number.
template <class Element, class Number>
class Product : public Pointwise, public program::OnPoints {
 public:
  Product(Spectrum const& spectrum, Symbol const& symbol, bool kept)
      : spectrum_(spectrum), symbol_(symbol), kept_(kept) {}

  void apply(int, Operands const&) override {}
  program::OnPoints const* operation() const override { return this; }

  bool may_repeat() const override { return kept_; }
  program::PointTables tables() const override {
    program::PointTables made;
    if (symbol_.is_matrix()) return made;
    for (std::vector<Number> const& table : tables_)
      made.push_back({table.data(), table.size() * sizeof(Number), sizeof(Number) / sizeof(Real)});
    return made;
  }

  void number(std::vector<program::Numbering> const& numberings) override {
    if (kept_)
      for (program::Numbering const& numbering : numberings) fill(numbering);
  }

  void finish() override { failure_.rethrow(); }

  void apply(program::PointBlock const& block) const override {
    if (!kept_ || symbol_.is_matrix()) return multiply_matrices(block);
    Number const* const table = table_of(block);
    if (block.from.point == 1 && block.to.point == 1 && block.points.number_step == 1)
      multiply_rows(block, table);
    else
      multiply(block, table);
  }

 private:
  using Real = typename local::RealOf<Element>::type;

  Index numbers() const { return Index{symbol_.results()} * symbol_.fields(); }
  Number const* table_of(program::PointBlock const& block) const {
    return tables_[static_cast<std::size_t>(block.numbering)].data() + block.number * numbers();
  }

  void fill(program::Numbering const& numbering) {
    constexpr Index at_once = 1024;
    Box const& box = numbering.box;
    std::vector<Number> table(static_cast<std::size_t>(numbering.size * numbers()));
    PerAxis<int> axes;
    Shape counted(box.axes(), 1);
    for (int axis = 0; axis < box.axes(); ++axis) {
      axes.push_back(axis);
      if (numbering.strides[axis] > 0) counted[axis] = box.ranges[axis].count();
    }
    Spectrum::Values values(spectrum_, symbol_);
    std::vector<Shape> indices;
    std::vector<Index> places;
    auto const keep = [&] {
      values.evaluate([&](std::size_t i, std::complex<double> const* found) {
        for (Index j = 0; j < numbers(); ++j) {
          check(found[j], indices[i]);
          table[static_cast<std::size_t>(places[i] + j)] = as<Number>(found[j]);
        }
      });
      indices.clear();
      places.clear();
    };
    if (!box.empty())
      layout::for_each(axes, Shape(box.axes(), 0), counted, [&](Shape const& counts) {
        Shape index = counts;
        for (int axis : axes)
          index[axis] = box.ranges[axis].lo + counts[axis] * box.ranges[axis].step;
        values.add(index);
        indices.push_back(index);
        places.push_back(numbering.number(counts) * numbers());
        if (values.count() == at_once) keep();
      });
    keep();
    tables_.push_back(std::move(table));
  }

  void check(std::complex<double> const& number, Shape const& index) const {
    check_number(spectrum_, symbol_, std::is_floating_point_v<Number>, number, index);
  }

  /// A field times a table, both contiguous along rows.
  static void multiply_rows(program::PointBlock const& block, Number const* table) {
    local::ProductRows const rows{block.rows.count, block.points.count, block.from.row,
                                  block.to.row, block.rows.number_step};
    auto const* const source = static_cast<Real const*>(block.source);
    auto* const target = static_cast<Real*>(block.target);
    if constexpr (std::is_floating_point_v<Element>)
      multiply(block, table);
    else if constexpr (std::is_floating_point_v<Number>)
      local::multiply_rows<Real, true>(source, target, table, rows);
    else
      local::multiply_rows<Real, false>(source, target, reinterpret_cast<Real const*>(table), rows);
  }

  /// Multiplies points that may lie anywhere.
  static void multiply(program::PointBlock const& block, Number const* table) {
    auto const* const source = static_cast<Element const*>(block.source);
    auto* const target = static_cast<Element*>(block.target);
    for (Index row = 0; row < block.rows.count; ++row)
      for (Index i = 0; i < block.points.count; ++i)
        target[row * block.to.row + i * block.to.point] =
            local::product(source[row * block.from.row + i * block.from.point],
                           table[row * block.rows.number_step + i * block.points.number_step]);
  }

  /// Rows of points times matrices of a table, or times what the symbol's function returns.
  void multiply_matrices(program::PointBlock const& block) const {
    auto const each = static_cast<std::size_t>(numbers());
    Spectrum::Values values(spectrum_, symbol_);
    std::vector<Number> called(kept_ ? 0 : each);
    std::vector<Element> fields(static_cast<std::size_t>(symbol_.fields()));
    for (Index row = 0; row < block.rows.count; ++row) {
      if (kept_) {
        for (Index i = 0; i < block.points.count; ++i)
          multiply_point(
              block, row, i,
              table_of(block) +
                  (row * block.rows.number_step + i * block.points.number_step) * numbers(),
              fields);
        continue;
      }
      for (Index i = 0; i < block.points.count; ++i) {
        Shape index = block.index;
        index[block.rows.axis] += row * block.rows.index_step;
        index[block.points.axis] += i * block.points.index_step;
        values.add(index);
      }
      try {
        values.evaluate([&](std::size_t i, std::complex<double> const* found) {
          for (std::size_t j = 0; j < each; ++j) called[j] = as<Number>(found[j]);
          multiply_point(block, row, static_cast<Index>(i), called.data(), fields);
        });
      } catch (...) {
        failure_.keep();
        return;
      }
    }
  }

  /// The fields of one point times its matrix, or one field times a number.
  void multiply_point(program::PointBlock const& block, Index row, Index i, Number const* matrix,
                      std::vector<Element>& fields) const {
    auto const* const source =
        static_cast<Element const*>(block.source) + row * block.from.row + i * block.from.point;
    auto* const target =
        static_cast<Element*>(block.target) + row * block.to.row + i * block.to.point;
    for (std::size_t field = 0; field < fields.size(); ++field)
      fields[field] = source[static_cast<Index>(field) * block.from.field];
    for (int to = 0; to < symbol_.results(); ++to) {
      Element sum = local::product(fields[0], *matrix++);  // not 0 more, which would lose -0
      for (std::size_t field = 1; field < fields.size(); ++field)
        sum += local::product(fields[field], *matrix++);
      target[to * block.to.field] = sum;
    }
  }

  Spectrum spectrum_;
  Symbol symbol_;
  bool kept_;
  std::vector<std::vector<Number>> tables_;  // by the id of a numbering
  mutable FirstFailure failure_;
};

}  // namespace

TimesSymbol TimesSymbol::with(Symbol const& symbol) const {
  require(symbol.is_matrix() == symbol_.is_matrix() && symbol.results() == symbol_.results() &&
              symbol.fields() == symbol_.fields(),
          "symbol: ", symbol_.is_matrix() ? "a matrix of " : "a number, ", symbol_.results(), " x ",
          symbol_.fields(), ", is needed as before, ", symbol.results(), " x ", symbol.fields(),
          " was given");
  require(!symbol.array(), "symbol: a function of k is needed, an array was given");
  return {spectrum_, symbol, way_};
}

void TimesSymbol::require_place_for_array() const {
  require(!symbol_.is_matrix(), "symbol: a matrix of ", symbol_.results(), " x ", symbol_.fields(),
          ", is needed as before, an array was given");
  require(way_ != Way::in_table,
          "symbol: a function of k is needed on a device, an array was given");
  require(spectrum_.has_weights(),
          "symbol: an array is possible without sphere and columns, with these a function of k");
  require(spectrum_.is_in_users_axes(),
          "symbol: a function of k is needed, as ranks share a single long axis; an operator that "
          "is made with an array takes other arrays");
}

std::unique_ptr<Pointwise> TimesSymbol::on_rank(int, int real_bytes, Local) const {
  bool const has_factors = way_ == Way::kept || way_ == Way::in_order;
  if (has_factors && symbol_.is_product() && spectrum_.has_weights())
    return times_factors(spectrum_, symbol_, real_bytes, way_ == Way::in_order);
  return in_numbers<Product>(real_bytes, spectrum_.placement().number == layout::Number::real,
                             symbol_.is_real(), spectrum_, symbol_, way_ != Way::called);
}

}  // namespace sixstep::formulas

// SPDX-License-Identifier: BSD-3-Clause
// Operators of all kinds against their definition: a transform, a product, a transform back.
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <vector>

#include "refuses.hpp"
#include "solver_cases.hpp"

namespace sixstep {
namespace {

using namespace solver_cases;
using ranks::failed_anywhere;
using ranks::rounds;

/// The array with `count` elements along an axis: element k is that at from(k), 0 if that is -1.
template <class From>
Whole picked(Whole const& x, int axis, Index count, From const& from) {
  Shape shape = x.shape;
  shape[axis] = count;
  Whole made{shape, std::vector<Exact>(at(oracle::points_of(shape)))};
  oracle::for_each_point(shape, [&](Shape const& point) {
    Shape there = point;
    there[axis] = from(point[axis]);
    if (there[axis] < 0) return;
    made.values[at(oracle::number_of(shape, point))] =
        x.values[at(oracle::number_of(x.shape, there))];
  });
  return made;
}

/// The points of a transform, of which the array has the first ones.
Whole extended(Whole x, Case const& given) {
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    int const axis = given.options.axes[i];
    Index const points = x.shape[axis];
    x = picked(x, axis, given.length(i), [&](Index k) { return k < points ? k : -1; });
  }
  return x;
}

/// The modes that are kept, in their places among the coefficients of the transform back.
Whole among_those_back(Whole x, Case const& given) {
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    Index const n = given.length(i), back = given.length_back(i), modes = given.modes(i);
    Kind const kind = given.options.kinds[i];
    auto const from = [&](Index k) -> Index {
      if (kind == Kind::r2c) return 2 * k <= modes ? k : -1;
      if (kind != Kind::c2c) return k < modes ? k : -1;
      if (k < modes - modes / 2) return k;
      return back - k <= modes / 2 ? n - (back - k) : -1;
    };
    x = picked(x, given.options.axes[i], kind == Kind::r2c ? back / 2 + 1 : back, from);
  }
  return x;
}

/// The points of the result.
Whole first_points(Whole x, Case const& given) {
  Shape const& shape = given.result ? given.result->layout.shape() : given.layout.shape();
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    int const axis = given.options.axes[i];
    Index const first = !given.result || given.result->first.empty() ? 0 : given.result->first[i];
    x = picked(x, axis, shape[axis], [&](Index k) { return (first + k) % given.length_back(i); });
  }
  return x;
}

/// What the operator makes of several fields.
std::vector<Whole> applied(Case const& given, std::vector<Whole> const& fields) {
  oracle::Kinds const kinds = given.kinds();
  Index real_points = 1;
  long double points = 1;
  std::vector<Waves::Along> there, back;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    there.push_back({kinds[i].first, kinds[i].second, given.length(i), given.modes(i)});
    back.push_back({kinds[i].first, kinds[i].second, given.length_back(i), given.modes(i)});
    if (kinds[i].second == Kind::r2c) real_points = given.length_back(i);
    points *= oracle::there_and_back(kinds[i].second, given.length(i));
  }
  std::vector<Whole> spectra;
  for (Whole const& field : fields)
    spectra.push_back(
        solver_oracle::with_sums(oracle::forward(extended(field, given), kinds), there));
  int const results = given.results > 0 ? given.results : static_cast<int>(fields.size());
  Numbers const numbers = given.numbers();
  std::vector<Whole> made;
  for (int row = 0; row < results; ++row) {
    Whole sum{spectra[0].shape, std::vector<Exact>(spectra[0].values.size())};
    for (int column = 0; column < static_cast<int>(fields.size()); ++column) {
      if (given.results == 0 && row != column) continue;
      oracle::for_each_point(sum.shape, [&](Shape const& k) {
        if (!keeps(given, k)) return;
        std::size_t const i = at(oracle::number_of(sum.shape, k));
        sum.values[i] += spectra[at(column)].values[i] *
                         (given.results > 0 ? numbers.mean(k, row, column) : numbers.mean(k, 0, 0));
      });
    }
    made.push_back(first_points(
        oracle::backward(solver_oracle::with_halves(among_those_back(sum, given), back), kinds,
                         real_points),
        given));
    for (Exact& value : made.back().values) value /= points;
  }
  return made;
}

template <class Real>
void apply(Operator<Real>& op, Case const& given, Real* in, Real* out) {
  using Complex = std::complex<Real>;
  if (given.has_real_arrays())
    op.apply(in, out);
  else
    op.apply(reinterpret_cast<Complex*>(in), reinterpret_cast<Complex*>(out));
}

/// This rank's part of an array of numbers for the coefficients that are kept.
template <class Number>
std::vector<Number> numbers_of(Case const& given, Layout const& layout) {
  std::vector<Number> made;
  Numbers const numbers = given.numbers();
  Box const box = layout.box(mine());
  Shape const strides = layout.strides(mine());
  oracle::for_each_point(box, [&](Shape const& kept) {
    Shape coefficient = kept;
    for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
      Index& k = coefficient[given.options.axes[i]];
      Index const modes = given.modes(i);
      if (given.options.kinds[i] == Kind::c2c && k >= modes - modes / 2)
        k += given.length(i) - modes;
    }
    std::size_t place = 0;
    for (int axis = 0; axis < box.axes(); ++axis)
      place += at((kept[axis] - box.ranges[axis].lo) / box.ranges[axis].step * strides[axis]);
    made.resize(std::max(made.size(), place + 1));
    Exact const number = numbers.mean(coefficient, 0, 0);
    if constexpr (std::is_floating_point_v<Number>)
      made[place] = static_cast<Number>(number.real());
    else
      made[place] = Number(number);
  });
  return made;
}

/// Numbers for all coefficients that are kept, dealt out by any layout.
template <class Number>
struct GivenNumbers {
  Layout layout;
  std::vector<Number> numbers;

  GivenNumbers(Case const& given, Random& random)
      : layout(cases::random_layout(random, shape_of_coefficients(given), all())),
        numbers(numbers_of<Number>(given, layout)) {}
  Symbol symbol() const { return Symbol::array(layout, numbers.data()); }

  static Shape shape_of_coefficients(Case const& given) {
    Shape shape = given.layout.shape();
    for (std::size_t i = 0; i < given.options.axes.size(); ++i)
      shape[given.options.axes[i]] =
          given.options.kinds[i] == Kind::r2c ? given.modes(i) / 2 + 1 : given.modes(i);
    return shape;
  }
};

template <class Real>
void expect_definition(Case const& given, Symbol const& symbol);

template <class Real>
void expect_definition(Case const& given) {
  expect_definition<Real>(given, given.numbers().symbol(given.results, given.options.fields));
}

template <class Real>
void expect_definition_of_array(Case const& given, Random& random) {
  if (given.is_complex)
    expect_definition<Real>(given, GivenNumbers<std::complex<Real>>(given, random).symbol());
  else
    expect_definition<Real>(given, GivenNumbers<Real>(given, random).symbol());
}

template <class Real>
void expect_definition(Case const& given, Symbol const& symbol) {
  SCOPED_TRACE(describe(given));
  Operator<Real> op =
      given.result
          ? Operator<Real>(given.layout, *given.result, MPI_COMM_WORLD, symbol, given.options)
          : Operator<Real>(given.layout, MPI_COMM_WORLD, symbol, given.options);
  Case results = given;  // where they lie
  if (given.result) {
    results.layout = given.result->layout;
    results.ghosts = {};
  }
  SCOPED_TRACE(op.describe());
  bool const real = given.has_real_arrays();
  Index const points = oracle::points_of(given.layout.shape());
  std::vector<Whole> fields;
  for (int field = 0; field < given.options.fields; ++field) {
    Whole whole{given.layout.shape(),
                oracle::values(points, static_cast<std::uint64_t>(field + 1))};
    if (real)
      for (Exact& value : whole.values) value = value.real();
    fields.push_back(whole);
  }
  std::vector<Whole> const expected = applied(given, fields);
  auto const unit = static_cast<std::size_t>(real ? 1 : 2);
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  std::vector<Real> in(at(op.input_size()) * unit, nan), out(at(op.output_size()) * unit, nan);
  fill(in, given, fields);
  std::vector<Real> const before = in;
  double const bound =
      200 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * given.options.fields;
  apply(op, given, in.data(), out.data());
  EXPECT_LT(ranks::largest(difference(out, results, expected)), bound);
  if (given.options.preserve_input) {
    EXPECT_TRUE(same_bits(before, in)) << "the input was changed";
  }
  std::vector<Real> one(at(op.in_place_size()) * unit, nan);
  std::copy(before.begin(), before.end(), one.begin());
  apply(op, given, one.data(), one.data());
  EXPECT_LT(ranks::largest(difference(one, results, expected)), bound) << "in place";

  auto const own = op.template allocate<Real>();
  auto const other = op.template allocate<Real>();
  std::copy(before.begin(), before.end(), own.get());
  apply(op, given, own.get(), other.get());
  std::vector<Real> const got(other.get(), other.get() + out.size());
  EXPECT_LT(ranks::largest(difference(got, results, expected)), bound) << "allocated";
}

TEST(operators, is_a_transform_a_product_and_a_transform_back) {
  Random random(1);
  for (int round = 0; round < rounds(100) && !failed_anywhere(); ++round) {
    Case const given = random_case(random, random.between(1, 4), 400);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(operators, are_longer_than_their_arrays_and_interpolate) {
  Random random(2);
  for (int round = 0; round < rounds(200) && !failed_anywhere(); ++round) {
    Case const given = random_longer_case(random);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(operators, multiply_by_products_and_arrays) {
  Random random(4);
  for (int round = 0; round < rounds(240) && !failed_anywhere(); ++round) {
    Case given = random.once_in(3) ? random_longer_case(random)
                                   : random_case(random, random.between(1, 4), 400);
    given.results = 0;
    given.is_array = random.once_in(2);
    given.is_product = !given.is_array;
    bool const single = random.once_in(4);
    if (given.is_array)
      single ? expect_definition_of_array<float>(given, random)
             : expect_definition_of_array<double>(given, random);
    else
      single ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(operators, are_right_with_any_settings) {
  Random random(5);
  for (int round = 0; round < rounds(8) && !failed_anywhere(); ++round) {
    Case given = random.once_in(2) ? random_longer_case(random)
                                   : random_case(random, random.between(1, 3), 400);
    if (random.once_in(4) && may_have_sphere(given)) add_sphere(given, random);
    given.options.tuning = TuningLevel::quick;
    given.options.tuning_seconds = 0.05;
    expect_definition<double>(given);
  }
}

TEST(operators, keep_a_sphere) {
  Random random(3);
  for (int round = 0; round < rounds(70) && !failed_anywhere();) {
    Case given = random.once_in(3) ? random_longer_case(random)
                                   : random_case(random, random.between(1, 4), 400);
    if (!may_have_sphere(given)) continue;
    add_sphere(given, random);
    given.is_product = given.results == 0 && random.once_in(3);
    ++round;
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(operators, keep_listed_columns) {
  Random random(4);
  for (int round = 0; round < rounds(70) && !failed_anywhere();) {
    Case given = random.once_in(3) ? random_longer_case(random)
                                   : random_case(random, random.between(2, 4), 400);
    if (!may_have_columns(given)) continue;
    add_columns(given, random);
    given.is_product = given.results == 0 && random.once_in(3);
    ++round;
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

}  // namespace
}  // namespace sixstep

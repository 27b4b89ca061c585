// SPDX-License-Identifier: BSD-3-Clause
// Operators of all kinds against their definition: a transform, a product, a transform back.
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
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

/// A problem whose transforms are longer than its arrays, or whose result has a layout of its own.
Case random_longer_case(Random& random) {
  Case given = random_case(random, random.between(1, 3), 150);
  OperatorOptions& options = given.options;
  options.modes.clear();
  Shape shape = given.layout.shape();
  bool const has_result = !random.once_in(3);
  OperatorResult result;
  for (std::size_t i = 0; i < options.axes.size(); ++i) {
    int const axis = options.axes[i];
    Index const points = shape[axis];
    Index const length = random.once_in(3) ? points : points + random.between(Index{0}, 2 * points);
    options.lengths.push_back(length);
    if (!has_result) continue;
    bool const may_be_one = is_periodic(options.kinds[i]) && random.once_in(4);
    Index const least = may_be_one ? 1 : std::max(Index{2}, points / 2);
    Index const back = random.once_in(2) ? length : random.between(least, 3 * points);
    result.lengths.push_back(back);
    result.first.push_back(random.between(Index{0}, back - 1));
    shape[axis] = random.between(Index{1}, back);
  }
  if (random.once_in(3))
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      options.modes.push_back(
          random.between(Index{1}, has_result ? std::min(options.lengths[i], result.lengths[i])
                                              : options.lengths[i]));
  if (!has_result) return given;
  result.layout = cases::random_layout(random, shape, all());
  if (random.once_in(3)) result.first.clear();
  given.result = result;
  return given;
}

TEST(operators, are_longer_than_their_arrays_and_interpolate) {
  Random random(2);
  for (int round = 0; round < rounds(200) && !failed_anywhere(); ++round) {
    Case const given = random_longer_case(random);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

/// Reals at `from`'s points, interpolated to those of `to` and back.
template <class Element>
std::vector<Element> there_and_back(Layout const& from, Layout const& to, std::vector<Kind> kinds,
                                    std::vector<Element> const& in) {
  OperatorOptions options;
  options.kinds = std::move(kinds);
  auto const one = [](Wavevector const&) { return 1.; };
  Operator<double> finer(from, {to}, MPI_COMM_WORLD, one, options);
  Operator<double> back(to, {from}, MPI_COMM_WORLD, one, options);
  std::vector<Element> fine(at(finer.output_size())), again(at(back.output_size()));
  finer.apply(in.data(), fine.data());
  back.apply(fine.data(), again.data());
  fine.insert(fine.end(), again.begin(), again.end());
  return fine;
}

TEST(operators, interpolate_reals_to_the_same_reals_with_c2c_and_r2c) {
  for (Shape const& to : {Shape{12, 10}, Shape{9, 7}, Shape{6, 16}}) {
    Layout const coarse = Layout::slab({8, 6}, all()), other = Layout::slab(to, all());
    std::vector<double> in(at(coarse.local_size(mine())));
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = std::sin(static_cast<double>(7 * i * i) + mine());
    std::vector<std::complex<double>> const as_complex(in.begin(), in.end());
    std::vector<double> const reals = there_and_back(coarse, other, {Kind::r2c}, in);
    auto const made = there_and_back(coarse, other, {Kind::c2c}, as_complex);
    double worst = 0;
    for (std::size_t i = 0; i < made.size(); ++i)
      worst = ranks::worse(worst, std::abs(made[i] - reals[i]));
    for (std::size_t i = 0; i < in.size() && to[0] > 8; ++i)
      worst = ranks::worse(worst, std::abs(reals[reals.size() - in.size() + i] - in[i]));
    EXPECT_LT(ranks::largest(worst), 1e-13) << to_string(to);
  }
}

TEST(operators, interpolate_to_a_single_point) {
  for (Shape const& shape : {Shape{12}, Shape{4, 3}}) {
    Layout const points = Layout::slab(shape, all());
    Layout const one = Layout::slab(Shape(shape.size(), 1), all());
    std::vector<std::complex<double>> const in(at(points.local_size(mine())), {3, -2});
    Operator<double> mean(points, {one}, MPI_COMM_WORLD, [](Wavevector const&) { return 1.; });
    std::vector<std::complex<double>> out(at(mean.output_size()));
    mean.apply(in.data(), out.data());
    double worst = 0;
    for (std::complex<double> const& value : out)
      worst = ranks::worse(worst, std::abs(value - std::complex<double>(3, -2)));
    EXPECT_LT(ranks::largest(worst), 1e-14) << to_string(shape);
  }
}

/// The first point of a transform back, where another axis is transformed behind it.
TEST(operators, keep_one_of_many_points) {
  for (Index points : {2, 4, 6})
    for (Index back : {points + 1, points + 2, points + 3}) {
      OperatorOptions options;
      options.axes = {2, 1};
      options.kinds = {Kind::r2c, Kind::dct2};
      Layout const from = Layout::slab({2, 3, points}, all());
      Layout const whole = Layout::slab({2, 3, back}, all());
      Layout const part = Layout::slab({2, 3, 1}, all());
      auto const one = [](Wavevector const&) { return 1.; };
      Operator<double> finer(from, {whole}, MPI_COMM_WORLD, one, options);
      Operator<double> first(from, {part, {back, 3}}, MPI_COMM_WORLD, one, options);
      std::vector<double> in(at(from.local_size(mine())));
      for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = std::cos(static_cast<double>(5 * i * i) + mine());
      std::vector<double> all_points(at(finer.output_size())), got(at(first.output_size()));
      finer.apply(in.data(), all_points.data());
      first.apply(in.data(), got.data());
      double worst = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        worst = ranks::worse(worst, std::abs(got[i] - all_points[i * at(back)]));
      EXPECT_LT(ranks::largest(worst), 1e-14) << points << " to " << back;
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

/// Rows far apart in memory, where passes copy strips of columns.
TEST(lengths, are_those_of_arrays_with_zeros) {
  Index const columns = 3000, rows = 48, length = 80;
  Options options;
  options.axes = {0};
  options.modes = {rows};
  Plan<double> padded(Layout::slab({length, columns}, all(), 1), MPI_COMM_WORLD, options);
  options.lengths = {length};
  Plan<double> plan(Layout::slab({rows, columns}, all(), 1), MPI_COMM_WORLD, options);
  using Complex = std::complex<double>;
  std::vector<Complex> points(at(plan.input_size())), all_points(at(padded.input_size()));
  std::vector<Complex> modes(at(plan.output_size())), expected(at(padded.output_size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    all_points[i] = points[i] = {std::cos(static_cast<double>(i)), static_cast<double>(i % 7)};
  plan.forward(points.data(), modes.data());
  padded.forward(all_points.data(), expected.data());
  double worst = 0;
  for (std::size_t i = 0; i < modes.size(); ++i)
    worst = ranks::worse(worst, std::abs(modes[i] - expected[i]));
  plan.backward(modes.data(), points.data(), Scale::by_n);
  padded.backward(modes.data(), all_points.data(), Scale::by_n);
  for (std::size_t i = 0; i < points.size(); ++i)
    worst = ranks::worse(worst, std::abs(points[i] - all_points[i]));
  EXPECT_LT(ranks::largest(worst), 1e-11);
}

/// Fields of functions of the points x = side j/n along periodic axes.
template <class Function>
std::vector<double> sampled(Layout const& layout, std::vector<double> const& sides, int fields,
                            Function const& function) {
  std::vector<double> made(at(layout.local_size(mine()) * fields));
  oracle::for_each_element(layout, mine(), [&](Shape const& point, Index offset) {
    std::vector<double> x;
    for (int axis = 0; axis < layout.axes(); ++axis)
      x.push_back(sides[at(axis)] * static_cast<double>(point[axis]) /
                  static_cast<double>(layout.shape()[axis]));
    for (int field = 0; field < fields; ++field)
      made[at(field * layout.local_size(mine()) + offset)] = function(x, field);
  });
  return made;
}

double largest_difference(std::vector<double> const& a, std::vector<double> const& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) worst = ranks::worse(worst, std::abs(a[i] - b[i]));
  return ranks::largest(worst);
}

/// Waves of whole periods on a box that is no cube.
class Waves3 {
 public:
  OperatorOptions options(int fields = 1) const {
    OperatorOptions made;
    made.kinds = {Kind::r2c};
    made.fields = fields;
    made.sides = sides;
    return made;
  }
  double k(int axis, int periods) const { return 2 * std::numbers::pi * periods / sides[at(axis)]; }

  std::vector<double> const sides{1.5, 2, 5};
  Layout const layout = Layout::slab({12, 9, 10}, all());
};

TEST(operators, differentiate_and_solve) {
  Waves3 const box;
  double const a = box.k(0, 2), b = box.k(1, 1), c = box.k(2, 3);
  auto const u = [&](std::vector<double> const& x, int) {
    return std::sin(a * x[0]) * std::cos(b * x[1]) + std::cos(c * x[2]);
  };
  std::vector<double> const in = sampled(box.layout, box.sides, 1, u);
  auto const expect = [&](Symbol const& symbol, auto const& expected) {
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbol, box.options());
    std::vector<double> out(at(op.output_size()));
    op.apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, sampled(box.layout, box.sides, 1, expected)), 1e-11);
  };
  using Point = std::vector<double> const&;
  expect(symbols::derivative(0),
         [&](Point x, int) { return a * std::cos(a * x[0]) * std::cos(b * x[1]); });
  expect(symbols::derivative(2, 3), [&](Point x, int) { return c * c * c * std::sin(c * x[2]); });
  expect(symbols::derivative(-1, 2), [&](Point x, int) { return -c * c * std::cos(c * x[2]); });
  double const first = a * a + b * b, second = c * c;
  auto const scaled = [&](double by_first, double by_second) {
    return [=](Point x, int) {
      return by_first * std::sin(a * x[0]) * std::cos(b * x[1]) + by_second * std::cos(c * x[2]);
    };
  };
  expect(symbols::laplacian(), scaled(-first, -second));
  expect(symbols::inverse_laplacian(), scaled(-1 / first, -1 / second));
  expect(symbols::helmholtz(2), scaled(1 / (2 + first), 1 / (2 + second)));
  expect(symbols::gaussian(0.1), scaled(std::exp(-first / 200), std::exp(-second / 200)));
  expect(symbols::lowpass(std::sqrt(first) - 1), scaled(0, 1));
  expect(symbols::shift({0.1, 0.3, -0.2}), [&](Point x, int) {
    return std::sin(a * (x[0] - 0.1)) * std::cos(b * (x[1] - 0.3)) + std::cos(c * (x[2] + 0.2));
  });
}

TEST(operators, make_several_fields_of_one) {
  Waves3 const box;
  using Point = std::vector<double> const&;
  auto const phase = [&](Point x) {
    return box.k(0, 1) * x[0] + box.k(1, 2) * x[1] - box.k(2, 1) * x[2];
  };
  std::vector<double> const in =
      sampled(box.layout, box.sides, 1, [&](Point x, int) { return std::sin(phase(x)); });
  for (bool const interleaved : {false, true}) {
    OperatorOptions options = box.options();
    options.interleaved = interleaved;
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::gradient(3), options);
    EXPECT_TRUE(op.output() == box.layout);
    std::vector<double> out(at(op.output_size())), expected(out.size());
    op.apply(in.data(), out.data());
    std::vector<double> const fields = sampled(box.layout, box.sides, 3, [&](Point x, int field) {
      double const k = field == 0 ? box.k(0, 1) : field == 1 ? box.k(1, 2) : -box.k(2, 1);
      return k * std::cos(phase(x));
    });
    Index const points = box.layout.local_size(mine());
    for (Index i = 0; i < points; ++i)
      for (int field = 0; field < 3; ++field)
        expected[at(interleaved ? 3 * i + field : field * points + i)] =
            fields[at(field * points + i)];
    EXPECT_LT(largest_difference(out, expected), 1e-11);
  }
}

TEST(operators, act_on_vectors) {
  Waves3 const box;
  double const a = box.k(0, 1), b = box.k(1, 2), c = box.k(2, 1);
  using Point = std::vector<double> const&;
  // A field without divergence, and a gradient.
  auto const solenoidal = [&](Point x, int field) {
    return field == 0 ? std::sin(b * x[1]) : field == 1 ? std::cos(c * x[2]) : std::sin(a * x[0]);
  };
  auto const gradient = [&](Point x, int field) {
    double const phase = a * x[0] + b * x[1] + c * x[2];
    return (field == 0 ? a : field == 1 ? b : c) * std::cos(phase);
  };
  std::vector<double> const in = sampled(box.layout, box.sides, 3, [&](Point x, int field) {
    return solenoidal(x, field) + gradient(x, field);
  });
  auto const expect = [&](Symbol const& symbol, int results, auto const& expected) {
    Operator<double> op(box.layout, MPI_COMM_WORLD, symbol, box.options(3));
    std::vector<double> out(at(op.output_size()));
    op.apply(in.data(), out.data());
    EXPECT_EQ(op.output_size(), results * box.layout.local_size(mine()));
    EXPECT_LT(largest_difference(out, sampled(box.layout, box.sides, results, expected)), 1e-11);
  };
  expect(symbols::project(3), 3, solenoidal);
  expect(symbols::divergence(3), 1, [&](Point x, int) {
    return -(a * a + b * b + c * c) * std::sin(a * x[0] + b * x[1] + c * x[2]);
  });
  expect(symbols::curl(), 3, [&](Point x, int field) {
    return field == 0   ? c * std::sin(c * x[2])
           : field == 1 ? -a * std::cos(a * x[0])
                        : -b * std::cos(b * x[1]);
  });
}

TEST(operators, take_another_symbol_without_planning) {
  Waves3 const box;
  std::vector<double> const in = sampled(
      box.layout, box.sides, 1, [&](auto const& x, int) { return std::sin(box.k(0, 1) * x[0]); });
  Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::laplacian(), box.options());
  op.renew(symbols::helmholtz(1));
  std::vector<double> out(at(op.output_size()));
  double const squared = box.k(0, 1) * box.k(0, 1);
  auto const expect_helmholtz = [&] {
    op.apply(in.data(), out.data());
    std::vector<double> expected = in;
    for (double& value : expected) value /= 1 + squared;
    EXPECT_LT(largest_difference(out, expected), 1e-13);
  };
  expect_helmholtz();
  EXPECT_TRUE(refuses("symbol", {"3 x 3 was given"}, [&] { op.renew(symbols::curl()); }));
  EXPECT_TRUE(refuses("symbol", {"at k = (0, 0, 0)"}, [&] { op.renew(symbols::helmholtz(0)); }));
  expect_helmholtz();
}

TEST(operators, take_another_array_without_planning) {
  Waves3 const box;
  Operator<double> unchanged(
      box.layout, MPI_COMM_WORLD, [](Wavevector const&) { return 1; }, box.options());
  Shape shape = box.layout.shape();
  shape[2] = shape[2] / 2 + 1;
  Layout const layout = Layout::slab(shape, all());
  std::vector<double> numbers(at(layout.box(mine()).volume()), 2);
  Operator<double> op(box.layout, MPI_COMM_WORLD, Symbol::array(layout, numbers.data()),
                      box.options());
  std::vector<double> const in =
      sampled(box.layout, box.sides, 1, [](auto const& x, int) { return x[0] + x[1] * x[2]; });
  std::vector<double> out(at(op.output_size())), expected = in;
  auto const expect_times = [&](double factor) {
    op.apply(in.data(), out.data());
    for (std::size_t i = 0; i < in.size(); ++i) expected[i] = factor * in[i];
    EXPECT_LT(largest_difference(out, expected), 1e-12);
  };
  expect_times(2);
  std::fill(numbers.begin(), numbers.end(), 3);
  expect_times(2);
  op.renew(Symbol::array(layout, numbers.data()));
  expect_times(3);
  auto const refused = [&](std::initializer_list<char const*> words, Symbol const& symbol) {
    EXPECT_TRUE(refuses("symbol", words, [&] { op.renew(symbol); }));
    expect_times(3);
  };
  if (!numbers.empty()) numbers.back() = HUGE_VAL;
  refused({"finite numbers", "for the coefficient ("}, Symbol::array(layout, numbers.data()));
  refused({"a number, 1 x 1, is needed as before"}, symbols::gradient(3));
  std::vector<float> const single(numbers.size());
  refused({"8 bytes a real are needed", "these have 4"}, Symbol::array(layout, single.data()));
  refused({"an array of shape ", to_string(shape).c_str(), to_string(box.layout.shape()).c_str()},
          Symbol::array(box.layout, numbers.data()));
  refused({"a pointer to numbers is needed"},
          Symbol::array(layout, static_cast<double const*>(nullptr)));
  // An array with ghosts has more numbers than the rank's own.
  Layout const padded = layout.with_ghosts({1, 0, 0}, {1, 0, 0});
  refused({"numbers is needed on rank"},
          Symbol::array(padded, numbers.data(), padded.local_size(mine())));
  if (!numbers.empty()) numbers.back() = 3;
  auto const array = Symbol::array(layout, numbers.data());
  for (Operator<double>* const each : {&op, &unchanged}) {  // a function, an array, a function
    each->renew([](Wavevector const&) { return 5; });
    each->renew(array);
    each->apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, expected), 1e-12);
    each->renew(symbols::helmholtz(1));
  }
  Operator<double> fresh(box.layout, MPI_COMM_WORLD, symbols::helmholtz(1), box.options());
  fresh.apply(in.data(), expected.data());
  for (Operator<double>* const each : {&op, &unchanged}) {
    each->apply(in.data(), out.data());
    EXPECT_LT(largest_difference(out, expected), 1e-12);
  }
  OperatorOptions walls = box.options();
  walls.kinds = {Kind::dct2};
  std::vector<std::complex<double>> const complex(at(box.layout.box(mine()).volume()));
  EXPECT_TRUE(refuses("symbol", {"real numbers are needed, because all axes"}, [&] {
    Operator<double>(box.layout, MPI_COMM_WORLD, Symbol::array(box.layout, complex.data()), walls);
  }));
  OperatorOptions vectors = box.options(3);
  Operator<double> project(box.layout, MPI_COMM_WORLD, symbols::project(3), vectors);
  EXPECT_TRUE(refuses("symbol", {"a matrix of 3 x 3"}, [&] { project.renew(array); }));
  OperatorOptions ball = box.options();
  ball.kinds.clear();
  ball.sphere = {3};
  Operator<double> within(box.layout, MPI_COMM_WORLD, symbols::laplacian(), ball);
  EXPECT_TRUE(refuses("symbol", {"without sphere and columns"}, [&] { within.renew(array); }));
  walls.sphere = {3};
  EXPECT_TRUE(refuses("symbol", {"without sphere and columns"}, [&] {
    Operator<double>(box.layout, MPI_COMM_WORLD, Symbol::array(box.layout, complex.data()), walls);
  }));
}

TEST(operators, refuse_what_they_cannot_do) {
  Waves3 const box;
  auto const expect = [&](Symbol const& symbol, OperatorOptions const& options, char const* words) {
    std::string const message =
        message_of([&] { Operator<double>(box.layout, MPI_COMM_WORLD, symbol, options); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  expect(symbols::helmholtz(0), box.options(),
         "symbol: finite numbers are needed, at k = (0, 0, 0) it is inf");
  expect(symbols::curl(), box.options(2), "symbol: a matrix with 2 columns");
  OperatorOptions options = box.options();
  options.sides = {1, 2};
  expect(symbols::laplacian(), options, "sides: one for each of the 3 axes");
  options.sides = {1, 2, 0};
  expect(symbols::laplacian(), options, "sides: lengths above 0 are needed, 0 was given");
  options = box.options();
  options.axes = {3};  // where the fields of a gradient have an axis
  expect(symbols::gradient(3), options, "axes: ");
  options = box.options();
  options.output = Output::natural_axes;
  expect(symbols::laplacian(), options, "output: an operator has none");
  options = box.options();
  options.kinds = {Kind::dct2};
  expect(symbols::derivative(1), options,
         "symbol: real numbers, because all axes are between walls");
  expect(symbols::derivative(3), box.options(), "axis: -3 to 2 are possible, 3 was given");
  expect(symbols::shift({1}), box.options(), "axes: the layout has 3, 1 were given");
  expect(symbols::shift({1, 2}), box.options(), "axes: the layout has 3, 2 were given");
  expect(Symbol::same_product([](double k) { return 1 / k; }), box.options(),
         "symbol: finite numbers are needed, the factor of axis 0 at k = 0 is inf");
  expect(Symbol::same_product([](double k) { return std::complex<double>(0, k); },
                              Symbol::Numbers::real),
         box.options(), "symbol: real numbers are needed, the factor of axis 0 at k = ");
  auto const imaginary = [](Index count, Wavevector const*, std::complex<double>* numbers) {
    std::fill_n(numbers, count, std::complex<double>(0, 1));
  };
  expect(Symbol::many(imaginary, Symbol::Numbers::real), box.options(),
         "symbol: real numbers, as it is said to be real, are needed");
  expect(
      [](Wavevector const& k) -> double {
        if (k[0] > 0) throw std::runtime_error("no such wave");
        return 1;
      },
      box.options(), "no such wave");
}

TEST(operators, refuse_results_that_do_not_fit) {
  Layout const layout = Layout::slab({6, 8}, all());
  OperatorOptions options;
  options.axes = {1};
  auto const refused = [&](std::initializer_list<char const*> words, OperatorResult const& result) {
    EXPECT_TRUE(refuses("result", words, [&] {
      Operator<double>(layout, result, MPI_COMM_WORLD, symbols::laplacian(), options);
    }));
  };
  refused({"2 axes", "this one has 1 axes"}, {Layout::slab({8}, all())});
  refused({"axis 0 is not transformed", "6 points", "it has 5"}, {Layout::slab({5, 8}, all())});
  refused({"lengths: 9 or more", "axis 1", "8 was given"}, {Layout::slab({6, 9}, all()), {8}});
  refused({"lengths: a number for each of the 1 axes", "2 were given"},
          {Layout::slab({6, 9}, all()), {9, 9}});
  refused({"first: 0 to 8", "9 was given"}, {Layout::slab({6, 9}, all()), {9}, {9}});
  options.modes = {8};
  EXPECT_TRUE(refuses("modes", {"at most 7", "transform back", "8 were asked for"}, [&] {
    Operator<double>(layout, OperatorResult{Layout::slab({6, 7}, all())}, MPI_COMM_WORLD,
                     symbols::laplacian(), options);
  }));
}

TEST(operators, refuse_arrays_of_another_kind) {
  Waves3 const box;
  Operator<double> op(box.layout, MPI_COMM_WORLD, symbols::laplacian(), box.options());
  std::vector<std::complex<double>> array(at(op.in_place_size()));
  EXPECT_TRUE(refuses("in, out", {"Real arrays", "apply(Complex const*, Complex*) was called"},
                      [&] { op.apply(array.data(), array.data()); }));
}

TEST(operators, throw_what_a_function_throws_after_all_exchanges) {
  Waves3 const box;
  OperatorOptions options = box.options();
  options.kept = false;
  Operator<double> op(
      box.layout, MPI_COMM_WORLD,
      [](Wavevector const& k) -> double {
        if (k[0] == 0 && k[1] == 0 && k[2] == 0) throw std::runtime_error("no mean");
        return 1;
      },
      options);
  std::vector<double> in(at(op.input_size()), 1), out(at(op.output_size()));
  int thrown = 0;
  try {
    op.apply(in.data(), out.data());
  } catch (std::runtime_error const& error) {
    thrown = std::string(error.what()) == "no mean" ? 1 : 2;
  }
  int all_thrown = 0;
  MPI_Allreduce(&thrown, &all_thrown, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(all_thrown, 1) << "the rank that has k = 0 throws";
}

}  // namespace
}  // namespace sixstep

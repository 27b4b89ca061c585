// SPDX-License-Identifier: BSD-3-Clause
// Maps against their definition: transforms back to points, a function there, transforms forward.
// Plans make the coefficients of the input, and points of the result.
#include "sixstep/map.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>
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

/// A problem, and how many results each function has; 0: there is none before, or after.
struct MapCase {
  Case problem;
  int before = 0;
  int at_points = 1;
  int after = 0;
  Index batch = 64;
  bool ghosts = false;  // in the layout of the coefficients
};

/// Even in each component of k, so that it multiplies waves of either sign alike.
double weight(int row, int column, double squared) {
  return (0.5 + row - 0.3 * column) / (1 + 0.2 * squared);
}

/// Products of neighbouring fields, and a part that depends on the place.
template <class Value>
Value product(Value const* fields, int count, int row, Index place) {
  return fields[row % count] * fields[(row + 1) % count] +
         fields[0] *
             static_cast<decltype(std::abs(Value()))>(0.1 + 0.01 * static_cast<double>(place));
}

Index number_of(Shape const& point) {
  Index sum = 0;
  for (int axis = 0; axis < point.size(); ++axis) sum += (1 + axis) * point[axis];
  return sum;
}

template <class Real, class Value>
auto mixed(int axes, int fields, int results, std::atomic<bool>& has_k) {
  return [=, &has_k](Batch<Value> const& batch) {
    if (batch.k == nullptr) has_k = false;
    for (Index i = 0; i < batch.count; ++i) {
      double squared = 0;
      for (int axis = 0; batch.k && axis < axes; ++axis)
        squared += batch.k[axis][i] * batch.k[axis][i];
      for (int row = 0; row < results; ++row) {
        Value sum = 0;
        for (int column = 0; column < fields; ++column)
          sum += batch.in[column][i] * static_cast<Real>(weight(row, column, squared));
        batch.out[row][i] = sum;
      }
    }
  };
}

/// Writes one result after the other, so no result may lie in the memory of a value.
template <class Value>
auto multiplied(int fields, int results) {
  return [=](Batch<Value> const& batch) {
    std::vector<Value> values(at(fields));
    for (int row = 0; row < results; ++row)
      for (Index i = 0; i < batch.count; ++i) {
        for (int field = 0; field < fields; ++field) values[at(field)] = batch.in[field][i];
        batch.out[row][i] = product(values.data(), fields, row, number_of(batch.index(i)));
      }
  };
}

class Exactly {
 public:
  explicit Exactly(MapCase const& given) : given_(given), kinds_(given.problem.kinds()) {
    for (auto const& [axis, kind] : kinds_) {
      Index const n = given.problem.layout.shape()[axis];
      if (kind == Kind::r2c) real_points_ = n;
      points_ *= oracle::there_and_back(kind, n);
    }
  }

  /// The points of what the map makes of these.
  std::vector<Whole> operator()(std::vector<Whole> fields) const {
    for (Whole& field : fields) field = kept(oracle::forward(field, kinds_));
    if (given_.before > 0) fields = mixed(fields, given_.before);
    for (Whole& field : fields) field = back(field);
    std::vector<Whole> made(at(given_.at_points), fields[0]);
    auto const count = static_cast<int>(fields.size());
    std::vector<Exact> values(at(count));
    oracle::for_each_point(fields[0].shape, [&](Shape const& point) {
      std::size_t const i = at(oracle::number_of(fields[0].shape, point));
      for (int field = 0; field < count; ++field) values[at(field)] = fields[at(field)].values[i];
      for (int row = 0; row < given_.at_points; ++row)
        made[at(row)].values[i] = exact(values, row, number_of(point));
    });
    for (Whole& field : made) field = kept(oracle::forward(field, kinds_));
    if (given_.after > 0) made = mixed(made, given_.after);
    for (Whole& field : made) field = back(field);
    return made;
  }

 private:
  static Exact exact(std::vector<Exact> const& values, int row, Index place) {
    auto const count = static_cast<int>(values.size());
    return values[at(row % count)] * values[at((row + 1) % count)] +
           values[0] * (0.1L + 0.01L * static_cast<long double>(place));
  }

  Whole back(Whole const& field) const {
    Whole made = oracle::backward(field, kinds_, real_points_);
    for (Exact& value : made.values) value /= points_;
    return made;
  }

  /// The square of k, or -1 for a coefficient that is dropped.
  double squared(Shape const& coefficient) const {
    Options const& options = given_.problem.options;
    std::vector<double> const& sides = given_.problem.options.sides;
    double sum = 0;
    for (std::size_t i = 0; i < options.axes.size(); ++i) {
      int const axis = options.axes[i];
      Index const n = given_.problem.layout.shape()[axis];
      std::vector<double> const there = waves(
          options.kinds[i], n, options.modes.empty() ? n : options.modes[i], coefficient[axis]);
      if (there.empty()) return -1;
      double const around = is_periodic(options.kinds[i]) ? 2 * std::numbers::pi : std::numbers::pi;
      double const k = there[0] * (sides.empty() ? 1 : around / sides[at(axis)]);
      sum += k * k;
    }
    return sum;
  }

  Whole kept(Whole spectrum) const {
    oracle::for_each_point(spectrum.shape, [&](Shape const& k) {
      if (squared(k) < 0) spectrum.values[at(oracle::number_of(spectrum.shape, k))] = 0;
    });
    return spectrum;
  }

  std::vector<Whole> mixed(std::vector<Whole> const& spectra, int results) const {
    std::vector<Whole> made(at(results), Whole{spectra[0].shape, {}});
    for (Whole& one : made) one.values.resize(spectra[0].values.size());
    oracle::for_each_point(spectra[0].shape, [&](Shape const& k) {
      std::size_t const i = at(oracle::number_of(spectra[0].shape, k));
      for (int row = 0; row < results; ++row)
        for (int column = 0; column < static_cast<int>(spectra.size()); ++column)
          made[at(row)].values[i] +=
              spectra[at(column)].values[i] * Exact(weight(row, column, std::max(squared(k), 0.0)));
    });
    return made;
  }

  MapCase const& given_;
  oracle::Kinds kinds_;
  Index real_points_ = 1;
  long double points_ = 1;
};

std::string describe(MapCase const& given) {
  return text(describe(given.problem), ", before ", given.before, ", at points ", given.at_points,
              ", after ", given.after, ", batch ", given.batch, ", ghosts ", given.ghosts);
}

/// The transforms of a plan, whatever its numbers.
template <class Real>
class Transforms {
 public:
  Transforms(Case const& problem, Layout const& coefficients, int fields)
      : plan_(problem.layout, coefficients, MPI_COMM_WORLD, options(problem, fields)),
        real_(problem.has_real_arrays()),
        walls_(std::none_of(problem.options.kinds.begin(), problem.options.kinds.end(),
                            is_periodic)) {}

  void forward(Real* points, Real* coefficients) {
    if (walls_)
      plan_.execute(points, coefficients, Direction::forward, Scale::none);
    else if (real_)
      plan_.forward(points, complex(coefficients), Scale::none);
    else
      plan_.forward(complex(points), complex(coefficients), Scale::none);
  }
  void backward(Real* coefficients, Real* points) {
    if (walls_)
      plan_.execute(coefficients, points, Direction::backward, Scale::by_n);
    else if (real_)
      plan_.backward(complex(coefficients), points, Scale::by_n);
    else
      plan_.backward(complex(coefficients), complex(points), Scale::by_n);
  }
  std::size_t point_reals() const { return at(plan_.input_size()) * (real_ ? 1U : 2U); }
  std::size_t coefficient_reals() const { return at(plan_.output_size()) * (walls_ ? 1U : 2U); }

 private:
  static std::complex<Real>* complex(Real* array) {
    return reinterpret_cast<std::complex<Real>*>(array);
  }
  static Options options(Case const& problem, int fields) {
    Options made = problem.options;
    made.fields = fields;
    made.preserve_input = true;
    return made;
  }

  Plan<Real> plan_;
  bool real_, walls_;
};

template <class Real>
Map<Real> map_of(MapCase const& given, std::atomic<bool>& has_k) {
  Case const& problem = given.problem;
  using Complex = std::complex<Real>;
  bool const walls =
      std::none_of(problem.options.kinds.begin(), problem.options.kinds.end(), is_periodic);
  int const fields = problem.options.fields;
  int const axes = problem.layout.axes();
  MapFunctions<Real> functions;
  auto const mixing = [&](int from, int to) -> BatchFunction<Real> {
    if (walls) return mixed<Real, Real>(axes, from, to, has_k);
    return mixed<Real, Complex>(axes, from, to, has_k);
  };
  if (given.before > 0) functions.before = {mixing(fields, given.before), given.before};
  int const there = given.before > 0 ? given.before : fields;
  if (problem.has_real_arrays())
    functions.at_points = {multiplied<Real>(there, given.at_points), given.at_points};
  else
    functions.at_points = {multiplied<Complex>(there, given.at_points), given.at_points};
  if (given.after > 0) functions.after = {mixing(given.at_points, given.after), given.after};
  MapOptions options;
  static_cast<Options&>(options) = problem.options;
  options.sides = problem.options.sides;
  options.batch = given.batch;
  Map<Real> map(problem.layout, MPI_COMM_WORLD, functions, options);
  if (!given.ghosts) return map;
  Shape const one(problem.layout.axes(), 1);
  return Map<Real>(problem.layout, map.input().with_ghosts(one, one), MPI_COMM_WORLD, functions,
                   options);
}

template <class Real>
void expect_definition(MapCase const& given) {
  SCOPED_TRACE(describe(given));
  std::atomic<bool> has_k = true;
  Map<Real> map = map_of<Real>(given, has_k);
  SCOPED_TRACE(map.describe());
  Case const& problem = given.problem;
  bool const walls =
      std::none_of(problem.options.kinds.begin(), problem.options.kinds.end(), is_periodic);
  int const results = given.after > 0 ? given.after : given.at_points;
  std::vector<Whole> fields;
  for (int field = 0; field < problem.options.fields; ++field) {
    Whole whole{problem.layout.shape(), oracle::values(oracle::points_of(problem.layout.shape()),
                                                       static_cast<std::uint64_t>(field + 1))};
    if (problem.has_real_arrays())
      for (Exact& value : whole.values) value = value.real();
    fields.push_back(whole);
  }
  std::vector<Whole> const expected = Exactly(given)(fields);
  double largest = 1;
  for (Whole const& field : expected)
    for (Exact const& value : field.values)
      largest = std::max(largest, static_cast<double>(std::abs(value)));
  double const bound = 500 * largest * static_cast<double>(std::numeric_limits<Real>::epsilon());

  Transforms<Real> there(problem, map.input(), problem.options.fields);
  Transforms<Real> back(problem, map.output(), results);
  std::vector<Real> points(there.point_reals()), coefficients(there.coefficient_reals());
  fill(points, problem, fields);
  there.forward(points.data(), coefficients.data());
  ASSERT_EQ(at(map.input_size()) * (walls ? 1U : 2U), coefficients.size());
  std::vector<Real> made(back.coefficient_reals()), result(back.point_reals());
  auto const apply = [&](Real* in, Real* out) {
    if (walls)
      map.apply(in, out);
    else
      map.apply(reinterpret_cast<std::complex<Real>*>(in),
                reinterpret_cast<std::complex<Real>*>(out));
  };
  auto const expect = [&](Real* coefficients_made, char const* how) {
    back.backward(coefficients_made, result.data());
    EXPECT_LT(ranks::largest(difference(result, problem, expected)), bound) << how;
  };
  std::vector<Real> in = coefficients;
  apply(in.data(), made.data());
  expect(made.data(), "two arrays");
  if (problem.options.preserve_input) {
    EXPECT_TRUE(same_bits(in, coefficients)) << "the input was changed";
  }
  std::vector<Real> one(at(map.in_place_size()) * (walls ? 1U : 2U));
  std::copy(coefficients.begin(), coefficients.end(), one.begin());
  apply(one.data(), one.data());
  expect(one.data(), "in place");
  auto const own = map.template allocate<Real>();
  auto const other = map.template allocate<Real>();
  std::copy(coefficients.begin(), coefficients.end(), own.get());
  apply(own.get(), other.get());
  expect(other.get(), "allocated");
  EXPECT_TRUE(has_k) << "a function of k was called without";
}

MapCase random_map(Random& random) {
  int const axes = random.between(1, 4);
  MapCase given{.problem = random_case(random, axes, 300)};
  OperatorOptions& options = given.problem.options;
  if (axes < max_axes && random.once_in(2)) {
    options.fields = random.between(1, 3);
    given.at_points = random.between(1, 3);
    if (random.once_in(3)) given.before = random.between(1, 3);
    if (random.once_in(3)) given.after = random.between(1, 3);
  } else {
    options.fields = 1;
  }
  given.problem.results = 0;
  given.batch = random.once_in(2) ? 64 : random.between(Index{1}, Index{200});
  given.ghosts = random.once_in(4);
  return given;
}

TEST(map, is_a_transform_back_a_function_and_a_transform) {
  Random random(7);
  for (int round = 0; round < rounds(100) && !failed_anywhere(); ++round) {
    MapCase const given = random_map(random);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(map, needs_all_fields_of_a_point_though_messages_have_windows) {
  MapCase given{.problem = {.layout = Layout::slab({104}, all()), .options = {}}, .at_points = 3};
  OperatorOptions& options = given.problem.options;
  options.axes = {0};
  options.kinds = {Kind::r2c};
  options.fields = 3;
  options.exchange = Exchange::pairwise;
  options.windows = 2;
  expect_definition<double>(given);
}

Layout slab(Index n) { return Layout::slab({n, n, n}, all()); }

MapOptions real_options(int fields = 1) {
  MapOptions made;
  made.kinds = {Kind::r2c};
  made.fields = fields;
  return made;
}

TEST(map, goes_through_slabs_in_three_passes) {
  MapFunctions<double> functions;
  functions.at_points = {
      at_each_point<double, 2, 1>([](auto const& u, auto& product) { product[0] = u[0] * u[1]; }),
      1};
  Map<double> map(slab(16), MPI_COMM_WORLD, functions, real_options(2));
  EXPECT_EQ(map.passes(), 3) << map.describe();
  EXPECT_EQ(map.exchanges(), all() == 1 ? 0 : 2);
  EXPECT_NE(map.describe().find("function"), std::string::npos);
}

TEST(map, returns_what_a_function_throws_after_the_exchanges) {
  for (int thrower : {0, all() - 1}) {
    MapFunctions<double> functions;
    functions.at_points = {[&](Batch<double> const& batch) {
                             if (mine() == thrower) throw std::runtime_error("no more");
                             std::copy_n(batch.in[0], batch.count, batch.out[0]);
                           },
                           1};
    Map<double> map(slab(8), MPI_COMM_WORLD, functions, real_options());
    std::vector<std::complex<double>> in(at(map.input_size())), out(at(map.output_size()));
    bool const works = slab(8).local_size(mine()) > 0;
    std::string said;
    try {
      map.apply(in.data(), out.data());
    } catch (std::runtime_error const& error) {
      said = error.what();
    }
    EXPECT_EQ(said, mine() == thrower && works ? "no more" : "");
  }
}

TEST(map, refuses_what_it_does_not_have) {
  auto const copy = [](Batch<double> const& batch) {
    std::copy_n(batch.in[0], batch.count, batch.out[0]);
  };
  MapFunctions<double> good;
  good.at_points = {copy, 1};
  auto const make = [&](MapFunctions<double> const& functions, MapOptions const& options) {
    return [=] { Map<double> map(slab(8), MPI_COMM_WORLD, functions, options); };
  };
  MapOptions const options = real_options();
  EXPECT_TRUE(
      refuses("at_points.results", {"0 were given"}, make(MapFunctions<double>{}, options)));
  MapFunctions<double> wrong = good;
  wrong.before = {copy, 1};
  EXPECT_TRUE(refuses("before.function", {"Batch<Complex>"}, make(wrong, options)));
  EXPECT_TRUE(refuses("at_points.function", {"Batch<Complex>"}, make(good, MapOptions{})));
  MapOptions no = options;
  no.batch = 0;
  EXPECT_TRUE(refuses("batch", {"0 were given"}, make(good, no)));
  no = options;
  no.sides = {1, 2};
  EXPECT_TRUE(refuses("sides", {"2 were given"}, make(good, no)));
  no = options;
  no.twiddle = 0;
  EXPECT_TRUE(refuses("twiddle", {}, make(good, no)));
  Map<double> map(slab(8), MPI_COMM_WORLD, good, options);
  std::vector<double> array(at(2 * map.in_place_size()));
  EXPECT_TRUE(refuses("in, out", {"Complex"}, [&] { map.apply(array.data(), array.data()); }));
}

}  // namespace
}  // namespace sixstep

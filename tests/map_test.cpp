// SPDX-License-Identifier: BSD-3-Clause
// Maps against their definition: transforms back to points, a function there, transforms forward.
// Plans make the coefficients of the input, and points of the result.
#include "sixstep/map.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
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
  bool ghosts = false;       // in the layout of the coefficients
  bool own_results = false;  // the result has a layout of its own
};

class Exactly {
 public:
  explicit Exactly(MapCase const& given)
      : given_(given), numbers_(given.problem.numbers()), kinds_(given.problem.kinds()) {
    for (auto const& [axis, kind] : kinds_) {
      Index const n = given.problem.layout.shape()[axis];
      if (kind == Kind::r2c) real_points_ = n;
      points_ *= oracle::there_and_back(kind, n);
    }
  }

  /// The points of what the map makes of these.
  std::vector<Whole> operator()(std::vector<Whole> fields) const {
    for (Whole& field : fields) field = kept(oracle::forward(field, kinds_));
    if (given_.before > 0) fields = solver_oracle::mixed_exactly(numbers_, fields, given_.before);
    for (Whole& field : fields) field = back(field);
    std::vector<Whole> made = solver_oracle::multiplied_exactly(fields, given_.at_points);
    for (Whole& field : made) field = kept(oracle::forward(field, kinds_));
    if (given_.after > 0) made = solver_oracle::mixed_exactly(numbers_, made, given_.after);
    for (Whole& field : made) field = back(field);
    return made;
  }

 private:
  Whole back(Whole const& field) const {
    Whole made = oracle::backward(field, kinds_, real_points_);
    for (Exact& value : made.values) value /= points_;
    return made;
  }

  Whole kept(Whole spectrum) const {
    oracle::for_each_point(spectrum.shape, [&](Shape const& k) {
      if (!keeps(given_.problem, k)) spectrum.values[at(oracle::number_of(spectrum.shape, k))] = 0;
    });
    return spectrum;
  }

  MapCase const& given_;
  Numbers numbers_;
  oracle::Kinds kinds_;
  Index real_points_ = 1;
  long double points_ = 1;
};

std::string describe(MapCase const& given) {
  return text(describe(given.problem), ", before ", given.before, ", at points ", given.at_points,
              ", after ", given.after, ", batch ", given.batch, ", ghosts ", given.ghosts,
              ", own results ", given.own_results);
}

/// Whether coefficients are packed, so that their layout cannot be chosen.
bool is_packed(Case const& problem) {
  return !problem.options.sphere.empty() || !problem.options.columns.empty();
}

/// The transforms of a plan, whatever its numbers.
template <class Real>
class Transforms {
 public:
  Transforms(Case const& problem, Layout const& coefficients, int fields)
      : plan_(is_packed(problem)
                  ? Plan<Real>(problem.layout, MPI_COMM_WORLD, options(problem, fields))
                  : Plan<Real>(problem.layout, coefficients, MPI_COMM_WORLD,
                               options(problem, fields))),
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
Map<Real> map_of(MapCase const& given) {
  Case const& problem = given.problem;
  using Complex = std::complex<Real>;
  bool const walls =
      std::none_of(problem.options.kinds.begin(), problem.options.kinds.end(), is_periodic);
  int const fields = problem.options.fields;
  Numbers const numbers = problem.numbers();
  MapFunctions<Real> functions;
  auto const mixing = [&](int from, int to) -> BatchFunction<Real> {
    if (walls) return solver_oracle::mixed<Real, Real>(numbers, from, to);
    return solver_oracle::mixed<Real, Complex>(numbers, from, to);
  };
  if (given.before > 0) functions.before = {mixing(fields, given.before), given.before};
  int const there = given.before > 0 ? given.before : fields;
  if (problem.has_real_arrays())
    functions.at_points = {solver_oracle::multiplied<Real>(there, given.at_points),
                           given.at_points};
  else
    functions.at_points = {solver_oracle::multiplied<Complex>(there, given.at_points),
                           given.at_points};
  if (given.after > 0) functions.after = {mixing(given.at_points, given.after), given.after};
  MapOptions options;
  static_cast<Options&>(options) = problem.options;
  options.sides = problem.options.sides;
  options.batch = given.batch;
  Map<Real> map(problem.layout, MPI_COMM_WORLD, functions, options);
  if (given.own_results) {
    Random random(static_cast<unsigned>(given.batch));
    options.results = cases::random_layout(random, map.input().shape(), all());
  }
  if (given.ghosts) {
    Shape const one(problem.layout.axes(), 1);
    map = Map<Real>(problem.layout, map.input().with_ghosts(one, one), MPI_COMM_WORLD, functions,
                    options);
  } else {
    map = Map<Real>(problem.layout, MPI_COMM_WORLD, functions, options);
  }
  if (options.results) {
    EXPECT_EQ(map.output(), *options.results);
  }
  return map;
}

template <class Real>
void expect_definition(MapCase const& given) {
  SCOPED_TRACE(describe(given));
  Map<Real> map = map_of<Real>(given);
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
  given.own_results = random.once_in(3);
  return given;
}

/// A map between the coefficients within a sphere or within columns.
MapCase random_packed_map(Random& random) {
  for (;;) {
    MapCase given = random_map(random);
    Case& problem = given.problem;
    if (problem.options.axes.size() < 2 ||
        static_cast<int>(problem.options.axes.size()) != problem.layout.axes())
      continue;
    bool const by_list = may_have_columns(problem) && random.once_in(2);
    if (!by_list && !may_have_sphere(problem)) continue;
    by_list ? add_columns(problem, random) : add_sphere(problem, random);
    given.ghosts = given.own_results = false;
    given.before = given.after = 0;
    return given;
  }
}

TEST(map, is_a_transform_back_a_function_and_a_transform) {
  Random random(7);
  for (int round = 0; round < rounds(100) && !failed_anywhere(); ++round) {
    MapCase const given = random_map(random);
    random.once_in(4) ? expect_definition<float>(given) : expect_definition<double>(given);
  }
}

TEST(map, has_the_coefficients_of_a_sphere_or_of_columns) {
  Random random(8);
  for (int round = 0; round < rounds(60) && !failed_anywhere(); ++round) {
    MapCase const given = random_packed_map(random);
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

/// Six exchanges in windows, each of which can be done in five ways.
TEST(map, is_planned_without_trying_all_ways_of_many_exchanges) {
  MapCase given{.problem = {.layout = Layout::slab({240}, all()), .options = {}}, .at_points = 2};
  OperatorOptions& options = given.problem.options;
  options.axes = {0};
  options.kinds = {Kind::c2c};
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
  no = options;
  no.results = Layout::slab({8, 8, 8}, all());
  EXPECT_TRUE(refuses("results", {"8 x 8 x 5", "8 x 8 x 8"}, make(good, no)));
  no.sphere = {3};
  EXPECT_TRUE(refuses("results", {"packed"}, make(good, no)));
  no.results.reset();
  MapFunctions<double> both = good;
  both.after = {[](Batch<std::complex<double>> const&) {}, 1};
  EXPECT_TRUE(refuses("before, after", {"sphere"}, make(both, no)));
  Map<double> map(slab(8), MPI_COMM_WORLD, good, options);
  std::vector<double> array(at(2 * map.in_place_size()));
  EXPECT_TRUE(refuses("in, out", {"Complex"}, [&] { map.apply(array.data(), array.data()); }));
}

}  // namespace
}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Plans that keep the waves within a sphere or a list of columns against the definition: the whole
// transform, and zeros outside.
#include "sixstep/plan.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "refuses.hpp"
#include "solver_cases.hpp"

namespace sixstep {
namespace {

using namespace solver_cases;
using ranks::failed_anywhere;
using ranks::rounds;

/// The index that a wave number has among the n coefficients of an axis.
Index index_of(Kind kind, Index n, double wave) {
  switch (kind) {
    case Kind::c2c:
      return static_cast<Index>(wave < 0 ? wave + static_cast<double>(n) : wave);
    case Kind::dst1:
    case Kind::dst2:
      return static_cast<Index>(wave - 1);
    default:
      return static_cast<Index>(std::floor(wave));
  }
}

/// The coefficients within the sphere; all others are zero.
Whole within(Whole x, Case const& given, Index* count) {
  oracle::for_each_point(x.shape, [&](Shape const& k) {
    bool const is_kept = keeps(given, k);
    if (is_kept) ++*count;
    if (!is_kept) x.values[at(oracle::number_of(x.shape, k))] = 0;
  });
  return x;
}

template <class Real, class In, class Out>
void execute(Plan<Real>& plan, std::vector<Real>& in, std::vector<Real>& out, Direction direction) {
  bool const forward = direction == Direction::forward;
  auto const run = [&](auto const* from, auto* to) {
    if constexpr (std::is_same_v<In, Out>)
      plan.execute(from, to, direction, Scale::none);
    else
      plan.execute(from, to, Scale::none);
  };
  if (forward)
    run(reinterpret_cast<In const*>(in.data()), reinterpret_cast<Out*>(out.data()));
  else
    run(reinterpret_cast<Out const*>(in.data()), reinterpret_cast<In*>(out.data()));
}

template <class Real, class In, class Out>
void expect_coefficients(Case const& given) {
  Plan<Real> plan(given.layout, MPI_COMM_WORLD, given.options);
  SCOPED_TRACE(plan.describe());
  oracle::Kinds const kinds = given.kinds();
  int const fields = given.options.fields;
  Index const points = oracle::points_of(given.layout.shape());
  std::vector<Whole> arrays, spectra, back;
  Index kept = 0, real_points = 1;
  for (auto const& [axis, kind] : kinds)
    if (kind == Kind::r2c) real_points = given.layout.shape()[axis];
  for (int field = 0; field < fields; ++field) {
    Whole whole{given.layout.shape(),
                oracle::values(points, static_cast<std::uint64_t>(field + 1))};
    if (given.has_real_arrays())
      for (Exact& value : whole.values) value = value.real();
    arrays.push_back(whole);
    kept = 0;
    spectra.push_back(within(oracle::forward(whole, kinds), given, &kept));
    back.push_back(oracle::backward(spectra.back(), kinds, real_points));
  }
  Real const nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr std::size_t in_reals = sizeof(In) / sizeof(Real),
                        out_reals = sizeof(Out) / sizeof(Real);
  std::vector<Real> in(at(plan.input_size()) * in_reals, nan);
  std::vector<Real> out(at(plan.output_size()) * out_reals, nan);
  fill(in, given, arrays);
  std::vector<Real> const before = in;
  execute<Real, In, Out>(plan, in, out, Direction::forward);
  if (given.options.preserve_input) {
    EXPECT_TRUE(same_bits(before, in)) << "the input was changed";
  }

  ASSERT_EQ(plan.output().shape(), Shape{kept});
  Box const box = plan.output_box();
  Index const mine_count = box.ranges[0].count();
  double largest = 0, worst = 0;
  std::set<Index> seen;
  for (Index point = box.ranges[0].lo; point < box.ranges[0].hi; ++point) {
    PerAxis<double> const wave = plan.wavenumber(Shape{point});
    Shape k;
    for (std::size_t i = 0; i < kinds.size(); ++i) k.push_back(0);
    for (auto const& [axis, kind] : kinds)
      k[axis] = index_of(kind, given.layout.shape()[axis], wave[axis]);
    Index const number = oracle::number_of(spectra[0].shape, k);
    EXPECT_TRUE(seen.insert(number).second) << "a coefficient comes twice";
    for (int field = 0; field < fields; ++field) {
      Index const there = point - box.ranges[0].lo;
      Index const place =
          given.options.interleaved ? there * fields + field : there + field * mine_count;
      Exact const expected = spectra[at(field)].values[at(number)];
      Exact got = out[at(place) * out_reals];
      if (out_reals == 2) got += Exact(0, out[at(place) * out_reals + 1]);
      largest = std::max(largest, static_cast<double>(std::abs(expected)));
      worst = ranks::worse(worst, static_cast<double>(std::abs(got - expected)));
    }
  }
  double const epsilon = std::numeric_limits<Real>::epsilon();
  EXPECT_LT(ranks::largest(worst), 50 * epsilon * (1 + ranks::largest(largest)));

  std::fill(in.begin(), in.end(), nan);
  execute<Real, In, Out>(plan, out, in, Direction::backward);
  double size = 0;
  for (Whole const& whole : back)
    for (Exact const& value : whole.values)
      size = std::max(size, static_cast<double>(std::abs(value)));
  EXPECT_LT(ranks::largest(difference(in, given, back)), 50 * epsilon * (1 + size)) << "backward";

  std::vector<Real> one(at(plan.in_place_size()) * out_reals + in_reals, nan);
  std::copy(before.begin(), before.end(), one.begin());
  execute<Real, In, Out>(plan, one, one, Direction::forward);
  std::vector<Real> again = before, expected(out.size());
  execute<Real, In, Out>(plan, again, expected, Direction::forward);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), one.begin())) << "in place";
}

template <class Real>
void expect_coefficients(Case const& given) {
  SCOPED_TRACE(describe(given));
  using Complex = std::complex<Real>;
  auto const& kinds = given.options.kinds;
  if (!given.has_real_arrays())
    expect_coefficients<Real, Complex, Complex>(given);
  else if (std::count(kinds.begin(), kinds.end(), Kind::r2c) > 0)
    expect_coefficients<Real, Real, Complex>(given);
  else
    expect_coefficients<Real, Real, Real>(given);
}

TEST(sphere, is_the_whole_transform_with_zeros_outside) {
  Random random(1);
  for (int round = 0; round < rounds(100) && !failed_anywhere();) {
    int const axes = random.between(2, 3);
    Case given = random_case(random, axes, 400);
    bool const all_axes = static_cast<int>(given.options.axes.size()) == axes;
    if (!all_axes || !may_have_sphere(given)) continue;
    add_sphere(given, random);
    ++round;
    random.once_in(4) ? expect_coefficients<float>(given) : expect_coefficients<double>(given);
  }
}

TEST(columns, are_the_whole_transform_with_zeros_beside_them) {
  Random random(2);
  for (int round = 0; round < rounds(100) && !failed_anywhere();) {
    int const axes = random.between(2, 3);
    Case given = random_case(random, axes, 400);
    if (static_cast<int>(given.options.axes.size()) != axes || !may_have_columns(given)) continue;
    add_columns(given, random);
    ++round;
    random.once_in(4) ? expect_coefficients<float>(given) : expect_coefficients<double>(given);
  }
}

TEST(columns, of_a_sphere_are_that_sphere) {
  Options sphere, listed;
  sphere.sphere = {4};
  for (Index z = -3; z <= 3; ++z)
    for (Index y = 3; y >= -3; --y)
      if (z * z + y * y < 16) {
        Index x = 0;
        while (x * x + z * z + y * y < 16) ++x;
        listed.columns.insert(listed.columns.end(), {y, z, 1 - x, x - 1});
      }
  Layout const layout = Layout::slab({12, 9, 10}, all());
  Plan<double> one(layout, MPI_COMM_WORLD, sphere), other(layout, MPI_COMM_WORLD, listed);
  ASSERT_EQ(one.output_size(), other.output_size());
  EXPECT_EQ(one.output().shape(), other.output().shape());
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(one.wavenumbers(axis), other.wavenumbers(axis));
}

TEST(columns, are_refused_where_they_cannot_be) {
  auto const plan = [](Options const& options) {
    return [=] { Plan<double>(Layout::slab({8, 8, 8}, all()), MPI_COMM_WORLD, options); };
  };
  Options options;
  options.columns = {0, 0, 1};
  EXPECT_TRUE(refuses("columns", {"4 numbers for each", "3 axes", "3 numbers"}, plan(options)));
  options.columns = {0, 4, 1, 2};
  EXPECT_TRUE(refuses("columns", {"-4 to 3", "axis 2", "4 was given"}, plan(options)));
  options.columns = {0, 1, std::numeric_limits<Index>::min(), 2};
  EXPECT_TRUE(refuses("columns", {"-4 to 3", "axis 0"}, plan(options)));
  options.columns = {0, 1, 2, 1};
  EXPECT_TRUE(refuses("columns", {"at most the highest", "2 and 1"}, plan(options)));
  options.columns = {0, -1, 1, 2, 1, 1, 1, 1, 0, -1, 3, 3};
  EXPECT_TRUE(refuses("columns", {"once", "waves 0, -1"}, plan(options)));
  options.columns.resize(8);
  options.modes = {8, 8, 1};
  EXPECT_TRUE(refuses("columns", {"from 0 to 0", "-1 was given"}, plan(options)));
  options.modes.clear();
  options.sphere = {2};
  EXPECT_TRUE(refuses("columns", {"both were given"}, plan(options)));
  options.sphere.clear();
  options.kinds = {Kind::dct2};
  EXPECT_TRUE(refuses("columns", {"c2c or r2c", "dct2 was given"}, plan(options)));
  options.kinds = {Kind::r2c, Kind::c2c, Kind::c2c};
  EXPECT_TRUE(refuses("columns", {"c2c along the first"}, plan(options)));
  options.kinds = {};
  options.axes = {0};
  EXPECT_TRUE(refuses("columns", {"two or three axes", "1 are"}, plan(options)));
  options.axes = {};
  options.columns.back() += mine() == all() - 1 ? 1 : 0;
  if (all() > 1) {
    EXPECT_TRUE(refuses("columns", {"0, -1, 1, 2, 1, 1, 1, 1"}, plan(options)));
  }
}

TEST(sphere, of_one_axis_is_that_of_its_modes) {
  Layout const layout = Layout::slab({12}, all());
  Options sphere, modes;
  sphere.sphere = {3.5};
  modes.modes = {7};
  Plan<double> one(layout, MPI_COMM_WORLD, sphere), other(layout, MPI_COMM_WORLD, modes);
  EXPECT_EQ(one.output().shape(), other.output().shape());
  EXPECT_EQ(one.wavenumber(0, 6), -1);
}

TEST(sphere, leaves_out_a_wave_on_it_that_is_the_highest) {
  Options options;
  options.kinds = {Kind::dst2};
  options.sphere = {3};  // waves 1, 2, 3
  Plan<double> plan(Layout::slab({3}, all()), MPI_COMM_WORLD, options);
  EXPECT_EQ(plan.output().shape(), Shape{2});
}

TEST(sphere, of_planes_of_cosines_has_complex_numbers) {
  for (Kind const kind : {Kind::dct2, Kind::dst4}) {
    Case given{.layout = Layout::slab({5, 7, 6}, all(), 1), .options = {}};
    given.options.axes = {0, 1, 2};
    given.options.kinds = {Kind::dct3, Kind::c2c, kind};
    given.options.sphere = {3};
    expect_coefficients<double>(given);
  }
}

TEST(sphere, sends_only_its_columns) {
  Options options;
  options.sphere = {8};
  Plan<double> plan(Layout::slab({32, 32, 32}, all()), MPI_COMM_WORLD, options);
  // Columns (y, x) with x^2 + y^2 < 64.
  EXPECT_NE(plan.describe().find("gather 193 columns"), std::string::npos) << plan.describe();
  EXPECT_EQ(plan.exchanges(), all() == 1 ? 0 : 1);
}

TEST(sphere, is_refused_where_it_cannot_be) {
  Layout const cube = Layout::slab({8, 8, 8}, all());
  auto const plan = [](Layout const& layout, Options const& options) {
    return [=] { Plan<double>(layout, MPI_COMM_WORLD, options); };
  };
  Options options;
  options.sphere = {3, 4};
  EXPECT_TRUE(refuses("sphere", {"3 axes", "or one for all", "2 were given"}, plan(cube, options)));
  for (double radius : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    options.sphere = {radius};
    EXPECT_TRUE(refuses("sphere", {"above 0"}, plan(cube, options)));
  }
  options.sphere = {3};
  options.axes = {0, 1};
  EXPECT_TRUE(refuses("sphere", {"axis 2", "use fields, or an operator"}, plan(cube, options)));
  options.axes = {};
  EXPECT_TRUE(refuses("sphere", {"at most three axes", "4 are"},
                      plan(Layout::slab({4, 4, 4, 4}, all()), options)));
  options.kinds = {Kind::dct2, Kind::dct2, Kind::r2c};
  EXPECT_TRUE(refuses("sphere", {"an axis of c2c"}, plan(cube, options)));
  options.kinds = {Kind::dst2};
  options.sphere = {1};
  EXPECT_TRUE(refuses("sphere", {"no wave number below 1"}, plan(cube, options)));
  options.sphere = {1.5};
  EXPECT_TRUE(refuses("sphere", {"no wave lies within"}, plan(cube, options)));
  options.kinds = {};
  options.output = Output::as_input;
  EXPECT_TRUE(refuses("output", {"packed coefficients"}, plan(cube, options)));
}

}  // namespace
}  // namespace sixstep

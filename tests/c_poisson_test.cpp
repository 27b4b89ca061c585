// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation in the C interface: exact solutions between walls of all kinds, and what is
// refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/poisson.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using oracle::at;
/// A value at a place.
using Function = std::function<double(double const* x)>;

Index const shape[] = {9, 8, 7};
double const sides[] = {1.5, 0.7, 2};

Owned<sixstep_layout> slab() {
  return made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
}

/// The distance between points, and that of the first one from the first wall, in spacings.
struct Grid {
  double spacing, before;
};
Grid grid_of(int walls, int points, Index count, double length) {
  auto const n = static_cast<double>(count);
  if (walls == SIXSTEP_PERIODIC) return {length / n, 0};
  if (points == SIXSTEP_CELLS) return {length / n, 0.5};
  switch (walls) {
    case SIXSTEP_DIRICHLET:
      return {length / (n + 1), 1};
    case SIXSTEP_NEUMANN:
      return {length / (n - 1), 0};
    default:
      return {length / n, walls == SIXSTEP_DIRICHLET_NEUMANN ? 1.0 : 0.0};
  }
}

/// A solver, and the places of its points by the definition.
template <class Real>
struct Solver {
  explicit Solver(sixstep_poisson_options const& given) : options(given) {
    poisson = made<sixstep_poisson>(sixstep_poisson_create,
                                    sizeof(Real) == 8 ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE,
                                    slab().get(), MPI_COMM_WORLD, &options);
    op = made<sixstep_operator>(sixstep_poisson_inverse, poisson.get());
    EXPECT_EQ(sixstep_operator_input_part(op.get(), &part), SIXSTEP_OK);
    for (int axis = 0; axis < 3; ++axis) {
      int const walls = options.walls_count == 0
                            ? SIXSTEP_PERIODIC
                            : options.walls[options.walls_count == 1 ? 0 : axis];
      int const points = options.points_count == 0
                             ? SIXSTEP_CELLS
                             : options.points[options.points_count == 1 ? 0 : axis];
      grid[at(axis)] = grid_of(walls, points, shape[axis], sides[axis]);
    }
  }

  std::array<double, 3> x(Shape const& point) const {
    std::array<double, 3> place;
    for (int axis = 0; axis < 3; ++axis)
      place[at(axis)] =
          grid[at(axis)].spacing * (static_cast<double>(point[axis]) + grid[at(axis)].before);
    return place;
  }
  std::vector<Real> sampled(Function const& function) const {
    std::int64_t size = 0;
    EXPECT_EQ(sixstep_operator_sizes(op.get(), nullptr, nullptr, &size), SIXSTEP_OK);
    std::vector<Real> values(at(size));
    for_each_element(part, [&](Shape const& point, Index i) {
      values[at(i)] = static_cast<Real>(function(x(point).data()));
    });
    return values;
  }
  double difference(std::vector<Real> const& u, Function const& expected) const {
    double worst = 0;
    for_each_element(part, [&](Shape const& point, Index i) {
      double const error = std::abs(u[at(i)] - expected(x(point).data()));
      worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
    });
    return worst;
  }

  sixstep_poisson_options options;
  Owned<sixstep_poisson> poisson;
  Owned<sixstep_operator> op;
  sixstep_part part;
  std::array<Grid, 3> grid;
};

sixstep_poisson_options between(std::vector<int> const& walls, std::vector<int> const& points) {
  sixstep_poisson_options options = SIXSTEP_POISSON_OPTIONS;
  options.sides_count = 3;
  std::copy(sides, sides + 3, options.sides);
  options.walls_count = static_cast<int>(walls.size());
  std::copy(walls.begin(), walls.end(), options.walls);
  options.points_count = static_cast<int>(points.size());
  std::copy(points.begin(), points.end(), options.points);
  return options;
}

/// The wave number of a wave that satisfies the conditions, and the wave.
double k_of(int walls, double length) {
  double const pi = std::numbers::pi;
  if (walls == SIXSTEP_PERIODIC) return 4 * pi / length;
  return (walls == SIXSTEP_DIRICHLET || walls == SIXSTEP_NEUMANN ? 2 : 1.5) * pi / length;
}
double wave(int walls, double length, double x) {
  bool const is_sine = walls == SIXSTEP_DIRICHLET || walls == SIXSTEP_DIRICHLET_NEUMANN;
  double const phase = k_of(walls, length) * x;
  return is_sine ? std::sin(phase) : std::cos(phase);
}

template <class Real>
void expect_waves(int walls, int points) {
  SCOPED_TRACE(text("walls ", walls, ", points ", points, ", ", sizeof(Real), " bytes"));
  int const second = (walls + 2) % 5;
  Solver<Real> const solver(
      between({walls, second, SIXSTEP_PERIODIC}, {points, SIXSTEP_CELLS, SIXSTEP_NODES}));
  auto const u = [&](double const* x) {
    return wave(walls, sides[0], x[0]) * wave(second, sides[1], x[1]) *
           wave(SIXSTEP_PERIODIC, sides[2], x[2]);
  };
  double const k[] = {k_of(walls, sides[0]), k_of(second, sides[1]),
                      k_of(SIXSTEP_PERIODIC, sides[2])};
  double const squared = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  auto f = solver.sampled([&](double const* x) { return -squared * u(x); });
  double left_out = 1;
  ASSERT_EQ(
      sixstep_poisson_solve(solver.poisson.get(), f.data(), f.data(), nullptr, nullptr, &left_out),
      SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_EQ(left_out, 0);
  EXPECT_LT(solver.difference(f, u), sizeof(Real) == 8 ? 1e-13 : 1e-4);
}

TEST(c_poisson, has_exact_derivatives_of_waves_between_all_walls) {
  for (int walls = SIXSTEP_PERIODIC; walls <= SIXSTEP_NEUMANN_DIRICHLET; ++walls)
    for (int const points : {SIXSTEP_CELLS, SIXSTEP_NODES}) {
      expect_waves<double>(walls, points);
      expect_waves<float>(walls, points);
    }
}

TEST(c_poisson, tells_the_places_of_points) {
  Solver<double> const solver(
      between({SIXSTEP_DIRICHLET, SIXSTEP_NEUMANN, SIXSTEP_PERIODIC}, {SIXSTEP_NODES}));
  double spacing[3], x[3];
  ASSERT_EQ(sixstep_poisson_spacing(solver.poisson.get(), spacing), SIXSTEP_OK);
  Index const point[] = {3, 2, 1};
  ASSERT_EQ(sixstep_poisson_x(solver.poisson.get(), point, x), SIXSTEP_OK);
  auto const expected = solver.x({3, 2, 1});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_DOUBLE_EQ(spacing[axis], solver.grid[axis].spacing);
    EXPECT_DOUBLE_EQ(x[axis], expected[axis]);
  }
}

// Differences of second order are exact for it, also behind walls that have nodes.
double parabola(double const* x) {
  return x[0] * x[0] - 2 * x[1] * x[1] + x[0] * x[1] + 0.5 * x[2];
}

/// Its values and slopes: u at x = 0, du/dx at the other end; du/dy at y = 0, u at the other end; u
/// at both ends of z. Fails at the context's axis.
int parabola_at_walls(void* context, int axis, int is_last, double const* x, double* value) {
  *value = axis == 0 && is_last    ? 2 * x[0] + x[1]
           : axis == 1 && !is_last ? -4 * x[1] + x[0]
                                   : parabola(x);
  return axis == *static_cast<int const*>(context) ? 7 : 0;
}

TEST(c_poisson, takes_values_at_walls) {
  auto options = between({SIXSTEP_DIRICHLET_NEUMANN, SIXSTEP_NEUMANN_DIRICHLET, SIXSTEP_DIRICHLET},
                         {SIXSTEP_NODES});
  options.accuracy = 2;
  Solver<double> const solver(options);
  auto const f = solver.sampled([](double const*) { return -2; });
  std::vector<double> u(f.size());
  int failing = -1;
  ASSERT_EQ(sixstep_poisson_solve(solver.poisson.get(), f.data(), u.data(), parabola_at_walls,
                                  &failing, nullptr),
            SIXSTEP_OK)
      << sixstep_error_message();
  EXPECT_LT(solver.difference(u, parabola), 1e-12);
  failing = 1;
  EXPECT_EQ(sixstep_poisson_solve(solver.poisson.get(), f.data(), u.data(), parabola_at_walls,
                                  &failing, nullptr),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "values: the function returned 7, 0 is needed");
  Solver<double> const exact(between({SIXSTEP_DIRICHLET}, {}));
  EXPECT_EQ(sixstep_poisson_solve(exact.poisson.get(), f.data(), u.data(), parabola_at_walls,
                                  &failing, nullptr),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(),
               "values: accuracy 2 is needed for values at walls, 0 was given");
}

TEST(c_poisson, tells_the_mean_that_has_no_solution_and_the_operator_outlives_the_solver) {
  auto options = between({SIXSTEP_NEUMANN}, {});
  options.mean = 2;
  Solver<double> solver(options);
  double const k = k_of(SIXSTEP_NEUMANN, sides[1]);
  auto const cosine = [&](double const* x) { return std::cos(k * x[1]); };
  auto const f = solver.sampled([&](double const* x) { return cosine(x) - 0.25; });
  std::vector<double> u(f.size());
  double left_out = 0;
  ASSERT_EQ(
      sixstep_poisson_solve(solver.poisson.get(), f.data(), u.data(), nullptr, nullptr, &left_out),
      SIXSTEP_OK);
  EXPECT_NEAR(left_out, -0.25, 1e-15);
  EXPECT_LT(solver.difference(u, [&](double const* x) { return 2 - cosine(x) / (k * k); }), 1e-13);
  solver.poisson.reset();
  ASSERT_EQ(sixstep_operator_apply(solver.op.get(), f.data(), u.data()), SIXSTEP_OK);
  EXPECT_LT(solver.difference(u, [&](double const* x) { return -cosine(x) / (k * k); }), 1e-13);
}

TEST(c_poisson, options_are_those_of_cpp) {
  sixstep_poisson_options options = SIXSTEP_POISSON_OPTIONS;
  for (auto const& ours : {c::poisson_options_of(&options), c::poisson_options_of(nullptr)}) {
    PoissonOptions const theirs;
    EXPECT_TRUE(static_cast<Options const&>(ours) == Options{});
    EXPECT_EQ(ours.sides, theirs.sides);
    EXPECT_EQ(ours.kept, theirs.kept);
    EXPECT_EQ(ours.walls, theirs.walls);
    EXPECT_EQ(ours.points, theirs.points);
    EXPECT_EQ(ours.accuracy, theirs.accuracy);
    EXPECT_EQ(ours.mean, theirs.mean);
  }
  options = between({SIXSTEP_NEUMANN_DIRICHLET, SIXSTEP_PERIODIC}, {SIXSTEP_NODES});
  options.kept = 0;
  options.accuracy = 4;
  options.mean = 1.5;
  PoissonOptions const set = c::poisson_options_of(&options);
  EXPECT_EQ(set.sides, (std::vector<double>{1.5, 0.7, 2}));
  EXPECT_FALSE(set.kept);
  EXPECT_EQ(set.walls, (std::vector{Walls::neumann_dirichlet, Walls::periodic}));
  EXPECT_EQ(set.points, std::vector{Points::nodes});
  EXPECT_EQ(set.accuracy, 4);
  EXPECT_EQ(set.mean, 1.5);
  options.walls[1] = 6;
  EXPECT_THROW(c::poisson_options_of(&options), Error);
  options = SIXSTEP_POISSON_OPTIONS;
  options.points_count = 1;
  options.points[0] = 2;
  EXPECT_THROW(c::poisson_options_of(&options), Error);
  options = SIXSTEP_POISSON_OPTIONS;
  options.size -= 8;
  EXPECT_THROW(c::poisson_options_of(&options), Error);
}

TEST(c_poisson, errors_have_the_words_of_cpp_on_all_ranks) {
  auto const layout = slab();
  bool const last = ranks::rank() == all() - 1;
  sixstep_poisson* poisson = nullptr;
  auto const expect_refused = [&](sixstep_layout const* of, sixstep_poisson_options const& options,
                                  std::string const& words) {
    EXPECT_EQ(sixstep_poisson_create(SIXSTEP_DOUBLE, of, MPI_COMM_WORLD, &options, &poisson),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(poisson, nullptr);
  };
  expect_refused(last ? nullptr : layout.get(), between({}, {}),
                 "layout: a pointer is needed, NULL was given");
  expect_refused(layout.get(), between({SIXSTEP_DIRICHLET, SIXSTEP_NEUMANN}, {}),
                 "walls: one for each of the 3 axes or one for all is needed, 2 were given");
  auto options = between({last ? 9 : 0}, {});
  expect_refused(layout.get(), options, "walls: 0 to 5 are possible, 9 was given");
  options = between({}, {});
  options.accuracy = 3;
  expect_refused(layout.get(), options, "accuracy: 0 (exact), 2 or 4 is needed, 3 was given");
  options = between({}, {});
  options.plan.kinds_count = 1;
  expect_refused(layout.get(), options, "kinds: the walls determine them");
}

TEST(c_poisson, null_is_an_error_wherever_something_is_needed) {
  double real = 0;
  Index const point[] = {0, 0, 0};
  sixstep_operator* op = nullptr;
  Solver<double> const solver(between({}, {}));
  auto* const poisson = solver.poisson.get();
  expect_null_is_refused(
      {[&] { return sixstep_poisson_inverse(nullptr, &op); },
       [&] { return sixstep_poisson_inverse(poisson, nullptr); },
       [&] { return sixstep_poisson_solve(nullptr, &real, &real, nullptr, nullptr, &real); },
       [&] { return sixstep_poisson_x(nullptr, point, &real); },
       [&] { return sixstep_poisson_x(poisson, nullptr, &real); },
       [&] { return sixstep_poisson_x(poisson, point, nullptr); },
       [&] { return sixstep_poisson_spacing(nullptr, &real); },
       [&] { return sixstep_poisson_spacing(poisson, nullptr); }});
  EXPECT_EQ(sixstep_poisson_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation in the C interface: solutions have the bits of C++'s, and what is refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "c_same_bits.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/poisson.hpp"

namespace sixstep {
namespace {

using namespace c_handles;

Index const shape[] = {9, 8, 7};
double const sides[] = {1.5, 0.7, 2};

Owned<sixstep_layout> slab() {
  return made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
}

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

/// A solver of C, and that of C++.
template <class Real>
struct Solvers {
  Solvers(sixstep_poisson_options const& options, PoissonOptions options_of_cpp) {
    ours = made<sixstep_poisson>(sixstep_poisson_create, precision_of<Real>, slab().get(),
                                 MPI_COMM_WORLD, &options);
    options_of_cpp.sides = {sides, sides + 3};
    theirs = Poisson<Real>(Layout::slab({9, 8, 7}, all()), MPI_COMM_WORLD, options_of_cpp);
    f = numbers<Real>(theirs.inverse().in_place_size());
  }

  /// Whether both have the same solution of f, and leave out the same mean.
  void expect_same_solutions(sixstep_wall_values* values = nullptr, void* context = nullptr,
                             WallValues const& values_of_cpp = {}) {
    std::vector<Real> u(f.size()), expected(f.size());
    double left_out = -1;
    ASSERT_EQ(sixstep_poisson_solve(ours.get(), f.data(), u.data(), values, context, &left_out),
              SIXSTEP_OK)
        << sixstep_error_message();
    EXPECT_EQ(left_out, theirs.solve(f.data(), expected.data(), values_of_cpp));
    EXPECT_TRUE(have_same_bits(u.data(), expected.data(), theirs.inverse().output_size()));
    u = expected = f;
    ASSERT_EQ(sixstep_poisson_solve(ours.get(), u.data(), u.data(), values, context, nullptr),
              SIXSTEP_OK);
    theirs.solve(expected.data(), expected.data(), values_of_cpp);
    EXPECT_TRUE(have_same_bits(u.data(), expected.data(), theirs.inverse().output_size()))
        << "in place";
  }

  Owned<sixstep_poisson> ours;
  Poisson<Real> theirs{Layout::slab({9, 8, 7}, all()), MPI_COMM_WORLD};
  std::vector<Real> f;
};

TEST(c_poisson, solutions_between_all_walls_are_those_of_cpp) {
  for (int walls = SIXSTEP_PERIODIC; walls <= SIXSTEP_NEUMANN_DIRICHLET; ++walls)
    for (int const points : {SIXSTEP_CELLS, SIXSTEP_NODES}) {
      int const second = (walls + 2) % 5;
      SCOPED_TRACE(text("walls ", walls, ", points ", points));
      auto const options =
          between({walls, second, SIXSTEP_PERIODIC}, {points, SIXSTEP_CELLS, SIXSTEP_NODES});
      PoissonOptions options_of_cpp;
      options_of_cpp.walls = {static_cast<Walls>(walls), static_cast<Walls>(second),
                              Walls::periodic};
      options_of_cpp.points = {static_cast<Points>(points), Points::cells, Points::nodes};
      Solvers<double>(options, options_of_cpp).expect_same_solutions();
      Solvers<float>(options, options_of_cpp).expect_same_solutions();
    }
}

TEST(c_poisson, tells_the_places_of_points) {
  PoissonOptions options_of_cpp;
  options_of_cpp.walls = {Walls::dirichlet, Walls::neumann, Walls::periodic};
  options_of_cpp.points = {Points::nodes};
  Solvers<double> const solvers(
      between({SIXSTEP_DIRICHLET, SIXSTEP_NEUMANN, SIXSTEP_PERIODIC}, {SIXSTEP_NODES}),
      options_of_cpp);
  double spacing[3], x[3];
  ASSERT_EQ(sixstep_poisson_spacing(solvers.ours.get(), spacing), SIXSTEP_OK);
  Index const point[] = {3, 2, 1};
  ASSERT_EQ(sixstep_poisson_x(solvers.ours.get(), point, x), SIXSTEP_OK);
  EXPECT_EQ(PerAxis<double>(std::vector(spacing, spacing + 3)), solvers.theirs.spacing());
  EXPECT_EQ(PerAxis<double>(std::vector(x, x + 3)), solvers.theirs.x({3, 2, 1}));
}

/// No two walls are alike.
double value_at(int axis, bool is_last, double const* x) {
  return 1 + axis + (is_last ? 0.5 : 0) + x[0] - 2 * x[1] + 3 * x[2];
}
/// Fails at the context's axis.
int write_value(void* context, int axis, int is_last, double const* x, double* value) {
  *value = value_at(axis, is_last != 0, x);
  return axis == *static_cast<int const*>(context) ? 7 : 0;
}

TEST(c_poisson, takes_values_at_walls) {
  auto options = between({SIXSTEP_DIRICHLET_NEUMANN, SIXSTEP_NEUMANN_DIRICHLET, SIXSTEP_DIRICHLET},
                         {SIXSTEP_NODES});
  options.accuracy = 2;
  PoissonOptions options_of_cpp;
  options_of_cpp.walls = {Walls::dirichlet_neumann, Walls::neumann_dirichlet, Walls::dirichlet};
  options_of_cpp.points = {Points::nodes};
  options_of_cpp.accuracy = 2;
  Solvers<double> solvers(options, options_of_cpp);
  int failing = -1;
  solvers.expect_same_solutions(write_value, &failing,
                                [](Wall const& wall, PerAxis<double> const& x) {
                                  return value_at(wall.axis, wall.is_last, x.begin());
                                });
  failing = 1;
  std::vector<double> u = solvers.f;
  auto const refused = [&](sixstep_poisson* poisson, char const* words) {
    EXPECT_EQ(sixstep_poisson_solve(poisson, u.data(), u.data(), write_value, &failing, nullptr),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_STREQ(sixstep_error_message(), words);
  };
  refused(solvers.ours.get(), "values: the function returned 7, 0 is needed");
  options = between({SIXSTEP_DIRICHLET}, {});
  auto const exact = made<sixstep_poisson>(sixstep_poisson_create, SIXSTEP_DOUBLE, slab().get(),
                                           MPI_COMM_WORLD, &options);
  refused(exact.get(), "values: accuracy 2 is needed for values at walls, 0 was given");
}

TEST(c_poisson, tells_the_mean_that_has_no_solution_and_the_operator_outlives_the_solver) {
  auto options = between({SIXSTEP_NEUMANN}, {});
  options.mean = 2;
  PoissonOptions options_of_cpp;
  options_of_cpp.walls = {Walls::neumann};
  options_of_cpp.mean = 2;
  Solvers<double> solvers(options, options_of_cpp);
  solvers.expect_same_solutions();
  auto const op = made<sixstep_operator>(sixstep_poisson_inverse, solvers.ours.get());
  solvers.ours.reset();
  expect_same<double>(op.get(), solvers.theirs.inverse());
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
  sixstep_poisson_options const options = between({}, {});
  auto const made_one = made<sixstep_poisson>(sixstep_poisson_create, SIXSTEP_DOUBLE, slab().get(),
                                              MPI_COMM_WORLD, &options);
  auto* const poisson = made_one.get();
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

// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation between walls of all kinds: against exact solutions, and against differences
// of neighbours.
#include "sixstep/poisson.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/indices.hpp"

namespace sixstep {
namespace {

/// All but open ones.
constexpr std::array walls_of_boxes{Walls::periodic, Walls::dirichlet, Walls::neumann,
                                    Walls::dirichlet_neumann, Walls::neumann_dirichlet};

using Function = std::function<double(PerAxis<double> const&)>;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

template <class Real>
std::vector<Real> sampled(Poisson<Real>& poisson, Function const& function) {
  std::vector<Real> made(at(poisson.inverse().in_place_size()));
  for_each(poisson.inverse().input(), ranks::rank(), [&](Shape const& point, Index place) {
    made[at(place)] = static_cast<Real>(function(poisson.x(point)));
  });
  return made;
}

template <class Real>
double difference(Poisson<Real>& poisson, std::vector<Real> const& u, Function const& expected) {
  double worst = 0;
  for_each(poisson.inverse().input(), ranks::rank(), [&](Shape const& point, Index place) {
    double const error = std::abs(u[at(place)] - expected(poisson.x(point)));
    worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
  });
  return ranks::largest(worst);
}

/// A wave that satisfies the conditions of walls at 0 and `length`, and its k.
struct Wave {
  Walls walls;
  double length;

  double k() const {
    double const pi = std::numbers::pi;
    return walls == Walls::periodic                               ? 4 * pi / length
           : walls == Walls::dirichlet || walls == Walls::neumann ? 2 * pi / length
                                                                  : 1.5 * pi / length;
  }
  double operator()(double x) const {
    bool const is_sine = walls == Walls::dirichlet || walls == Walls::dirichlet_neumann;
    return is_sine ? std::sin(k() * x) : std::cos(k() * x);
  }
};

TEST(poisson, has_exact_derivatives_of_waves_between_all_walls) {
  for (Walls const first : walls_of_boxes)
    for (Walls const second : walls_of_boxes)
      for (Points const points : all_values<Points>) {
        SCOPED_TRACE(text(to_string(first), ", ", to_string(second), ", ", to_string(points)));
        PoissonOptions options;
        options.sides = {1.5, 0.7, 2};
        options.walls = {first, second, Walls::periodic};
        options.points = {points, Points::cells, Points::nodes};
        Poisson<double> poisson(Layout::slab({9, 8, 6}, ranks::count()), MPI_COMM_WORLD, options);
        Wave const x{first, 1.5}, y{second, 0.7}, z{Walls::periodic, 2};
        double const squared = x.k() * x.k() + y.k() * y.k() + z.k() * z.k();
        auto const u = [&](PerAxis<double> const& p) { return x(p[0]) * y(p[1]) * z(p[2]); };
        auto right = sampled<double>(poisson, [&](auto const& p) { return -squared * u(p); });
        EXPECT_EQ(poisson.solve(right.data(), right.data()), 0);
        EXPECT_LT(difference<double>(poisson, right, u), 1e-13);
      }
}

/// An array with values for all points, the same on all ranks.
struct Whole {
  Shape shape;
  std::vector<double> values;

  double& operator[](Shape const& point) {
    Index number = 0;
    for (int axis = 0; axis < shape.size(); ++axis) number = number * shape[axis] + point[axis];
    return values[at(number)];
  }
};

/// The second difference of u along an axis of walls, whose values are g. Behind a wall u is as the
/// given value, or the slope of second order, says.
double second(Whole& u, Shape const& point, int axis, Walls walls, Points points, double h,
              std::function<double(bool is_last)> const& g) {
  Index const n = u.shape[axis];
  bool const cells = points == Points::cells;
  auto const neighbour = [&](Index step) {
    Shape there = point;
    there[axis] += step;
    if (there[axis] >= 0 && there[axis] < n) return u[there];
    if (walls == Walls::periodic) {
      there[axis] = (there[axis] + n) % n;
      return u[there];
    }
    bool const is_last = step > 0;
    bool const is_value = walls == Walls::dirichlet ||
                          walls == (is_last ? Walls::neumann_dirichlet : Walls::dirichlet_neumann);
    if (is_value) return cells ? 2 * g(is_last) - u[point] : g(is_last);
    double const slope = (is_last ? 1 : -1) * g(is_last);  // away from the points
    if (cells) return u[point] + h * slope;
    Shape opposite = point;
    opposite[axis] -= step;
    return u[opposite] + 2 * h * slope;
  };
  return (neighbour(1) - 2 * u[point] + neighbour(-1)) / (h * h);
}

Whole gathered(Poisson<double>& poisson, std::vector<double> const& part) {
  Whole whole{poisson.inverse().input().shape(), {}};
  Index points = 1;
  for (Index n : whole.shape) points *= n;
  whole.values.resize(at(points));
  for_each(poisson.inverse().input(), ranks::rank(),
           [&](Shape const& point, Index place) { whole[point] = part[at(place)]; });
  MPI_Allreduce(MPI_IN_PLACE, whole.values.data(), static_cast<int>(points), MPI_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  return whole;
}

double given_at(Wall const& wall, PerAxis<double> const& x) {
  double sum = 0.3 + wall.axis + (wall.is_last ? 0.5 : -0.2);
  for (int axis = 0; axis < x.size(); ++axis) sum += std::cos((2 + axis) * x[axis]);
  return sum;
}

void expect_differences(Layout const& layout, PoissonOptions options) {
  options.accuracy = 2;
  options.mean = 4;
  SCOPED_TRACE(text(layout.describe(), ": ", to_string(options.walls[0]), ", ",
                    to_string(options.walls[1]), ", ", to_string(options.points[0])));
  Poisson<double> poisson(layout, MPI_COMM_WORLD, options);
  auto const right = sampled<double>(
      poisson, [](auto const& x) { return std::cos(5 * x[0]) + x[0] * std::sin(3 * x[1]); });
  std::vector<double> u(right.size());
  double const left_out = poisson.solve(right.data(), u.data(), given_at);
  Whole f = gathered(poisson, right), solution = gathered(poisson, u);
  PerAxis<double> const h = poisson.spacing();
  double worst = 0, largest = 0, sum = 0, weights = 0;
  bool has_values = false;
  for_each(layout, ranks::rank(), [&](Shape const& point, Index) {
    double laplacian = 0, weight = 1;
    for (int axis = 0; axis < 2; ++axis) {
      Walls const walls = options.walls[at(axis)];
      Points const points = options.points[at(axis)];
      laplacian += second(solution, point, axis, walls, points, h[axis], [&](bool is_last) {
        PerAxis<double> x = poisson.x(point);
        x[axis] = is_last ? options.sides[at(axis)] : 0;
        return given_at({axis, is_last}, x);
      });
      has_values = has_values || (walls != Walls::periodic && walls != Walls::neumann);
      bool const on_wall = walls == Walls::neumann && points == Points::nodes &&
                           (point[axis] == 0 || point[axis] == f.shape[axis] - 1);
      if (on_wall) weight /= 2;
    }
    worst = ranks::worse(worst, std::abs(laplacian - f[point] + left_out));
    largest = std::max(largest, std::abs(laplacian));
    sum += weight * solution[point];
    weights += weight;
  });
  EXPECT_LT(ranks::largest(worst), 1e-12 * (1 + ranks::largest(largest)));
  double totals[] = {sum, weights};
  MPI_Allreduce(MPI_IN_PLACE, totals, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  int values_anywhere = has_values;
  MPI_Allreduce(MPI_IN_PLACE, &values_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (values_anywhere)
    EXPECT_EQ(left_out, 0);
  else
    EXPECT_NEAR(totals[0] / totals[1], 4, 1e-13);
}

TEST(poisson, satisfies_differences_with_the_values_at_walls) {
  for (Walls const first : walls_of_boxes)
    for (Walls const second : walls_of_boxes)
      for (Points const points : all_values<Points>) {
        PoissonOptions options;
        options.sides = {1.5, 0.7};
        options.walls = {first, second};
        options.points = {points, first == second ? points : Points::cells};
        expect_differences(Layout::slab({7, 6}, ranks::count()), options);
      }
}

TEST(poisson, works_in_any_layout) {
  PoissonOptions options;
  options.sides = {1.5, 0.7};
  options.walls = {Walls::neumann_dirichlet, Walls::dirichlet};
  options.points = {Points::nodes, Points::cells};
  int const all = ranks::count();
  expect_differences(Layout::grid({9, 5}, {all, 1}, {Distribution::cyclic, Distribution::block}),
                     options);
  expect_differences(Layout::grid({6, 8}, {1, all}, {}, {1, 0}), options);
  expect_differences(Layout::slab({2, 1}, all), options);  // ranks without points
  expect_differences(Layout::slab({9, 6}, all).with_ghosts({1, 2}, {0, 1}), options);
}

TEST(poisson, converges_with_the_square_of_the_spacing) {
  auto const u = [](PerAxis<double> const& x) { return std::exp(x[0]) * std::sin(2 * x[1]); };
  auto const f = [&](PerAxis<double> const& x) { return -3 * u(x); };
  auto const values = [&](Wall const& wall, PerAxis<double> const& x) {
    bool const is_slope = wall.axis == 0 && wall.is_last;
    return is_slope ? std::exp(x[0]) * std::sin(2 * x[1]) : u(x);
  };
  std::vector<double> errors;
  for (Index const n : {16, 32}) {
    PoissonOptions options;
    options.sides = {1, 1.2};
    options.walls = {Walls::dirichlet_neumann, Walls::dirichlet};
    options.accuracy = 2;
    Poisson<double> poisson(Layout::slab({n, n}, ranks::count()), MPI_COMM_WORLD, options);
    auto found = sampled<double>(poisson, f);
    poisson.solve(found.data(), found.data(), values);
    errors.push_back(difference<double>(poisson, found, u));
  }
  EXPECT_LT(errors[1], 2e-3);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.5);
}

TEST(poisson, tells_the_mean_that_has_no_solution) {
  auto const wave = [](PerAxis<double> const& x) { return std::cos(x[0]); };
  for (auto const& walls : {std::vector<Walls>{}, std::vector<Walls>{Walls::neumann}})
    for (Points const points : all_values<Points>) {
      PoissonOptions options;
      options.walls = walls;
      options.points = {points};
      options.mean = 2;
      Poisson<double> poisson(Layout::slab({8, 9}, ranks::count()), MPI_COMM_WORLD, options);
      auto right = sampled<double>(poisson, [&](auto const& x) { return wave(x) - 0.25; });
      std::vector<double> u(right.size());
      EXPECT_NEAR(poisson.solve(right.data(), u.data()), -0.25, 1e-15);
      auto const solution = [&](PerAxis<double> const& x) { return 2 - wave(x); };
      EXPECT_LT(difference<double>(poisson, u, solution), 1e-13);
      right = sampled<double>(poisson, wave);
      EXPECT_EQ(poisson.solve(right.data(), u.data()), 0);
      Poisson<float> single(Layout::slab({8, 9}, ranks::count()), MPI_COMM_WORLD, options);
      auto small = sampled<float>(single, wave);
      EXPECT_EQ(single.solve(small.data(), small.data()), 0);
      EXPECT_LT(difference<float>(single, small, solution), 1e-5);
    }
}

TEST(poisson, tells_the_same_mean_on_any_number_of_ranks) {
  auto const right = [](PerAxis<double> const& x) {
    return 0.3 + std::sin(37 * x[0] * x[1]) * std::exp(9 * std::cos(11 * x[1] + 5 * x[0]));
  };
  for (auto const& walls : {std::vector<Walls>{}, std::vector<Walls>{Walls::neumann}})
    for (Points const points : all_values<Points>) {
      PoissonOptions options;
      options.walls = walls;
      options.points = {points};
      Poisson<double> shared(Layout::slab({31, 20}, ranks::count()), MPI_COMM_WORLD, options);
      Poisson<double> alone(Layout::slab({31, 20}, 1), MPI_COMM_SELF, options);
      auto f = sampled<double>(shared, right);
      std::vector<double> all(at(alone.inverse().in_place_size()));
      for_each(alone.inverse().input(), 0,
               [&](Shape const& point, Index place) { all[at(place)] = right(alone.x(point)); });
      double const mean = shared.solve(f.data(), f.data());
      EXPECT_NE(mean, 0);
      EXPECT_EQ(mean, alone.solve(all.data(), all.data()));
    }
}

TEST(poisson, solves_for_a_single_point) {
  Poisson<double> poisson(Layout::slab({1, 1}, ranks::count()), MPI_COMM_WORLD, {});
  std::vector<double> u(at(poisson.inverse().in_place_size()), 3);
  EXPECT_EQ(poisson.solve(u.data(), u.data()), 3);
  for_each(poisson.inverse().input(), ranks::rank(),
           [&](Shape const&, Index place) { EXPECT_EQ(u[at(place)], 0); });
}

TEST(poisson, refuses_what_it_cannot_do) {
  Layout const layout = Layout::slab({6, 5, 4}, ranks::count());
  auto const expect = [&](char const* argument, char const* words, auto const& change) {
    PoissonOptions options;
    change(options);
    EXPECT_TRUE(
        refuses(argument, {words}, [&] { Poisson<double>(layout, MPI_COMM_WORLD, options); }));
  };
  EXPECT_TRUE(refuses("input", {"every extent must be at least 1"}, [&] {
    Poisson<double>(Layout::slab({0, 3}, ranks::count()), MPI_COMM_WORLD, {});
  }));
  expect("walls", "one for each of the 3 axes or one for all is needed, 2 were given", [](auto& o) {
    o.walls = {Walls::dirichlet, Walls::neumann};
  });
  expect("points", "0 were given", [](auto& o) { o.points = {}; });
  expect("sides", "one for each of the 3 axes", [](auto& o) { o.sides = {1}; });
  expect("sides", "lengths above 0 are needed, -1", [](auto& o) { o.sides = {1, 1, -1}; });
  expect("accuracy", "3 was given", [](auto& o) { o.accuracy = 3; });
  expect("kinds", "the walls determine them", [](auto& o) { o.kinds = {Kind::r2c}; });
  expect("axes", "all axes", [](auto& o) { o.axes = {0}; });
  expect("fields", "1 is needed, 2", [](auto& o) { o.fields = 2; });
  PoissonOptions options;
  options.walls = {Walls::neumann};
  options.points = {Points::nodes};
  EXPECT_TRUE(refuses("points", {"at least 2 points along axis 1"}, [&] {
    Poisson<double>(Layout::slab({6, 1}, ranks::count()), MPI_COMM_WORLD, options);
  }));
  Poisson<double> exact(layout, MPI_COMM_WORLD, {});
  std::vector<double> array(at(exact.inverse().in_place_size()));
  EXPECT_TRUE(refuses("values", {"accuracy 2 is needed for values at walls, 0 was given"},
                      [&] { exact.solve(array.data(), array.data(), given_at); }));
  options = {};
  options.walls = {Walls::dirichlet};
  options.accuracy = 2;
  Poisson<double> poisson(layout, MPI_COMM_WORLD, options);
  auto const unlucky = [](Wall const& wall, PerAxis<double> const&) -> double {
    if (wall.axis == 0 && wall.is_last) throw std::runtime_error("no such value");
    return 0;
  };
  std::string const message =
      message_of([&] { poisson.solve(array.data(), array.data(), unlucky); });
  EXPECT_NE(message.find("no such value"), std::string::npos) << message;
}

}  // namespace
}  // namespace sixstep

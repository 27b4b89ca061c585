// SPDX-License-Identifier: BSD-3-Clause
// Operators with finite differences against the differences of neighbours in whole arrays.
#include "sixstep/differences.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// A real array on a periodic grid, or one whose axes end with mirrors half a cell beyond the last
/// points; the same on all ranks.
struct Grid {
  Shape shape;
  bool mirrored = false;

  Index points() const {
    Index product = 1;
    for (Index n : shape) product *= n;
    return product;
  }
  Index number(Shape const& point) const {
    Index number = 0;
    for (int axis = 0; axis < shape.size(); ++axis) {
      Index const n = shape[axis];
      Index const period = mirrored ? 2 * n : n;
      Index const i = (point[axis] % period + period) % period;
      number = number * n + (i < n ? i : period - 1 - i);
    }
    return number;
  }
  /// At each point the sum of values at neighbours along an axis, each times its weight.
  std::vector<double> stencil(std::vector<double> const& values, int axis,
                              std::vector<std::pair<Index, double>> const& weights) const {
    std::vector<double> made(values.size());
    for_each_point([&](Shape const& point) {
      for (auto const& [step, weight] : weights) {
        Shape there = point;
        there[axis] += step;
        made[at(number(point))] += weight * values[at(number(there))];
      }
    });
    return made;
  }
  void for_each_point(std::function<void(Shape const&)> const& visit) const {
    Box whole;
    Shape strides(shape.size(), 1);
    for (Index n : shape) whole.ranges.push_back({0, n});
    for (int axis = shape.size() - 2; axis >= 0; --axis)
      strides[axis] = strides[axis + 1] * shape[axis + 1];
    for_each(whole, strides, [&](Shape const& point, Index) { visit(point); });
  }
};

using Weights = std::vector<std::pair<Index, double>>;

/// The first difference, from points to where components of vectors lie; or from there to points.
Weights first(Differences const& by, int axis, bool to_points = false) {
  Weights found;
  if (by.faces == Faces::none)
    found = by.accuracy == 2 ? Weights{{1, 1. / 2}, {-1, -1. / 2}}
                             : Weights{{1, 2. / 3}, {-1, -2. / 3}, {2, -1. / 12}, {-2, 1. / 12}};
  else if (by.accuracy == 2)
    found = {{1, 1}, {0, -1}};
  else
    found = {{1, 27. / 24}, {0, -27. / 24}, {2, -1. / 24}, {-1, 1. / 24}};
  bool const lower = by.faces != Faces::none && (by.faces == Faces::below) != to_points;
  for (auto& [step, weight] : found) {
    step -= lower ? 1 : 0;
    weight /= by.spacing[axis];
  }
  return found;
}

Weights second(Differences const& by, int axis) {
  Weights found;
  if (by.accuracy == 2)
    found = {{1, 1}, {0, -2}, {-1, 1}};
  else if (by.faces == Faces::none)
    found = {{0, -5. / 2}, {1, 4. / 3}, {-1, 4. / 3}, {2, -1. / 12}, {-2, -1. / 12}};
  else
    for (auto const& [i, a] : first({4, PerAxis<double>(axis + 1, 1.), Faces::above}, axis))
      for (auto const& [j, b] : first({4, PerAxis<double>(axis + 1, 1.), Faces::below}, axis))
        found.emplace_back(i + j, a * b);
  for (auto& [step, weight] : found) weight /= by.spacing[axis] * by.spacing[axis];
  return found;
}

std::vector<double> sum(std::vector<double> a, std::vector<double> const& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

std::vector<double> random_values(Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> among(-1, 1);
  std::vector<double> made(at(count));
  for (double& value : made) value = among(random);
  return made;
}

/// Whole arrays that an operator makes of whole arrays.
template <class Real = double>
std::vector<std::vector<double>> applied(Grid const& grid, Differences const& by,
                                         Symbol const& symbol,
                                         std::vector<std::vector<double>> const& fields) {
  OperatorOptions options;
  options.kinds = {grid.mirrored ? Kind::dct2 : Kind::r2c};
  options.fields = static_cast<int>(fields.size());
  for (int axis = 0; axis < grid.shape.size(); ++axis)
    options.sides.push_back(by.spacing[axis] * static_cast<double>(grid.shape[axis]));
  Layout const layout = Layout::slab(grid.shape, ranks::count());
  Operator<Real> op(layout, MPI_COMM_WORLD, symbol, options);
  std::vector<Real> in(at(op.input_size())), out(at(op.output_size()));
  Index const size = layout.local_size(ranks::rank());
  auto const each = [&](auto const& visit) {
    for_each(op.input_box(), op.input_strides(),
             [&](Shape const& point, Index place) { visit(at(grid.number(point)), place); });
  };
  for (std::size_t field = 0; field < fields.size(); ++field)
    each([&](std::size_t point, Index place) {
      in[at(static_cast<Index>(field) * size + place)] = static_cast<Real>(fields[field][point]);
    });
  op.apply(in.data(), out.data());
  std::vector<std::vector<double>> made;
  for (int field = 0; field < (symbol.is_matrix() ? symbol.results() : 1); ++field) {
    std::vector<double> mine(at(grid.points())), all(mine.size());
    each([&](std::size_t point, Index place) { mine[point] = out[at(field * size + place)]; });
    MPI_Allreduce(mine.data(), all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    made.push_back(all);
  }
  return made;
}

void expect_near(std::vector<double> const& a, std::vector<double> const& b, double bound) {
  double worst = 0, largest = 1;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double const error = std::abs(a[i] - b[i]);
    worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
    largest = std::max(largest, std::abs(b[i]));
  }
  EXPECT_LT(worst, bound * largest);
}

constexpr double rounding = 1000 * std::numeric_limits<double>::epsilon();

/// Even, odd and single extents.
std::vector<Shape> const shapes{{8, 6, 10}, {7, 9, 5}, {12, 1, 8}};

/// On several ranks each difference meets one of the shapes.
void for_each_difference(std::function<void(Grid const&, Differences const&)> const& visit) {
  for (std::size_t number = 0; number < shapes.size(); ++number) {
    Shape const& shape = shapes[number];
    std::size_t difference = 0;
    for (int const accuracy : {2, 4})
      for (Faces const faces : all_values<Faces>) {
        if (difference++ % shapes.size() != number && ranks::count() > 1) continue;
        SCOPED_TRACE(text(shape[0], " x ", shape[1], " x ", shape[2], ", accuracy ", accuracy,
                          ", faces ", to_string(faces)));
        visit({shape}, {accuracy, {0.3, 0.5, 0.2}, faces});
      }
  }
}

TEST(differences, are_those_of_neighbours) {
  for_each_difference([](Grid const& grid, Differences const& by) {
    std::vector<double> const u = random_values(grid.points(), 1);
    std::vector<double> laplacian(u.size());
    auto const slopes = applied(grid, by, symbols::gradient(3, by), {u});
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<double> const once = grid.stencil(u, axis, first(by, axis));
      std::vector<double> const twice = grid.stencil(u, axis, second(by, axis));
      expect_near(slopes[at(axis)], once, rounding);
      expect_near(applied(grid, by, symbols::derivative(axis, 1, by), {u})[0], once, rounding);
      expect_near(applied(grid, by, symbols::derivative(axis - 3, 2, by), {u})[0], twice, rounding);
      expect_near(applied(grid, by, symbols::derivative(axis, 3, by), {u})[0],
                  grid.stencil(twice, axis, first(by, axis)), rounding);
      laplacian = sum(laplacian, twice);
    }
    expect_near(applied(grid, by, symbols::laplacian(by), {u})[0], laplacian, rounding);
    if (by.faces != Faces::none)
      expect_near(applied(grid, by, symbols::divergence(3, by), slopes)[0], laplacian, rounding);
  });
}

TEST(differences, solve_to_rounding) {
  for_each_difference([](Grid const& grid, Differences const& by) {
    std::vector<double> const f = random_values(grid.points(), 2);
    auto const laplacian_of = [&](std::vector<double> const& u) {
      std::vector<double> made(u.size());
      for (int axis = 0; axis < 3; ++axis)
        made = sum(made, grid.stencil(u, axis, second(by, axis)));
      return made;
    };
    double mean = 0;
    for (double value : f) mean += value / static_cast<double>(f.size());
    std::vector<double> without_mean = f;
    for (double& value : without_mean) value -= mean;
    expect_near(laplacian_of(applied(grid, by, symbols::inverse_laplacian(by), {f})[0]),
                without_mean, rounding);
    std::vector<double> const u = applied(grid, by, symbols::helmholtz(3, by), {f})[0];
    std::vector<double> left = laplacian_of(u);
    for (std::size_t i = 0; i < u.size(); ++i) left[i] = 3 * u[i] - left[i];
    expect_near(left, f, rounding);
  });
}

TEST(differences, project_on_vectors_whose_differences_add_up_to_0) {
  for_each_difference([](Grid const& grid, Differences const& by) {
    std::vector<std::vector<double>> fields;
    for (unsigned axis = 0; axis < 3; ++axis)
      fields.push_back(random_values(grid.points(), 3 + axis));
    auto const divergence_of = [&](std::vector<std::vector<double>> const& vectors) {
      std::vector<double> made(vectors[0].size());
      for (int axis = 0; axis < 3; ++axis)
        made = sum(made, grid.stencil(vectors[at(axis)], axis, first(by, axis, true)));
      return made;
    };
    expect_near(applied(grid, by, symbols::divergence(3, by), fields)[0], divergence_of(fields),
                rounding);
    auto const projected = applied(grid, by, symbols::project(3, by), fields);
    expect_near(divergence_of(projected), std::vector<double>(fields[0].size()), rounding);
    // Vectors without divergence stay, waves that alternate from point to point included.
    auto const again = applied(grid, by, symbols::project(3, by), projected);
    for (int axis = 0; axis < 3; ++axis)
      expect_near(again[at(axis)], projected[at(axis)], rounding);
  });
}

TEST(differences, leave_no_divergence_when_derivatives_are_exact) {
  Differences const by{.spacing = {0.3, 0.5, 0.2}};
  for (Shape const& shape : shapes) {
    std::vector<std::vector<double>> fields;
    for (unsigned axis = 0; axis < 3; ++axis)
      fields.push_back(random_values(Grid{shape}.points(), 3 + axis));
    auto const projected = applied({shape}, by, symbols::project(3, by), fields);
    auto const left = applied({shape}, by, symbols::divergence(3), projected)[0];
    expect_near(left, std::vector<double>(left.size()), rounding);
  }
}

TEST(differences, are_taken_in_single_precision_too) {
  Grid const grid{{8, 6, 10}};
  Differences const by{.accuracy = 2, .spacing = {0.3, 0.5, 0.2}, .faces = Faces::above};
  std::vector<double> const u = random_values(grid.points(), 4);
  auto const slopes = applied<float>(grid, by, symbols::gradient(3, by), {u});
  for (int axis = 0; axis < 3; ++axis)
    expect_near(slopes[at(axis)], grid.stencil(u, axis, first(by, axis)), 1e-5);
}

TEST(differences, see_mirrors_behind_walls) {
  Grid const grid{{8, 5, 7}, true};
  for (int const accuracy : {2, 4}) {
    Differences const by{.accuracy = accuracy, .spacing = {0.3, 0.5, 0.2}};
    std::vector<double> const u = random_values(grid.points(), 5);
    std::vector<double> expected(u.size());
    for (int axis = 0; axis < 3; ++axis)
      expected = sum(expected, grid.stencil(u, axis, second(by, axis)));
    expect_near(applied(grid, by, symbols::laplacian(by), {u})[0], expected, rounding);
  }
}

TEST(differences, leave_the_alternating_wave) {
  Differences const by{.accuracy = 2, .spacing = {0.3, 0.5}};
  Grid const grid{{6, 4}};
  std::vector<double> alternating(at(grid.points()));
  grid.for_each_point([&](Shape const& point) {
    alternating[at(grid.number(point))] = (point[0] + point[1]) % 2 == 0 ? 1 : -1;
  });
  auto const kept = applied(grid, by, symbols::project(2, by), {alternating, alternating});
  for (auto const& field : kept) expect_near(field, alternating, rounding);
}

TEST(differences, refuse_what_they_cannot_do) {
  auto const expect = [](Differences const& by, std::string const& argument, char const* words) {
    EXPECT_TRUE(refuses(argument, {words}, [&] { symbols::laplacian(by); }));
    EXPECT_TRUE(refuses(argument, {words}, [&] { symbols::project(2, by); }));
  };
  expect({.accuracy = 3, .spacing = {1, 1}}, "accuracy", "0 (exact), 2 or 4 is needed, 3");
  expect({.faces = Faces::above}, "accuracy", "2 or 4 is needed for vectors on faces");
  expect({.accuracy = 2, .spacing = {1, 0}}, "spacing", "above 0 are needed, 0 was given");
  EXPECT_TRUE(refuses("spacing", {"one for each of the 2 axes", "3 were given"}, [] {
    applied({{4, 4}}, {2, {1, 1, 1}}, symbols::laplacian({2, {1, 1, 1}}),
            {std::vector<double>(16)});
  }));
}

}  // namespace
}  // namespace sixstep

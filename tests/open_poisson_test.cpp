// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation in free space, against the potentials of Gaussians.
#include "sixstep/open_poisson.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/indices.hpp"

namespace sixstep {
namespace {

using oracle::at;
using std::numbers::pi;

/// A Gaussian of unit integral and its potential, in 1, 2 or 3 dimensions.
struct Gaussian {
  int dimensions;
  double width;

  double source(double r) const {
    double const norm = std::pow(std::sqrt(2 * pi) * width, dimensions);
    return std::exp(-r * r / (2 * width * width)) / norm;
  }
  double potential(double r) const {
    double const x = r / (std::sqrt(2.0) * width);
    if (dimensions == 1)
      return (r * std::erf(x) + width * std::sqrt(2 / pi) * std::exp(-x * x)) / 2;
    if (dimensions == 2)
      return r > 0 ? (std::log(r) - std::expint(-x * x) / 2) / (2 * pi)
                   : (std::log(2 * width * width) - std::numbers::egamma) / (4 * pi);
    return r > 0 ? -std::erf(x) / (4 * pi * r) : -1 / (4 * pi) * std::sqrt(2 / pi) / width;
  }
};

/// Points with distances of their own along each axis, around the middle of the box.
struct Domain {
  Shape shape;
  std::vector<int> axes;  // with a distance
  std::vector<double> spacing;

  double distance(Shape const& point, double off_middle) const {
    double square = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      int const axis = axes[i];
      double const x =
          (static_cast<double>(point[axis]) - 0.5 * static_cast<double>(shape[axis]) + off_middle) *
          spacing[i];
      square += x * x;
    }
    return std::sqrt(square);
  }
};

/// The largest error of the potential over its largest value.
template <class Real>
double error_of(Domain const& domain, Layout const& layout, OpenPoissonOptions options,
                double width) {
  options.axes = domain.axes;
  options.spacing = domain.spacing;
  Gaussian const gaussian{static_cast<int>(domain.axes.size()), width};
  OpenPoisson<Real> open(layout, MPI_COMM_WORLD, options);
  std::vector<Real> f(at(open.convolution().in_place_size()));
  double worst = 0, largest = 0;
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    f[at(place)] = static_cast<Real>(gaussian.source(domain.distance(point, 0.3)));
  });
  open.solve(f.data(), f.data());
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    double const expected = gaussian.potential(domain.distance(point, 0.3));
    worst = ranks::worse(worst, std::abs(f[at(place)] - expected));
    largest = std::max(largest, std::abs(expected));
  });
  return ranks::largest(worst) / ranks::largest(largest);
}

TEST(open_poisson, with_the_truncated_function_is_exact) {
  int const all = ranks::count();
  OpenPoissonOptions const options;
  Domain const line{{90}, {0}, {0.2}};
  EXPECT_LT(error_of<double>(line, Layout::slab(line.shape, all), options, 1), 1e-12);
  Domain const plane{{64, 40}, {0, 1}, {0.25, 0.4}};
  EXPECT_LT(error_of<double>(plane, Layout::slab(plane.shape, all, 1), options, 0.9), 1e-12);
  Domain const cube{{40, 42, 36}, {0, 1, 2}, {0.4, 0.39, 0.45}};
  EXPECT_LT(error_of<double>(cube, Layout::pencil(cube.shape, all), options, 0.95), 1e-12);
  EXPECT_LT(error_of<float>(cube, Layout::pencil(cube.shape, all), options, 0.95), 2e-6);
  Domain const slices{{3, 44, 40}, {2, 1}, {0.4, 0.37}};
  EXPECT_LT(error_of<double>(slices, Layout::slab(slices.shape, all, 2), options, 0.9), 1e-12);
}

TEST(open_poisson, with_the_integrated_function_is_of_second_order) {
  OpenPoissonOptions options;
  options.greens_function = GreensFunction::integrated;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    double before = 0;
    for (Index n : {16, 32}) {
      Domain domain;
      for (int axis = 0; axis < dimensions; ++axis) {
        domain.shape.push_back(n + axis);
        domain.axes.push_back(axis);
        domain.spacing.push_back(16 / static_cast<double>(n));
      }
      double const error =
          error_of<double>(domain, Layout::slab(domain.shape, ranks::count()), options, 2);
      if (before > 0) {
        EXPECT_NEAR(before / error, 4, 0.5) << dimensions;
      }
      before = error;
    }
    EXPECT_LT(before, 0.02);
  }
}

TEST(open_poisson, takes_a_function_of_the_callers) {
  Shape const shape{5, 4, 3};
  Layout const layout = Layout::slab(shape, ranks::count(), 1);
  OpenPoissonOptions options;
  options.spacing = {0.5, 1, 2};
  options.fields = 2;
  options.function = [](PerAxis<double> const& x) {
    return 1 / (1 + x[0] + 2 * x[1] * x[1] + 3 * x[2]);
  };
  OpenPoisson<double> open(layout, MPI_COMM_WORLD, options);
  Index const points = layout.local_size(ranks::rank());
  std::vector<double> f(at(2 * points)), u(at(2 * points));
  auto const source = [](Shape const& point, int field) {
    return static_cast<double>(point[0] * 3 - point[1] * point[2] + field);
  };
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    for (int field = 0; field < 2; ++field) f[at(place + field * points)] = source(point, field);
  });
  open.solve(f.data(), u.data());
  for_each(layout, ranks::rank(), [&](Shape const& x, Index place) {
    for (int field = 0; field < 2; ++field) {
      double sum = 0;
      oracle::for_each_point(shape, [&](Shape const& y) {
        PerAxis<double> offset;
        for (int axis = 0; axis < 3; ++axis)
          offset.push_back(static_cast<double>(std::abs(x[axis] - y[axis])) *
                           options.spacing[at(axis)]);
        sum += options.function(offset) * source(y, field);
      });
      EXPECT_NEAR(u[at(place + field * points)], sum, 1e-11);
    }
  });
}

/// A Gaussian along each axis, three spacings wide, times 2 + cos(k spacing) for the waves k of
/// axis 1 if that is periodic; and the right side at a point.
struct Gaussians {
  std::vector<double> spacing;
  bool has_waves;

  double transform(PerAxis<double> const& k) const {
    double product = 1;
    for (int i = 0; i < k.size(); ++i) {
      double const h = spacing[at(i)], width = 3 * h;
      product *= has_waves && i == 1
                     ? 2 + std::cos(k[i] * h)
                     : std::sqrt(2 * pi) * width * std::exp(-k[i] * k[i] * width * width / 2);
    }
    return product;
  }
  /// The weight of a source at this offset in points, of n along the periodic axis.
  double weight(std::vector<double> const& offset, Index n) const {
    double product = 1;
    for (std::size_t i = 0; i < offset.size(); ++i) {
      if (!has_waves || i != 1) {
        product *= spacing[i] * std::exp(-offset[i] * offset[i] / 18);
        continue;
      }
      auto const apart = std::abs(static_cast<Index>(offset[i]));
      product *= apart == 0 ? 2 : apart == 1 || apart == n - 1 ? 0.5 : 0;
    }
    return product;
  }
  static double source(Shape const& point) {
    double angle = 0;
    for (int axis = 0; axis < point.size(); ++axis)
      angle += static_cast<double>((axis + 3) * point[axis] * point[axis]);
    return std::cos(angle);
  }
};

/// Expects sums of weights, in the box that is moved by `shift` spacings.
template <class Real>
void expect_sums(Shape const& shape, Gaussians const& gaussians, std::vector<double> const& shift) {
  Layout const layout = Layout::slab(shape, ranks::count(), shape.size() - 1);
  OpenPoissonOptions options;
  options.spacing = gaussians.spacing;
  if (gaussians.has_waves) options.walls = {Walls::open, Walls::periodic, Walls::open};
  for (std::size_t i = 0; i < shift.size(); ++i)
    options.shift.push_back(shift[i] * gaussians.spacing[i]);
  options.function = [&](PerAxis<double> const& k) { return gaussians.transform(k); };
  options.space = GreensSpace::waves;
  OpenPoisson<Real> open(layout, MPI_COMM_WORLD, options);
  std::vector<Real> u(at(layout.local_size(ranks::rank())));
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    u[at(place)] = static_cast<Real>(Gaussians::source(point));
  });
  open.solve(u.data(), u.data());
  double worst = 0, largest = 0;
  for_each(layout, ranks::rank(), [&](Shape const& x, Index place) {
    double sum = 0;
    oracle::for_each_point(shape, [&](Shape const& y) {
      std::vector<double> offset;
      for (int axis = 0; axis < x.size(); ++axis)
        offset.push_back(static_cast<double>(x[axis] - y[axis]) +
                         (shift.empty() ? 0 : shift[at(axis)]));
      sum += gaussians.weight(offset, shape.size() > 1 ? shape[1] : 1) * Gaussians::source(y);
    });
    worst = std::max(worst, std::abs(static_cast<double>(u[at(place)]) - sum));
    largest = std::max(largest, std::abs(sum));
  });
  double const bound = std::is_same_v<Real, double> ? 1e-13 : 1e-5;
  // The source is about 1, and so is the rounding error of what is far from it.
  EXPECT_LT(ranks::largest(worst), bound * std::max(1.0, ranks::largest(largest)))
      << to_string(shape) << (shift.empty() ? "" : ", shifted");
}

TEST(open_poisson, takes_a_function_of_waves) {
  Gaussians const line{{0.5}, false}, plane{{0.5, 0.4}, false}, slices{{0.5, 2, 0.6}, true};
  expect_sums<double>({31}, line, {});
  expect_sums<double>({31}, line, {2.5});
  expect_sums<double>({31}, line, {-40});  // beyond the box
  expect_sums<double>({20, 22}, plane, {});
  expect_sums<double>({20, 22}, plane, {0.3, -7});
  expect_sums<float>({20, 22}, plane, {});
  expect_sums<double>({20, 5, 21}, slices, {});
  expect_sums<double>({20, 4, 21}, slices, {1.5, 0, -2});
}

TEST(open_poisson, refuses_what_it_cannot_do) {
  Layout const layout = Layout::slab({4, 4}, ranks::count());
  auto const refused = [&](char const* argument, std::initializer_list<char const*> words,
                           OpenPoissonOptions const& options) {
    EXPECT_TRUE(
        refuses(argument, words, [&] { OpenPoisson<double>(layout, MPI_COMM_WORLD, options); }));
  };
  OpenPoissonOptions options;
  options.spacing = {1, 2, 3};
  refused("spacing", {"each of the 2 axes", "3 were given"}, options);
  options.spacing = {0};
  refused("spacing", {"above 0", "0 was given"}, options);
  options = {};
  options.kinds = {Kind::dct2};
  refused("kinds", {"reals"}, options);
  options = {};
  options.lengths = {8, 8};
  refused("lengths", {"twice the points"}, options);
  options = {};
  options.greens_function = static_cast<GreensFunction>(7);
  refused("greens_function", {"truncated or integrated", "value 7 was given"}, options);
  options = {};
  options.function = [](PerAxis<double> const& x) {
    if (x[0] == 0) throw Error("function: none at 0");  // only rank 0 has this distance
    return x[0];
  };
  refused("function", {"none at 0"}, options);
  options.space = GreensSpace::waves;
  refused("function", {"none at 0"}, options);
  options.shift = {0, 0.5};
  refused("function", {"none at 0"}, options);
  options.space = static_cast<GreensSpace>(5);
  refused("space", {"distances or waves", "value 5 was given"}, options);
  EXPECT_TRUE(refuses("axes", {"at most 3", "4 were given"}, [&] {
    OpenPoisson<double>(Layout::slab({2, 2, 2, 2}, ranks::count()), MPI_COMM_WORLD);
  }));
}

}  // namespace
}  // namespace sixstep

// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation with open axes beside periodic axes and walls, and shifted potentials, against
// Gaussians times waves.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gaussian_waves.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {
namespace {

using namespace gaussian_waves;
using oracle::at;

/// The largest error of the solution over its largest value.
template <class Real>
double error_of(Source const& source, Layout const& layout,
                GreensFunction function = GreensFunction::truncated) {
  OpenPoissonOptions options = options_of(source);
  options.greens_function = function;
  OpenPoisson<Real> open(layout, MPI_COMM_WORLD, options);
  std::vector<Real> f(at(open.convolution().in_place_size()));
  std::vector<Potential> const potentials = source.potentials();
  double worst = 0, largest = 0;
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    f[at(place)] = static_cast<Real>(source.value(point));
  });
  open.solve(f.data(), f.data());
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    double const expected = source.solution(point, potentials);
    worst = ranks::worse(worst, std::abs(f[at(place)] - expected));
    largest = std::max(largest, std::abs(expected));
  });
  return ranks::largest(worst) / ranks::largest(largest);
}

TEST(mixed_poisson, is_exact_for_slabs_wires_and_slices) {
  int const all = ranks::count();
  Source const slab{{open(44), closed(6, Walls::periodic), closed(5, Walls::periodic)},
                    {{0, 0, 0}, {0, 1, 2}, {0, 3, 0}}};
  EXPECT_LT(error_of<double>(slab, Layout::slab(shape_of(slab), all)), 1e-12);
  EXPECT_LT(error_of<float>(slab, Layout::slab(shape_of(slab), all, 1)), 3e-6);
  Source const wire{{open(44), closed(8, Walls::periodic, Points::cells, 0.5), open(40, 0, 0.33)},
                    {{0, 0, 0}, {0, 2, 0}, {0, 4, 0}}};
  EXPECT_LT(error_of<double>(wire, Layout::pencil(shape_of(wire), all)), 1e-12);
  Source const turned{{closed(7, Walls::periodic), open(42), open(40, 0, 0.33)},
                      {{0, 0, 0}, {3, 0, 0}}};
  EXPECT_LT(error_of<double>(turned, Layout::slab(shape_of(turned), all)), 1e-12);
  EXPECT_LT(error_of<float>(turned, Layout::slab(shape_of(turned), all, 1)), 3e-6);
  Source const flat{{open(50), closed(9, Walls::periodic)}, {{0, 1}, {0, 0}}};
  EXPECT_LT(error_of<double>(flat, Layout::slab(shape_of(flat), all, 1)), 1e-12);
}

TEST(mixed_poisson, is_exact_beside_three_open_axes) {
  Source const source{
      {open(34, 0, 0.35), closed(3, Walls::periodic), open(33, 0, 0.35), open(34, 0, 0.36)},
      {{0, 1, 0, 0}, {0, 0, 0, 0}}};
  EXPECT_LT(error_of<double>(source, Layout::slab(shape_of(source), ranks::count())), 1e-11);
}

TEST(mixed_poisson, is_exact_between_walls_of_all_kinds) {
  int const all = ranks::count();
  for (Points const points : {Points::cells, Points::nodes})
    for (Walls const walls :
         {Walls::dirichlet, Walls::neumann, Walls::dirichlet_neumann, Walls::neumann_dirichlet}) {
      Source const first{{closed(6, walls, points), open(44)}, {{1, 0}, {3, 0}}};
      EXPECT_LT(error_of<double>(first, Layout::slab(shape_of(first), all)), 1e-12)
          << to_string(walls) << ' ' << to_string(points);
      Source const last{{open(40), open(41), closed(5, walls, points)}, {{0, 0, 1}, {0, 0, 3}}};
      EXPECT_LT(error_of<double>(last, Layout::slab(shape_of(last), all)), 1e-12)
          << to_string(walls) << ' ' << to_string(points);
    }
  Source const pipe{
      {closed(5, Walls::dirichlet), closed(6, Walls::neumann, Points::nodes), open(44)},
      {{1, 0, 0}, {2, 3, 0}}};
  EXPECT_LT(error_of<double>(pipe, Layout::slab(shape_of(pipe), all)), 1e-12);
  EXPECT_LT(error_of<float>(pipe, Layout::slab(shape_of(pipe), all)), 3e-6);
}

TEST(mixed_poisson, with_the_integrated_function_is_of_second_order) {
  auto const ratio = [](auto const& source_of) {
    auto const error = [&](int times) {
      Source const source = source_of(times);
      return error_of<double>(source, Layout::slab(shape_of(source), ranks::count()),
                              GreensFunction::integrated);
    };
    return error(1) / error(2);
  };
  auto const slab = [](int times) {
    Axis const periodic = closed(4, Walls::periodic, Points::cells, 1.5);
    return Source{{open(28 * times, 0, 0.6 / times), periodic}, {{0, 1}}, 1.5};
  };
  EXPECT_NEAR(ratio(slab), 4, 0.3);
  auto const pipe = [](int times) {
    Axis const walled = closed(4, Walls::dirichlet, Points::cells, 1.5);
    return Source{{walled, open(28 * times, 0, 0.6 / times), open(29 * times, 0, 0.55 / times)},
                  {{1, 0, 0}, {2, 0, 0}},
                  1.5};
  };
  EXPECT_NEAR(ratio(pipe), 4, 0.3);
}

/// The integral of -K0(kappa r)/(2 pi) over a cell, by the middles of 200 x 200 parts.
double of_cell(double x, double y, double kappa, double a, double b) {
  constexpr int parts = 200;
  double sum = 0;
  for (int i = 0; i < parts; ++i)
    for (int j = 0; j < parts; ++j)
      sum -= std::cyl_bessel_k(0, kappa * std::hypot(x + a * ((i + 0.5) / parts - 0.5),
                                                     y + b * ((j + 0.5) / parts - 0.5)));
  return sum / (parts * parts) * a * b / (2 * pi);
}

TEST(mixed_poisson, integrates_over_cells) {
  Source const source{
      {open(7, 0, 0.2), open(5, 0, 0.5), closed(6, Walls::periodic, Points::cells, 0.7)}, {}};
  Layout const layout = Layout::slab(shape_of(source), ranks::count());
  OpenPoissonOptions options = options_of(source);
  options.greens_function = GreensFunction::integrated;
  OpenPoisson<double> open(layout, MPI_COMM_WORLD, options);
  std::vector<double> u(at(open.convolution().in_place_size()));
  Axis const& along = source.axes[2];
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    u[at(place)] = point[0] == 2 && point[1] == 1 ? along.mode(2, along.x(point[2])) : 0;
  });
  open.solve(u.data(), u.data());
  for_each(layout, ranks::rank(), [&](Shape const& point, Index place) {
    if (point[2] > 0) return;
    double const integral =
        of_cell(static_cast<double>(point[0] - 2) * 0.2, static_cast<double>(point[1] - 1) * 0.5,
                along.wave(2), 0.2, 0.5);
    EXPECT_NEAR(u[at(place)], integral * along.mode(2, 0), 2e-5 * 0.1);
  });
}

TEST(mixed_poisson, shifted_potentials_are_exact) {
  int const all = ranks::count();
  Source const line{{open(90, 3.3, 0.2)}, {{0}}};
  EXPECT_LT(error_of<double>(line, Layout::slab(shape_of(line), all)), 1e-12);
  for (double const shift : {0.7, -4.1, 12., 13.1, -200.}) {
    Source const plane{{open(40), open(42, shift)}, {{0, 0}}};
    EXPECT_LT(error_of<double>(plane, Layout::slab(shape_of(plane), all)), 1e-12) << shift;
    Source const wire{{open(40, shift), open(42, 0.1), closed(4, Walls::periodic)},
                      {{0, 0, 1}, {0, 0, 0}}};
    EXPECT_LT(error_of<double>(wire, Layout::slab(shape_of(wire), all, 1)), 1e-12) << shift;
  }
  // In a box of eight widths on either side, with 2.7 points a width, the source is exact.
  Source const near{{open(44, 0.5), open(45), open(46, -0.2)}, {{0, 0, 0}}};
  EXPECT_LT(error_of<double>(near, Layout::slab(shape_of(near), all)), 1e-14);
  Source const beside{{open(44, 0.5), open(45), open(46, -0.2), closed(2, Walls::periodic)},
                      {{0, 0, 0, 1}, {0, 0, 0, 0}}};
  EXPECT_LT(error_of<double>(beside, Layout::slab(shape_of(beside), all)), 1e-13);
  Source const far{{open(44), open(45, 30), open(46, 0.2)}, {{0, 0, 0}}};
  EXPECT_LT(error_of<double>(far, Layout::pencil(shape_of(far), all)), 1e-13);
  EXPECT_LT(error_of<float>(far, Layout::pencil(shape_of(far), all)), 3e-6);
  Source const slab{{closed(5, Walls::dirichlet), open(44, 2)}, {{1, 0}}};
  EXPECT_LT(error_of<double>(slab, Layout::slab(shape_of(slab), all)), 1e-12);
}

TEST(mixed_poisson, shifted_integrated_functions_are_of_second_order) {
  auto const error = [](int times, double shift, double width) {
    Source const source{{open(12 * times, shift, 1. / times), open(13 * times, 0, 1. / times),
                         open(11 * times, -shift, 1. / times)},
                        {{0, 0, 0}},
                        width};
    return error_of<double>(source, Layout::slab(shape_of(source), ranks::count()),
                            GreensFunction::integrated);
  };
  for (double const shift : {0.25, 1.5})
    EXPECT_NEAR(error(1, shift, 1.5) / error(2, shift, 1.5), 4, 0.5) << shift;
  EXPECT_LT(error(1, 40, 0.9), 1e-6);  // the function changes little within a cell
}

TEST(mixed_poisson, calls_a_function_with_distances_and_waves) {
  Source const source{
      {open(4, 0.7, 0.5), closed(6, Walls::periodic, Points::cells, 2), open(3, 0, 2)}, {}};
  for (bool const is_shifted : {false, true}) {
    OpenPoissonOptions options = options_of(source);
    if (!is_shifted) options.shift.clear();
    double const shift = is_shifted ? 0.7 : 0, wave = source.axes[1].wave(2);
    options.function = [](PerAxis<double> const& x) {
      return (2 + x[1] * x[1]) / (1 + x[0] + 3 * x[2]);
    };
    Shape const shape = shape_of(source);
    Layout const layout = Layout::slab(shape, ranks::count(), 2);
    OpenPoisson<double> open(layout, MPI_COMM_WORLD, options);
    std::vector<double> u(at(open.convolution().in_place_size()));
    auto const f = [&](Index i, Index k) { return static_cast<double>(i * i + 2 * k - 3); };
    auto const mode = [&](Index j) { return source.axes[1].mode(2, source.axes[1].x(j)); };
    for_each(layout, ranks::rank(),
             [&](Shape const& x, Index place) { u[at(place)] = f(x[0], x[2]) * mode(x[1]); });
    open.solve(u.data(), u.data());
    for_each(layout, ranks::rank(), [&](Shape const& x, Index place) {
      double sum = 0;
      for (Index i = 0; i < shape[0]; ++i)
        for (Index k = 0; k < shape[2]; ++k)
          sum += f(i, k) * (2 + wave * wave) /
                 (1 + std::abs(static_cast<double>(x[0] - i) * 0.5 + shift) +
                  3 * std::abs(static_cast<double>(x[2] - k) * 2));
      EXPECT_NEAR(u[at(place)], sum * mode(x[1]), 1e-11);
    });
  }
}

TEST(mixed_poisson, is_exact_for_random_problems) {
  std::mt19937 random(7);
  auto const pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  for (int problem = 0; problem < 12; ++problem) {
    int const axes = 1 + pick(3), open_one = pick(axes);
    bool const is_shifted = pick(3) == 0;
    Source source;
    source.modes.assign(2, std::vector<int>(at(axes)));
    int open_axes = 0;
    for (int i = 0; i < axes; ++i) {
      bool const is_open = i == open_one || (pick(2) == 0 && open_axes < 2);
      open_axes += is_open;
      double const shift = is_shifted ? pick(7) - 3 : 0;
      if (is_open)
        source.axes.push_back(open(38 + pick(6), shift, 0.3 + 0.01 * pick(4)));
      else
        source.axes.push_back(closed(3 + pick(5), all_values<Walls>[at(pick(5))],
                                     all_values<Points>[at(pick(2))], 0.3 + 0.1 * pick(4)));
      source.modes[0][at(i)] = 1;
      source.modes[1][at(i)] = 1 + pick(2);
    }
    Layout const layout = pick(2) == 0 ? Layout::slab(shape_of(source), ranks::count(), pick(axes))
                                       : Layout::brick(shape_of(source), ranks::count());
    EXPECT_LT(error_of<double>(source, layout), 1e-11) << problem;
    EXPECT_LT(error_of<float>(source, layout), 1e-5) << problem;
  }
}

TEST(mixed_poisson, refuses_what_it_cannot_do) {
  Layout const layout = Layout::slab({4, 4}, ranks::count());
  auto const refused = [&](char const* argument, std::initializer_list<char const*> words,
                           OpenPoissonOptions const& options, Layout const& of) {
    EXPECT_TRUE(
        refuses(argument, words, [&] { OpenPoisson<double>(of, MPI_COMM_WORLD, options); }));
  };
  OpenPoissonOptions options;
  options.walls = {Walls::periodic};
  refused("walls", {"an open axis is needed"}, options, layout);
  options.walls = {Walls::open, Walls::periodic, Walls::open};
  refused("walls", {"each of the 2 axes", "3 were given"}, options, layout);
  options.walls = {Walls::open, Walls::neumann};
  options.points = {Points::nodes};
  refused("points", {"at least 2 points along axis 1"}, options,
          Layout::slab({4, 1}, ranks::count()));
  options.shift = {0, 0.5};
  refused("shift", {"0 along the others", "0.5 was given"}, options, layout);
  options.shift = {1};
  refused("shift", {"each of the 2 axes", "1 were given"}, options, layout);
  options = {};
  options.walls = {Walls::open, Walls::open, Walls::open, Walls::periodic};
  options.greens_function = GreensFunction::integrated;
  refused("greens_function", {"truncated is needed"}, options,
          Layout::slab({2, 2, 2, 2}, ranks::count()));
  PoissonOptions walls;
  walls.walls = {Walls::open};
  EXPECT_TRUE(refuses("walls", {"open is for OpenPoisson"},
                      [&] { Poisson<double>(layout, MPI_COMM_WORLD, walls); }));
}

}  // namespace
}  // namespace sixstep

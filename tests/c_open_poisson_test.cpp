// SPDX-License-Identifier: BSD-3-Clause
// Solvers in free space of the C interface: against their sums, and what only C can get wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "c/options.hpp"
#include "c_convolutions.hpp"
#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/open_poisson.hpp"

namespace sixstep::c_convolutions {
namespace {

/// A Green's function that no axis can be taken for another one of. Fails at the distance that
/// `context` points to, along the first axis.
double green(double const* x) { return 1 / (1 + x[0] + 2 * x[1] * x[1]); }
int write_green(void* context, int axes, double const* x, double* value) {
  *value = green(x);
  return axes != 2 ? 9 : x[0] == *static_cast<double const*>(context) ? 3 : 0;
}

template <class Real>
void expect_solves(Owned<sixstep_convolution> const& open, Shape const& shape,
                   double (*weight)(double const*), std::vector<double> const& spacing) {
  ASSERT_TRUE(open);
  Index size = 0;
  sixstep_part part;
  sixstep_convolution_sizes(open.get(), nullptr, nullptr, &size);
  sixstep_convolution_input_part(open.get(), &part);
  std::vector<Real> f(at(size));
  for_each_element(part, [&](Shape const& j, Index i) { set(f[at(i)], signal_at(j, true)); });
  ASSERT_EQ(sixstep_convolution_apply(open.get(), f.data(), f.data()), SIXSTEP_OK);
  double worst = 0, largest = 0;
  for_each_element(part, [&](Shape const& k, Index i) {
    long double sum = 0;
    oracle::for_each_point(shape, [&](Shape const& j) {
      double x[2];
      for (int axis = 0; axis < 2; ++axis)
        x[axis] = spacing[at(axis)] * static_cast<double>(std::abs(k[axis] - j[axis]));
      sum += weight(x) * signal_at(j, true).real();
    });
    worst = ranks::worse(worst, static_cast<double>(std::abs(f[at(i)] - sum)));
    largest = std::max(largest, static_cast<double>(std::abs(sum)));
  });
  EXPECT_LT(worst, 100 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                       ranks::largest(largest));
}

/// log(r)/(2 pi) integrated over the cell of 0.3 x 0.2 around x, by its antiderivative.
double of_cell(double const* x) {
  auto const corner = [](double a, double b) {
    return (a * b * (std::log(a * a + b * b) - 3) + a * a * std::atan(b / a) +
            b * b * std::atan(a / b)) /
           (8 * std::atan(1.));
  };
  auto const [a, b] = std::pair{0.15, 0.1};
  return (corner(x[0] + a, x[1] + b) - corner(x[0] - a, x[1] + b) - corner(x[0] + a, x[1] - b) +
          corner(x[0] - a, x[1] - b)) /
         2;
}

TEST(c_open_poisson, is_a_sum_of_weights) {
  Shape const shape{9, 7};
  auto const layout = slab(shape);
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = 2;
  options.spacing[0] = 0.3;
  options.spacing[1] = 0.2;
  options.greens_function = SIXSTEP_INTEGRATED;
  auto const open = [&](int precision) {
    return made<sixstep_convolution>(sixstep_open_poisson_create, precision, layout.get(),
                                     MPI_COMM_WORLD, &options);
  };
  expect_solves<double>(open(SIXSTEP_DOUBLE), shape, of_cell, {0.3, 0.2});
  expect_solves<float>(open(SIXSTEP_SINGLE), shape, of_cell, {0.3, 0.2});
  double failing = -1;
  options.function = write_green;
  options.context = &failing;
  expect_solves<double>(open(SIXSTEP_DOUBLE), shape, green, {0.3, 0.2});
  expect_solves<float>(open(SIXSTEP_SINGLE), shape, green, {0.3, 0.2});
  options.spacing_count = 0;
  expect_solves<double>(open(SIXSTEP_DOUBLE), shape, green, {1, 1});
}

/// A Gaussian three spacings wide, for spacings of 0.3 and 0.2: its weights and its transform.
double gaussian(double const* x) {
  double const a = x[0] / 0.3, b = x[1] / 0.2;
  return 0.3 * 0.2 * std::exp(-(a * a + b * b) / 18);
}
int write_transform(void*, int axes, double const* k, double* value) {
  double const a = 0.9 * k[0], b = 0.6 * k[1];
  *value = 8 * std::atan(1.) * 0.9 * 0.6 * std::exp(-(a * a + b * b) / 2);
  return axes != 2;
}

TEST(c_open_poisson, takes_a_function_of_waves) {
  Shape const shape{20, 28};
  auto const layout = slab(shape);
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = 2;
  options.spacing[0] = 0.3;
  options.spacing[1] = 0.2;
  options.function = write_transform;
  options.space = SIXSTEP_WAVES;
  auto const open = made<sixstep_convolution>(sixstep_open_poisson_create, SIXSTEP_DOUBLE,
                                              layout.get(), MPI_COMM_WORLD, &options);
  expect_solves<double>(open, shape, gaussian, {0.3, 0.2});
}

/// Numbers of green() at the distances of a layout's entries.
std::vector<double> numbers_of(sixstep_layout const* layout) {
  Index size = 0;
  sixstep_part part;
  sixstep_layout_array_size(layout, ranks::rank(), &size);
  sixstep_layout_part(layout, ranks::rank(), &part);
  std::vector<double> numbers(at(size));
  for_each_element(part, [&](Shape const& entry, Index i) {
    double const x[] = {0.3 * static_cast<double>(entry[0]), 0.2 * static_cast<double>(entry[1])};
    numbers[at(i)] = green(x);
  });
  return numbers;
}

TEST(c_open_poisson, takes_numbers_and_is_renewed) {
  Shape const shape{9, 7};
  auto const layout = slab(shape), dealt = slab(shape, 1);
  std::vector<double> const numbers = numbers_of(dealt.get());
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = 2;
  options.spacing[0] = 0.3;
  options.spacing[1] = 0.2;
  options.numbers_layout = dealt.get();
  options.numbers = numbers.data();
  options.numbers_size = static_cast<Index>(numbers.size());
  auto const open = [&](int precision) {
    return made<sixstep_convolution>(sixstep_open_poisson_create, precision, layout.get(),
                                     MPI_COMM_WORLD, &options);
  };
  expect_solves<double>(open(SIXSTEP_DOUBLE), shape, green, {0.3, 0.2});
  expect_solves<float>(open(SIXSTEP_SINGLE), shape, green, {0.3, 0.2});
  auto renewed = open(SIXSTEP_DOUBLE);
  sixstep_open_poisson_options others = SIXSTEP_OPEN_POISSON_OPTIONS;
  others.greens_function = SIXSTEP_INTEGRATED;
  ASSERT_EQ(sixstep_open_poisson_renew(renewed.get(), &others), SIXSTEP_OK)
      << sixstep_error_message();
  expect_solves<double>(std::move(renewed), shape, of_cell, {0.3, 0.2});
}

TEST(c_open_poisson, numbers_that_do_not_serve_are_refused_on_all_ranks) {
  auto const layout = slab({9, 7}), dealt = slab({9, 7}, 1);
  std::vector<double> numbers = numbers_of(dealt.get());
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  auto const open = made<sixstep_convolution>(sixstep_open_poisson_create, SIXSTEP_DOUBLE,
                                              layout.get(), MPI_COMM_WORLD, &options);
  bool const last = ranks::rank() == all() - 1;
  auto const refused = [&](char const* words) {
    EXPECT_EQ(sixstep_open_poisson_renew(open.get(), &options), SIXSTEP_ERROR_ARGUMENT);
    EXPECT_STREQ(sixstep_error_message(), words);
  };
  options.space = last ? 2 : 0;
  refused("space: 0 to 1 are possible, 2 was given");
  options.space = SIXSTEP_DISTANCES;
  options.numbers_layout = dealt.get();
  refused("numbers: a pointer to numbers is needed, null was given");
  sixstep_part part;
  sixstep_layout_part(dealt.get(), ranks::rank(), &part);
  for_each_element(part, [&](Shape const& entry, Index i) {
    if (entry == Shape{3, 2}) numbers[at(i)] = std::numeric_limits<double>::infinity();
  });
  options.numbers = numbers.data();
  refused("numbers: finite numbers are needed, for the entry {3, 2} it is inf");
  auto const convolution =
      made<sixstep_convolution>(sixstep_convolution_create, SIXSTEP_DOUBLE, layout.get(),
                                dealt.get(), nullptr, MPI_COMM_WORLD, nullptr);
  EXPECT_EQ(sixstep_open_poisson_renew(convolution.get(), &options), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(),
               "convolution: one of sixstep_open_poisson_create() is needed, another was given");
}

TEST(c_open_poisson, has_waves_between_walls_and_shifts) {
  Shape const shape{9, 8};
  auto const layout = slab(shape);
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = options.walls_count = options.points_count = options.shift_count = 2;
  options.spacing[0] = 0.3;
  options.spacing[1] = 0.2;
  options.walls[0] = SIXSTEP_OPEN;
  options.walls[1] = SIXSTEP_DIRICHLET;
  options.points[1] = SIXSTEP_NODES;
  options.shift[0] = 0.4;
  double never = -1;
  options.function = write_green;
  options.context = &never;
  auto const open = made<sixstep_convolution>(sixstep_open_poisson_create, SIXSTEP_DOUBLE,
                                              layout.get(), MPI_COMM_WORLD, &options);
  ASSERT_TRUE(open);
  double const wave = 2 * 4 * std::atan(1.) / (9 * 0.2);
  auto const source = [](Index i) { return static_cast<double>(i * i % 7 - 2); };
  auto const mode = [&](Index j) { return std::sin(wave * 0.2 * static_cast<double>(j + 1)); };
  Index size = 0;
  sixstep_part part;
  sixstep_convolution_sizes(open.get(), nullptr, nullptr, &size);
  sixstep_convolution_input_part(open.get(), &part);
  std::vector<double> u(at(size));
  for_each_element(part, [&](Shape const& x, Index i) { u[at(i)] = source(x[0]) * mode(x[1]); });
  ASSERT_EQ(sixstep_convolution_apply(open.get(), u.data(), u.data()), SIXSTEP_OK);
  for_each_element(part, [&](Shape const& x, Index i) {
    double sum = 0;
    for (Index y = 0; y < shape[0]; ++y) {
      double const at_wave[] = {std::abs(0.3 * static_cast<double>(x[0] - y) + 0.4), wave};
      sum += green(at_wave) * source(y);
    }
    EXPECT_NEAR(u[at(i)], sum * mode(x[1]), 1e-12);
  });
}

TEST(c_open_poisson, a_function_that_fails_is_an_error_on_all_ranks) {
  auto const layout = slab({9, 7});
  double failing = 0;  // only rank 0 needs this distance
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.function = write_green;
  options.context = &failing;
  sixstep_convolution* open = nullptr;
  EXPECT_EQ(
      sixstep_open_poisson_create(SIXSTEP_DOUBLE, layout.get(), MPI_COMM_WORLD, &options, &open),
      SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "function: it returned 3, 0 is needed");
}

TEST(c_open_poisson, options_are_those_of_cpp) {
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  for (auto const& ours :
       {c::open_poisson_options_of(&options), c::open_poisson_options_of(nullptr)}) {
    OpenPoissonOptions const theirs;
    EXPECT_TRUE(static_cast<Options const&>(ours) == Options{});
    EXPECT_EQ(ours.spacing, theirs.spacing);
    EXPECT_EQ(ours.greens_function, theirs.greens_function);
    EXPECT_EQ(ours.walls, theirs.walls);
    EXPECT_EQ(ours.points, theirs.points);
    EXPECT_EQ(ours.shift, theirs.shift);
    EXPECT_FALSE(ours.function);
    EXPECT_FALSE(ours.numbers);
    EXPECT_EQ(ours.space, theirs.space);
  }
  double never = -1;
  options.spacing_count = 2;
  options.spacing[0] = 2;
  options.spacing[1] = 3;
  options.greens_function = SIXSTEP_INTEGRATED;
  options.function = write_green;
  options.context = &never;
  options.space = SIXSTEP_WAVES;
  OpenPoissonOptions const set = c::open_poisson_options_of(&options);
  EXPECT_EQ(set.spacing, (std::vector<double>{2, 3}));
  EXPECT_EQ(set.greens_function, GreensFunction::integrated);
  EXPECT_EQ(set.function({3, 1}), 1. / 6);
  EXPECT_EQ(set.space, GreensSpace::waves);
  auto const dealt = slab({2, 3});
  options.numbers_layout = dealt.get();
  options.numbers = &never;
  EXPECT_EQ(c::open_poisson_options_of(&options).numbers->size, -1);
  options.numbers_size = 4;
  GreensNumbers const given = *c::open_poisson_options_of(&options).numbers;
  EXPECT_EQ(given.layout.shape(), (Shape{2, 3}));
  EXPECT_EQ(given.numbers, &never);
  EXPECT_EQ(given.size, 4);
  options.size += 8;
  EXPECT_THROW(c::open_poisson_options_of(&options), Error);
}

TEST(c_open_poisson, errors_have_the_words_of_cpp_on_all_ranks) {
  auto const layout = slab({6, 8});
  bool const last = ranks::rank() == all() - 1;
  sixstep_convolution* open = nullptr;
  auto const expect_refused = [&](sixstep_layout const* of,
                                  sixstep_open_poisson_options const& options,
                                  std::string const& words) {
    EXPECT_EQ(sixstep_open_poisson_create(SIXSTEP_DOUBLE, of, MPI_COMM_WORLD, &options, &open),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(open, nullptr);
  };
  sixstep_open_poisson_options const defaults = SIXSTEP_OPEN_POISSON_OPTIONS;
  expect_refused(last ? nullptr : layout.get(), defaults,
                 "layout: a pointer is needed, NULL was given");
  auto options = defaults;
  options.greens_function = last ? 2 : 0;
  expect_refused(layout.get(), options, "greens_function: 0 to 1 are possible, 2 was given");
  options = defaults;
  options.spacing_count = 3;
  std::fill_n(options.spacing, 3, 1.);
  expect_refused(layout.get(), options,
                 "spacing: one for each of the 2 axes or one for all is needed, 3 were given");
  options = defaults;
  options.plan.kinds_count = 1;
  expect_refused(layout.get(), options, "kinds: the equation is one of reals along all of `axes`");
}

}  // namespace
}  // namespace sixstep::c_convolutions

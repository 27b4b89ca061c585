// SPDX-License-Identifier: BSD-3-Clause
// Solvers in free space of the C interface: their results have the bits of C++'s, and what is
// refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_convolutions.hpp"
#include "c_handles.hpp"
#include "c_same_bits.hpp"
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
double green_of_cpp(PerAxis<double> const& x) { return green(x.begin()); }

Shape const shape{9, 7};

sixstep_open_poisson_options spaced() {
  sixstep_open_poisson_options options = SIXSTEP_OPEN_POISSON_OPTIONS;
  options.spacing_count = 2;
  options.spacing[0] = 0.3;
  options.spacing[1] = 0.2;
  return options;
}
OpenPoissonOptions spaced_of_cpp() {
  OpenPoissonOptions options;
  options.spacing = {0.3, 0.2};
  return options;
}

template <class Real>
Owned<sixstep_convolution> open_with(sixstep_open_poisson_options const& options) {
  return made<sixstep_convolution>(sixstep_open_poisson_create, precision_of<Real>,
                                   slab(shape).get(), MPI_COMM_WORLD, &options);
}

/// Whether solvers of C and C++ have the same results.
template <class Real>
void expect_same_solvers(sixstep_open_poisson_options const& ours,
                         OpenPoissonOptions const& theirs) {
  OpenPoisson<Real> expected(Layout::slab(shape, all()), MPI_COMM_WORLD, theirs);
  expect_same<Real>(open_with<Real>(ours).get(), expected.convolution());
}
void expect_same_in_both_precisions(sixstep_open_poisson_options const& ours,
                                    OpenPoissonOptions const& theirs) {
  expect_same_solvers<double>(ours, theirs);
  expect_same_solvers<float>(ours, theirs);
}

TEST(c_open_poisson, solvers_are_those_of_cpp) {
  auto options = spaced();
  auto theirs = spaced_of_cpp();
  options.greens_function = SIXSTEP_INTEGRATED;
  theirs.greens_function = GreensFunction::integrated;
  expect_same_in_both_precisions(options, theirs);
  double never = -1;
  options.function = write_green;
  options.context = &never;
  theirs.function = green_of_cpp;
  expect_same_in_both_precisions(options, theirs);
  options.space = SIXSTEP_WAVES;
  theirs.space = GreensSpace::waves;
  expect_same_solvers<double>(options, theirs);
  options.spacing_count = 0;
  options.space = SIXSTEP_DISTANCES;
  theirs.spacing = {1};
  theirs.space = GreensSpace::distances;
  expect_same_solvers<double>(options, theirs);
}

TEST(c_open_poisson, solvers_have_waves_between_walls_and_shifts) {
  auto options = spaced();
  options.walls_count = options.points_count = options.shift_count = 2;
  options.walls[0] = SIXSTEP_OPEN;
  options.walls[1] = SIXSTEP_DIRICHLET;
  options.points[1] = SIXSTEP_NODES;
  options.shift[0] = 0.4;
  double never = -1;
  options.function = write_green;
  options.context = &never;
  auto theirs = spaced_of_cpp();
  theirs.walls = {Walls::open, Walls::dirichlet};
  theirs.points = {Points::cells, Points::nodes};
  theirs.shift = {0.4, 0};
  theirs.function = green_of_cpp;
  expect_same_in_both_precisions(options, theirs);
}

TEST(c_open_poisson, takes_numbers_and_is_renewed) {
  auto const dealt = slab(shape, 1);
  Layout const dealt_of_cpp = Layout::slab(shape, all(), 1);
  auto const array = numbers<double>(dealt_of_cpp.local_size(ranks::rank()));
  auto const size = static_cast<Index>(array.size());
  auto options = spaced();
  options.numbers_layout = dealt.get();
  options.numbers = array.data();
  options.numbers_size = size;
  auto theirs = spaced_of_cpp();
  theirs.numbers = {dealt_of_cpp, array.data(), size};
  expect_same_in_both_precisions(options, theirs);
  auto const renewed = open_with<double>(options);
  sixstep_open_poisson_options others = SIXSTEP_OPEN_POISSON_OPTIONS;
  others.greens_function = SIXSTEP_INTEGRATED;
  ASSERT_EQ(sixstep_open_poisson_renew(renewed.get(), &others), SIXSTEP_OK)
      << sixstep_error_message();
  theirs = spaced_of_cpp();
  theirs.greens_function = GreensFunction::integrated;
  OpenPoisson<double> expected(Layout::slab(shape, all()), MPI_COMM_WORLD, theirs);
  expect_same<double>(renewed.get(), expected.convolution());
}

TEST(c_open_poisson, numbers_that_do_not_serve_are_refused_on_all_ranks) {
  auto const layout = slab(shape), dealt = slab(shape, 1);
  auto array = numbers<double>(Layout::slab(shape, all(), 1).local_size(ranks::rank()));
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
    if (entry == Shape{3, 2}) array[oracle::at(i)] = std::numeric_limits<double>::infinity();
  });
  options.numbers = array.data();
  refused("numbers: finite numbers are needed, for the entry {3, 2} it is inf");
  auto const convolution =
      made<sixstep_convolution>(sixstep_convolution_create, SIXSTEP_DOUBLE, layout.get(),
                                dealt.get(), nullptr, MPI_COMM_WORLD, nullptr);
  EXPECT_EQ(sixstep_open_poisson_renew(convolution.get(), &options), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(),
               "convolution: one of sixstep_open_poisson_create() is needed, another was given");
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

// SPDX-License-Identifier: BSD-3-Clause
// Plans whose messages are shortened: errors stay below the tolerance and below what the plan
// measures, for any problem and any range of numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>

#include "cases.hpp"
#include "nodes_of.hpp"
#include "ranks.hpp"
#include "wire_cases.hpp"

namespace sixstep {
namespace {

using namespace wire_cases;
using cases::Random;

Options random_options(Random& random) {
  Exchange const exchanges[] = {Exchange::shared, Exchange::collective, Exchange::pairwise,
                                Exchange::persistent, Exchange::one_sided};
  Driver const drivers[] = {Driver::between, Driver::thread, Driver::master, Driver::automatic};
  Options options;
  options.exchange = exchanges[random.between(0, 4)];
  options.driver = drivers[random.between(0, 3)];
  options.windows = random.between(0, 5);
  options.threads = random.between(1, 2);
  options.preserve_input = random.once_in(2);
  options.low_memory = random.once_in(6);
  options.own_workspace = true;
  return options;
}

Sizes random_sizes(Random& random) {
  Sizes const sizes[] = {Sizes::alike, Sizes::far_apart, Sizes::mostly_tiny, Sizes::rows_apart};
  return sizes[random.between(0, 3)];
}

double random_tolerance(Random& random, bool is_double) {
  return std::pow(10.0, -random.between(20, is_double ? 130 : 65) / 10.0);
}

Problem random_problem(Random& random, Index points) {
  Shape const shape = cases::random_shape(random, random.between(1, 3), points);
  Problem problem{.input = cases::random_layout(random, shape, all())};
  if (random.once_in(2)) problem.output = cases::random_layout(random, shape, all());
  problem.options = random_options(random);
  if (!problem.output) problem.options.output = Output::natural_axes;
  problem.sizes = random_sizes(random);
  return problem;
}

TEST(wire, errors_stay_below_the_tolerance) {
  Random random(1);
  for (int round = 0; round < ranks::rounds(90) && !ranks::failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    NodesOf const nodes(random.between(1, 2));
    Problem const problem = random_problem(random, 2000);
    bool const is_double = !random.once_in(3);
    double const tolerance = random_tolerance(random, is_double);
    try {
      if (is_double)
        expect_complex<double>(problem, tolerance, static_cast<std::uint64_t>(round));
      else
        expect_complex<float>(problem, tolerance, static_cast<std::uint64_t>(round));
    } catch (Error const& error) {
      EXPECT_NE(std::string(error.what()).find("convolution"), std::string::npos) << error.what();
    }
  }
}

TEST(wire, errors_of_real_transforms_stay_below_the_tolerance) {
  Random random(2);
  Kind const kinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                        Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};
  for (int round = 0; round < ranks::rounds(90) && !ranks::failed_anywhere(); ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    NodesOf const nodes(random.between(1, 2));
    int const axes = random.between(1, 3);
    Shape shape = cases::random_shape(random, axes, 3000);
    for (Index& extent : shape) extent = std::max<Index>(extent, 2);
    Problem problem{.input = cases::random_layout(random, shape, all())};
    problem.options = random_options(random);
    problem.sizes = random.once_in(2) ? Sizes::alike : Sizes::mostly_tiny;
    bool const is_double = !random.once_in(3);
    double const tolerance = random_tolerance(random, is_double);
    auto const seed = static_cast<std::uint64_t>(round);
    try {
      if (random.once_in(2)) {
        problem.options.kinds = {Kind::r2c};
        if (is_double)
          expect_real<std::complex<double>, double>(problem, tolerance, seed);
        else
          expect_real<std::complex<float>, float>(problem, tolerance, seed);
        continue;
      }
      for (int axis = 0; axis < axes; ++axis)
        problem.options.kinds.push_back(kinds[random.between(0, 7)]);
      if (is_double)
        expect_real<double, double>(problem, tolerance, seed);
      else
        expect_real<float, float>(problem, tolerance, seed);
    } catch (Error const& error) {
      EXPECT_NE(std::string(error.what()).find("convolution"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace sixstep

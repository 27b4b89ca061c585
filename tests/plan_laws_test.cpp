// SPDX-License-Identifier: BSD-3-Clause
// What holds for any transform: it is linear, an impulse becomes a wave, a shift becomes a phase.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "arrays.hpp"
#include "oracles/fourier.hpp"
#include "sixstep/plan.hpp"
#include "transforms.hpp"

namespace sixstep {
namespace {

using arrays::difference;
using arrays::fill;
using arrays::rounding;
using arrays::unset;
using oracle::at;
using oracle::Exact;
using transforms::all;
using transforms::mine;

struct Medium {
  Shape shape{12, 15, 14};
  Layout layout = Layout::pencil(shape, all());
  Plan<double> plan{layout, layout, MPI_COMM_WORLD, {.threads = 1}};
  Index points = oracle::points_of(shape);

  std::vector<std::complex<double>> forward(std::vector<Exact> const& whole) {
    auto array = unset<double>(plan.in_place_size());
    fill(array, layout, mine(), whole);
    plan.forward(array.data(), array.data());
    return array;
  }
};

TEST(plan, is_linear) {
  Medium given;
  std::vector<Exact> const x = oracle::values(given.points, 1), y = oracle::values(given.points, 2);
  Exact const a(0.5, -2), b(-1.25, 0.75);
  std::vector<Exact> both(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) both[i] = a * x[i] + b * y[i];
  auto const of_x = given.forward(x), of_y = given.forward(y), of_both = given.forward(both);
  double const bound = 6 * rounding<double>(given.points);
  for (std::size_t i = 0; i < of_both.size(); ++i) {
    std::complex<double> const expected =
        std::complex<double>(a) * of_x[i] + std::complex<double>(b) * of_y[i];
    ASSERT_LT(std::abs(of_both[i] - expected), bound);
  }
}

TEST(plan, turns_an_impulse_into_a_wave) {
  Medium given;
  for (Shape const& place :
       {Shape{0, 0, 0}, Shape{1, 0, 0}, Shape{0, 1, 0}, Shape{0, 0, 1}, Shape{11, 7, 3}}) {
    std::vector<Exact> impulse(at(given.points), 0), wave(at(given.points));
    impulse[at(oracle::number_of(given.shape, place))] = 1;
    oracle::for_each_point(given.shape, [&](Shape const& k) {
      long double turns = 0;
      for (int axis = 0; axis < 3; ++axis)
        turns += static_cast<long double>(place[axis] * k[axis] % given.shape[axis]) /
                 static_cast<long double>(given.shape[axis]);
      wave[at(oracle::number_of(given.shape, k))] = std::polar(1.0L, -oracle::turn * turns);
    });
    EXPECT_LT(difference(given.forward(impulse), given.layout, mine(), wave), 1e-13);
  }
}

TEST(plan, turns_a_shift_into_a_phase) {
  Medium given;
  std::vector<Exact> const x = oracle::values(given.points, 4);
  Shape const by{5, 2, 9};
  std::vector<Exact> shifted(x.size());
  oracle::for_each_point(given.shape, [&](Shape const& point) {
    Shape to = point;
    for (int axis = 0; axis < 3; ++axis) to[axis] = (to[axis] + by[axis]) % given.shape[axis];
    shifted[at(oracle::number_of(given.shape, to))] = x[at(oracle::number_of(given.shape, point))];
  });
  auto const of_x = given.forward(x), of_shifted = given.forward(shifted);
  oracle::for_each_element(given.layout, mine(), [&](Shape const& k, Index offset) {
    long double turns = 0;
    for (int axis = 0; axis < 3; ++axis)
      turns += static_cast<long double>(by[axis] * k[axis] % given.shape[axis]) /
               static_cast<long double>(given.shape[axis]);
    auto const phase = static_cast<std::complex<double>>(std::polar(1.0L, -oracle::turn * turns));
    ASSERT_LT(std::abs(of_shifted[at(offset)] - phase * of_x[at(offset)]),
              2 * rounding<double>(given.points));
  });
}

}  // namespace
}  // namespace sixstep

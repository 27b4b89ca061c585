// SPDX-License-Identifier: BSD-3-Clause
// Plans whose messages are shortened, compared with the definition and with plans that send all
// bits.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::wire_cases {

using oracle::at;
using oracle::Exact;

inline int all() { return ranks::count(); }

/// How large the numbers of an array are.
enum class Sizes { alike, far_apart, mostly_tiny, rows_apart };

/// A number for each point and part of a global array: the same on all ranks.
template <class Real>
Real number_at(Index point, int part, Sizes sizes, std::uint64_t seed) {
  std::mt19937_64 engine(seed * 1000003 + static_cast<std::uint64_t>(2 * point + part));
  engine.discard(3);
  double const unit = static_cast<double>(engine() >> 11) * 0x1p-53 * 2 - 1;
  bool const is_double = sizeof(Real) == sizeof(double);
  int const far = is_double ? 980 : 100;
  int exponent = 0;
  if (sizes == Sizes::far_apart)
    exponent = static_cast<int>(engine() % static_cast<std::uint64_t>(2 * far)) - far;
  if (sizes == Sizes::mostly_tiny && engine() % 16 != 0) exponent = -far;
  if (sizes == Sizes::rows_apart) exponent = point / 7 % 2 == 0 ? far : -far;
  return static_cast<Real>(std::ldexp(unit, exponent));
}

/// The local elements of a global array.
template <class Element>
std::vector<Element> filled(Layout const& layout, Index size, Sizes sizes, std::uint64_t seed) {
  std::vector<Element> array(at(size));
  oracle::for_each_element(layout, ranks::rank(), [&](Shape const& point, Index offset) {
    Index const number = oracle::number_of(layout.shape(), point);
    if constexpr (std::is_floating_point_v<Element>)
      array[at(offset)] = number_at<Element>(number, 0, sizes, seed);
    else
      array[at(offset)] = {number_at<typename Element::value_type>(number, 0, sizes, seed),
                           number_at<typename Element::value_type>(number, 1, sizes, seed)};
  });
  return array;
}

/// Sums of squares over all ranks.
struct Norms {
  long double errors = 0, values = 0;

  template <class Given, class Wanted>
  void add(Given const& given, Wanted const& wanted) {
    errors += std::norm(Exact(given) - Exact(wanted));
    values += std::norm(Exact(wanted));
  }
  double relative() const {
    long double sums[2] = {errors, values};
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (std::isnan(sums[0])) return HUGE_VAL;
    return sums[1] == 0 ? 0 : static_cast<double>(std::sqrt(sums[0] / sums[1]));
  }
};

/// The most that arithmetic adds to the error of messages.
template <class Real>
constexpr double of_arithmetic = 40 * std::numeric_limits<Real>::epsilon();

struct Problem {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  Sizes sizes = Sizes::alike;
};

template <class Real>
Plan<Real> plan_of(Problem const& problem, double tolerance) {
  Options options = problem.options;
  options.wire.tolerance = tolerance;
  return problem.output ? Plan<Real>(problem.input, *problem.output, MPI_COMM_WORLD, options)
                        : Plan<Real>(problem.input, MPI_COMM_WORLD, options);
}

template <class Real>
void expect_error_within(double error, Plan<Real> const& plan, double tolerance) {
  double const measured = plan.wire_error();
  EXPECT_LT(measured, tolerance);
  EXPECT_LE(error, measured * (1 + 1e-6) + of_arithmetic<Real>) << plan.describe();
}

/// A transform there and back, against the definition and against a plan with all bits.
template <class Real>
void expect_complex(Problem const& problem, double tolerance, std::uint64_t seed) {
  using Complex = std::complex<Real>;
  Plan<Real> plan = plan_of<Real>(problem, tolerance);
  Shape const shape = problem.input.shape();
  std::vector<Exact> wanted(at(oracle::points_of(shape)));
  oracle::for_each_point(shape, [&](Shape const& point) {
    Index const number = oracle::number_of(shape, point);
    wanted[at(number)] = {number_at<Real>(number, 0, problem.sizes, seed),
                          number_at<Real>(number, 1, problem.sizes, seed)};
  });
  std::vector<int> axes = problem.options.axes;
  if (axes.empty())
    for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
  for (int axis : axes) oracle::transform(wanted, shape, axis, -1);
  auto const in = filled<Complex>(plan.input(), plan.input_size(), problem.sizes, seed);
  std::vector<Complex> given = in, out(at(plan.output_size()));
  plan.forward(given.data(), out.data());
  EXPECT_TRUE(!problem.options.preserve_input || given == in);
  Norms there;
  oracle::for_each_element(plan.output(), ranks::rank(), [&](Shape const& point, Index offset) {
    there.add(out[at(offset)], wanted[at(oracle::number_of(shape, point))]);
  });
  expect_error_within(there.relative(), plan, tolerance);
  std::vector<Complex> back(at(plan.input_size()));
  std::vector<Complex> const spectrum = out;
  plan.backward(out.data(), back.data(), Scale::by_sqrt_n);
  EXPECT_TRUE(!problem.options.preserve_input || out == spectrum);
  Plan<Real> exact = plan_of<Real>(problem, 0);
  EXPECT_EQ(exact.describe().find("wire "), std::string::npos);
  std::vector<Complex> expected(back.size());
  out = spectrum;
  exact.backward(out.data(), expected.data(), Scale::by_sqrt_n);
  Norms behind;
  for (std::size_t i = 0; i < back.size(); ++i) behind.add(back[i], expected[i]);
  expect_error_within(behind.relative(), plan, tolerance);
  EXPECT_EQ(exact.wire_error(), 0);
  std::vector<Complex> both(at(plan.in_place_size()));
  std::copy(in.begin(), in.end(), both.begin());
  plan.forward(both.data(), both.data());
  Norms in_place;
  oracle::for_each_element(plan.output(), ranks::rank(), [&](Shape const& point, Index offset) {
    in_place.add(both[at(offset)], wanted[at(oracle::number_of(shape, point))]);
  });
  expect_error_within(in_place.relative(), plan, tolerance);
}

/// A transform of reals to `Result`s there and back, against a plan with all bits.
template <class Result, class Real>
void expect_real(Problem const& problem, double tolerance, std::uint64_t seed) {
  Plan<Real> plan = plan_of<Real>(problem, tolerance), exact = plan_of<Real>(problem, 0);
  auto const in = filled<Real>(plan.input(), plan.input_size(), problem.sizes, seed);
  std::vector<Real> given = in, also = in;
  std::vector<Result> out(at(plan.output_size())), expected(out.size());
  plan.forward(given.data(), out.data());
  exact.forward(also.data(), expected.data());
  Norms there;
  for (std::size_t i = 0; i < out.size(); ++i) there.add(out[i], expected[i]);
  expect_error_within(there.relative(), plan, tolerance);
  std::vector<Result> spectrum = expected;
  std::vector<Real> back(in.size()), back_exactly(in.size());
  plan.backward(spectrum.data(), back.data());
  exact.backward(expected.data(), back_exactly.data());
  Norms behind;
  for (std::size_t i = 0; i < back.size(); ++i) behind.add(back[i], back_exactly[i]);
  expect_error_within(behind.relative(), plan, tolerance);
}

}  // namespace sixstep::wire_cases

// SPDX-License-Identifier: BSD-3-Clause
// Operators of the C interface, a box with a wave in it, and what operators make of fields there.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <vector>

#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"

namespace sixstep::c_operators {

using namespace c_handles;
using oracle::at;
using Point = std::array<double, 3>;
/// The value of a field at a point.
using Field = std::function<double(Point const&, int field)>;

template <class Create, class... Args>
Owned<sixstep_symbol> symbol(Create create, Args... args) {
  return made<sixstep_symbol>(create, args...);
}

// A box of odd, even and prime extents, and a wave in it.
inline Index const shape[] = {12, 9, 7};
inline double const sides[] = {2, 3, 4};
inline double const a = std::numbers::pi, b = 4 * std::numbers::pi / 3, c = -std::numbers::pi / 2;
inline double const squared = a * a + b * b + c * c;
inline double phase(Point const& x) { return a * x[0] + b * x[1] + c * x[2]; }
inline double wave(Point const& x, int) { return std::sin(phase(x)); }

inline sixstep_operator_options box(int fields = 1) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.plan.fields = fields;
  options.sides_count = 3;
  std::copy(sides, sides + 3, options.sides);
  return options;
}

inline Owned<sixstep_layout> slab() {
  return made<sixstep_layout>(sixstep_layout_slab, 3, shape, all(), 0);
}

/// Calls visit(x, offset) for the points of a part.
template <class Visit>
void for_each_point(sixstep_part const& part, Visit const& visit) {
  for_each_element(part, [&](Shape const& index, Index offset) {
    Point x{};
    for (int axis = 0; axis < 3; ++axis)
      x[at(axis)] =
          sides[axis] * static_cast<double>(index[axis]) / static_cast<double>(shape[axis]);
    visit(x, offset);
  });
}

/// Applies an operator of real arrays to fields, and compares its results with what is expected.
template <class Real>
void expect_applies(sixstep_operator* op, int fields, Field const& in, int results,
                    Field const& expected) {
  Index in_size = 0, out_size = 0;
  std::size_t bytes = 0, out_bytes = 0;
  sixstep_part from, to;
  ASSERT_EQ(sixstep_operator_sizes(op, &in_size, &out_size, nullptr), SIXSTEP_OK);
  ASSERT_EQ(sixstep_operator_element_bytes(op, &bytes, &out_bytes), SIXSTEP_OK);
  ASSERT_EQ(sixstep_operator_input_part(op, &from), SIXSTEP_OK);
  ASSERT_EQ(sixstep_operator_output_part(op, &to), SIXSTEP_OK);
  ASSERT_EQ(bytes, sizeof(Real));
  ASSERT_EQ(out_bytes, sizeof(Real));
  ASSERT_EQ(in_size, fields * from.points);
  ASSERT_EQ(out_size, results * to.points);
  std::vector<Real> given(at(in_size)), found(at(out_size), std::nanf(""));
  for (int field = 0; field < fields; ++field)
    for_each_point(from, [&](Point const& x, Index offset) {
      given[at(offset + (fields > 1 ? field * from.stride[3] : 0))] =
          static_cast<Real>(in(x, field));
    });
  ASSERT_EQ(sixstep_operator_apply(op, given.data(), found.data()), SIXSTEP_OK)
      << sixstep_error_message();
  double worst = 0;
  for (int field = 0; field < results; ++field)
    for_each_point(to, [&](Point const& x, Index offset) {
      double const error = std::abs(found[at(offset + (results > 1 ? field * to.stride[3] : 0))] -
                                    expected(x, field));
      worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
    });
  EXPECT_LT(worst, sizeof(Real) == sizeof(double) ? 1e-12 : 1e-4);
}

/// The same for a symbol: in double precision with a table, and in single precision without.
inline void expect_results(sixstep_symbol const* of, int fields, Field const& in, int results,
                           Field const& expected) {
  sixstep_operator_options options = box(fields);
  auto const create = [&](int precision) {
    return made<sixstep_operator>(sixstep_operator_create, precision, slab().get(), of,
                                  MPI_COMM_WORLD, &options);
  };
  auto const kept = create(SIXSTEP_DOUBLE);
  options.kept = 0;
  auto const called = create(SIXSTEP_SINGLE);
  ASSERT_TRUE(kept && called);
  expect_applies<double>(kept.get(), fields, in, results, expected);
  expect_applies<float>(called.get(), fields, in, results, expected);
}

}  // namespace sixstep::c_operators

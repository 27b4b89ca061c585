// SPDX-License-Identifier: BSD-3-Clause
// Operators and symbols of the C interface: waves whose results are known, and what only C can get
// wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep {
namespace {

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
Index const shape[] = {12, 9, 7};
double const sides[] = {2, 3, 4};
double const a = std::numbers::pi, b = 4 * std::numbers::pi / 3, c = -std::numbers::pi / 2;
double const squared = a * a + b * b + c * c;
double phase(Point const& x) { return a * x[0] + b * x[1] + c * x[2]; }
double wave(Point const& x, int) { return std::sin(phase(x)); }

sixstep_operator_options box(int fields = 1) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  options.plan.fields = fields;
  options.sides_count = 3;
  std::copy(sides, sides + 3, options.sides);
  return options;
}

Owned<sixstep_layout> slab() {
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
void expect_results(sixstep_symbol const* of, int fields, Field const& in, int results,
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

TEST(c_operators, named_symbols_do_what_their_names_say) {
  auto const expect = [](Owned<sixstep_symbol> const& of, Field const& expected) {
    expect_results(of.get(), 1, wave, 1, expected);
  };
  auto const times = [](double factor) {
    return [factor](Point const& x, int) { return factor * std::sin(phase(x)); };
  };
  double const distance[] = {0.3, -0.2, 0.1};
  expect(symbol(sixstep_symbol_derivative, 1, 1, nullptr),
         [](Point const& x, int) { return b * std::cos(phase(x)); });
  expect(symbol(sixstep_symbol_derivative, -1, 2, nullptr), times(-c * c));
  expect(symbol(sixstep_symbol_laplacian, nullptr), times(-squared));
  expect(symbol(sixstep_symbol_inverse_laplacian, nullptr), times(-1 / squared));
  expect(symbol(sixstep_symbol_helmholtz, 2.5, nullptr), times(1 / (2.5 + squared)));
  expect(symbol(sixstep_symbol_gaussian, 0.2), times(std::exp(-squared * 0.02)));
  expect(symbol(sixstep_symbol_lowpass, std::sqrt(squared) + 0.1), times(1));
  expect(symbol(sixstep_symbol_lowpass, std::sqrt(squared) - 0.1), times(0));
  expect(symbol(sixstep_symbol_shift, 3, distance), [&](Point const& x, int) {
    return wave({x[0] - distance[0], x[1] - distance[1], x[2] - distance[2]}, 0);
  });
}

TEST(c_operators, named_symbols_act_on_vectors) {
  double const k[] = {a, b, c}, u[] = {1, -2, 0.5};
  double const ku = a * u[0] + b * u[1] + c * u[2];
  auto const in = [&](Point const& x, int field) { return u[field] * std::sin(phase(x)); };
  auto const cosine = [](Point const& x) { return std::cos(phase(x)); };
  expect_results(symbol(sixstep_symbol_gradient, 3, nullptr).get(), 1, wave, 3,
                 [&](Point const& x, int field) { return k[field] * cosine(x); });
  expect_results(symbol(sixstep_symbol_divergence, 3, nullptr).get(), 3, in, 1,
                 [&](Point const& x, int) { return ku * cosine(x); });
  expect_results(symbol(sixstep_symbol_curl).get(), 3, in, 3, [&](Point const& x, int field) {
    int const next = (field + 1) % 3, last = (field + 2) % 3;
    return (k[next] * u[last] - k[last] * u[next]) * cosine(x);
  });
  expect_results(symbol(sixstep_symbol_project, 3, nullptr).get(), 3, in, 3,
                 [&](Point const& x, int field) {
                   return (u[field] - k[field] * ku / squared) * std::sin(phase(x));
                 });
}

TEST(c_operators, symbols_take_finite_differences) {
  Point const h{sides[0] / 12, sides[1] / 9, sides[2] / 7};
  sixstep_differences by = {2, SIXSTEP_NO_FACES, 3, {h[0], h[1], h[2]}};
  auto const second = [&](int order) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double const sine = std::sin(std::array{a, b, c}[axis] * h[axis] / 2);
      sum -= 4 * sine * sine / (h[axis] * h[axis]) * (order == 2 ? 1 : 1 + sine * sine / 3);
    }
    return sum;
  };
  auto const times = [](double factor) {
    return [factor](Point const& x, int) { return factor * wave(x, 0); };
  };
  auto const shifted = [&](Point x, int axis, double steps) {
    x[at(axis)] += steps * h[at(axis)];
    return wave(x, 0);
  };
  auto const expect = [](Owned<sixstep_symbol> const& of, int results, Field const& expected) {
    expect_results(of.get(), 1, wave, results, expected);
  };
  expect(symbol(sixstep_symbol_laplacian, &by), 1, times(second(2)));
  expect(symbol(sixstep_symbol_helmholtz, 2.0, &by), 1, times(1 / (2 - second(2))));
  expect(symbol(sixstep_symbol_derivative, 1, 1, &by), 1,
         [&](Point const& x, int) { return (shifted(x, 1, 1) - shifted(x, 1, -1)) / (2 * h[1]); });
  by.faces = SIXSTEP_BELOW;
  expect(symbol(sixstep_symbol_gradient, 3, &by), 3, [&](Point const& x, int field) {
    return (wave(x, 0) - shifted(x, field, -1)) / h[at(field)];
  });
  Field const vector = [](Point const& x, int field) { return field == 0 ? wave(x, 0) : 0; };
  expect_results(symbol(sixstep_symbol_divergence, 3, &by).get(), 3, vector, 1,
                 [&](Point const& x, int) { return (shifted(x, 0, 1) - wave(x, 0)) / h[0]; });
  sixstep_symbol* none = nullptr;
  by.faces = 3;
  EXPECT_EQ(sixstep_symbol_project(3, &by, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "faces: 0 to 2 are possible, 3 was given");
  by = {4, SIXSTEP_NO_FACES, 3, {h[0], h[1], h[2]}};
  expect(symbol(sixstep_symbol_inverse_laplacian, &by), 1, times(1 / second(4)));
  by.accuracy = 3;
  EXPECT_EQ(sixstep_symbol_project(3, &by, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "accuracy: 0 (exact), 2 or 4 is needed, 3 was given");
}

/// 1 / (context + |k|^2), as reals.
int solve(void* context, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i) {
    double sum = *static_cast<double const*>(context);
    for (int axis = 0; axis < axes; ++axis) sum += k[i * axes + axis] * k[i * axes + axis];
    static_cast<double*>(numbers)[i] = 1 / sum;
  }
  return 0;
}

/// i k[0] + 2 k[2]^2.
int mixture(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<std::complex<double>*>(numbers)[i] = {2 * k[i * axes + 2] * k[i * axes + 2],
                                                      k[i * axes]};
  return 0;
}

/// From two fields to three: rows {1, 0}, {i k[0], 2}, {0, i k[1]}.
int matrices(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  auto* matrix = static_cast<std::complex<double>*>(numbers);
  for (std::int64_t i = 0; i < count; ++i, matrix += 6) {
    std::complex<double> const written[] = {1, 0, {0, k[i * axes]}, 2, 0, {0, k[i * axes + 1]}};
    std::copy(written, written + 6, matrix);
  }
  return 0;
}

/// The rotation {cos, -sin}, {sin, cos} by |k|^2, as reals.
int rotations(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  auto* matrix = static_cast<double*>(numbers);
  for (std::int64_t i = 0; i < count; ++i) {
    double angle = 0;
    for (int axis = 0; axis < axes; ++axis) angle += k[i * axes + axis] * k[i * axes + axis];
    for (double const number :
         {std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle)})
      *matrix++ = number;
  }
  return 0;
}

TEST(c_operators, functions_are_symbols) {
  double alpha = 0.5;
  expect_results(symbol(sixstep_symbol_function, solve, &alpha, SIXSTEP_REAL_NUMBERS).get(), 1,
                 wave, 1, [&](Point const& x, int) { return wave(x, 0) / (alpha + squared); });
  expect_results(
      symbol(sixstep_symbol_function, mixture, nullptr, SIXSTEP_COMPLEX_NUMBERS).get(), 1, wave, 1,
      [](Point const& x, int) { return 2 * c * c * wave(x, 0) + a * std::cos(phase(x)); });
  auto const two = [](Point const& x, int field) {
    return field == 0 ? std::sin(phase(x)) : std::cos(phase(x));
  };
  expect_results(
      symbol(sixstep_symbol_matrix, 3, 2, matrices, nullptr, SIXSTEP_COMPLEX_NUMBERS).get(), 2, two,
      3, [](Point const& x, int field) {
        double const sine = std::sin(phase(x)), cosine = std::cos(phase(x));
        return field == 0 ? sine : field == 1 ? (a + 2) * cosine : -b * sine;
      });
  expect_results(
      symbol(sixstep_symbol_matrix, 2, 2, rotations, nullptr, SIXSTEP_REAL_NUMBERS).get(), 2, two,
      2, [](Point const& x, int field) {
        double const angle = phase(x) - squared;
        return field == 0 ? std::sin(angle) : std::cos(angle);
      });
}

/// (axis + 1) exp(i k / 2) as complex numbers, or cos k as reals if there is a context.
int factor(void* context, int axis, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    if (context)
      static_cast<double*>(numbers)[i] = std::cos(k[i]);
    else
      static_cast<std::complex<double>*>(numbers)[i] = std::polar(axis + 1.0, k[i] / 2);
  return axis < 3 ? 0 : 7;
}

TEST(c_operators, factors_of_axes_are_symbols) {
  expect_results(symbol(sixstep_symbol_product, 3, factor, nullptr, SIXSTEP_COMPLEX_NUMBERS).get(),
                 1, wave, 1,
                 [](Point const& x, int) { return 6 * std::sin(phase(x) + (a + b + c) / 2); });
  int any = 0;
  expect_results(
      symbol(sixstep_symbol_product, 3, factor, &any, SIXSTEP_REAL_NUMBERS).get(), 1, wave, 1,
      [](Point const& x, int) { return std::cos(a) * std::cos(b) * std::cos(c) * wave(x, 0); });
  sixstep_operator* none = nullptr;
  Index const extents[] = {4, 4, 4, 4};
  auto const four = made<sixstep_layout>(sixstep_layout_slab, 4, extents, all(), 0);
  EXPECT_EQ(sixstep_operator_create(
                SIXSTEP_DOUBLE, four.get(),
                symbol(sixstep_symbol_product, 4, factor, nullptr, SIXSTEP_COMPLEX_NUMBERS).get(),
                MPI_COMM_WORLD, nullptr, &none),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "symbol: the function returned 7 for axis 3, 0 is needed");
}

/// Applies 2 times the identity, as an array of numbers for the coefficients.
template <class Number>
void expect_twice(int precision, int numbers) {
  using Real = decltype(std::real(Number()));
  Index const coefficients[] = {12, 9, 4};
  auto const there = made<sixstep_layout>(sixstep_layout_slab, 3, coefficients, all(), 1);
  std::vector<Number> const two(1000, Number(2));
  auto const twice = symbol(sixstep_symbol_array, there.get(), precision, numbers, two.data(),
                            static_cast<Index>(two.size()));
  sixstep_operator_options const options = box();
  auto const op = made<sixstep_operator>(sixstep_operator_create, precision, slab().get(),
                                         twice.get(), MPI_COMM_WORLD, &options);
  expect_applies<Real>(op.get(), 1, wave, 1, [](Point const& x, int) { return 2 * wave(x, 0); });
  auto const few = symbol(sixstep_symbol_array, there.get(), precision, numbers, two.data(), 1);
  EXPECT_EQ(sixstep_operator_renew(op.get(), few.get()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_NE(std::strstr(sixstep_error_message(), "numbers is needed on rank 0, 1 were given"),
            nullptr);
  auto const laplacian = symbol(sixstep_symbol_laplacian, nullptr);
  EXPECT_EQ(sixstep_operator_renew(op.get(), laplacian.get()), SIXSTEP_OK);
  expect_applies<Real>(op.get(), 1, wave, 1,
                       [](Point const& x, int) { return -squared * wave(x, 0); });
  EXPECT_EQ(sixstep_operator_renew(op.get(), twice.get()), SIXSTEP_OK);
  expect_applies<Real>(op.get(), 1, wave, 1, [](Point const& x, int) { return 2 * wave(x, 0); });
}

TEST(c_operators, arrays_are_symbols) {
  expect_twice<double>(SIXSTEP_DOUBLE, SIXSTEP_REAL_NUMBERS);
  expect_twice<float>(SIXSTEP_SINGLE, SIXSTEP_REAL_NUMBERS);
  expect_twice<std::complex<double>>(SIXSTEP_DOUBLE, SIXSTEP_COMPLEX_NUMBERS);
  expect_twice<std::complex<float>>(SIXSTEP_SINGLE, SIXSTEP_COMPLEX_NUMBERS);
}

TEST(c_operators, numbers_multiply_each_field) {
  expect_results(
      symbol(sixstep_symbol_laplacian, nullptr).get(), 2,
      [](Point const& x, int field) { return (1 + field) * wave(x, 0); }, 2,
      [](Point const& x, int field) { return -squared * (1 + field) * wave(x, 0); });
}

TEST(c_operators, complex_arrays_and_arrays_of_the_library_serve_in_place) {
  sixstep_operator_options options = box();
  options.plan.kinds_count = 0;
  auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, slab().get(),
                                         symbol(sixstep_symbol_derivative, 0, 1, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  void* memory = nullptr;
  ASSERT_EQ(sixstep_operator_allocate(op.get(), &memory), SIXSTEP_OK);
  auto* const u = static_cast<std::complex<double>*>(memory);
  sixstep_part part;
  ASSERT_EQ(sixstep_operator_input_part(op.get(), &part), SIXSTEP_OK);
  for_each_point(part, [&](Point const& x, Index i) { u[i] = std::polar(1.0, phase(x)); });
  ASSERT_EQ(sixstep_operator_apply(op.get(), u, u), SIXSTEP_OK);
  for_each_point(part, [&](Point const& x, Index i) {
    EXPECT_LT(std::abs(u[i] - a * std::polar(1.0, phase(x) + std::numbers::pi / 2)), 1e-12);
  });
  EXPECT_EQ(sixstep_free(memory), SIXSTEP_OK);
}

// Of one row all ranks but one have nothing.
TEST(c_operators, without_sides_k_is_the_wave_number) {
  for (Index const rows : {6, 1}) {
    Index const extents[] = {rows, 5};
    auto const layout = made<sixstep_layout>(sixstep_layout_slab, 2, extents, all(), 0);
    auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, layout.get(),
                                           symbol(sixstep_symbol_laplacian, nullptr).get(),
                                           MPI_COMM_WORLD, nullptr);
    sixstep_part part;
    ASSERT_EQ(sixstep_operator_output_part(op.get(), &part), SIXSTEP_OK);
    std::vector<std::complex<double>> u(at(part.points));
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = std::polar(1.0, 4 * std::numbers::pi * static_cast<double>(i % 5) / 5);
    std::vector<std::complex<double>> const before = u;
    ASSERT_EQ(sixstep_operator_apply(op.get(), u.data(), u.data()), SIXSTEP_OK);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_LT(std::abs(u[i] + 4.0 * before[i]), 1e-13);
  }
}

TEST(c_operators, take_another_symbol_of_the_same_size) {
  sixstep_operator_options const options = box();
  auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, slab().get(),
                                         symbol(sixstep_symbol_laplacian, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  auto const scaled = [](double factor) {
    return [factor](Point const& x, int) { return factor * wave(x, 0); };
  };
  auto const helmholtz = symbol(sixstep_symbol_helmholtz, 1.0, nullptr);
  ASSERT_EQ(sixstep_operator_renew(op.get(), helmholtz.get()), SIXSTEP_OK);
  expect_applies<double>(op.get(), 1, wave, 1, scaled(1 / (1 + squared)));
  auto const gradient = symbol(sixstep_symbol_gradient, 3, nullptr);
  EXPECT_EQ(sixstep_operator_renew(op.get(), gradient.get()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(),
               "symbol: a number, 1 x 1, is needed as before, 3 x 1 was given");
  bool const last = ranks::rank() == all() - 1;
  EXPECT_EQ(sixstep_operator_renew(op.get(), last ? nullptr : helmholtz.get()),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "symbol: a pointer is needed, NULL was given");
  expect_applies<double>(op.get(), 1, wave, 1, scaled(1 / (1 + squared)));
}

TEST(c_operators, tell_what_those_of_cpp_tell) {
  sixstep_operator_options options = box();
  options.plan.own_workspace = 0;
  OperatorOptions theirs_options{{.kinds = {Kind::r2c}, .own_workspace = false}};
  theirs_options.sides = {2, 3, 4};
  Operator<float> theirs(Layout::slab({12, 9, 7}, all()), MPI_COMM_WORLD, symbols::gradient(3),
                         theirs_options);
  auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_SINGLE, slab().get(),
                                         symbol(sixstep_symbol_gradient, 3, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  auto const layout = slab();
  for (auto const get : {sixstep_operator_input, sixstep_operator_output}) {
    auto const ours = made<sixstep_layout>(get, op.get());
    int equal = 0;
    ASSERT_EQ(sixstep_layout_equal(ours.get(), layout.get(), &equal), SIXSTEP_OK);
    EXPECT_EQ(equal, 1);
  }
  expect_tells(
      op.get(), theirs,
      {sixstep_operator_sizes, sixstep_operator_describe, sixstep_operator_counts,
       sixstep_operator_workspace_bytes, sixstep_operator_set_workspace, sixstep_operator_apply,
       sixstep_operator_breakdown, sixstep_operator_communication_seconds, sixstep_operator_predict,
       sixstep_operator_write_trace});
}

/// Points of a finer grid, from some point on, where a laplacian is interpolated.
template <class Real>
void expect_interpolates() {
  Index const finer[] = {24, 15, 7}, points[] = {8, 15, 6}, first[] = {20, 3, 1};
  auto const there = made<sixstep_layout>(sixstep_layout_slab, 3, points, all(), 1);
  auto options = box();
  options.result = there.get();
  options.result_lengths_count = options.first_count = 3;
  std::copy_n(finer, 3, options.result_lengths);
  std::copy_n(first, 3, options.first);
  auto const op = made<sixstep_operator>(
      sixstep_operator_create, sizeof(Real) == 8 ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE, slab().get(),
      symbol(sixstep_symbol_laplacian, nullptr).get(), MPI_COMM_WORLD, &options);
  ASSERT_TRUE(op);
  Index in_size = 0, out_size = 0;
  sixstep_part from, to;
  sixstep_operator_sizes(op.get(), &in_size, &out_size, nullptr);
  sixstep_operator_input_part(op.get(), &from);
  sixstep_operator_output_part(op.get(), &to);
  std::vector<Real> in(at(in_size)), out(at(out_size));
  for_each_point(from, [&](Point const& x, Index i) { in[at(i)] = static_cast<Real>(wave(x, 0)); });
  ASSERT_EQ(sixstep_operator_apply(op.get(), in.data(), out.data()), SIXSTEP_OK);
  double worst = 0;
  for_each_element(to, [&](Shape const& index, Index i) {
    Point x{};
    for (int axis = 0; axis < 3; ++axis)
      x[at(axis)] = sides[axis] * static_cast<double>(first[axis] + index[axis]) /
                    static_cast<double>(finer[axis]);
    worst = ranks::worse(worst, std::abs(out[at(i)] + squared * wave(x, 0)));
  });
  EXPECT_LT(worst, sizeof(Real) == 8 ? 1e-12 : 1e-4);
}

TEST(c_operators, have_results_with_other_points) {
  expect_interpolates<double>();
  expect_interpolates<float>();
}

TEST(c_operators, options_of_results_are_those_of_cpp) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  EXPECT_FALSE(c::operator_result_of(&options) || c::operator_result_of(nullptr));
  auto const layout = slab();
  options.result = layout.get();
  auto result = c::operator_result_of(&options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->layout == Layout::slab({12, 9, 7}, all()));
  EXPECT_TRUE(result->lengths.empty() && result->first.empty());
  options.result_lengths_count = 2;
  options.result_lengths[1] = 20;
  options.first_count = 1;
  options.first[0] = 5;
  result = c::operator_result_of(&options);
  EXPECT_EQ(result->lengths, (std::vector<Index>{0, 20}));
  EXPECT_EQ(result->first, std::vector<Index>{5});
  options.result = nullptr;
  EXPECT_THROW(c::operator_result_of(&options), Error);
}

TEST(c_operators, options_are_those_of_cpp) {
  sixstep_operator_options options = SIXSTEP_OPERATOR_OPTIONS;
  for (auto const& made : {c::operator_options_of(&options), c::operator_options_of(nullptr)}) {
    EXPECT_TRUE(static_cast<Options const&>(made) == Options{});
    EXPECT_EQ(made.sides, OperatorOptions{}.sides);
    EXPECT_EQ(made.kept, OperatorOptions{}.kept);
  }
  options = box(3);
  options.kept = 0;
  // A program of an older header has fewer options of a plan in front of the others.
  std::size_t const missing = sizeof(std::size_t);
  std::vector<std::byte> older(sizeof options - missing);
  options.plan.size -= missing;
  options.size -= missing;
  std::memcpy(older.data(), &options.plan, options.plan.size);
  std::memcpy(older.data() + options.plan.size, &options.size, older.size() - options.plan.size);
  OperatorOptions const set =
      c::operator_options_of(reinterpret_cast<sixstep_operator_options const*>(older.data()));
  EXPECT_EQ(set.sides, (std::vector<double>{2, 3, 4}));
  EXPECT_FALSE(set.kept);
  EXPECT_EQ(set.fields, 3);
  options = SIXSTEP_OPERATOR_OPTIONS;
  options.size += 8;
  EXPECT_THROW(c::operator_options_of(&options), Error);
  options = SIXSTEP_OPERATOR_OPTIONS;
  options.sides_count = 9;
  EXPECT_THROW(c::operator_options_of(&options), Error);
}

/// Fails where k[0] is not 0.
int failing(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (k[i * axes] != 0) return 3;
    static_cast<double*>(numbers)[i] = 1;
  }
  return 0;
}

TEST(c_operators, errors_have_the_words_of_cpp_on_all_ranks) {
  auto const layout = slab();
  auto const laplacian = symbol(sixstep_symbol_laplacian, nullptr);
  bool const last = ranks::rank() == all() - 1;
  sixstep_operator_options options = box();
  sixstep_operator* op = nullptr;
  auto const expect_refused = [&](sixstep_symbol const* of, std::string const& words) {
    EXPECT_EQ(
        sixstep_operator_create(SIXSTEP_DOUBLE, layout.get(), of, MPI_COMM_WORLD, &options, &op),
        SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(op, nullptr);
  };
  expect_refused(last ? nullptr : laplacian.get(), "symbol: a pointer is needed, NULL was given");
  expect_refused(symbol(sixstep_symbol_curl).get(),
                 "symbol: a matrix with 1 column, one for each of the fields, is needed, 3 x 3 was "
                 "given");
  expect_refused(symbol(sixstep_symbol_derivative, 3, 1, nullptr).get(),
                 "axis: -3 to 2 are possible, 3 was given");
  auto const broken = symbol(sixstep_symbol_function, failing, nullptr, SIXSTEP_REAL_NUMBERS);
  expect_refused(broken.get(), "symbol: the function returned 3, 0 is needed");
  options.sides[1] = 0;
  expect_refused(laplacian.get(), "sides: lengths above 0 are needed, 0 was given");
  options = box();
  options.plan.output = SIXSTEP_AS_INPUT;
  expect_refused(laplacian.get(),
                 "output: an operator has none; its result lies as the input does");

  options = box();
  options.kept = 0;
  auto const called = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, layout.get(),
                                             broken.get(), MPI_COMM_WORLD, &options);
  std::vector<double> array(12 * 9 * 7);
  bool const failed =
      sixstep_operator_apply(called.get(), array.data(), array.data()) != SIXSTEP_OK;
  EXPECT_FALSE(ranks::everywhere(!failed));

  sixstep_symbol* none = nullptr;
  EXPECT_EQ(sixstep_symbol_derivative(0, -1, nullptr, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "order: 0 or more is needed, -1 was given");
  EXPECT_EQ(sixstep_symbol_function(solve, nullptr, 2, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "numbers: 0 to 1 are possible, 2 was given");
  EXPECT_EQ(none, nullptr);
}

TEST(c_operators, null_is_an_error_wherever_something_is_needed) {
  sixstep_part part;
  std::int64_t index = 0;
  int number = 0;
  double real = 0;
  std::size_t bytes = 0;
  void* array = nullptr;
  char const* words = nullptr;
  sixstep_step const* steps = nullptr;
  sixstep_prediction prediction;
  sixstep_layout* layout = nullptr;
  sixstep_symbol* none = nullptr;
  expect_null_is_refused(
      {[&] { return sixstep_symbol_function(nullptr, nullptr, 0, &none); },
       [&] { return sixstep_symbol_matrix(1, 1, nullptr, nullptr, 0, &none); },
       [&] { return sixstep_symbol_shift(3, nullptr, &none); },
       [&] { return sixstep_symbol_product(3, nullptr, nullptr, 0, &none); },
       [&] { return sixstep_symbol_array(nullptr, 0, 0, &real, 1, &none); },
       [&] { return sixstep_symbol_laplacian(nullptr, nullptr); },
       [&] { return sixstep_operator_apply(nullptr, &real, &real); },
       [&] { return sixstep_operator_renew(nullptr, nullptr); },
       [&] { return sixstep_operator_input(nullptr, &layout); },
       [&] { return sixstep_operator_output(nullptr, &layout); },
       [&] { return sixstep_operator_input_part(nullptr, &part); },
       [&] { return sixstep_operator_output_part(nullptr, &part); },
       [&] { return sixstep_operator_sizes(nullptr, &index, &index, &index); },
       [&] { return sixstep_operator_element_bytes(nullptr, &bytes, &bytes); },
       [&] { return sixstep_operator_allocate(nullptr, &array); },
       [&] { return sixstep_operator_workspace_bytes(nullptr, &bytes); },
       [&] { return sixstep_operator_set_workspace(nullptr, &real, 8); },
       [&] { return sixstep_operator_describe(nullptr, &words); },
       [&] { return sixstep_operator_counts(nullptr, &number, &number, &number); },
       [&] { return sixstep_operator_communication_seconds(nullptr, &real); },
       [&] { return sixstep_operator_breakdown(nullptr, &number, &steps); },
       [&] { return sixstep_operator_predict(nullptr, "machine.json", &prediction); },
       [&] { return sixstep_operator_write_trace(nullptr); }});
  EXPECT_EQ(sixstep_symbol_free(nullptr), SIXSTEP_OK);
  EXPECT_EQ(sixstep_operator_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep

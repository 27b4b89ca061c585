// SPDX-License-Identifier: BSD-3-Clause
// Operators and symbols of the C interface: waves whose results are known.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

#include "c_handles.hpp"
#include "c_operators.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"

namespace sixstep::c_operators {
namespace {

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

}  // namespace
}  // namespace sixstep::c_operators

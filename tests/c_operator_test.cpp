// SPDX-License-Identifier: BSD-3-Clause
// Operators and symbols of the C interface: their results have the bits of C++'s.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "c_handles.hpp"
#include "c_operators.hpp"
#include "c_same_bits.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/operator.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::c_operators {
namespace {

using oracle::at;

TEST(c_operators, named_symbols_are_those_of_cpp) {
  double const distance[] = {0.3, -0.2, 0.1};
  expect_same_symbols("derivative", symbol(sixstep_symbol_derivative, 1, 1, nullptr),
                      symbols::derivative(1));
  expect_same_symbols("second derivative", symbol(sixstep_symbol_derivative, -1, 2, nullptr),
                      symbols::derivative(-1, 2));
  expect_same_symbols("laplacian", symbol(sixstep_symbol_laplacian, nullptr), symbols::laplacian());
  expect_same_symbols("inverse laplacian", symbol(sixstep_symbol_inverse_laplacian, nullptr),
                      symbols::inverse_laplacian());
  expect_same_symbols("helmholtz", symbol(sixstep_symbol_helmholtz, 2.5, nullptr),
                      symbols::helmholtz(2.5));
  expect_same_symbols("gaussian", symbol(sixstep_symbol_gaussian, 0.2), symbols::gaussian(0.2));
  expect_same_symbols("lowpass", symbol(sixstep_symbol_lowpass, 5.), symbols::lowpass(5));
  expect_same_symbols("shift", symbol(sixstep_symbol_shift, 3, distance),
                      symbols::shift({0.3, -0.2, 0.1}));
  expect_same_symbols("laplacian of two", symbol(sixstep_symbol_laplacian, nullptr),
                      symbols::laplacian(), 2);
}

TEST(c_operators, named_symbols_of_vectors_are_those_of_cpp) {
  expect_same_symbols("gradient", symbol(sixstep_symbol_gradient, 3, nullptr),
                      symbols::gradient(3));
  expect_same_symbols("divergence", symbol(sixstep_symbol_divergence, 3, nullptr),
                      symbols::divergence(3), 3);
  expect_same_symbols("curl", symbol(sixstep_symbol_curl), symbols::curl(), 3);
  expect_same_symbols("project", symbol(sixstep_symbol_project, 3, nullptr), symbols::project(3),
                      3);
}

TEST(c_operators, symbols_take_finite_differences) {
  double const h[] = {sides[0] / 12, sides[1] / 9, sides[2] / 7};
  sixstep_differences by = {2, SIXSTEP_NO_FACES, 3, {h[0], h[1], h[2]}};
  Differences theirs{2, {h[0], h[1], h[2]}, Faces::none};
  expect_same_symbols("laplacian", symbol(sixstep_symbol_laplacian, &by),
                      symbols::laplacian(theirs));
  expect_same_symbols("helmholtz", symbol(sixstep_symbol_helmholtz, 2.0, &by),
                      symbols::helmholtz(2, theirs));
  expect_same_symbols("derivative", symbol(sixstep_symbol_derivative, 1, 1, &by),
                      symbols::derivative(1, 1, theirs));
  by.accuracy = theirs.accuracy = 4;
  expect_same_symbols("inverse laplacian", symbol(sixstep_symbol_inverse_laplacian, &by),
                      symbols::inverse_laplacian(theirs));
  by.accuracy = theirs.accuracy = 2;
  by.faces = SIXSTEP_BELOW;
  theirs.faces = Faces::below;
  expect_same_symbols("gradient", symbol(sixstep_symbol_gradient, 3, &by),
                      symbols::gradient(3, theirs));
  by.faces = SIXSTEP_ABOVE;
  theirs.faces = Faces::above;
  expect_same_symbols("divergence", symbol(sixstep_symbol_divergence, 3, &by),
                      symbols::divergence(3, theirs), 3);
  expect_same_symbols("project", symbol(sixstep_symbol_project, 3, &by),
                      symbols::project(3, theirs), 3);
  sixstep_symbol* none = nullptr;
  by.faces = 3;
  EXPECT_EQ(sixstep_symbol_project(3, &by, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "faces: 0 to 2 are possible, 3 was given");
  by.faces = SIXSTEP_NO_FACES;
  by.accuracy = 3;
  EXPECT_EQ(sixstep_symbol_project(3, &by, &none), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "accuracy: 0 (exact), 2 or 4 is needed, 3 was given");
}

// Numbers of a wave vector, for functions of C and of C++.
double solved(double const* k, double alpha) {
  return 1 / (alpha + k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
}
std::complex<double> mixed(double const* k) { return {2 * k[2] * k[2], k[0]}; }
/// From two fields to three, row by row.
void write_matrix(double const* k, std::complex<double>* matrix) {
  std::complex<double> const rows[] = {1, 0, {0, k[0]}, 2, 0, {0, k[1]}};
  std::copy(rows, rows + 6, matrix);
}
/// A rotation, row by row.
template <class Number>
void write_rotation(double const* k, Number* matrix) {
  double const angle = k[0] + 2 * k[1] + 3 * k[2];
  double const rows[] = {std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle)};
  std::copy(rows, rows + 4, matrix);
}

/// solved(), with the alpha that `context` points to, as reals.
int solve(void* context, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<double*>(numbers)[i] = solved(k + i * axes, *static_cast<double const*>(context));
  return 0;
}
int mix(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<std::complex<double>*>(numbers)[i] = mixed(k + i * axes);
  return 0;
}
int matrices(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    write_matrix(k + i * axes, static_cast<std::complex<double>*>(numbers) + 6 * i);
  return 0;
}
int rotations(void*, int axes, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    write_rotation(k + i * axes, static_cast<double*>(numbers) + 4 * i);
  return 0;
}

TEST(c_operators, functions_are_symbols) {
  double alpha = 0.5;
  expect_same_symbols("reals", symbol(sixstep_symbol_function, solve, &alpha, SIXSTEP_REAL_NUMBERS),
                      Symbol([](Wavevector const& k) { return solved(k.begin(), 0.5); }));
  expect_same_symbols("complex numbers",
                      symbol(sixstep_symbol_function, mix, nullptr, SIXSTEP_COMPLEX_NUMBERS),
                      Symbol([](Wavevector const& k) { return mixed(k.begin()); }));
  expect_same_symbols(
      "matrices", symbol(sixstep_symbol_matrix, 3, 2, matrices, nullptr, SIXSTEP_COMPLEX_NUMBERS),
      Symbol::matrix(3, 2,
                     [](Wavevector const& k, auto* matrix) { write_matrix(k.begin(), matrix); }),
      2);
  expect_same_symbols(
      "rotations", symbol(sixstep_symbol_matrix, 2, 2, rotations, nullptr, SIXSTEP_REAL_NUMBERS),
      Symbol::matrix(
          2, 2, [](Wavevector const& k, auto* matrix) { write_rotation(k.begin(), matrix); },
          Symbol::Numbers::real),
      2);
}

std::complex<double> turned(int axis, double k) { return std::polar(axis + 1.0, k / 2); }

/// turned() as complex numbers, or cos k as reals if there is a context.
int factor(void* context, int axis, std::int64_t count, double const* k, void* numbers) {
  for (std::int64_t i = 0; i < count; ++i)
    if (context)
      static_cast<double*>(numbers)[i] = std::cos(k[i]);
    else
      static_cast<std::complex<double>*>(numbers)[i] = turned(axis, k[i]);
  return axis < 3 ? 0 : 7;
}

TEST(c_operators, factors_of_axes_are_symbols) {
  std::vector<Symbol::Factor> turns;
  for (int axis = 0; axis < 3; ++axis)
    turns.emplace_back([axis](double k) { return turned(axis, k); });
  expect_same_symbols("complex numbers",
                      symbol(sixstep_symbol_product, 3, factor, nullptr, SIXSTEP_COMPLEX_NUMBERS),
                      Symbol::product(turns));
  int any = 0;
  expect_same_symbols(
      "reals", symbol(sixstep_symbol_product, 3, factor, &any, SIXSTEP_REAL_NUMBERS),
      Symbol::same_product([](double k) { return std::cos(k); }, Symbol::Numbers::real));
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

/// An array of numbers for the coefficients, another symbol in its place, and the array again.
template <class Number>
void expect_same_arrays_of_numbers(int kind_of_numbers) {
  using Real = decltype(std::real(Number()));
  Index const coefficients[] = {12, 9, 4};
  auto const there = made<sixstep_layout>(sixstep_layout_slab, 3, coefficients, all(), 1);
  auto const array = numbers<Number>(1000);
  auto const size = static_cast<Index>(array.size());
  auto const ours = symbol(sixstep_symbol_array, there.get(), precision_of<Real>, kind_of_numbers,
                           array.data(), size);
  Symbol const theirs = Symbol::array(Layout::slab({12, 9, 4}, all(), 1), array.data(), size);
  sixstep_operator_options const options = box();
  auto const op = made<sixstep_operator>(sixstep_operator_create, precision_of<Real>, slab().get(),
                                         ours.get(), MPI_COMM_WORLD, &options);
  Operator<Real> expected(slab_of_cpp(), MPI_COMM_WORLD, theirs, box_of_cpp());
  expect_same<Real>(op.get(), expected);
  auto const few = symbol(sixstep_symbol_array, there.get(), precision_of<Real>, kind_of_numbers,
                          array.data(), Index{1});
  EXPECT_EQ(sixstep_operator_renew(op.get(), few.get()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_NE(std::strstr(sixstep_error_message(), "numbers is needed on rank 0, 1 were given"),
            nullptr);
  EXPECT_EQ(sixstep_operator_renew(op.get(), symbol(sixstep_symbol_laplacian, nullptr).get()),
            SIXSTEP_OK);
  expected.renew(symbols::laplacian());
  expect_same<Real>(op.get(), expected);
  EXPECT_EQ(sixstep_operator_renew(op.get(), ours.get()), SIXSTEP_OK);
  expected.renew(theirs);
  expect_same<Real>(op.get(), expected);
}

TEST(c_operators, arrays_are_symbols) {
  expect_same_arrays_of_numbers<double>(SIXSTEP_REAL_NUMBERS);
  expect_same_arrays_of_numbers<float>(SIXSTEP_REAL_NUMBERS);
  expect_same_arrays_of_numbers<std::complex<double>>(SIXSTEP_COMPLEX_NUMBERS);
  expect_same_arrays_of_numbers<std::complex<float>>(SIXSTEP_COMPLEX_NUMBERS);
}

// Without sides k is the wave number. Of one row all ranks but one have nothing.
TEST(c_operators, complex_arrays_serve) {
  for (Index const rows : {6, 1}) {
    Index const extents[] = {rows, 5};
    auto const layout = made<sixstep_layout>(sixstep_layout_slab, 2, extents, all(), 0);
    auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, layout.get(),
                                           symbol(sixstep_symbol_derivative, 1, 1, nullptr).get(),
                                           MPI_COMM_WORLD, nullptr);
    Operator<double> expected(Layout::slab({rows, 5}, all()), MPI_COMM_WORLD,
                              symbols::derivative(1));
    expect_same<std::complex<double>>(op.get(), expected);
  }
}

TEST(c_operators, take_another_symbol_of_the_same_size) {
  sixstep_operator_options const options = box();
  auto const op = made<sixstep_operator>(sixstep_operator_create, SIXSTEP_DOUBLE, slab().get(),
                                         symbol(sixstep_symbol_laplacian, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  Operator<double> expected(slab_of_cpp(), MPI_COMM_WORLD, symbols::helmholtz(1), box_of_cpp());
  auto const helmholtz = symbol(sixstep_symbol_helmholtz, 1.0, nullptr);
  ASSERT_EQ(sixstep_operator_renew(op.get(), helmholtz.get()), SIXSTEP_OK);
  expect_same<double>(op.get(), expected);
  auto const gradient = symbol(sixstep_symbol_gradient, 3, nullptr);
  EXPECT_EQ(sixstep_operator_renew(op.get(), gradient.get()), SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(),
               "symbol: a number, 1 x 1, is needed as before, 3 x 1 was given");
  bool const last = ranks::rank() == all() - 1;
  EXPECT_EQ(sixstep_operator_renew(op.get(), last ? nullptr : helmholtz.get()),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "symbol: a pointer is needed, NULL was given");
  expect_same<double>(op.get(), expected);
}

/// Points of a finer grid, from some point on.
template <class Real>
void expect_same_other_points() {
  Index const finer[] = {24, 15, 7}, points[] = {8, 15, 6}, first[] = {20, 3, 1};
  auto const there = made<sixstep_layout>(sixstep_layout_slab, 3, points, all(), 1);
  auto options = box();
  options.result = there.get();
  options.result_lengths_count = options.first_count = 3;
  std::copy_n(finer, 3, options.result_lengths);
  std::copy_n(first, 3, options.first);
  auto const op = made<sixstep_operator>(sixstep_operator_create, precision_of<Real>, slab().get(),
                                         symbol(sixstep_symbol_laplacian, nullptr).get(),
                                         MPI_COMM_WORLD, &options);
  OperatorResult const result{Layout::slab({8, 15, 6}, all(), 1), {24, 15, 7}, {20, 3, 1}};
  Operator<Real> expected(slab_of_cpp(), result, MPI_COMM_WORLD, symbols::laplacian(),
                          box_of_cpp());
  expect_same<Real>(op.get(), expected);
}

TEST(c_operators, have_results_with_other_points) {
  expect_same_other_points<double>();
  expect_same_other_points<float>();
}

}  // namespace
}  // namespace sixstep::c_operators

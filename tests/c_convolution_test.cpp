// SPDX-License-Identifier: BSD-3-Clause
// Convolutions of the C interface and solvers in free space: against their sums, and what only C
// can get wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "c/options.hpp"
#include "c_handles.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/convolution.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {
namespace {

using namespace c_handles;
using oracle::at;
using oracle::Exact;

/// Values of the signal and of kernel number 1 or 2: no two axes are alike.
Exact signal_at(Shape const& j, bool are_reals) {
  Exact const value(static_cast<long double>((3 * j[0] + 5 * j[1]) % 7),
                    static_cast<long double>((j[0] * j[1]) % 5));
  return are_reals ? value.real() : value;
}
Exact kernel_at(Shape const& l, int number, bool are_reals) {
  Exact const value(static_cast<long double>(2 * l[0] - 3 * l[1] * number + 1),
                    static_cast<long double>(l[0] + l[1] + number));
  return are_reals ? value.real() : value;
}

/// What the tests need to know of a convolution: its arrays and options.
struct Problem {
  Shape signal, kernel;
  sixstep_convolution_options options = SIXSTEP_CONVOLUTION_OPTIONS;
  bool result_is_given = false;

  bool are_reals() const { return options.plan.kinds_count > 0; }
};

/// Point k of the result, by the sum that defines it.
Exact expected_at(Shape const& k, Problem const& problem, int number) {
  Shape first{0, 0};
  for (int axis = 0; axis < 2; ++axis) {
    Index const n = problem.signal[axis], m = problem.kernel[axis];
    if (problem.options.mode == SIXSTEP_CONVOLVE_SAME) first[axis] = (m - 1) / 2;
    if (problem.options.mode == SIXSTEP_CONVOLVE_VALID) first[axis] = std::min(n, m) - 1;
  }
  bool const periodic = problem.options.mode == SIXSTEP_CONVOLVE_PERIODIC;
  Exact sum = 0;
  oracle::for_each_point(problem.kernel, [&](Shape const& l) {
    Shape j{0, 0};
    for (int axis = 0; axis < 2; ++axis) {
      Index const n = problem.signal[axis], m = problem.kernel[axis];
      j[axis] = k[axis] + first[axis] - l[axis];
      if (problem.options.correlate != 0)
        j[axis] = k[axis] + first[axis] + l[axis] - (periodic ? 0 : m - 1);
      if (periodic) j[axis] = (j[axis] + n) % n;
      if (j[axis] < 0 || j[axis] >= n) return;
    }
    Exact const weight = kernel_at(l, number, problem.are_reals());
    sum += signal_at(j, problem.are_reals()) *
           (problem.options.correlate != 0 ? std::conj(weight) : weight);
  });
  return sum;
}

Owned<sixstep_layout> slab(Shape const& shape, int axis = 0) {
  return made<sixstep_layout>(sixstep_layout_slab, shape.size(), shape.begin(), all(), axis);
}

template <class Element>
void set(Element& element, Exact const& value) {
  if constexpr (std::is_floating_point_v<Element>)
    element = static_cast<Element>(value.real());
  else
    element = Element(value);
}

/// Convolves with two kernels in turn, in two arrays and in place.
template <class Element>
void expect_sums(Problem const& problem) {
  using Real = decltype(std::abs(Element()));
  SCOPED_TRACE(text("mode ", problem.options.mode, ", correlate ", problem.options.correlate, ", ",
                    sizeof(Element), " bytes, ", to_string(problem.signal), " with ",
                    to_string(problem.kernel)));
  auto const signal = slab(problem.signal), kernel = slab(problem.kernel, 1);
  Shape shape{0, 0};
  ASSERT_EQ(sixstep_convolution_result_shape(2, problem.signal.begin(), problem.kernel.begin(),
                                             &problem.options, shape.begin()),
            SIXSTEP_OK);
  auto const given = slab(shape, 1);
  auto const convolution = made<sixstep_convolution>(
      sixstep_convolution_create, sizeof(Real) == 8 ? SIXSTEP_DOUBLE : SIXSTEP_SINGLE, signal.get(),
      kernel.get(), problem.result_is_given ? given.get() : nullptr, MPI_COMM_WORLD,
      &problem.options);
  ASSERT_TRUE(convolution);
  auto const result = made<sixstep_layout>(sixstep_convolution_output, convolution.get());
  int same = 0;
  sixstep_layout_equal(result.get(), problem.result_is_given ? given.get() : slab(shape).get(),
                       &same);
  EXPECT_EQ(same, 1);
  std::size_t in_bytes = 0, out_bytes = 0;
  Index in_size = 0, out_size = 0, in_place = 0, kernel_size = 0;
  sixstep_part in_part, out_part, kernel_part;
  sixstep_convolution_element_bytes(convolution.get(), &in_bytes, &out_bytes);
  ASSERT_EQ(in_bytes, sizeof(Element));
  ASSERT_EQ(out_bytes, sizeof(Element));
  sixstep_convolution_sizes(convolution.get(), &in_size, &out_size, &in_place);
  sixstep_convolution_input_part(convolution.get(), &in_part);
  sixstep_convolution_output_part(convolution.get(), &out_part);
  sixstep_layout_part(kernel.get(), ranks::rank(), &kernel_part);
  sixstep_layout_array_size(kernel.get(), ranks::rank(), &kernel_size);
  std::vector<Element> in(at(in_size)), out(at(out_size)), weights(at(kernel_size));
  // Field 1 is twice field 0.
  int const fields = problem.options.plan.fields;
  for (int field = 0; field < fields; ++field)
    for_each_element(in_part, [&](Shape const& j, Index i) {
      set(in[at(i + (field == 0 ? 0 : in_part.stride[2]))],
          static_cast<long double>(1 + field) * signal_at(j, problem.are_reals()));
    });
  double const bound = 3000 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (int const number : {1, 2}) {
    for_each_element(kernel_part, [&](Shape const& l, Index i) {
      set(weights[at(i)], kernel_at(l, number, problem.are_reals()));
    });
    ASSERT_EQ(sixstep_convolution_set_kernel(convolution.get(), weights.data()), SIXSTEP_OK)
        << sixstep_error_message();
    auto const expect_result = [&](Element const* found) {
      double worst = 0;
      for (int field = 0; field < fields; ++field)
        for_each_element(out_part, [&](Shape const& k, Index i) {
          Exact const value(found[i + (field == 0 ? 0 : out_part.stride[2])]);
          Exact const expected =
              static_cast<long double>(1 + field) * expected_at(k, problem, number);
          worst = ranks::worse(worst, static_cast<double>(std::abs(value - expected)));
        });
      EXPECT_LT(worst, bound) << "kernel " << number;
    };
    ASSERT_EQ(sixstep_convolution_apply(convolution.get(), in.data(), out.data()), SIXSTEP_OK);
    expect_result(out.data());
    void* one = nullptr;
    ASSERT_EQ(sixstep_convolution_allocate(convolution.get(), &one), SIXSTEP_OK);
    auto* const array = static_cast<Element*>(one);
    std::copy(in.begin(), in.end(), array);
    ASSERT_EQ(sixstep_convolution_apply(convolution.get(), array, array), SIXSTEP_OK);
    expect_result(array);
    EXPECT_EQ(sixstep_free(one), SIXSTEP_OK);
  }
}

TEST(c_convolutions, are_their_sums) {
  for (int mode = SIXSTEP_CONVOLVE_FULL; mode <= SIXSTEP_CONVOLVE_PERIODIC; ++mode)
    for (int const correlate : {0, 1}) {
      Problem problem{{9, 7}, {4, 5}};
      problem.options.mode = mode;
      problem.options.correlate = correlate;
      problem.result_is_given = mode == SIXSTEP_CONVOLVE_SAME;
      problem.options.plan.fields = mode == SIXSTEP_CONVOLVE_VALID ? 2 : 1;
      expect_sums<std::complex<double>>(problem);
      expect_sums<std::complex<float>>(problem);
      problem.options.plan.kinds_count = 1;
      problem.options.plan.kinds[0] = SIXSTEP_R2C;
      expect_sums<double>(problem);
      expect_sums<float>(problem);
      if (mode == SIXSTEP_CONVOLVE_PERIODIC) continue;
      problem.signal = {1, 5};
      problem.kernel = {3, 1};
      expect_sums<double>(problem);
    }
}

sixstep_convolution_options reals() {
  sixstep_convolution_options options = SIXSTEP_CONVOLUTION_OPTIONS;
  options.plan.kinds_count = 1;
  options.plan.kinds[0] = SIXSTEP_R2C;
  return options;
}

TEST(c_convolutions, tell_what_those_of_cpp_tell) {
  auto options = reals();
  options.plan.own_workspace = 0;
  auto const signal = slab({12, 10}), kernel = slab({5, 3});
  auto const convolution =
      made<sixstep_convolution>(sixstep_convolution_create, SIXSTEP_DOUBLE, signal.get(),
                                kernel.get(), nullptr, MPI_COMM_WORLD, &options);
  Convolution<double> theirs(Layout::slab({12, 10}, all()), Layout::slab({5, 3}, all()),
                             MPI_COMM_WORLD, c::convolution_options_of(&options));
  std::vector<double> const weights(15);
  ASSERT_EQ(sixstep_convolution_set_kernel(convolution.get(), weights.data()), SIXSTEP_OK);
  auto const input = made<sixstep_layout>(sixstep_convolution_input, convolution.get());
  int same = 0;
  ASSERT_EQ(sixstep_layout_equal(input.get(), signal.get(), &same), SIXSTEP_OK);
  EXPECT_EQ(same, 1);
  expect_tells(convolution.get(), theirs,
               Calls<sixstep_convolution>{
                   sixstep_convolution_sizes, sixstep_convolution_describe,
                   sixstep_convolution_counts, sixstep_convolution_workspace_bytes,
                   sixstep_convolution_set_workspace, sixstep_convolution_apply,
                   sixstep_convolution_breakdown, sixstep_convolution_communication_seconds,
                   sixstep_convolution_predict, sixstep_convolution_write_trace});
}

TEST(c_convolutions, options_are_those_of_cpp) {
  sixstep_convolution_options options = SIXSTEP_CONVOLUTION_OPTIONS;
  for (auto const& ours :
       {c::convolution_options_of(&options), c::convolution_options_of(nullptr)}) {
    ConvolutionOptions const theirs;
    EXPECT_TRUE(static_cast<Options const&>(ours) == Options{});
    EXPECT_EQ(ours.mode, theirs.mode);
    EXPECT_EQ(ours.correlate, theirs.correlate);
    EXPECT_EQ(ours.even, theirs.even);
  }
  options.mode = SIXSTEP_CONVOLVE_PERIODIC;
  options.even = 1;
  ConvolutionOptions set = c::convolution_options_of(&options);
  EXPECT_EQ(set.mode, ConvolutionMode::periodic);
  EXPECT_TRUE(set.even && !set.correlate);
  options.even = 0;
  options.correlate = 1;
  set = c::convolution_options_of(&options);
  EXPECT_TRUE(set.correlate && !set.even);
  options.size -= 4;
  EXPECT_THROW(c::convolution_options_of(&options), Error);
}

TEST(c_convolutions, errors_have_the_words_of_cpp_on_all_ranks) {
  auto const signal = slab({6, 8}), kernel = slab({4, 3});
  bool const last = ranks::rank() == all() - 1;
  sixstep_convolution* convolution = nullptr;
  auto const expect_refused = [&](sixstep_layout const* of_kernel, sixstep_layout const* result,
                                  sixstep_convolution_options const& options,
                                  std::string const& words) {
    EXPECT_EQ(sixstep_convolution_create(SIXSTEP_DOUBLE, signal.get(), of_kernel, result,
                                         MPI_COMM_WORLD, &options, &convolution),
              SIXSTEP_ERROR_ARGUMENT);
    EXPECT_EQ(sixstep_error_message(), words);
    EXPECT_EQ(convolution, nullptr);
  };
  expect_refused(last ? nullptr : kernel.get(), nullptr, reals(),
                 "kernel: a pointer is needed, NULL was given");
  auto options = reals();
  options.mode = last ? 4 : 0;
  expect_refused(kernel.get(), nullptr, options, "mode: 0 to 3 are possible, 4 was given");
  options = reals();
  options.even = 1;
  expect_refused(kernel.get(), nullptr, options,
                 "even: the mode periodic is needed, full was given");
  expect_refused(kernel.get(), signal.get(), reals(),
                 "result: the shape 9 x 10 is needed, 6 x 8 was given");
  auto const made_one =
      made<sixstep_convolution>(sixstep_convolution_create, SIXSTEP_DOUBLE, signal.get(),
                                kernel.get(), nullptr, MPI_COMM_WORLD, nullptr);
  std::vector<std::complex<double>> array(200);
  EXPECT_EQ(sixstep_convolution_apply(made_one.get(), array.data(), array.data()),
            SIXSTEP_ERROR_ARGUMENT);
  EXPECT_STREQ(sixstep_error_message(), "kernel: there is none yet; call set_kernel() first");
}

TEST(c_convolutions, null_is_an_error_wherever_something_is_needed) {
  double real = 0;
  Index size = 0;
  int number = 0;
  std::size_t bytes = 0;
  char const* words = nullptr;
  void* array = nullptr;
  sixstep_part part;
  sixstep_step const* steps = nullptr;
  sixstep_prediction prediction;
  sixstep_layout* layout = nullptr;
  Index const shape[] = {4, 4};
  sixstep_convolution* none = nullptr;
  expect_null_is_refused(
      {[&] { return sixstep_convolution_result_shape(2, nullptr, shape, nullptr, &size); },
       [&] { return sixstep_convolution_result_shape(2, shape, nullptr, nullptr, &size); },
       [&] { return sixstep_convolution_result_shape(2, shape, shape, nullptr, nullptr); },
       [&] { return sixstep_convolution_set_kernel(none, &real); },
       [&] { return sixstep_convolution_apply(none, &real, &real); },
       [&] { return sixstep_convolution_input(none, &layout); },
       [&] { return sixstep_convolution_output(none, &layout); },
       [&] { return sixstep_convolution_input_part(none, &part); },
       [&] { return sixstep_convolution_output_part(none, &part); },
       [&] { return sixstep_convolution_sizes(none, &size, nullptr, nullptr); },
       [&] { return sixstep_convolution_element_bytes(none, &bytes, nullptr); },
       [&] { return sixstep_convolution_allocate(none, &array); },
       [&] { return sixstep_convolution_workspace_bytes(none, &bytes); },
       [&] { return sixstep_convolution_set_workspace(none, &real, 8); },
       [&] { return sixstep_convolution_describe(none, &words); },
       [&] { return sixstep_convolution_counts(none, &number, nullptr, nullptr); },
       [&] { return sixstep_convolution_communication_seconds(none, &real); },
       [&] { return sixstep_convolution_breakdown(none, &number, &steps); },
       [&] { return sixstep_convolution_predict(none, nullptr, &prediction); },
       [&] { return sixstep_convolution_write_trace(none); }});
  EXPECT_EQ(sixstep_convolution_free(nullptr), SIXSTEP_OK);
}

// ---- free space ----

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
}  // namespace sixstep

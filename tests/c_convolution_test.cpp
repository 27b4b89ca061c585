// SPDX-License-Identifier: BSD-3-Clause
// Convolutions of the C interface: against their sums, and what only C can get wrong.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "c/options.hpp"
#include "c_convolutions.hpp"
#include "c_handles.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/convolution.hpp"

namespace sixstep::c_convolutions {
namespace {

/// Values of kernel number 1 or 2: no two axes are alike.
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

}  // namespace
}  // namespace sixstep::c_convolutions

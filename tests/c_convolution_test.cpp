// SPDX-License-Identifier: BSD-3-Clause
// Convolutions of the C interface: their results have the bits of C++'s, and what is refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "c/options.hpp"
#include "c_convolutions.hpp"
#include "c_handles.hpp"
#include "c_same_bits.hpp"
#include "ranks.hpp"
#include "sixstep.h"
#include "sixstep/convolution.hpp"
#include "sixstep/named.hpp"

namespace sixstep::c_convolutions {
namespace {

/// A convolution of C, and that of C++: with two kernels in turn.
template <class Element>
void expect_same_convolutions(Shape const& signal, Shape const& kernel, ConvolutionMode mode,
                              bool correlate) {
  using Real = decltype(std::abs(Element()));
  SCOPED_TRACE(
      text(to_string(mode), correlate ? ", correlate, " : ", ", sizeof(Element), " bytes"));
  sixstep_convolution_options options = SIXSTEP_CONVOLUTION_OPTIONS;
  ConvolutionOptions options_of_cpp;
  options.mode = static_cast<int>(mode);
  options_of_cpp.mode = mode;
  options.correlate = correlate ? 1 : 0;
  options_of_cpp.correlate = correlate;
  options_of_cpp.fields = options.plan.fields = mode == ConvolutionMode::valid ? 2 : 1;
  if (std::is_floating_point_v<Element>) {
    options.plan.kinds_count = 1;
    options.plan.kinds[0] = SIXSTEP_R2C;
    options_of_cpp.kinds = {Kind::r2c};
  }
  Shape const expected_shape = Convolution<Real>::result_shape(signal, kernel, options_of_cpp);
  Shape result{0, 0};
  ASSERT_EQ(
      sixstep_convolution_result_shape(2, signal.begin(), kernel.begin(), &options, result.begin()),
      SIXSTEP_OK);
  ASSERT_EQ(result, expected_shape);
  bool const is_given = mode == ConvolutionMode::same;
  auto const slab_of_kernel = slab(kernel, 1), slab_of_result = slab(result, 1);
  auto const ours = made<sixstep_convolution>(
      sixstep_convolution_create, precision_of<Element>, slab(signal).get(), slab_of_kernel.get(),
      is_given ? slab_of_result.get() : nullptr, MPI_COMM_WORLD, &options);
  Layout const from = Layout::slab(signal, all()), by = Layout::slab(kernel, all(), 1);
  auto theirs = is_given ? Convolution<Real>(from, by, Layout::slab(result, all(), 1),
                                             MPI_COMM_WORLD, options_of_cpp)
                         : Convolution<Real>(from, by, MPI_COMM_WORLD, options_of_cpp);
  auto weights = numbers<Element>(by.local_size(ranks::rank()));
  for (int kernels = 0; kernels < 2; ++kernels) {
    ASSERT_EQ(sixstep_convolution_set_kernel(ours.get(), weights.data()), SIXSTEP_OK)
        << sixstep_error_message();
    theirs.set_kernel(weights.data());
    expect_same<Element>(ours.get(), theirs);
    std::reverse(weights.begin(), weights.end());
  }
}

TEST(c_convolutions, are_those_of_cpp) {
  for (auto const mode : {ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid,
                          ConvolutionMode::periodic})
    for (bool const correlate : {false, true}) {
      Shape const signal{9, 7}, kernel{4, 5};
      expect_same_convolutions<std::complex<double>>(signal, kernel, mode, correlate);
      expect_same_convolutions<std::complex<float>>(signal, kernel, mode, correlate);
      expect_same_convolutions<double>(signal, kernel, mode, correlate);
      expect_same_convolutions<float>(signal, kernel, mode, correlate);
      if (mode != ConvolutionMode::periodic)
        expect_same_convolutions<double>({1, 5}, {3, 1}, mode, correlate);
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
  expect_tells(convolution.get(), theirs);
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
  Index const shape[] = {4, 4};
  expect_null_is_refused(
      {[&] { return sixstep_convolution_result_shape(2, nullptr, shape, nullptr, &size); },
       [&] { return sixstep_convolution_result_shape(2, shape, nullptr, nullptr, &size); },
       [&] { return sixstep_convolution_result_shape(2, shape, shape, nullptr, nullptr); },
       [&] { return sixstep_convolution_set_kernel(nullptr, &real); }});
  expect_null_is_refused<sixstep_convolution>();
  EXPECT_EQ(sixstep_convolution_free(nullptr), SIXSTEP_OK);
}

}  // namespace
}  // namespace sixstep::c_convolutions

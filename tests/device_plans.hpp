// SPDX-License-Identifier: BSD-3-Clause
// Plans on the tested device, and waves in arrays of its memory.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <numbers>
#include <vector>

#include "ranks.hpp"
#include "sixstep/sixstep.hpp"
#include "tested_device.hpp"

namespace sixstep::on_devices {

using Complex = std::complex<double>;

inline Device const tested = tested_device();

inline int all() { return ranks::count(); }

inline Options on_device() {
  static int const gpu = take_gpu(ranks::rank());
  static_cast<void>(gpu);  // which is that of the plan, too
  Options options;
  options.device = tested;
  return options;
}

/// A wave exp(2 pi i (k0 x0/n0 + ...)) of some height: its transform is N times that at k, and 0
/// elsewhere.
struct Wave {
  Shape k;
  double height;
};

inline Complex value_at(Wave const& wave, Shape const& shape, Shape const& x) {
  double turns = 0;
  for (int axis = 0; axis < shape.size(); ++axis)
    turns += static_cast<double>(wave.k[axis] * x[axis] % shape[axis]) /
             static_cast<double>(shape[axis]);
  return std::polar(wave.height, 2 * std::numbers::pi * turns);
}

/// In an array of the device's, as a plan's input has it.
inline std::shared_ptr<Complex[]> array_of(Wave const& wave, Plan<double>& plan) {
  std::shared_ptr<Complex[]> array = plan.allocate();
  std::vector<Complex> here(static_cast<std::size_t>(plan.in_place_size()));
  for_each(plan.input_box(), plan.input_strides(), [&](Shape const& x, Index i) {
    here[static_cast<std::size_t>(i)] = value_at(wave, plan.input().shape(), x);
  });
  copy(tested, array.get(), here.data(), here.size() * sizeof(Complex));
  return array;
}

/// Expects a wave times `factor` in an array that lies as a plan's input.
inline void expect_wave(Wave const& wave, double factor, Plan<double> const& plan,
                        Complex const* array) {
  std::vector<Complex> here(static_cast<std::size_t>(plan.input_size()));
  copy(tested, here.data(), array, here.size() * sizeof(Complex));
  for_each(plan.input_box(), plan.input_strides(), [&](Shape const& x, Index i) {
    Complex const expected = factor * value_at(wave, plan.input().shape(), x);
    EXPECT_LT(std::abs(here[static_cast<std::size_t>(i)] - expected), 1e-12);
  });
}

/// Expects its transform in an array of the device's.
inline void expect_transform(Wave const& wave, Plan<double> const& plan, Complex const* array) {
  std::vector<Complex> here(static_cast<std::size_t>(plan.output_size()));
  copy(tested, here.data(), array, here.size() * sizeof(Complex));
  double const points = static_cast<double>(volume(plan.input().shape()));
  for_each(plan.output_box(), plan.output_strides(), [&](Shape const& k, Index i) {
    double const expected = k == wave.k ? points * wave.height : 0;
    EXPECT_LT(std::abs(here[static_cast<std::size_t>(i)] - expected), 1e-12 * points);
  });
}

inline Layout slabs() { return Layout::slab({14, 12, 10}, all()); }

}  // namespace sixstep::on_devices

// SPDX-License-Identifier: BSD-3-Clause
// One pass over an array on a GPU: scattered columns, and the same with a table and the way back.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "device/backend.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {

/// Prints the milliseconds of a pass along axis 0 or 1 of an array of three axes, and the bytes
/// that it has to read and write in a second.
template <class Real>
void print_pass(Shape const& shape, int axis, bool there_and_back) {
  using device::Scattered;
  device::Backend& gpu = device::backend(Device::cuda, 0);
  auto const points = static_cast<std::size_t>(volume(shape));
  std::size_t const bytes = points * 2 * sizeof(Real);
  auto const in = gpu.allocate(bytes), out = gpu.allocate(bytes);
  auto const table = gpu.allocate(points * sizeof(Real));
  Scattered columns;
  columns.n = shape[axis];
  columns.real_bytes = sizeof(Real);
  device::ScatteredSide side;
  side.strides[2] = 1;
  side.row_stride = axis == 0 ? shape[1] * shape[2] : shape[2];
  columns.extents[2] = axis == 0 ? shape[1] * shape[2] : shape[2];
  if (axis == 1) {
    columns.extents[1] = shape[0];
    side.strides[1] = shape[1] * shape[2];
  }
  columns.source = columns.target = columns.in_table = side;
  columns.source.memory = in.get();
  columns.target.memory = out.get();
  columns.there_and_back = there_and_back;
  if (there_and_back) columns.table = {table.get(), 1};
  std::string const name = to_string(shape) + (there_and_back ? ", there and back" : "");
  char const* const precision = sizeof(Real) == sizeof(float) ? "single" : "double";
  auto const planned = gpu.plan_scattered(columns.n, sizeof(Real));
  if (!planned) {
    std::printf("%-32s axis %d %s: not possible\n", name.c_str(), axis, precision);
    return;
  }
  auto const queue = gpu.make_queue();
  auto const begin = gpu.make_event(), end = gpu.make_event();
  constexpr int rounds = 9, repeats = 3;
  std::vector<double> seconds;
  for (int round = 0; round <= rounds; ++round) {
    queue->record(*begin);
    for (int repeat = 0; repeat < repeats; ++repeat) queue->run(*planned, columns);
    queue->record(*end);
    queue->finish();
    if (round > 0) seconds.push_back(end->seconds_since(*begin) / repeats);
  }
  std::nth_element(seconds.begin(), seconds.begin() + rounds / 2, seconds.end());
  double const median_s = seconds[rounds / 2];
  auto const moved = static_cast<double>(2 * bytes + (there_and_back ? bytes / 2 : 0));
  std::printf("%-32s axis %d %s %9.4f ms %6.2f TB/s\n", name.c_str(), axis, precision,
              1e3 * median_s, 1e-12 * moved / median_s);
  std::fflush(stdout);
}

}  // namespace sixstep::bench

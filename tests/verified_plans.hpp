// SPDX-License-Identifier: BSD-3-Clause
// Random plans whose results are verified, arrays for them, and a bit of an array that flips.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "local/transform.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "schedule/problem.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::verified {

using cases::Random;
using oracle::at;

inline void flip_bit(void* array, std::size_t real_bytes, std::size_t real, int bit) {
  auto* const byte = static_cast<unsigned char*>(array) + real * real_bytes + bit / 8;
  *byte = static_cast<unsigned char>(*byte ^ (1u << (bit % 8)));
}

inline constexpr Kind cosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                   Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

struct Task {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  bool real_input = false;
  bool real_output = false;
};

inline Shape random_shape(Random& random) {
  if (random.once_in(8)) {
    static constexpr Index lengths[] = {97, 509, 1009, 4096, 6000, 10007, 70000, 131072};
    return {lengths[random.between(0, 7)]};
  }
  return cases::random_shape(random, random.between(1, 4), 4000);
}

inline Task random_task(Random& random) {
  Shape const shape = random_shape(random);
  Task task;
  Options& options = task.options;
  options.axes = cases::random_axes(random, shape.size());
  if (options.axes.empty())
    for (int axis = 0; axis < shape.size(); ++axis) options.axes.push_back(axis);
  options.kinds.assign(options.axes.size(), Kind::c2c);
  int const mix = random.between(0, 4);
  int const last = static_cast<int>(options.kinds.size()) - 1;
  if (mix >= 1 && mix <= 3)
    for (int i = 0; i <= last; ++i)
      if (mix == 2 || (mix == 3 && random.once_in(2))) {
        Kind const kind = cosines[random.between(0, 7)];
        if (kind != Kind::dct1 || shape[options.axes[static_cast<std::size_t>(i)]] > 1)
          options.kinds[static_cast<std::size_t>(i)] = kind;
      }
  if (mix == 1 || (mix == 3 && random.once_in(2)))
    options.kinds[static_cast<std::size_t>(random.between(0, last))] = Kind::r2c;
  bool const other_lengths = random.once_in(5), fewer = random.once_in(5);
  for (int i = 0; i <= last; ++i) {
    auto const number = static_cast<std::size_t>(i);
    Kind const kind = options.kinds[number];
    Index const points = shape[options.axes[number]];
    Index const length = other_lengths ? points + random.between(Index{0}, points) : points;
    Index const least = std::min<Index>(kind == Kind::dct1 ? 2 : 1, length);
    if (other_lengths) options.lengths.push_back(length);
    if (fewer) options.modes.push_back(random.between(least, length));
  }
  auto const numbers = schedule::numbers_of(options.kinds);
  task.real_input = numbers.input == layout::Number::real;
  task.real_output = numbers.output == layout::Number::real;
  task.input = cases::random_layout(random, shape, ranks::count());
  options.fields = random.once_in(4) ? random.between(2, 3) : 1;
  options.interleaved = random.once_in(2);
  options.preserve_input = random.once_in(2);
  options.exchange = all_exchanges[static_cast<std::size_t>(random.between(0, 4))];
  options.driver = all_drivers[static_cast<std::size_t>(random.between(0, 4))];
  options.threads = random.between(1, 3);
  options.windows = random.once_in(2) ? random.between(1, 5) : 0;
  options.low_memory = random.once_in(6);
  options.verify = random.once_in(3) ? Verify::result : Verify::all;
  Shape const result = schedule::output_shape(schedule::checked({.input = task.input,
                                                                 .axes = options.axes,
                                                                 .kinds = options.kinds,
                                                                 .lengths = options.lengths,
                                                                 .modes = options.modes}));
  bool const open = random.once_in(3) && (shape == result || !task.input.grid().empty());
  if (!open) task.output = cases::random_layout(random, result, ranks::count());
  // A single axis may be transformed by a convolution, which refuses it.
  bool const has_axes = volume(shape) > *std::max_element(shape.begin(), shape.end());
  if (!other_lengths && !fewer && has_axes && random.once_in(5))
    options.wire.tolerance = std::pow(10.0, -random.between(2, 6));
  return task;
}

inline std::string describe(Task const& task) {
  std::string words = cases::describe(task.input) + " to " +
                      (task.output ? cases::describe(*task.output) : "any") + ", axes";
  Options const& options = task.options;
  for (std::size_t i = 0; i < options.axes.size(); ++i)
    words += text(" ", options.axes[i], " ", to_string(options.kinds[i]),
                  options.lengths.empty() ? "" : text(" of ", options.lengths[i]),
                  options.modes.empty() ? "" : text(" to ", options.modes[i]));
  return words + text(", fields ", options.fields, ", wire ", options.wire.tolerance);
}

/// Random reals around 1, some of them far larger or smaller.
template <class Element>
std::vector<Element> random_array(Random& random, Index size) {
  using Real = typename local::RealOf<Element>::type;
  std::vector<Element> array(at(size));
  auto* const reals = reinterpret_cast<Real*>(array.data());
  std::size_t const count = array.size() * sizeof(Element) / sizeof(Real);
  int const most = random.once_in(3) ? 12 : 1;
  for (std::size_t i = 0; i < count; ++i)
    reals[i] = static_cast<Real>(
        std::ldexp(double(random.between(-1000, 1000)) / 1000, random.between(-most, most)));
  return array;
}

}  // namespace sixstep::verified

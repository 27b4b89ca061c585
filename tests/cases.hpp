// SPDX-License-Identifier: BSD-3-Clause
// Random shapes and layouts: the same on every rank for the same seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "sanitized.hpp"
#include "sixstep/layout.hpp"

namespace cases {

using sixstep::Box;
using sixstep::Distribution;
using sixstep::Grid;
using sixstep::Index;
using sixstep::Layout;
using sixstep::Order;
using sixstep::PerAxis;
using sixstep::Range;
using sixstep::Shape;

/// How many random problems a test solves: a third of `many`, which suffices to find the faults
/// that we have planted; a quarter under the address sanitizer, where each takes several times as
/// long; SIXSTEP_TEST_ROUNDS times as many where the environment has that number.
inline int rounds(int many) {
  char const* const times = std::getenv("SIXSTEP_TEST_ROUNDS");
  if (times) many *= std::max(1, std::atoi(times));
  int const part = sixstep::sanitized() ? 4 : 3;
  return (many + part - 1) / part;
}

/// Integers and choices. Unlike the standard library's distributions, the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// lo ... hi, both included.
  Index between(Index lo, Index hi) {
    return lo + static_cast<Index>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  int between(int lo, int hi) {
    return static_cast<int>(between(static_cast<Index>(lo), static_cast<Index>(hi)));
  }
  /// True once in `times`.
  bool once_in(int times) { return between(1, times) == 1; }

  template <class Container>
  void shuffle(Container& values) {
    for (auto end = values.end() - values.begin(); end > 1; --end)
      std::swap(values.begin()[end - 1],
                values.begin()[between(Index{0}, static_cast<Index>(end) - 1)]);
  }

 private:
  std::mt19937_64 engine_;
};

/// Extents from 1 up, at most about `points` in all.
inline Shape random_shape(Random& random, int axes, Index points) {
  Shape shape;
  Index left = points;
  for (int axis = 0; axis < axes; ++axis) {
    Index side = 1;  // the largest with side^(axes - axis) <= left
    for (bool fits = true; fits;) {
      Index power = 1;
      for (int i = axis; i < axes; ++i) power *= side + 1;
      fits = power <= left;
      side += fits ? 1 : 0;
    }
    Index const longest = std::min(left, 2 * side);
    shape.push_back(random.between(Index{1}, std::max<Index>(1, longest)));
    left = std::max<Index>(1, left / shape.back());
  }
  random.shuffle(shape);
  return shape;
}

inline Order random_order(Random& random, int axes) {
  Order order;
  for (int axis = 0; axis < axes; ++axis) order.push_back(axis);
  if (!random.once_in(3)) random.shuffle(order);
  return order;
}

/// The prime factors of `ranks`, each on an axis by chance.
inline Grid random_grid(Random& random, int axes, int ranks) {
  Grid grid(axes, 1);
  for (int prime = 2; ranks > 1; ++prime)
    for (; ranks % prime == 0; ranks /= prime) grid[random.between(0, axes - 1)] *= prime;
  return grid;
}

/// A shape cut in two, and the parts again, until there are `ranks` boxes; some of them are empty.
inline std::vector<Box> random_boxes(Random& random, Shape const& shape, int ranks) {
  Box all;
  for (Index extent : shape) all.ranges.push_back({0, extent, 1});
  std::vector<Box> boxes{all};
  while (static_cast<int>(boxes.size()) < ranks) {
    int const last = static_cast<int>(boxes.size()) - 1;
    Box& whole = boxes[static_cast<std::size_t>(random.between(0, last))];
    int const axis = random.between(0, shape.size() - 1);
    Box rest = whole;
    Index const cut = random.between(whole.ranges[axis].lo, whole.ranges[axis].hi);
    whole.ranges[axis].hi = rest.ranges[axis].lo = cut;
    boxes.push_back(rest);
  }
  random.shuffle(boxes);
  return boxes;
}

/// Blocks, cycles or a list of boxes, in any memory order.
inline Layout random_layout(Random& random, Shape const& shape, int ranks) {
  Order const order = random_order(random, shape.size());
  if (random.once_in(4)) return Layout::boxes(shape, random_boxes(random, shape, ranks), order);
  PerAxis<Distribution> distribution;
  for (int axis = 0; axis < shape.size(); ++axis)
    distribution.push_back(random.once_in(4) ? Distribution::cyclic : Distribution::block);
  return Layout::grid(shape, random_grid(random, shape.size(), ranks), distribution, order);
}

/// The layout, once in `times` with at most two ghosts at each side of a rank's box.
inline Layout with_random_ghosts(Random& random, Layout const& layout, int times) {
  if (!random.once_in(times)) return layout;
  Shape before, after;
  for (int axis = 0; axis < layout.axes(); ++axis) {
    before.push_back(random.between(Index{0}, Index{2}));
    after.push_back(random.between(Index{0}, Index{2}));
  }
  return layout.with_ghosts(before, after);
}

/// Some of the axes, in any order; none one time in four, which stands for all.
inline std::vector<int> random_axes(Random& random, int axes) {
  std::vector<int> chosen;
  if (random.once_in(4)) return chosen;
  for (int axis = 0; axis < axes; ++axis)
    if (random.between(0, 2) > 0) chosen.push_back(axis);
  random.shuffle(chosen);
  return chosen;
}

/// A layout in full, for the message of a test that failed.
inline std::string describe(Layout const& layout) {
  std::string text = layout.describe();
  if (layout.grid().empty())
    for (int rank = 0; rank < layout.ranks(); ++rank)
      text += sixstep::text("\n    rank ", rank, ": ", to_string(layout.box(rank)));
  return text;
}

}  // namespace cases

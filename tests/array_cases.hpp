// SPDX-License-Identifier: BSD-3-Clause
// Global arrays whose elements are functions of their indices, in random layouts.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/array.hpp"

namespace sixstep::array_cases {

using cases::Random;
using Complex = std::complex<double>;

/// A number that no other index has.
inline Complex value(Shape const& shape, Shape const& point) {
  auto const number = static_cast<double>(oracle::number_of(shape, point));
  return {std::sin(1 + number), std::cos(2 * number)};
}

inline Layout random_layout(Random& random, Shape const& shape) {
  return cases::with_random_ghosts(random, cases::random_layout(random, shape, ranks::count()), 4);
}

inline Array<Complex> filled(Layout const& layout, Ranks const& ranks) {
  Array<Complex> array(layout, ranks);
  array.fill([&](Shape const& point) { return value(layout.shape(), point); });
  return array;
}

/// Whether each element is expected(point), up to `error`. Points are found by the oracle's ranges.
template <class T, class Expected>
bool holds(Array<T> const& array, Expected const& expected, double error = 0) {
  LocalView<T const> const here = array.local();
  bool right = true;
  oracle::for_each_point(array.layout().box(ranks::rank()), [&](Shape const& point) {
    right = right && std::abs(here[point] - T(expected(point))) <= error;
  });
  return ranks::everywhere(right);
}

inline Shape permuted(Shape const& shape, Order const& axes) {
  Shape other;
  for (int axis : axes) other.push_back(shape[axis]);
  return other;
}

/// The point of the operand that becomes `point` of its transpose.
inline Shape original(Shape const& point, Order const& axes) {
  Shape other(point.size(), 0);
  for (int a = 0; a < axes.size(); ++a) other[axes[a]] = point[a];
  return other;
}

/// All elements of an array that is a function of its indices, in C order.
inline std::vector<oracle::Exact> exact(Shape const& shape) {
  std::vector<oracle::Exact> all;
  oracle::for_each_point(shape, [&](Shape const& i) { all.emplace_back(value(shape, i)); });
  return all;
}

}  // namespace sixstep::array_cases

// SPDX-License-Identifier: BSD-3-Clause
// Random problems of operators and maps, and which coefficients they keep.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "cases.hpp"
#include "oracles/solvers.hpp"
#include "solver_case.hpp"

namespace sixstep::solver_cases {

/// Whether the sphere keeps waves of these sizes along the transformed axes.
inline bool within_sphere(Case const& given, std::vector<double> const& sizes) {
  if (given.options.sphere.empty()) return true;
  bool const is_round = given.options.sphere.size() == 1;
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    double const part = is_round ? sizes[i] : sizes[i] / given.radius(i);
    sum += part * part;
  }
  return sum < (is_round ? given.radius(0) * given.radius(0) : 1);
}

/// Whether one of the listed columns has a coefficient.
inline bool within_columns(Case const& given, Shape const& coefficient) {
  std::vector<Index> waves;
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    Index const k = coefficient[given.options.axes[i]], n = given.length(i);
    bool const is_negative = given.options.kinds[i] == Kind::c2c && 2 * k >= n && k > 0;
    waves.push_back(is_negative ? k - n : k);
  }
  std::vector<Case::Column> const columns = given.columns();
  return std::any_of(columns.begin(), columns.end(), [&](Case::Column const& column) {
    return std::equal(column.across.begin(), column.across.end(), waves.begin() + 1) &&
           column.lowest <= waves[0] && waves[0] <= column.highest;
  });
}

/// Whether a coefficient is kept.
inline bool keeps(Case const& given, Shape const& coefficient) {
  if (!given.options.columns.empty()) return within_columns(given, coefficient);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < given.options.axes.size(); ++i) {
    std::vector<double> const there =
        solver_oracle::waves(given.options.kinds[i], given.length(i), given.modes(i),
                             coefficient[given.options.axes[i]]);
    if (there.empty()) return false;
    sizes.push_back(std::abs(there[0]));
  }
  return within_sphere(given, sizes);
}

/// Whether columns of a sphere have an axis: one of c2c, or all are between walls.
inline bool may_have_sphere(Case const& given) {
  auto const& kinds = given.options.kinds;
  if (kinds.size() > 3) return false;
  return kinds.size() == 1 || std::count(kinds.begin(), kinds.end(), Kind::c2c) > 0 ||
         std::none_of(kinds.begin(), kinds.end(), is_periodic);
}

/// Adds a sphere that has at least one wave within; radii are such that no wave lies on it by
/// rounding.
inline void add_sphere(Case& given, Random& random) {
  OperatorOptions& options = given.options;
  options.modes.clear();
  if (random.once_in(2)) {
    options.sphere = {static_cast<double>(random.between(2, 9))};
  } else {
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      options.sphere.push_back(1.8130 + 0.3717 * random.between(0, 20));
  }
}

/// Whether columns can be listed: along the first of two or three periodic axes.
inline bool may_have_columns(Case const& given) {
  auto const& kinds = given.options.kinds;
  return (kinds.size() == 2 || kinds.size() == 3) && kinds[0] == Kind::c2c &&
         std::all_of(kinds.begin(), kinds.end(), is_periodic);
}

/// A wave number of an axis of n points.
inline Index random_wave(Random& random, Kind kind, Index n) {
  return kind == Kind::r2c ? random.between(Index{0}, n / 2)
                           : random.between(-(n / 2), (n - 1) / 2);
}

/// Lists some columns, in any order.
inline void add_columns(Case& given, Random& random) {
  OperatorOptions& options = given.options;
  options.modes.clear();
  std::set<std::vector<Index>> across;
  for (int i = random.between(1, 30); i > 0; --i) {
    std::vector<Index> column;
    for (std::size_t a = 1; a < options.axes.size(); ++a)
      column.push_back(
          random_wave(random, options.kinds[a], std::min(given.length(a), given.length_back(a))));
    if (!across.insert(column).second) continue;
    Index const n = std::min(given.length(0), given.length_back(0));
    Index const one = random_wave(random, Kind::c2c, n), other = random_wave(random, Kind::c2c, n);
    column.push_back(std::min(one, other));
    column.push_back(std::max(one, other));
    options.columns.insert(options.columns.end(), column.begin(), column.end());
  }
  if (!random.once_in(3)) return;
  for (std::size_t i = 0; i < options.axes.size(); ++i) {
    Index const most = std::min(given.length(i), given.length_back(i));
    options.modes.push_back(random.between(std::min(given.modes_around_columns(i), most), most));
  }
}

inline Case random_case(Random& random, int axes, Index points) {
  Shape const shape = cases::random_shape(random, axes, points);
  Case given{.layout = cases::random_layout(random, shape, all()), .options = {}};
  if (random.once_in(4)) {
    Shape behind;
    for (int axis = 0; axis < axes; ++axis) {
      given.ghosts.push_back(random.between(Index{0}, Index{2}));
      behind.push_back(given.ghosts[axis] + 1);
    }
    given.layout = given.layout.with_ghosts(given.ghosts, behind);
  }
  OperatorOptions& options = given.options;
  options.axes = cases::random_axes(random, axes);
  if (options.axes.empty())
    for (int axis = 0; axis < axes; ++axis) options.axes.push_back(axis);
  int const style = random.between(0, 3);  // complex, real, walls alone, mixed
  bool has_real = false;
  for (int axis : options.axes) {
    auto const wall = static_cast<Kind>(
        random.between(static_cast<int>(Kind::dct1), static_cast<int>(Kind::dst4)));
    bool const possible = !(wall == Kind::dct1 && shape[axis] < 2);
    Kind kind = style == 2 || (style == 3 && random.once_in(2)) ? (possible ? wall : Kind::dct2)
                                                                : Kind::c2c;
    if (kind == Kind::c2c && style % 2 == 1 && !has_real) {
      kind = Kind::r2c;
      has_real = true;
    }
    options.kinds.push_back(kind);
  }
  if (random.once_in(4))
    for (int axis : options.axes) options.modes.push_back(random.between(Index{1}, shape[axis]));
  if (random.once_in(2))
    for (int axis = 0; axis < axes; ++axis) options.sides.push_back(0.5 + axis);
  bool const walls = std::none_of(options.kinds.begin(), options.kinds.end(), is_periodic);
  given.is_complex = !walls && random.once_in(2);
  if (axes < max_axes && random.once_in(3)) {
    options.fields = random.between(2, 4);
    options.interleaved = random.once_in(2);
    if (random.once_in(2)) given.results = random.between(1, 4);
  } else if (axes < max_axes && random.once_in(5)) {
    given.results = random.between(1, 3);
  }
  options.kept = !random.once_in(3);
  options.preserve_input = !random.once_in(3);
  options.exchange = static_cast<Exchange>(random.between(0, 4));
  options.threads = random.between(1, 2);
  options.windows = random.once_in(2) ? 0 : random.between(1, 5);
  options.split_untransformed = random.once_in(2);
  options.regrid = random.once_in(3);
  options.low_memory = random.once_in(4);
  return given;
}

/// A problem whose transforms are longer than its arrays, or whose result has a layout of its own.
inline Case random_longer_case(Random& random) {
  Case given = random_case(random, random.between(1, 3), 150);
  OperatorOptions& options = given.options;
  options.modes.clear();
  Shape shape = given.layout.shape();
  bool const has_result = !random.once_in(3);
  OperatorResult result;
  for (std::size_t i = 0; i < options.axes.size(); ++i) {
    int const axis = options.axes[i];
    Index const points = shape[axis];
    Index const length = random.once_in(3) ? points : points + random.between(Index{0}, 2 * points);
    options.lengths.push_back(length);
    if (!has_result) continue;
    bool const may_be_one = is_periodic(options.kinds[i]) && random.once_in(4);
    Index const least = may_be_one ? 1 : std::max(Index{2}, points / 2);
    Index const back = random.once_in(2) ? length : random.between(least, 3 * points);
    result.lengths.push_back(back);
    result.first.push_back(random.between(Index{0}, back - 1));
    shape[axis] = random.between(Index{1}, back);
  }
  if (random.once_in(3))
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      options.modes.push_back(
          random.between(Index{1}, has_result ? std::min(options.lengths[i], result.lengths[i])
                                              : options.lengths[i]));
  if (!has_result) return given;
  result.layout = cases::random_layout(random, shape, all());
  if (random.once_in(3)) result.first.clear();
  given.result = result;
  return given;
}

}  // namespace sixstep::solver_cases

// SPDX-License-Identifier: BSD-3-Clause
// Random problems of operators and maps, and arrays of several fields beside whole ones.
#pragma once

#include "sixstep/operator.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases.hpp"
#include "oracles/kinds.hpp"
#include "oracles/solvers.hpp"
#include "ranks.hpp"

namespace sixstep::solver_cases {

using cases::Random;
using oracle::at;
using oracle::Exact;
using oracle::Whole;
using solver_oracle::is_periodic;
using solver_oracle::Numbers;
using solver_oracle::Waves;

inline int mine() { return ranks::rank(); }
inline int all() { return ranks::count(); }

/// The size of the first wave that `modes` modes do not have.
inline double first_wave_beyond(Kind kind, Index modes) {
  switch (kind) {
    case Kind::c2c:
    case Kind::r2c:
      return static_cast<double>((modes - 1) / 2 + 1);
    case Kind::dst1:
    case Kind::dst2:
      return static_cast<double>(modes + 1);
    case Kind::dct3:
    case Kind::dct4:
    case Kind::dst3:
    case Kind::dst4:
      return static_cast<double>(modes) + 0.5;
    default:
      return static_cast<double>(modes);
  }
}

struct Case {
  Layout layout;
  OperatorOptions options;                    // with axes and kinds in full
  int results = 0;                            // of a matrix; 0: a number
  bool is_complex = true;                     // numbers of the symbol
  Shape ghosts = {};                          // before each axis, and one more behind; empty: none
  std::optional<OperatorResult> result = {};  // empty: as the input
  bool is_product = false;                    // numbers of the symbol are those of axes
  bool is_array = false;                      // the symbol is an array

  /// Ghosts along an axis, on both sides.
  Index around(int axis) const { return ghosts.empty() ? 0 : 2 * ghosts[axis] + 1; }

  /// The length of the transform along the i-th of the axes, that of the transform back, and the
  /// modes that are kept.
  Index length(std::size_t i) const {
    return options.lengths.empty() ? layout.shape()[options.axes[i]] : options.lengths[i];
  }
  Index length_back(std::size_t i) const {
    if (result && !result->lengths.empty()) return result->lengths[i];
    return result && options.lengths.empty() ? result->layout.shape()[options.axes[i]] : length(i);
  }
  Index modes(std::size_t i) const {
    if (!options.modes.empty()) return options.modes[i];
    return std::min(modes_around(i), length_back(i));
  }
  /// The modes around the sphere, if there is one.
  Index modes_around(std::size_t i) const {
    if (!options.columns.empty()) return modes_around_columns(i);
    if (options.sphere.empty()) return length(i);
    Kind const kind = options.kinds[i];
    Index found = 0;
    for (Index modes = 1; modes <= length(i) && found == 0; ++modes)
      if (first_wave_beyond(kind, modes) >= radius(i)) found = modes;
    return found == 0 ? length(i) : found;
  }
  /// An odd number, or all.
  Index modes_around_columns(std::size_t i) const {
    Index farthest = 0;
    for (Column const& column : columns())
      for (Index const wave :
           i == 0 ? std::vector{column.lowest, column.highest} : std::vector{column.across[i - 1]})
        farthest = std::max(farthest, std::abs(wave));
    return std::min(2 * farthest + 1, length(i));
  }
  /// Options::columns, taken apart.
  struct Column {
    std::vector<Index> across;
    Index lowest, highest;
  };
  std::vector<Column> columns() const {
    std::vector<Column> found;
    std::size_t const axes = options.axes.size();
    for (auto at = options.columns.begin(); at != options.columns.end();) {
      Column& column = found.emplace_back();
      for (std::size_t i = 1; i < axes; ++i) column.across.push_back(*at++);
      column.lowest = *at++;
      column.highest = *at++;
    }
    return found;
  }
  double radius(std::size_t i) const {
    return options.sphere.size() == 1 ? options.sphere[0] : options.sphere[i];
  }

  oracle::Kinds kinds() const {
    oracle::Kinds found;
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      found.emplace_back(options.axes[i], options.kinds[i]);
    return found;
  }
  Waves waves() const {
    std::vector<Waves::Along> along;
    for (std::size_t i = 0; i < options.axes.size(); ++i)
      along.push_back({options.axes[i], options.kinds[i], length(i), modes(i)});
    return {layout.axes(), along, options.sides};
  }
  Numbers numbers() const { return {waves(), is_complex, 0, is_product}; }
  bool has_real_arrays() const {
    return std::none_of(options.kinds.begin(), options.kinds.end(),
                        [](Kind kind) { return kind == Kind::c2c; }) ||
           std::count(options.kinds.begin(), options.kinds.end(), Kind::r2c) > 0;
  }
};

/// The elements of this rank's array in memory, ghosts included.
inline Index memory_size(Case const& given) {
  Box const box = given.layout.box(mine());
  Index size = 1;
  for (int axis = 0; axis < box.axes(); ++axis)
    size *= box.ranges[axis].count() + given.around(axis);
  return box.empty() ? 0 : size;
}

/// Calls visit(point, offset) for each point that this rank has, with its place in a field's array.
template <class Visit>
void for_each_local(Case const& given, Visit const& visit) {
  Box const box = given.layout.box(mine());
  oracle::for_each_point(box, [&](Shape const& point) {
    Index offset = 0;
    for (int axis : given.layout.order()) {
      Range const& range = box.ranges[axis];
      Index const before = given.ghosts.empty() ? 0 : given.ghosts[axis];
      offset = offset * (range.count() + given.around(axis)) +
               (point[axis] - range.lo) / range.step + before;
    }
    visit(point, offset);
  });
}

/// Where element `offset` of a field lies in an array of several, in elements.
inline Index place(Case const& given, int fields, int field, Index offset) {
  if (given.options.interleaved) return offset * fields + field;
  return offset + field * memory_size(given);
}

/// Calls visit(place of a real in the array, its value) for all reals of these fields.
template <class Visit>
void for_each_real(Case const& given, std::vector<Whole> const& fields, Visit const& visit) {
  Index const unit = given.has_real_arrays() ? 1 : 2;
  auto const count = static_cast<int>(fields.size());
  for (int field = 0; field < count; ++field)
    for_each_local(given, [&](Shape const& point, Index offset) {
      Exact const& value =
          fields[at(field)].values[at(oracle::number_of(given.layout.shape(), point))];
      Index const there = place(given, count, field, offset) * unit;
      visit(at(there), value.real());
      if (unit == 2) visit(at(there) + 1, value.imag());
    });
}

template <class Real>
void fill(std::vector<Real>& array, Case const& given, std::vector<Whole> const& fields) {
  for_each_real(given, fields,
                [&](std::size_t i, long double value) { array[i] = static_cast<Real>(value); });
}

template <class Real>
double difference(std::vector<Real> const& array, Case const& given,
                  std::vector<Whole> const& fields) {
  double worst = 0;
  for_each_real(given, fields, [&](std::size_t i, long double value) {
    double const error = std::abs(static_cast<double>(array[i] - static_cast<Real>(value)));
    worst = std::isnan(error) ? HUGE_VAL : std::max(worst, error);
  });
  return worst;
}

/// Whether all bits are the same, those of ghosts without a number included.
template <class Real>
bool same_bits(std::vector<Real> const& a, std::vector<Real> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

inline std::string describe(Case const& given) {
  std::string kinds;
  for (auto const& [axis, kind] : given.kinds()) kinds += text(" ", axis, ":", to_string(kind));
  std::string modes;
  for (Index m : given.options.modes) modes += text(" ", m);
  for (std::size_t i = 0; i < given.options.axes.size(); ++i)
    modes += text(" [", given.length(i), " to ", given.length_back(i), "]");
  for (double radius : given.options.sphere) modes += text(", radius ", radius);
  if (!given.options.columns.empty()) modes += ", columns";
  for (Index number : given.options.columns) modes += text(" ", number);
  if (given.result) {
    modes += text(", result ", cases::describe(given.result->layout));
    for (Index first : given.result->first) modes += text(" from ", first);
  }
  return text(cases::describe(given.layout), "\nkinds", kinds, ", modes", modes, ", fields ",
              given.options.fields, given.options.interleaved ? " interleaved" : "", ", results ",
              given.results, ", kept ", given.options.kept, ", complex ", given.is_complex,
              given.is_product ? ", product" : "", given.is_array ? ", array" : "", ", exchange ",
              static_cast<int>(given.options.exchange), ", windows ", given.options.windows,
              ", sides ", given.options.sides.size());
}

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

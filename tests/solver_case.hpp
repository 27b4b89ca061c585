// SPDX-License-Identifier: BSD-3-Clause
// A problem of an operator or a map, and arrays of several fields beside whole ones.
#pragma once

#include "sixstep/operator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
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

}  // namespace sixstep::solver_cases

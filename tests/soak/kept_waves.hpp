// SPDX-License-Identifier: BSD-3-Clause
// Which waves a sphere or a list of columns keeps, by their definitions, and arrays of these alone.
//
// A box has the coefficients of the modes that are kept along each axis, as modes without a sphere
// are. A packed array has those of the box that are within, in the plan's order.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "problem.hpp"

namespace soak {

/// Whether an axis of this kind is periodic.
inline bool is_periodic(Kind kind) { return kind == Kind::c2c || kind == Kind::r2c; }

/// Whether a job has a sphere or columns.
bool keeps_waves(Job const& job);
/// Whether its coefficients are packed.
bool is_packed(Job const& job);

/// The modes around a sphere or columns along the i-th of the axes, of so many points; `points`
/// without them.
Index modes_around(Job const& job, std::size_t i, Kind kind, Index points);

/// The wave number of a coefficient of an axis with so many modes, and the coefficient of a wave.
double wave_of(Kind kind, Index modes, Index coefficient);
Index coefficient_of(Kind kind, Index modes, double wave);

/// Whether a coefficient of the box is within.
bool is_within(Job const& job, std::vector<AxisKind> const& kinds, Shape const& coefficient);

/// The numbers in the box of the coefficients that are within, in its order.
std::vector<Index> within(Job const& job);

/// The elements of a box with several fields at each place that have these numbers.
template <class Value>
std::vector<Value> packed(std::vector<Value> const& box, std::vector<Index> const& numbers,
                          Index fields) {
  std::vector<Value> made;
  for (Index const number : numbers)
    for (Index field = 0; field < fields; ++field)
      made.push_back(box[static_cast<std::size_t>(number * fields + field)]);
  return made;
}

/// A box of so many elements in all, with zeros outside.
template <class Value>
std::vector<Value> unpacked(std::vector<Value> const& packed, std::vector<Index> const& numbers,
                            Index fields, Index elements) {
  std::vector<Value> made(static_cast<std::size_t>(elements));
  std::size_t i = 0;
  for (Index const number : numbers)
    for (Index field = 0; field < fields; ++field)
      made[static_cast<std::size_t>(number * fields + field)] = packed[i++];
  return made;
}

}  // namespace soak

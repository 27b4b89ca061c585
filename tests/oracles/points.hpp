// SPDX-License-Identifier: BSD-3-Clause
// Points of arrays, one by one, and where they lie in a rank's memory.
//
// Asks the library only which box a rank holds and in which memory order.
#pragma once

#include <cstddef>
#include <vector>

#include "sixstep/layout.hpp"

namespace oracle {

using sixstep::Box;
using sixstep::Index;
using sixstep::Layout;
using sixstep::Order;
using sixstep::Range;
using sixstep::Shape;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

inline Index points_of(Shape const& shape) {
  Index points = 1;
  for (Index extent : shape) points *= extent;
  return points;
}

/// The indices of a range, one by one.
inline std::vector<Index> indices(Range const& range) {
  std::vector<Index> found;
  for (Index i = range.lo; i < range.hi; i += range.step) found.push_back(i);
  return found;
}

/// How many indices a range has.
inline Index count_of(Range const& range) {
  return range.lo < range.hi ? (range.hi - range.lo - 1) / range.step + 1 : 0;
}

/// Calls visit(point) for every point of a box, the last axis fastest.
template <class Visit>
void for_each_point(Box const& box, Visit const& visit) {
  std::vector<std::vector<Index>> along;
  for (Range const& range : box.ranges) along.push_back(indices(range));
  for (auto const& axis : along)
    if (axis.empty()) return;
  std::vector<std::size_t> count(along.size(), 0);
  for (;;) {
    Shape point;
    for (std::size_t axis = 0; axis < along.size(); ++axis)
      point.push_back(along[axis][count[axis]]);
    visit(point);
    std::size_t axis = along.size();
    for (; axis > 0; --axis) {
      if (++count[axis - 1] < along[axis - 1].size()) break;
      count[axis - 1] = 0;
    }
    if (axis == 0) return;
  }
}

/// Calls visit(point) for every point of a shape, the last axis fastest.
template <class Visit>
void for_each_point(Shape const& shape, Visit const& visit) {
  Box all;
  for (Index extent : shape) all.ranges.push_back({0, extent, 1});
  for_each_point(all, visit);
}

/// The number of a point when all are counted, the last axis fastest.
inline Index number_of(Shape const& shape, Shape const& point) {
  Index number = 0;
  for (int axis = 0; axis < shape.size(); ++axis) number = number * shape[axis] + point[axis];
  return number;
}

/// Where a point of `box` lies in a dense array of memory order `order`.
inline Index offset_of(Box const& box, Order const& order, Shape const& point) {
  Index offset = 0;
  for (int axis : order) {
    Range const& range = box.ranges[axis];
    offset = offset * count_of(range) + (point[axis] - range.lo) / range.step;
  }
  return offset;
}

/// Where a point lies in a rank's array, whose ghosts make it larger than its box.
inline Index place_of(Layout const& layout, int rank, Shape const& point) {
  Box const box = layout.box(rank);
  sixstep::Ghosts const ghosts = layout.ghosts(rank);
  Index place = 0;
  for (int axis : layout.order()) {
    Range const& range = box.ranges[axis];
    place = place * (ghosts.before[axis] + range.count() + ghosts.after[axis]) +
            ghosts.before[axis] + (point[axis] - range.lo) / range.step;
  }
  return place;
}

/// Calls visit(point, offset) for every point of a rank's local array.
template <class Visit>
void for_each_element(Layout const& layout, int rank, Visit const& visit) {
  Box const box = layout.box(rank);
  for_each_point(box,
                 [&](Shape const& point) { visit(point, offset_of(box, layout.order(), point)); });
}

/// The rank that holds each point, by the point's number; -1 for none, -2 for more than one.
inline std::vector<int> owners(Layout const& layout) {
  std::vector<int> found(at(points_of(layout.shape())), -1);
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    for_each_point(layout.box(rank), [&](Shape const& point) {
      int& owner = found[at(number_of(layout.shape(), point))];
      owner = owner == -1 ? rank : -2;
    });
  }
  return found;
}

}  // namespace oracle

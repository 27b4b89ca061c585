// SPDX-License-Identifier: BSD-3-Clause
// Walks through a local array: the global indices of each element, and its place in memory.
//
// This file knows nothing about plans, and needs neither MPI nor OpenMP. Loops run on the threads
// on which the library transforms, so that each thread meets the memory that is near it.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "sixstep/layout.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// The points of a box in the order in which they lie in memory.
class Walk {
 public:
  /// `strides` are the distances in elements between neighbours along each axis; a further entry,
  /// the distance between fields, is ignored. Errors: fewer strides than axes.
  Walk(Box const& box, Shape const& strides);

  Index points() const { return points_; }

  /// Calls visit(point, offset) for the points number first, first + 1, ... last - 1 of the walk.
  template <class Visit>
  void operator()(Index first, Index last, Visit& visit) const {
    if (first >= last) return;
    Place at = place(first);
    Index& along_row = at.point[fastest_];
    Range const& row = box_.ranges[fastest_];
    Index const stride = strides_[fastest_], row_points = row.count();
    Index in_row = row_points - (along_row - row.lo) / row.step;
    for (Index left = last - first; left > 0; in_row = row_points) {
      in_row = std::min(in_row, left);
      for (Index i = 0; i < in_row; ++i) {
        visit(std::as_const(at.point), Index{at.offset});
        along_row += row.step;
        at.offset += stride;
      }
      left -= in_row;
      begin_next_row(at);
    }
  }

 private:
  struct Place {
    Shape point;
    Index offset = 0;
  };

  Place place(Index number) const;

  void begin_next_row(Place& at) const {
    at.point[fastest_] = box_.ranges[fastest_].lo;
    at.offset -= extents_[fastest_] * strides_[fastest_];
    for (int position = order_.size() - 2; position >= 0; --position) {
      int const axis = order_[position];
      at.point[axis] += box_.ranges[axis].step;
      at.offset += strides_[axis];
      if (at.point[axis] < box_.ranges[axis].hi) return;
      at.point[axis] = box_.ranges[axis].lo;
      at.offset -= extents_[axis] * strides_[axis];
    }
  }

  Box box_;
  Shape strides_;
  Shape extents_;
  Order order_;  // axes, slowest in memory first
  int fastest_ = 0;
  Index points_ = 0;
};

/// Calls work(0), work(1), ... work(threads - 1), each on another thread of the library. If calls
/// throw, the exception of the lowest number is thrown when all are done. Errors: threads < 1.
void on_threads(int threads, std::function<void(int)> const& work);

/// Calls visit(point, offset) for every element of an array that holds `box`, in the order of
/// memory. point, a Shape, has the element's global indices; offset, an Index, is its distance in
/// elements from the first point of the box. `strides` are the distances between neighbours along
/// each axis: rows may be padded, and the array may be larger than the box. If there are several
/// fields, as in the strides of a plan, the first one is visited.
///
/// Errors: fewer strides than axes.
template <class Visit>
void for_each(Box const& box, Shape const& strides, Visit&& visit) {
  Walk const walk(box, strides);
  walk(0, walk.points(), visit);
}

/// Does the same on `threads` threads, each of which visits its part of the elements in order.
/// Errors: as above; threads < 1; any exception of `visit`.
template <class Visit>
void for_each(Box const& box, Shape const& strides, int threads, Visit&& visit) {
  Walk const walk(box, strides);
  on_threads(threads, [&](int thread) {
    Index const share = walk.points() / threads, rest = walk.points() % threads;
    auto const begin_of = [&](Index part) { return part * share + std::min(part, rest); };
    walk(begin_of(thread), begin_of(thread + 1), visit);
  });
}

/// Visits the box of `rank` in a layout, where `offset` is counted from the begin of the rank's
/// array, ghosts included. Errors: as above; the rank does not exist.
template <class Visit>
void for_each(Layout const& layout, int rank, Visit&& visit) {
  Index const begin = layout.offset(rank);
  for_each(layout.box(rank), layout.strides(rank),
           [&](Shape const& point, Index offset) { visit(point, begin + offset); });
}
template <class Visit>
void for_each(Layout const& layout, int rank, int threads, Visit&& visit) {
  Index const begin = layout.offset(rank);
  for_each(layout.box(rank), layout.strides(rank), threads,
           [&](Shape const& point, Index offset) { visit(point, begin + offset); });
}

}  // namespace sixstep
#pragma GCC visibility pop

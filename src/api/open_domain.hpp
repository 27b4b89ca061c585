// SPDX-License-Identifier: BSD-3-Clause
// The axes of Poisson's equation with open axes, and the places along them.
#pragma once

#include <algorithm>
#include <vector>

#include "sixstep/layout.hpp"
#include "sixstep/options.hpp"

namespace sixstep {

/// An axis of a table, whose element j is at `begin` + j `step`: a distance along an open axis,
/// else a wave.
struct TableAxis {
  int axis;  // of the layout
  Kind kind;
  bool is_open;
  Index points;   // of the source, n
  Index length;   // of the kernel
  Index entries;  // of the table
  Index period;   // elements j and period - j of the kernel are the same entry
  double begin;
  double step;

  /// The entry of an element of the kernel.
  Index entry(Shape const& element) const {
    return std::min(element[axis], period - element[axis]);
  }
  double at(Index entry) const { return begin + static_cast<double>(entry) * step; }
  double side() const { return static_cast<double>(points) * step; }
};

/// The axes of an equation.
struct OpenDomain {
  std::vector<TableAxis> axes;
  std::vector<double> shift;  // of each of `axes`; empty: none

  int dimensions() const;  // open axes
  Shape entries() const;
  double volume() const;  // of a cell of the open axes
  /// The distances along open axes, and the length of the wave vector along the others.
  PerAxis<double> distances(PerAxis<double> const& places) const;
  double wave(PerAxis<double> const& places) const;
  /// The length of the vector of places, distances or wave numbers, along open axes.
  double along_open(PerAxis<double> const& places) const;
  /// The longest distance between points of a source and of its shifted potential.
  double radius() const;
  /// Whether the shifted box touches or leaves the source's, so that no distance is 0.
  bool is_far() const;
};

}  // namespace sixstep

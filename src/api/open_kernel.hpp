// SPDX-License-Identifier: BSD-3-Clause
// Green's functions as kernels of a convolution.
//
// Along open axes a kernel has values at distances, along the others at waves. It is even along
// open axes that are not shifted, and along periodic axes, so a table has distances or waves of 0
// and more alone: its octant. Rank by rank and row by row the table is made or fetched, and
// mirrored to the elements of the kernel.
#pragma once

#include <algorithm>
#include <vector>

#include "sixstep/layout.hpp"
#include "sixstep/open_poisson.hpp"

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
  /// The longest distance between points of a source and of its shifted potential.
  double radius() const;
  /// Whether the shifted box touches or leaves the source's, so that no distance is 0.
  bool is_far() const;
};

/// A rank's array of the kernel in a slab along the first of the domain's axes. Collective; throws
/// Error on every rank if the function of the caller's throws on one.
std::vector<double> kernel_of(Layout const& kernel, OpenDomain const& domain,
                              OpenPoissonOptions const& options, MPI_Comm comm);

}  // namespace sixstep

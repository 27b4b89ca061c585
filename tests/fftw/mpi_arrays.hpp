// SPDX-License-Identifier: BSD-3-Clause
// Distributed arrays as FFTW's manual describes them, filled from whole arrays and compared with
// them.
//
// Slices and offsets are worked out here, point by point, and not asked of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "oracles/fourier.hpp"

namespace fftw_mpi {

using oracle::at;
using oracle::Exact;
using oracle::Index;
using oracle::Shape;

/// A rank's part of an axis: [start, start + count).
struct Part {
  Index count = 0;
  Index start = 0;
};

inline Part part_of(Index n, Index block, int rank) {
  Index const first = std::min(n, block * rank), end = std::min(n, block * (rank + 1));
  return {end - first, end == first ? 0 : first};
}

/// One end of a transform: an array of `shape` in tuples of `howmany`, split along axis 0, or along
/// axis 1 and then stored with the first two axes exchanged. The last axis has room for `padded`
/// points.
struct Side {
  Shape shape;
  Index howmany;
  bool transposed;
  bool stored_transposed;
  Index block;
  Index padded;
  int rank;

  int split() const { return transposed ? 1 : 0; }
  Part part() const { return part_of(shape[split()], block, rank); }

  /// The axes and extents of the local array, the slowest axis first.
  std::vector<std::pair<int, Index>> stored() const {
    std::vector<std::pair<int, Index>> axes;
    for (int axis = 0; axis < shape.size(); ++axis) {
      bool const is_last = axis + 1 == shape.size();
      Index const extent = axis == split() ? part().count : is_last ? padded : shape[axis];
      axes.emplace_back(axis, extent);
    }
    if (stored_transposed) std::swap(axes[0], axes[1]);
    return axes;
  }

  Index elements() const {
    Index all = howmany;
    for (auto const& [axis, extent] : stored()) all *= extent;
    return all;
  }

  /// Calls visit(number of the point in the whole array, place of its first element here).
  template <class Visit>
  void for_each(Visit const& visit) const {
    oracle::Box box;
    for (int axis = 0; axis < shape.size(); ++axis)
      box.ranges.push_back(axis == split()
                               ? oracle::Range{part().start, part().start + part().count, 1}
                               : oracle::Range{0, shape[axis], 1});
    oracle::for_each_point(box, [&](Shape const& point) {
      Index place = 0;
      for (auto const& [axis, extent] : stored())
        place = place * extent + point[axis] - box.ranges[axis].lo;
      visit(oracle::number_of(shape, point), place * howmany);
    });
  }
};

}  // namespace fftw_mpi

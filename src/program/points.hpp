// SPDX-License-Identifier: BSD-3-Clause
// Operations at points: what a pass hands to whoever computes new values at each point.
#pragma once

#include <cstddef>
#include <vector>

#include "program/program.hpp"

namespace sixstep::program {

/// The values at the points of some rows, before an operation and behind it. The two lie in the
/// same places, or apart.
struct PointBlock {
  /// Elements from a point to the next in a row, from a row to the next, and from a field to the
  /// next at the same point.
  struct Steps {
    Index point;
    Index row;
    Index field;
  };
  /// The working axis along which points, or rows, follow each other; how many there are; from an
  /// index and from a number to the next.
  struct Along {
    int axis;
    Index count;
    Index index_step;
    Index number_step;
  };

  void const* source;
  void* target;
  Steps from, to;
  Along points, rows;
  int numbering;  // its id
  Index number;   // of the first point
  Shape index;    // of the first point along the working axes
};

/// Numbers that multiply points, each in the place that a numbering gives its point.
struct PointTable {
  void const* numbers = nullptr;
  std::size_t bytes = 0;
  int reals = 2;  // of a number
};
/// Those of an operation, by the ids of its numberings.
using PointTables = std::vector<PointTable>;

/// An operation at points on one rank, in the plan's precision.
class OnPoints {
 public:
  virtual ~OnPoints() = default;
  /// The tables by which it multiplies points, if it does nothing else; else none.
  virtual PointTables tables() const { return {}; }
  /// Whether it may be done a second time for the same values: it calls no function of the
  /// caller's.
  virtual bool may_repeat() const { return false; }
  /// Several threads may call it at the same time, for different points. It must not throw.
  virtual void apply(PointBlock const& block) const = 0;
};

}  // namespace sixstep::program

// SPDX-License-Identifier: BSD-3-Clause
// Operations at points: what a pass hands to whoever computes new values at each point.
#pragma once

#include "program/program.hpp"

namespace sixstep::program {

/// The values at some points in a row, before an operation and behind it. The two lie in the same
/// places, or apart.
struct PointRow {
  /// Elements from a point to the next, and from a field to the next at the same point; 0 where the
  /// operation works on each field by itself, so that a row has one.
  struct Steps {
    Index point;
    Index field;
  };

  void const* source;
  void* target;
  Steps from, to;
  Index count;       // points
  Index number;      // of the first point
  Index number_step; // from a point's number to the next
  Shape index;       // of the first point along the working axes
  int axis;          // the row runs along this working axis
  Index index_step;
};

/// An operation at points on one rank, in the plan's precision.
class OnPoints {
 public:
  virtual ~OnPoints() = default;
  /// Several threads may call it at the same time, for different points. It must not throw.
  virtual void apply(PointRow const& row) const = 0;
};

}  // namespace sixstep::program

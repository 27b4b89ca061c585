// SPDX-License-Identifier: BSD-3-Clause
// Frames: a problem in working axes, some of the user's axes viewed as two.
//
// A 1-D transform of N = N1 N2 points is a 2-D one with a twiddle (Bailey's six-step, 1990), with
// j = N2 j1 + j2 and k = k1 + N1 k2:
//   X[k1 + N1 k2] = sum_j2 w_N2^(j2 k2) [ w_N^(j2 k1) sum_j1 w_N1^(j1 k1) x[N2 j1 + j2] ].
// Working axis `slow` is j1 and then k1, working axis `fast` is j2 and then k2; so the digits of
// the input's view are (slow, fast) and those of the output's view are (fast, slow).
#pragma once

#include <cstdint>
#include <vector>

#include "layout/placement.hpp"
#include "schedule/problem.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::schedule {

using Mask = std::uint32_t;  // of working axes

inline Mask bit(int axis) { return Mask{1} << axis; }

/// A problem in one choice of working axes.
struct Frame {
  Shape shape;     // of the input
  Shape spectral;  // of the output
  Shape lengths;   // of the transforms
  Shape first;     // the first point along each axis
  PerAxis<Kind> kinds;
  int real_axis = -1;  // the r2c axis; -1: none
  /// The working axes along which a transform changes the extent of the array, or its numbers.
  Mask crossing() const;
  /// The working axes that grow where they are transformed, as zeros follow their points.
  Mask growing() const;
  layout::View input_view;
  layout::View output_view;
  Mask todo = 0;                  // working axes to transform
  PerAxis<Mask> before;           // of each axis, those that are transformed before it; empty: any
                                  // order will do
  Mask splits = 0;                // those along which the highest mode stands for two waves
  PerAxis<int> most_parts;        // along each axis, in grids that the plan chooses
  std::vector<Twiddle> twiddles;  // axis = slow digit, which comes first; other = fast digit
};

/// The frame of the user's axes.
Frame plain_frame(Problem const& problem, Choices const& choices);

/// The only frame if results are to be reproducible. It depends on shape and transforms alone: an
/// axis is viewed as two if it is long, and axes are transformed in one order, an r2c first, then
/// from the last to the first.
Frame reproducible_frame(Problem const& problem, Choices const& choices);

/// The axes with more than one point that are not transformed and may be split, longest first.
std::vector<int> untransformed(Problem const& problem);

/// The frame with one more working axis, of one point, which is not the user's. All elements lie on
/// one of the ranks along it. A single axis that cannot be viewed as two is transformed this way.
Frame with_idle_axis(Frame frame);

/// The frames worth a search besides the user's axes: all cyclic axes viewed as two at once (one
/// exchange is then enough), and an axis viewed as two in several ways where that fills idle ranks
/// or vector lanes.
std::vector<Frame> split_frames(Problem const& problem, bool ranks_idle, Choices const& choices);

}  // namespace sixstep::schedule

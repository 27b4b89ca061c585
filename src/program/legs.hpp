// SPDX-License-Identifier: BSD-3-Clause
// Legs: what a schedule does between two exchanges. Knows nothing about memory.
#pragma once

#include <vector>

#include "program/program.hpp"

namespace sixstep::program {

/// The Ffts and operations between two exchanges: they lead from one placement to another, which
/// differ only where they change the extents of axes.
struct Leg {
  layout::Placement here;
  layout::Placement there;
  std::vector<layout::Placement> before = {};  // each pass
  std::vector<Pass> passes = {};               // without boxes and pieces
  redistribution::Cut cut = {};                // for the exchanges next to it
  int mixed = -1;  // the axis of fields, if an operation of the schedule needs all of them at a
                   // point: no message may have only some
};

/// The legs of a schedule; between each two of them lies an exchange.
std::vector<Leg> legs(schedule::Schedule const& schedule);

/// The working axes in the order in which a placement's local arrays lie in memory.
Order memory_order(layout::Placement const& placement);
/// Cuts a leg along the slowest axis that the leg leaves alone, other than `mixed`, and that has at
/// least `windows` counts; if no axis has, along the one with the most.
redistribution::Cut cut_of(Leg const& leg, int windows);
/// The box of a rank's piece, or the box around its pieces if there are several.
Box local_box(layout::Pieces const& pieces, int axes);
/// How many elements a list of pieces spans.
Index reach(layout::Pieces const& pieces);

}  // namespace sixstep::program

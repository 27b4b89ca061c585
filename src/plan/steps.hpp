// SPDX-License-Identifier: BSD-3-Clause
// The steps of one rank, once it is decided how each exchange is done, and where the array is
// between them.
#pragma once

#include <optional>
#include <vector>

#include "plan/program.hpp"

namespace sixstep::plan {

/// A stretch of an array along a working axis that all ranks hold whole, to be worked on as if it
/// were an array of its own.
struct Block {
  Placement whole;
  int axis;
  Range range;

  /// Where the rank's part of the stretch lies in its array.
  Pieces pieces(int rank) const {
    Pieces found;
    for (exchange::Piece const& piece : whole.pieces(rank)) {
      Box region = piece.box;
      region.ranges[axis] = range;
      exchange::Piece part = restrict(piece, region);
      part.box.ranges[axis] = {0, range.count(), 1};
      found.push_back(part);
    }
    return found;
  }
};

/// How an exchange is done.
struct Transfer {
  /// Which memory order messages have: that of the receiver, who then need not unpack, or of the
  /// sender.
  enum class Packing { as_received, as_sent } packing = Packing::as_received;
  Way way = Way::messages;
  std::optional<Placement> resting = {};  // in memory
  std::optional<Buffer> buffer = {};      // but for messages: where; the same on all ranks
};
using Transfers = std::vector<Transfer>;

/// What a buffer must be for the array to be in it at some point of a program.
struct Stop {
  Index reals = 0;         // on this rank
  Index padding = 0;       // of these, which are not counted when programs are compared
  bool fits_input = true;  // on every rank where the array rests, else on this one
  bool fits_output = true;
  std::optional<Buffer> buffer;  // it can be no other
};

/// The steps of one rank, the stops before and after each, and how an array may get from stop to
/// stop.
struct Steps {
  std::vector<Step> steps;
  std::vector<Stop> stops;
  // Of each step, if it is the last sweep between two moves, one of them a rest:
  std::vector<bool> ends;
  std::vector<bool> on_the_spot;  // every element's place is where it was before them
  std::vector<bool> abroad;       // it is in the memory of others
};

/// The steps of `rank`, of the whole array or of a block in it.
Steps make_steps(Schedule const& schedule, int rank, Transfers const& transfers,
                 Limits const& limits, Arrays const& arrays, Block const* block);

/// Whether every element is on the same rank.
bool same_owners(Placement const& a, Placement const& b);

}  // namespace sixstep::plan

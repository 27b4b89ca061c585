// SPDX-License-Identifier: BSD-3-Clause
// Handovers: where a program leaves elements in memory for a later step, on this rank or on others.
//
// Pure: says which elements are written for which rank, and read from which rank. Knows nothing
// about MPI, and holds no data.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "program/program.hpp"

namespace sixstep::verify {

/// The elements that one rank writes for another, and where they lie at this end.
struct Parcel {
  int rank;  // the other one
  layout::Pieces pieces;
};

/// One end of a handover on this rank.
struct HandoverEnd {
  std::optional<std::size_t> sweep;  // the step that writes or reads them; none: the move that
                                     // moves them finds or leaves them in `buffer`
  program::Buffer buffer;
  Box box;  // of the sweep, or of the whole array
  std::vector<Parcel> parcels;
};

/// Elements between two sweeps: they are moved among ranks, or stay in memory.
struct Handover {
  std::size_t step;  // the move, or the step that reads
  bool moves;
  layout::Number number;
  HandoverEnd written, read;
  bool keeps_bits = true;  // else messages round the elements
};

/// All handovers of the program of `rank`, in the order of its steps. Moves are in the same order
/// on all ranks.
std::vector<Handover> handovers_of(program::Program const& program, int rank);

/// The handover of a whole array, from `rank`'s part in one placement to its part in another.
Handover whole_handover(layout::Placement const& from, layout::Placement const& to, int rank);

/// Whether some elements are moved twice without a sweep between. They are complete only between
/// the two moves.
bool moves_twice(std::vector<Handover> const& handovers, program::Program const& program);

}  // namespace sixstep::verify

// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a machine has the memory that a plan needs.
#include "formulas/room.hpp"

#include "base/machine_memory.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

void require_room(Composition const& composition, Needs const& needs) {
  auto const machine = static_cast<double>(machine_bytes());
  for (schedule::Schedule const& schedule : composition.schedules) {
    Index const bytes = schedule.fullest * schedule.bytes_of(schedule.input.number);
    double const needed = static_cast<double>(bytes) * needs.arrays * needs.node_ranks;
    if (needed <= machine) continue;
    std::string const arrays = needs.arrays == 1 ? "an array" : text(needs.arrays, " arrays");
    std::string const ranks =
        needs.node_ranks == 1 ? "" : text(" for each of ", needs.node_ranks, " ranks");
    throw Error(
        text("memory: ", arrays, " of ", bytes, " bytes", ranks, needs.arrays == 1 ? " is" : " are",
             " needed, this machine has ", machine_bytes()),
        ErrorCode::memory);
  }
}

}  // namespace sixstep::formulas

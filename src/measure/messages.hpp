// SPDX-License-Identifier: BSD-3-Clause
// Measures messages and meetings, inside nodes and between them.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// Each rank sends to its neighbour on the node and receives from the other one; then all ranks of
/// a node wait for each other. Measures nothing if each rank has its own node. Collective.
model::Inside inside(Team const& team, double seconds);

/// Each rank sends to a rank of the next node and receives from one of the previous node: first a
/// single pair, then all ranks at once. Empty if there is one node. Collective.
std::optional<model::Network> network(Team const& team, double seconds);

}  // namespace sixstep::measure

// SPDX-License-Identifier: BSD-3-Clause
// Measuring messages and meetings, inside nodes and between them.
#pragma once

#include "measure/team.hpp"
#include "model/machine.hpp"

namespace sixstep::measure {

/// Every rank to its neighbour on the node, both ways, and all ranks of a node that wait for each
/// other. Nothing where each rank has a node of its own. Collective.
model::Inside inside(Team const& team, double seconds);

/// Every rank to one of the next node, both ways: all of them, and a single pair. None if there is
/// one node. Collective.
std::optional<model::Network> network(Team const& team, double seconds);

}  // namespace sixstep::measure

// SPDX-License-Identifier: BSD-3-Clause
// Circles: the nodes whose ranks exchange something, and the grid in which they stand. Pure: no
// MPI, no data.
#pragma once

#include <map>
#include <vector>

#include "redistribution/node_grid.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::redistribution {

/// The node of each rank, the rank's segment of node memory, and the network between nodes.
struct Nodes {
  std::vector<int> node;     // by rank: the lowest rank of its node
  std::vector<int> segment;  // by rank: which segment of the node's memory is its own
  Network network = {};

  int of(int rank) const { return node[static_cast<std::size_t>(rank)]; }
};

/// The ranks of each node, ascending.
using RanksByNode = std::map<int, std::vector<int>>;
RanksByNode ranks_by_node(Nodes const& nodes);

/// The nodes that exchange with the node of a rank, directly or through others, itself included.
/// All ranks of these nodes have the same circle.
struct Circle {
  std::vector<int> nodes;  // ascending
  NodeGrid grid;           // in which they stand
  int most_ranks;          // on one of them
};

/// The circle of `rank`, with the grid for it that takes the shortest time.
Circle circle_of(Ends const& ends, int rank, Nodes const& nodes, RanksByNode const& ranks,
                 Index element_bytes);

}  // namespace sixstep::redistribution

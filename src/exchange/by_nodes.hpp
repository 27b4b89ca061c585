// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: what the ranks of a node have for those of another goes in one
// message. Pure: no MPI, no data.
//
// Ranks of a node write into memory that they have in common. What stays on the node is read there;
// what goes to another is collected, message by message, in the segment of the rank that sends it,
// and arrives in that of the rank that receives it, where its readers find it. Messages between
// nodes become fewer by the product of the ranks that the two have.
#pragma once

#include "exchange/redistribution.hpp"

namespace sixstep::exchange {

/// Which ranks share a node, and their segments of its memory.
struct Nodes {
  std::vector<int> node;     // by rank: the lowest rank of its node
  std::vector<int> segment;  // by rank: which segment of the node's memory is its own
};

/// What `rank` writes (send.packed) and reads (receive.packed) in the memory of its node, and the
/// messages that it carries for all its ranks, to and from its own segment, of which send.size
/// elements are needed.
///
/// What a pair of ranks exchanges is packed as dense boxes of memory order `box_order`. Cost:
/// proportional to the number of boxes that overlap on all ranks of the node.
Redistribution by_nodes(Placement const& from, Placement const& to, int rank,
                        Order const& box_order, Nodes const& nodes);

}  // namespace sixstep::exchange

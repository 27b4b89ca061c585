// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: what the ranks of a node have for those of another goes in few
// messages. Pure: no MPI, no data.
//
// What one rank has for another is a parcel. Ranks of a node write into memory that they have in
// common. A parcel that stays on the node is read there; others are collected, message by message,
// in the segments of the ranks that carry them, and arrive in those of the ranks that receive them,
// where their readers find them. On a grid of nodes a parcel may pass a node on its way: it arrives
// there where it leaves again.
#pragma once

#include "redistribution/circle.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::redistribution {

/// What `rank` writes (send.packed) and reads (receive.packed) in the memory of its node, and the
/// messages that it carries for all its ranks, hop by hop, from and to that memory; send.size
/// elements of its own segment are needed.
///
/// What a pair of ranks exchanges is packed as dense boxes of memory order `box_order`. Cost:
/// proportional to the number of boxes that overlap on all ranks of the node, and on those whose
/// parcels pass it, and to the number of ranks of the circle.
Redistribution by_nodes(Ends const& ends, int rank, Order const& box_order, Nodes const& nodes,
                        Index element_bytes);

}  // namespace sixstep::redistribution

// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: the data from the ranks of a node to those of another goes in few
// messages. Pure: no MPI, no data.
//
// A parcel is the data from one rank to another. The ranks of a node write parcels into memory that
// they share. A parcel that stays on the node is read there. The others are collected, message by
// message, in the segments of the ranks that carry them. They arrive in the segments of the ranks
// that receive the messages, where their readers find them. On a grid of nodes a parcel may pass
// through a node: it arrives in the place from which it leaves again.
#pragma once

#include "redistribution/circle.hpp"
#include "redistribution/redistribution.hpp"

namespace sixstep::redistribution {

/// The places where `rank` writes (send.packed) and reads (receive.packed) in the memory of its
/// node, and the messages from and to that memory that it carries for all ranks of the node, hop by
/// hop. Its segment needs send.size elements.
///
/// Parcels are packed as dense boxes of memory order `box_order`. Cost: proportional to the number
/// of boxes that overlap on all ranks of the node and on those whose parcels pass through it, and
/// to the number of ranks of the circle.
RankMessages by_nodes(Ends const& ends, int rank, Order const& box_order, Nodes const& nodes,
                      Index element_bytes);

}  // namespace sixstep::redistribution

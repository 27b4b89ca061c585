// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: who sends which box to whom. Pure: no MPI, no data.
#pragma once

#include <optional>
#include <vector>

#include "exchange/placement.hpp"

namespace sixstep::exchange {

/// What carries an exchange: packed messages from one buffer to another; messages between nodes,
/// each for all ranks of the node, from and to a buffer in memory that the ranks of a node have in
/// common; or that memory alone, if all ranks that exchange have it in common: then nothing moves,
/// and what is left is to wait until all have written.
enum class Medium { messages, by_nodes, in_memory };

/// An exchange of arrays that lie so.
struct Ends {
  Placement from;
  Placement to;
};

/// `count` elements from `offset` of a packed buffer, to or from `rank`.
struct Message {
  int rank = 0;
  Index offset = 0;
  Index count = 0;
};

/// One end of a redistribution on one rank: its messages, ascending by rank and contiguous in a
/// packed buffer of `size` elements, and where the elements of the local array lie in that buffer.
struct Side {
  std::vector<Message> messages;
  Pieces packed;
  Index size = 0;
};

/// What one rank sends and receives to move an array from one placement to another.
struct Redistribution {
  Side send;
  Side receive;
};

/// The redistribution of `rank`, each message packed as dense boxes of memory order `box_order`.
///
/// Only elements inside `region` move: an exchange may go by several regions that together make up
/// the array. Cost: proportional to the number of boxes that overlap.
Redistribution redistribution(Placement const& from, Placement const& to, int rank,
                              Order const& box_order, Box const& region);
/// The same of the whole array.
Redistribution redistribution(Placement const& from, Placement const& to, int rank,
                              Order const& box_order);

/// The boxes in which pieces of `first` and of `second` meet, inside the region if there is one,
/// dense and one behind the other from `offset` on.
Pieces packed(Pieces const& first, Pieces const& second, Order const& order, Index offset,
              std::optional<Box> const& region = {});

/// The ranks of `other` that may share a point with `pieces`, ascending.
std::vector<int> partners(Pieces const& pieces, Placement const& other);

/// Where the elements that `rank` holds by `mine` lie while each rank's segment of the node's
/// memory holds what it has by `resting`. `segment` tells, by rank, which segment of its node is
/// its own. All ranks that meet here share a node.
Pieces pieces_across(Placement const& mine, Placement const& resting, int rank,
                     std::vector<int> const& segment);

/// The ranks that `rank` exchanges with directly or through others, itself included, ascending: the
/// group that a collective needs, the same for all its members.
std::vector<int> group_of(Placement const& from, Placement const& to, int rank);

}  // namespace sixstep::exchange

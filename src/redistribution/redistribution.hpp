// SPDX-License-Identifier: BSD-3-Clause
// Redistributions: who sends which box to whom. Pure: no MPI, no data.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/rows.hpp"
#include "layout/placement.hpp"

namespace sixstep::redistribution {

/// What carries an exchange: packed messages from one buffer to another; messages between nodes,
/// each for all ranks of the node, from and to a buffer in memory that the ranks of a node have in
/// common; or that memory alone, if all ranks that exchange have it in common: then nothing moves,
/// and what is left is to wait until all have written.
enum class Medium { messages, by_nodes, in_memory };

/// A set of windows, a bit each.
using Windows = std::uint64_t;
inline constexpr int most_windows = 64;
constexpr Windows bit(int window) { return Windows{1} << window; }

/// An exchange of arrays that lie so.
struct Ends {
  layout::Placement from;
  layout::Placement to;
};

/// How a rank's part of an array falls into windows: its box is cut along an axis into so many
/// parts, all of one size or one more, or into as many as it has counts there. What is no box is
/// not cut.
struct Cut {
  int axis = -1;  // none: one window
  int windows = 1;

  /// Of a rank that holds these pieces; none if there are none.
  int windows_of(layout::Pieces const& pieces) const;
  /// The part of a box that is in its window number `window`.
  Box part(Box box, int window) const;
};

/// Of an exchange: how what is sent is cut, and what is received.
struct Cuts {
  Cut before;
  Cut behind;
  bool by_sender = false;  // messages lie together by the sender's window, not by the receiver's
};

/// `count` elements from `offset` of a buffer, to or from `rank`: from a window of its sender to a
/// window of its receiver.
struct Message {
  int rank = 0;
  Index offset = 0;
  Index count = 0;
  int before = 0;
  int behind = 0;
  Rows rows = {};     // how they lie there, if not one behind the other
  Windows after = 0;  // windows of an earlier step that must have left the place before it may be
                      // received there
};

/// One end of a redistribution on one rank: its messages and where the elements of the local array
/// lie in their buffer, which has `size` elements. Messages of a packed buffer are contiguous,
/// ascending by the receiver's window, then by rank, then by the sender's window; or the other way
/// round.
struct Side {
  std::vector<Message> messages;
  layout::Pieces packed;
  Index size = 0;
};

/// `count` elements from `offset` of a segment of the node's memory, so many segments on from the
/// rank's own.
struct Block {
  int segment = 0;
  Index offset = 0;
  Index count = 0;
  bool operator==(Block const&) const = default;
};

/// What goes to or comes from `rank` of another node in one message, and where it lies.
struct Bundle {
  int rank = 0;
  std::vector<Block> blocks;

  Index count() const;
};

/// The messages between nodes that one rank carries at a time.
struct HopMessages {
  std::vector<Bundle> sends;
  std::vector<Bundle> receives;
  Index sent_by_node = 0;  // messages that all ranks of its node send
};

/// What one rank sends and receives to move an array from one placement to another.
struct Redistribution {
  Side send;
  Side receive;
  std::vector<HopMessages> hops = {};  // by nodes, in the place of the sides' messages: one hop
                                       // after another
};

/// Which ends of messages are not packed: they are sent from, or received, where they lie in the
/// rank's array. Then both placements are boxes.
struct InArray {
  bool send = false;
  bool receive = false;
  bool operator==(InArray const&) const = default;
};

/// The redistribution of `rank`, each message packed as dense boxes of memory order `box_order`.
/// Cost: proportional to the number of boxes that overlap.
Redistribution redistribution(layout::Placement const& from, layout::Placement const& to, int rank,
                              Order const& box_order, Cuts const& cuts = {},
                              InArray const& in_array = {});

/// The boxes in which pieces of `first` and of `second` meet, dense and one behind the other from
/// `offset` on.
layout::Pieces packed(layout::Pieces const& first, layout::Pieces const& second, Order const& order,
                      Index offset);

/// The ranks of `other` that may share a point with `pieces`, ascending.
std::vector<int> partners(layout::Pieces const& pieces, layout::Placement const& other);

/// No fewer than these, without a list of them where the layout is a product.
Index most_partners(layout::Pieces const& pieces, layout::Placement const& other);

/// How many indices are in both.
Index shared_points(layout::Pieces const& a, layout::Pieces const& b);

/// Where the elements that `rank` holds by `mine` lie while each rank's segment of the node's
/// memory holds what it has by `resting`. `segment` tells, by rank, which segment of its node is
/// its own. All ranks that meet here share a node.
layout::Pieces pieces_across(layout::Placement const& mine, layout::Placement const& resting,
                             int rank, std::vector<int> const& segment);

/// The groups of ranks that exchange with each other, directly or through others. No rank is in
/// two.
class Groups {
 public:
  /// Of an exchange between these, which outlive it.
  Groups(layout::Placement const& from, layout::Placement const& to);

  /// Whether its group was found before.
  bool knows(int rank) const { return seen_[static_cast<std::size_t>(rank)]; }
  /// That of a rank that is in none that was found, ascending. Cost: for each of its ranks, unless
  /// it sends to the same as one before, the number of ranks that it sends to.
  std::vector<int> of(int rank);

 private:
  using Met = std::vector<std::vector<Parts>>;
  struct End {
    layout::Placement const& placement;
    std::optional<Deals> deals;  // of the working axes, if each is dealt out on its own
    std::set<Met> met = {};      // parts of these whose ranks are all seen
  };
  static End end_of(layout::Placement const& placement);
  void add_partners(std::vector<int>& group, layout::Pieces const& pieces, End& other);

  End from_, to_;
  std::vector<bool> seen_;  // by rank
};

/// The ranks that `rank` exchanges with directly or through others, itself included, ascending: the
/// group that a collective needs, the same for all its members.
std::vector<int> group_of(layout::Placement const& from, layout::Placement const& to, int rank);

}  // namespace sixstep::redistribution

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

/// The medium that carries an exchange:
/// - messages: packed messages from one buffer to another;
/// - by_nodes: messages between nodes, each for all ranks of the node, from and to a buffer in
///   memory that the ranks of a node share;
/// - in_memory: that memory alone, if all ranks that exchange share it. Then nothing moves, and
///   ranks only wait until all have written.
enum class Medium { messages, by_nodes, in_memory };

/// A set of windows, a bit each.
using Windows = std::uint64_t;
inline constexpr int most_windows = 64;
constexpr Windows bit(int window) { return Windows{1} << window; }

/// The placements of an array before and after an exchange.
struct Ends {
  layout::Placement from;
  layout::Placement to;
};

/// How a rank's part of an array is cut into windows: its box is cut along `axis` into `windows`
/// parts, whose sizes differ by at most one, or into as many as it has counts there. A part that is
/// not one box is not cut.
struct Cut {
  int axis = -1;  // none: one window
  int windows = 1;

  /// The number of windows of a rank that holds these pieces; 0 if there are none.
  int windows_of(layout::Pieces const& pieces) const;
  /// The part of a box that is in its window number `window`.
  Box part(Box box, int window) const;
};

/// The order of messages in a packed buffer: by these, the first one slowest.
enum class Sorted {
  by_receiver,  // receiver's window, rank, sender's window
  by_sender,    // sender's window, rank, receiver's window
  by_rank       // rank, sender's window, receiver's window
};

/// How the sent and the received part of an array are cut in an exchange.
struct Cuts {
  Cut before;
  Cut behind;
  Sorted sorted = Sorted::by_receiver;
};

/// `count` elements from `offset` of a buffer, to or from `rank`: from window `before` of its
/// sender to window `behind` of its receiver.
struct Message {
  int rank = 0;
  Index offset = 0;
  Index count = 0;
  int before = 0;
  int behind = 0;
  Rows rows = {};     // how they lie there; empty: one behind the other
  Windows after = 0;  // windows of an earlier step that must have left the place before it may be
                      // received there
};

/// One end of a redistribution on one rank: its messages and where the elements of the local array
/// lie in their buffer, which has `size` elements. Messages of a packed buffer are contiguous and
/// ascend as Cuts::sorted says.
struct Side {
  std::vector<Message> messages;
  layout::Pieces packed;
  Index size = 0;
};

/// `count` elements from `offset` of a segment of the node's memory; the rank's own segment is
/// number 0.
struct Block {
  int segment = 0;
  Index offset = 0;
  Index count = 0;
  bool operator==(Block const&) const = default;
};

/// A message to or from `rank` of another node, and where its parts lie.
struct Bundle {
  int rank = 0;
  std::vector<Block> blocks;

  Index count() const;
};

/// The messages between nodes that one rank carries in one hop.
struct HopMessages {
  std::vector<Bundle> sends;
  std::vector<Bundle> receives;
  Index sent_by_node = 0;  // messages that all ranks of its node send
};

/// The messages that one rank sends and receives to move an array from one placement to another.
struct RankMessages {
  Side send;
  Side receive;
  std::vector<HopMessages> hops = {};  // by nodes, instead of the sides' messages: one hop
                                       // after another
};

/// The ends of messages that are not packed, but sent from or received in the rank's array. Then
/// both placements must be boxes.
struct InArray {
  bool send = false;
  bool receive = false;
  bool operator==(InArray const&) const = default;
};

/// The redistribution of `rank`, each message packed as dense boxes of memory order `box_order`.
/// Cost: proportional to the number of boxes that overlap.
RankMessages rank_messages(layout::Placement const& from, layout::Placement const& to, int rank,
                           Order const& box_order, Cuts const& cuts = {},
                           InArray const& in_array = {});

/// The boxes in which pieces of `first` and of `second` meet, dense and one behind the other from
/// `offset` on.
layout::Pieces packed(layout::Pieces const& first, layout::Pieces const& second, Order const& order,
                      Index offset);

/// The ranks of `other` that may share a point with `pieces`, ascending.
std::vector<int> partners(layout::Pieces const& pieces, layout::Placement const& other);

/// An upper bound of the number of partners(), without a list of them if the layout is a product.
Index most_partners(layout::Pieces const& pieces, layout::Placement const& other);

/// The number of indices that are in both.
Index shared_points(layout::Pieces const& a, layout::Pieces const& b);

/// The places of the elements that `rank` holds in placement `mine`, while each rank's segment of
/// the node's memory holds its part of placement `resting`. `segment` has the number of each rank's
/// segment on its node. All ranks whose parts meet share a node.
layout::Pieces pieces_across(layout::Placement const& mine, layout::Placement const& resting,
                             int rank, std::vector<int> const& segment);

/// The groups of ranks that exchange with each other, directly or through others. No rank is in
/// two.
class Groups {
 public:
  /// Takes the ends of an exchange, which outlive the groups.
  Groups(layout::Placement const& from, layout::Placement const& to);

  /// Whether the group of `rank` was found before.
  bool knows(int rank) const { return seen_[static_cast<std::size_t>(rank)]; }
  /// The group of a rank whose group was not found before, ascending. Cost: for each rank of the
  /// group, unless it sends to the same ranks as one before, the number of ranks that it sends to.
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

// SPDX-License-Identifier: BSD-3-Clause
// Redistributions among nodes: all ranks in one process, every element its working number; messages
// counted.
#include "redistribution/by_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "decision/media.hpp"
#include "oracles/fourier.hpp"
#include "schedule/search.hpp"
#include "views.hpp"

namespace sixstep::redistribution {
namespace {

using cases::Random;
using oracle::at;

constexpr Index nothing = -1;
constexpr Index element_bytes = 16;

/// Latency alone costs; bytes alone do; a message of so many bytes costs as much for both.
constexpr Network latency_only{1, 1e30}, bytes_only{0, 1}, balanced_at_64{1, 64};

/// So many ranks in each node but for the last; segments are numbered from the last rank on.
Nodes nodes_of(int ranks, int ranks_per_node, Network const& network) {
  Nodes nodes;
  nodes.network = network;
  for (int rank = 0; rank < ranks; ++rank) {
    int const first = rank / ranks_per_node * ranks_per_node;
    nodes.node.push_back(first);
    nodes.segment.push_back(std::min(first + ranks_per_node, ranks) - 1 - rank);
  }
  return nodes;
}

/// Ranks dealt out to so many nodes in turn.
Nodes dealt_out(int ranks, int nodes, Network const& network) {
  Nodes made;
  made.network = network;
  for (int rank = 0; rank < ranks; ++rank) {
    made.node.push_back(rank % nodes);
    made.segment.push_back(rank / nodes);
  }
  return made;
}

/// The memory of all nodes, and what all ranks do in it.
class Machine {
 public:
  Machine(Ends const& ends, Nodes const& nodes, Order const& order) : ends_(ends), nodes_(nodes) {
    int const ranks = ends.from.layout.ranks();
    for (int rank = 0; rank < ranks; ++rank) {
      moves_.push_back(by_nodes(ends, rank, order, nodes, element_bytes));
      segments_.emplace_back(at(moves_.back().send.size), nothing);
      owners_[{nodes.node[at(rank)], nodes.segment[at(rank)]}] = rank;
    }
  }

  std::vector<RankMessages> const& moves() const { return moves_; }

  void write() {
    for (int rank = 0; rank < ranks(); ++rank) {
      std::map<Index, Index> const held = views::offsets(ends_.from, rank);
      std::size_t written = 0;
      for (auto const& [number, place] : places(rank, moves_[at(rank)].send.packed)) {
        EXPECT_TRUE(held.count(number)) << "rank " << rank << " sends what it does not hold";
        ASSERT_NE(place, nullptr) << "outside of its segment";
        EXPECT_EQ(*place, nothing) << "two elements are written to one place";
        *place = number;
        ++written;
      }
      EXPECT_EQ(written, held.size());
    }
  }

  /// All messages of a hop leave, then arrive.
  void carry(std::size_t hop) {
    std::map<std::pair<int, int>, std::vector<std::vector<Index>>> mail;
    for (int rank = 0; rank < ranks(); ++rank)
      for (Bundle const& bundle : sends(rank, hop)) {
        EXPECT_NE(nodes_.node[at(bundle.rank)], nodes_.node[at(rank)]) << "a message in a node";
        EXPECT_EQ(bundle.blocks.size(), 1u) << "what leaves lies in pieces";
        std::vector<Index>& letter = mail[{rank, bundle.rank}].emplace_back();
        each_place(rank, bundle, [&](Index& place) {
          EXPECT_NE(place, nothing) << "sends what was never written";
          letter.push_back(place);
        });
      }
    for (int rank = 0; rank < ranks(); ++rank)
      for (Bundle const& bundle : receives(rank, hop)) {
        auto& letters = mail[{bundle.rank, rank}];
        ASSERT_FALSE(letters.empty()) << "a message that nobody sends";
        ASSERT_EQ(static_cast<Index>(letters.front().size()), bundle.count());
        auto next = letters.front().begin();
        each_place(rank, bundle, [&](Index& place) {
          EXPECT_EQ(place, nothing) << "something lay there";
          place = *next++;
        });
        letters.erase(letters.begin());
      }
    for (auto const& [ends, letters] : mail) EXPECT_TRUE(letters.empty()) << "nobody receives it";
  }

  void expect_all_arrived() {
    for (int rank = 0; rank < ranks(); ++rank) {
      std::map<Index, Index> const wanted = views::offsets(ends_.to, rank);
      std::size_t read = 0;
      for (auto const& [number, place] : places(rank, moves_[at(rank)].receive.packed)) {
        EXPECT_TRUE(wanted.count(number));
        ASSERT_NE(place, nullptr) << "outside of its segment";
        ASSERT_EQ(*place, number) << "rank " << rank << " takes one element for another";
        ++read;
      }
      EXPECT_EQ(read, wanted.size());
    }
  }

  /// What a node says that it sends is what its ranks do.
  void expect_counted() const {
    for (auto const& [node, ranks] : ranks_by_node(nodes_))
      for (std::size_t hop = 0; hop < moves_[at(node)].hops.size(); ++hop) {
        Index sent = 0;
        for (int rank : ranks) sent += static_cast<Index>(sends(rank, hop).size());
        for (int rank : ranks) EXPECT_EQ(moves_[at(rank)].hops[hop].sent_by_node, sent);
      }
  }

  /// Nothing of a segment is left over.
  void expect_full() const {
    for (auto const& segment : segments_)
      EXPECT_EQ(std::count(segment.begin(), segment.end(), nothing), 0);
  }

  std::size_t hops() const {
    std::size_t most = 0;
    for (RankMessages const& moves : moves_) most = std::max(most, moves.hops.size());
    return most;
  }

 private:
  int ranks() const { return static_cast<int>(moves_.size()); }
  std::vector<Bundle> sends(int rank, std::size_t hop) const {
    auto const& hops = moves_[at(rank)].hops;
    return hop < hops.size() ? hops[hop].sends : std::vector<Bundle>{};
  }
  std::vector<Bundle> receives(int rank, std::size_t hop) const {
    auto const& hops = moves_[at(rank)].hops;
    return hop < hops.size() ? hops[hop].receives : std::vector<Bundle>{};
  }

  std::vector<Index>* segment(int rank, int distance) {
    auto const owner = owners_.find({nodes_.node[at(rank)], nodes_.segment[at(rank)] + distance});
    return owner == owners_.end() ? nullptr : &segments_[at(owner->second)];
  }

  std::map<Index, Index*> places(int rank, layout::Pieces const& packed) {
    std::map<Index, Index*> found;
    for (layout::Piece const& piece : packed) {
      std::vector<Index>* const memory = segment(rank, piece.segment);
      bool twice = false;
      for (auto const& [number, offset] : views::offsets(ends_.from.view.shape, {piece}, twice)) {
        bool const inside = memory && offset >= 0 && offset < static_cast<Index>(memory->size());
        EXPECT_TRUE(found.emplace(number, inside ? &(*memory)[at(offset)] : nullptr).second);
      }
    }
    return found;
  }

  template <class Visit>
  void each_place(int rank, Bundle const& bundle, Visit const& visit) {
    for (Block const& block : bundle.blocks) {
      std::vector<Index>* const memory = segment(rank, block.segment);
      ASSERT_NE(memory, nullptr);
      ASSERT_LE(block.offset + block.count, static_cast<Index>(memory->size()));
      for (Index i = 0; i < block.count; ++i) visit((*memory)[at(block.offset + i)]);
    }
  }

  Ends const& ends_;
  Nodes const& nodes_;
  std::vector<RankMessages> moves_;
  std::vector<std::vector<Index>> segments_;
  std::map<std::pair<int, int>, int> owners_;
};

/// How many hops it takes.
std::size_t expect_delivery(Ends const& ends, Nodes const& nodes, Order const& order) {
  Machine machine(ends, nodes, order);
  machine.write();
  for (std::size_t hop = 0; hop < machine.hops(); ++hop) machine.carry(hop);
  machine.expect_all_arrived();
  machine.expect_full();
  machine.expect_counted();
  return machine.hops();
}

TEST(by_nodes, brings_every_element_to_its_place) {
  Random random(1);
  std::map<std::size_t, int> times;
  for (int round = 0; round < 600 && !testing::Test::HasFailure(); ++round) {
    int const ranks = random.between(1, 14);
    views::Pair const pair = views::random_views(random, random.between(1, 3), 200);
    Ends const ends{{cases::random_layout(random, pair.shape, ranks),
                     random.once_in(2) ? pair.first : pair.second},
                    {cases::random_layout(random, pair.shape, ranks),
                     random.once_in(2) ? pair.first : pair.second}};
    Network const network =
        std::vector{latency_only, bytes_only, balanced_at_64}[at(random.between(0, 2))];
    int const some = random.between(1, ranks);
    Nodes const nodes = random.once_in(2) ? nodes_of(ranks, random.once_in(2) ? 1 : some, network)
                                          : dealt_out(ranks, some, network);
    SCOPED_TRACE(testing::Message() << "round " << round << ": from " << views::describe(ends.from)
                                    << "\nto " << views::describe(ends.to));
    ++times[expect_delivery(ends, nodes, cases::random_order(random, pair.first.shape.size()))];
  }
  for (std::size_t hops : {0u, 1u, 2u}) EXPECT_GT(times[hops], 50) << hops << " hops";
}

TEST(by_nodes, in_two_hops_with_parts_brings_every_element_to_its_place) {
  // 25 nodes of 8 ranks, and 23 of them in a grid with holes: 5 x 5, and two messages for each pair
  // of nodes.
  for (int ranks : {200, 184}) {
    Ends const ends{layout::place(Layout::slab({400, 200}, ranks)),
                    layout::place(Layout::slab({400, 200}, ranks, 1))};
    double const pair_bytes = 400.0 * 200 * element_bytes / (ranks / 8.0) / (ranks / 8.0);
    Nodes const nodes = nodes_of(ranks, 8, {1, pair_bytes / 0.45});
    Circle const circle = circle_of(ends, 0, nodes, ranks_by_node(nodes), element_bytes);
    ASSERT_EQ(circle.grid.columns(), 5);
    ASSERT_EQ(circle.grid.rows(), 5);
    EXPECT_EQ(expect_delivery(ends, nodes, {0, 1}), 2u);
  }
}

// Messages between nodes.

/// Of all nodes, in all hops.
Index messages_by_nodes(Ends const& ends, Nodes const& nodes) {
  Index count = 0;
  for (auto const& [node, ranks] : ranks_by_node(nodes))
    for (HopMessages const& hop : by_nodes(ends, node, {0, 1, 2}, nodes, element_bytes).hops)
      count += hop.sent_by_node;
  return count;
}

Index plain_messages(Ends const& ends, Nodes const& nodes) {
  Index count = 0;
  for (int rank = 0; rank < ends.from.layout.ranks(); ++rank)
    for (Message const& message : rank_messages(ends.from, ends.to, rank, {0, 1, 2}).send.messages)
      if (nodes.node[at(message.rank)] != nodes.node[at(rank)]) ++count;
  return count;
}

TEST(messages, between_two_nodes_are_one_each_way) {
  for (int n : {1, 2, 4}) {
    Layout const slab = Layout::slab({8, 8, 4}, 2 * n), other = Layout::slab({8, 8, 4}, 2 * n, 1);
    Nodes const nodes = nodes_of(2 * n, n, latency_only);
    EXPECT_EQ(messages_by_nodes({layout::place(slab), layout::place(other)}, nodes), 2);
  }
}

TEST(messages, are_cut_for_the_ranks_that_a_node_has) {
  // Two nodes of 8 ranks have 8 * 8 parcels each for the other: with 64 bytes a message, all carry.
  Ends const ends{layout::place(Layout::slab({16, 16, 4}, 16)),
                  layout::place(Layout::slab({16, 16, 4}, 16, 1))};
  EXPECT_EQ(messages_by_nodes(ends, nodes_of(16, 8, balanced_at_64)), 2 * 8);
  // 3 nodes of 4: one carrier for each of the other two would leave two idle.
  Ends const three{layout::place(Layout::slab({12, 12, 4}, 12)),
                   layout::place(Layout::slab({12, 12, 4}, 12, 1))};
  EXPECT_EQ(messages_by_nodes(three, nodes_of(12, 4, balanced_at_64)), 3 * 2 * 2);
}

TEST(messages, cut_leave_no_segment_much_larger_than_another) {
  Ends const ends{layout::place(Layout::slab({16, 16, 4}, 16)),
                  layout::place(Layout::slab({16, 16, 4}, 16, 1))};
  for (int rank = 0; rank < 16; ++rank) {
    // Half of the array stays on the node, half leaves, and as much comes.
    Index const part = 16 * 16 * 4 / 16;
    EXPECT_EQ(by_nodes(ends, rank, {0, 1, 2}, nodes_of(16, 8, balanced_at_64), 16).send.size,
              part / 2 + part / 2 + part / 2);
  }
}

TEST(messages, over_a_grid_are_rows_and_columns_minus_one_a_node) {
  for (int n : {1, 2}) {
    for (auto const& [nodes, per_node] : {std::pair{4, 2}, {9, 4}, {16, 6}, {12, 5}}) {
      int const ranks = nodes * n;
      Layout const slab = Layout::slab({ranks, ranks, 2}, ranks);
      Ends const ends{layout::place(slab),
                      layout::place(Layout::slab({ranks, ranks, 2}, ranks, 1))};
      Nodes const where = nodes_of(ranks, n, latency_only);
      EXPECT_EQ(messages_by_nodes(ends, where), nodes * per_node) << nodes;
      EXPECT_EQ(plain_messages(ends, where), n * n * nodes * (nodes - 1));
    }
  }
}

TEST(messages, over_a_grid_with_holes_are_no_more_than_its_rows_and_columns) {
  for (int nodes : {5, 7, 11, 13}) {
    Layout const slab = Layout::slab({nodes, nodes, 2}, nodes);
    Ends const ends{layout::place(slab), layout::place(Layout::slab({nodes, nodes, 2}, nodes, 1))};
    Nodes const where = nodes_of(nodes, 1, latency_only);
    NodeGrid const grid = circle_of(ends, 0, where, ranks_by_node(where), element_bytes).grid;
    Index const most = grid.rows() - 1 + grid.columns() - 1;
    EXPECT_LT(most, nodes - 1);
    EXPECT_LE(messages_by_nodes(ends, where), nodes * most);
  }
}

TEST(messages, of_pencils_on_64_nodes_of_16_ranks_are_a_16th_of_plain_ones_at_most) {
  Layout const pencil = Layout::grid({256, 256, 256}, {32, 32, 1});
  std::vector<Ends> const exchanges =
      schedule::schedule({.input = pencil, .output = pencil}).ends();
  ASSERT_EQ(exchanges.size(), 3u);
  Nodes const nodes = nodes_of(1024, 16, Network{});
  Index plain = 0, fewer = 0;
  for (Ends const& ends : exchanges) {
    Circle const circle = circle_of(ends, 0, nodes, ranks_by_node(nodes), element_bytes);
    Index expected_plain = 0, expected = 0;
    if (circle.nodes.size() == 2) {
      // Among the ranks of a row of the grid: 16 of them here, 16 on the next node.
      expected_plain = 64 * 16 * 16;
      expected = 64 * 1;
    } else if (circle.nodes.size() == 32) {
      // Of a column: 16 columns are on the same 32 nodes.
      expected_plain = 64 * 16 * 31;
      expected = 64 * 31;
    } else {
      // Home again: rank (i, j) has block i of the second axis, which ranks (., i) get. The nodes
      // (i, i / 16) are among those that theirs go to.
      expected_plain = 64 * 16 * 32 - 32 * 16;
      expected = 64 * 32 - 32;
    }
    EXPECT_EQ(plain_messages(ends, nodes), expected_plain) << circle.nodes.size() << " nodes";
    Index const messages = messages_by_nodes(ends, nodes);
    // Between two nodes all ranks carry: parts of 16 * 128 KiB / 10 KB, but no more than ranks.
    EXPECT_EQ(messages, circle.nodes.size() == 2 ? expected * 16 : expected);
    plain += expected_plain;
    fewer += messages;
  }
  EXPECT_LE(16 * fewer, plain) << fewer << " and " << plain;
}

// Media.

/// The media of one exchange.
decision::Media media_of(Ends const& ends, Nodes const& nodes) {
  return decision::used_media(decision::suitable_media({ends}, 8, nodes, {}), nodes);
}

TEST(messages, of_groups_inside_of_nodes_are_none) {
  Ends const ends{layout::place(Layout::grid({16, 16, 16}, {4, 4, 1})),
                  layout::place(Layout::grid({16, 16, 16}, {4, 1, 4}))};
  Nodes const nodes = nodes_of(16, 4, Network{});
  EXPECT_EQ(messages_by_nodes(ends, nodes), 0);
  EXPECT_EQ(media_of(ends, nodes), std::vector{Medium::in_memory});
}

TEST(media, of_nodes_of_one_rank_are_messages_unless_two_hops_pay) {
  auto const media = [](Index rows, int ranks) {
    Ends const ends{layout::place(Layout::slab({rows, 64}, ranks)),
                    layout::place(Layout::slab({rows, 64}, ranks, 1))};
    return media_of(ends, nodes_of(ranks, 1, Network{}));
  };
  EXPECT_EQ(media(64, 64), std::vector{Medium::by_nodes});  // 16 bytes a message
  EXPECT_EQ(media(1 << 16, 64), std::vector<Medium>{});     // 16 KiB
  EXPECT_EQ(media(4, 2), std::vector<Medium>{});            // a single message
}

TEST(media, of_large_messages_are_messages) {
  Ends const ends{layout::place(Layout::slab({1 << 10, 1 << 10}, 4)),
                  layout::place(Layout::slab({1 << 10, 1 << 10}, 4, 1))};
  EXPECT_EQ(media_of(ends, nodes_of(4, 2, Network{})), std::vector<Medium>{});
}

}  // namespace
}  // namespace sixstep::redistribution

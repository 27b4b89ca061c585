// SPDX-License-Identifier: BSD-3-Clause
// Grids of nodes: routes followed hop by hop, messages and prices by their formulas.
#include "redistribution/node_grid.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace sixstep::redistribution {
namespace {

/// Of each node: whom it sends to in a hop, and who sends to it.
struct Partners {
  std::map<int, std::set<int>> receivers, senders;

  Partners(NodeGrid const& grid, Hop hop) {
    for (int from = 0; from < grid.nodes(); ++from)
      for (int to = 0; to < grid.nodes(); ++to) {
        int const via = grid.via(from, to);
        auto const [sender, receiver] =
            hop == Hop::along_row ? std::pair{from, via} : std::pair{via, to};
        if (sender == receiver) continue;
        receivers[sender].insert(receiver);
        senders[receiver].insert(sender);
      }
  }
};

TEST(node_grid, sends_rows_minus_one_and_columns_minus_one_messages_a_node) {
  for (auto const& [rows, columns] : {std::pair{1, 1}, {1, 7}, {7, 1}, {2, 2}, {8, 8}, {5, 3}}) {
    NodeGrid const grid(rows * columns, columns);
    Partners const row(grid, Hop::along_row), column(grid, Hop::along_column);
    for (int node = 0; node < grid.nodes(); ++node) {
      auto const count = [&](auto const& partners) {
        return partners.count(node) > 0 ? static_cast<int>(partners.at(node).size()) : 0;
      };
      EXPECT_EQ(count(row.receivers), columns - 1);
      EXPECT_EQ(count(row.senders), columns - 1);
      EXPECT_EQ(count(column.receivers), rows - 1);
      EXPECT_EQ(count(column.senders), rows - 1);
    }
  }
}

TEST(node_grid, with_holes_sends_no_more) {
  for (int nodes = 2; nodes <= 67; ++nodes) {
    for (int columns = 1; columns <= nodes; ++columns) {
      NodeGrid const grid(nodes, columns);
      EXPECT_GE(grid.rows() * columns, nodes);
      EXPECT_LT((grid.rows() - 1) * columns, nodes);
      for (Hop hop : {Hop::along_row, Hop::along_column}) {
        Partners const partners(grid, hop);
        for (auto const& [node, receivers] : partners.receivers)
          EXPECT_LE(static_cast<int>(receivers.size()), grid.peers(hop));
        // A hole's senders come to at most twice as many.
        for (auto const& [node, senders] : partners.senders)
          EXPECT_LE(static_cast<int>(senders.size()),
                    hop == Hop::along_row ? 2 * columns : grid.peers(hop));
      }
    }
  }
}

TEST(node_grid, leads_through_the_receivers_column) {
  for (int nodes : {1, 2, 7, 12, 13, 64}) {
    for (int columns = 1; columns <= nodes; ++columns) {
      NodeGrid const grid(nodes, columns);
      for (int from = 0; from < nodes; ++from)
        for (int to = 0; to < nodes; ++to) {
          int const via = grid.via(from, to);
          ASSERT_GE(via, 0);
          ASSERT_LT(via, nodes);
          EXPECT_EQ(via % columns, to % columns);
          if (from % columns == to % columns) {
            EXPECT_EQ(via, from);
          }
          if (columns == 1) {
            EXPECT_EQ(via, from) << "a single hop";
          }
          if (columns == nodes) {
            EXPECT_EQ(via, to) << "a single hop";
          }
        }
    }
  }
}

TEST(node_grid, numbers_the_peers_of_a_node_from_0) {
  NodeGrid const grid(12, 4);
  for (int node = 0; node < 12; ++node) {
    std::set<int> row, column;
    for (int other = 0; other < 12; ++other) {
      if (other == node) continue;
      if (other / 4 == node / 4) row.insert(grid.number(Hop::along_row, node, other));
      if (other % 4 == node % 4) column.insert(grid.number(Hop::along_column, node, other));
    }
    EXPECT_EQ(row, (std::set<int>{0, 1, 2}));
    EXPECT_EQ(column, (std::set<int>{0, 1}));
  }
}

TEST(cut, uses_idle_ranks_for_parts_that_are_large_enough) {
  Network const network{1e-5, 1e9};  // 10 KB take as long for their latency as for their bytes
  EXPECT_EQ(cut(1e6, 1, 1, network), 1);
  EXPECT_EQ(cut(1e6, 16, 1, network), 16);
  EXPECT_EQ(cut(1e6, 16, 15, network), 1);
  EXPECT_EQ(cut(1e6, 16, 63, network), 1);
  EXPECT_EQ(cut(1e6, 16, 5, network), 3);
  EXPECT_EQ(cut(9e3, 16, 1, network), 1);
  EXPECT_EQ(cut(45e3, 16, 1, network), 4);
}

/// All nodes have so many bytes for each other.
NodeTraffic all_to_all(int nodes, int ranks, double bytes) {
  return {nodes, ranks, nodes - 1, nodes * bytes};
}

TEST(price, of_a_single_rank_a_node_is_that_of_its_messages) {
  Network const network{1e-5, 1e9};
  NodeTraffic const traffic = all_to_all(64, 1, 1000);
  // 63 messages of 1000 bytes, or 7 and 7 of 8000.
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 1), traffic, network), 63 * (1e-5 + 1e-6));
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 8), traffic, network), 14 * (1e-5 + 8e-6));
}

TEST(price, of_several_ranks_is_that_of_what_one_carries_in_turn) {
  Network const network{1e-5, 1e9};
  NodeTraffic const traffic = all_to_all(64, 16, 1e3), more = all_to_all(64, 16, 1e4);
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 1), traffic, network), 4 * (1e-5 + 1e-6));
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 8), traffic, network), 2 * (1e-5 + 8e-6));
  // Two carriers for each of seven, half of 80000 bytes each.
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 8), more, network), 2 * (1e-5 + 4e-5));
}

TEST(price, of_neighbours_alone_is_that_of_the_messages_there_are) {
  NodeTraffic const traffic{64, 1, 2, 3000};
  EXPECT_DOUBLE_EQ(seconds_of(NodeGrid(64, 1), traffic, {1e-5, 1e9}), 2 * (1e-5 + 1e-6));
  EXPECT_EQ(choose_grid(traffic, {1e-5, 1e9}).columns(), 1);
}

TEST(choose_grid, is_square_for_small_messages_and_plain_for_large_ones) {
  auto const columns = [](int nodes, int ranks, double bytes) {
    return choose_grid(all_to_all(nodes, ranks, bytes), {1e-5, 1e9}).columns();
  };
  EXPECT_EQ(columns(64, 1, 16), 8);
  EXPECT_EQ(columns(4096, 16, 16), 64);
  EXPECT_EQ(columns(64, 1, 1e5), 1);
  EXPECT_EQ(columns(4096, 16, 1e6), 1);
  for (int nodes : {1, 2, 3}) EXPECT_EQ(columns(nodes, 1, 16), 1);
}

TEST(choose_grid, leaves_holes_where_the_number_of_nodes_is_a_prime) {
  NodeGrid const grid = choose_grid(all_to_all(61, 1, 16), {1e-5, 1e9});
  EXPECT_EQ(grid.rows() - 1 + grid.columns() - 1, 14) << "instead of 60";
}

}  // namespace
}  // namespace sixstep::redistribution

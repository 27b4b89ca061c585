// SPDX-License-Identifier: BSD-3-Clause
// Circles: leads from ranks to those that they exchange with, and to all others on their nodes.
#include "redistribution/circle.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::redistribution {

RanksByNode ranks_by_node(Nodes const& nodes) {
  RanksByNode ranks;
  for (std::size_t rank = 0; rank < nodes.node.size(); ++rank)
    ranks[nodes.node[rank]].push_back(static_cast<int>(rank));
  return ranks;
}

namespace {

/// The number of other nodes to which the ranks of `node` send.
int receivers(Ends const& ends, int node, std::vector<int> const& ranks, Nodes const& nodes) {
  std::vector<bool> known(nodes.node.size(), false);  // by the lowest rank
  known[static_cast<std::size_t>(node)] = true;
  int count = 0;
  for (int rank : ranks) {
    layout::Pieces const held = ends.from.pieces(rank);
    for (int receiver : partners(held, ends.to)) {
      auto const place = static_cast<std::size_t>(nodes.of(receiver));
      if (known[place] || shared_points(held, ends.to.pieces(receiver)) == 0) continue;
      known[place] = true;
      ++count;
    }
  }
  return count;
}

}  // namespace

Circle circle_of(Ends const& ends, int rank, Nodes const& nodes, RanksByNode const& ranks,
                 Index element_bytes) {
  Groups groups(ends.from, ends.to);
  std::vector<int> found{nodes.of(rank)};
  std::vector<bool> known(nodes.node.size(), false);  // by the lowest rank
  known[static_cast<std::size_t>(nodes.of(rank))] = true;
  std::size_t fewest = nodes.node.size(), most = 0;
  Index points = 0;
  for (std::size_t next = 0; next < found.size(); ++next) {
    std::vector<int> const& here = ranks.at(found[next]);
    fewest = std::min(fewest, here.size());
    most = std::max(most, here.size());
    for (int of : here) {
      points += ends.from.layout.local_size(of);
      if (groups.knows(of)) continue;
      for (int member : groups.of(of)) {
        auto const place = static_cast<std::size_t>(nodes.of(member));
        if (!known[place]) found.push_back(nodes.of(member));
        known[place] = true;
      }
    }
  }
  std::sort(found.begin(), found.end());
  // All nodes must find the same grid, so the one in the middle stands for all.
  int const middle = found[found.size() / 2];
  NodeTraffic const traffic{
      static_cast<int>(found.size()), static_cast<int>(fewest),
      receivers(ends, middle, ranks.at(middle), nodes),
      static_cast<double>(points * element_bytes) / static_cast<double>(found.size())};
  return {std::move(found), choose_grid(traffic, nodes.network), static_cast<int>(most)};
}

}  // namespace sixstep::redistribution

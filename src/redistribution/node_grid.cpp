// SPDX-License-Identifier: BSD-3-Clause
// Grids of nodes: routes, and the price that decides how many columns there are.
#include "redistribution/node_grid.hpp"

#include <algorithm>
#include <utility>

namespace sixstep::redistribution {

int NodeGrid::via(int from, int to) const {
  int const straight = row(from) * columns_ + column(to);
  if (straight < nodes_) return straight;
  // A hole. The senders of the last row are dealt out to the rows above, which are complete.
  return column(from) % (rows() - 1) * columns_ + column(to);
}

int NodeGrid::number(Hop hop, int node, int other) const {
  if (hop == Hop::along_row) return (column(other) - column(node) + columns_) % columns_ - 1;
  return (row(other) - row(node) + rows()) % rows() - 1;
}

int cut(double bytes, int ranks, int peers, Network const& network) {
  double const fewest_bytes = network.latency_s * network.bytes_per_s;
  int const spare = std::max(1, ranks / peers);
  return bytes < spare * fewest_bytes ? std::max(1, static_cast<int>(bytes / fewest_bytes)) : spare;
}

double seconds_of(NodeGrid const& grid, NodeTraffic const& traffic, Network const& network) {
  auto const hop_seconds = [&](Hop hop) {
    int const peers = std::min(grid.peers(hop), traffic.peers);
    if (peers == 0) return 0.0;
    double const bytes = traffic.bytes / (peers + 1);
    int const parts = cut(bytes, traffic.ranks, grid.peers(hop), network);
    int const in_turn = (peers * parts + traffic.ranks - 1) / traffic.ranks;
    return in_turn * network.seconds(bytes / parts);
  };
  return hop_seconds(Hop::along_row) + hop_seconds(Hop::along_column);
}

NodeGrid choose_grid(NodeTraffic const& traffic, Network const& network) {
  NodeGrid best(traffic.nodes, 1);
  auto const cost = [&](NodeGrid const& grid) {
    int const messages = grid.peers(Hop::along_row) + grid.peers(Hop::along_column);
    return std::pair(seconds_of(grid, traffic, network), messages);
  };
  // Try no more columns than rows, since a transposed grid costs the same.
  for (int columns = 2; columns <= NodeGrid(traffic.nodes, columns).rows(); ++columns) {
    NodeGrid const grid(traffic.nodes, columns);
    if (cost(grid) < cost(best)) best = grid;
  }
  return best;
}

}  // namespace sixstep::redistribution

// SPDX-License-Identifier: BSD-3-Clause
// Grids of nodes: how the data of a node for all others travels in few messages. Pure: no MPI, no
// data.
//
// The nodes that exchange stand in a virtual grid, row by row. Data first goes along the sender's
// row, to the receiver's column, then along that column. A node sends rows - 1 and columns - 1
// messages instead of rows columns - 1, and almost twice the bytes. If there is a single column,
// all data goes straight. Knows nothing about ranks and parcels.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::redistribution {

/// The cost of messages between nodes: a rank that carries several in turn takes latency_s + bytes
/// / bytes_per_s for each. The defaults are those with which Takahashi compares 1-D and 2-D
/// decompositions (volumetric parallel 3-D FFT, equation 7), L = 1e-5 s and W = 1e9 bytes/s.
struct Network {
  double latency_s = 1e-5;
  double bytes_per_s = 1e9;

  double seconds(double bytes) const { return latency_s + bytes / bytes_per_s; }
};

/// A step of a route: first along the sender's row, then along the receiver's column.
enum class Hop { along_row, along_column };

/// A virtual grid of `nodes`, numbered row by row; the last row may have holes at its end.
class NodeGrid {
 public:
  /// `columns` is from 1 to `nodes`.
  NodeGrid(int nodes, int columns) : nodes_(nodes), columns_(columns) {}

  int nodes() const { return nodes_; }
  int columns() const { return columns_; }
  int rows() const { return (nodes_ + columns_ - 1) / columns_; }

  /// The node in the receiver's column through which `from` sends to `to`. It is in the sender's
  /// row, unless that has a hole there: then the senders of that row are dealt out to the rows
  /// above. It may be `from` or `to` itself.
  int via(int from, int to) const;
  /// The most other nodes that a node sends to in this hop.
  int peers(Hop hop) const { return (hop == Hop::along_row ? columns_ : rows()) - 1; }
  /// The number of `other` among the peers of `node` in a hop, by its distance in the grid.
  int number(Hop hop, int node, int other) const;

 private:
  int row(int node) const { return node / columns_; }
  int column(int node) const { return node % columns_; }

  int nodes_;
  int columns_;
};

/// The number of messages, each carried by a different rank, into which a node cuts `bytes` for
/// another node: `ranks` / `peers`, but no message shall have so few bytes that its latency takes
/// longer than its bytes. At least 1.
int cut(double bytes, int ranks, int peers, Network const& network);

/// The traffic of the nodes of an exchange.
struct NodeTraffic {
  int nodes;
  int ranks;     // of a node, that carry messages side by side
  int peers;     // other nodes that a node sends to
  double bytes;  // from a node to all of them and itself
};

/// The time that the messages of both hops take.
double seconds_of(NodeGrid const& grid, NodeTraffic const& traffic, Network const& network);

/// The grid that takes the shortest time; among equals, the one with the fewest messages.
NodeGrid choose_grid(NodeTraffic const& traffic, Network const& network);

}  // namespace sixstep::redistribution

// SPDX-License-Identifier: BSD-3-Clause
// Grids of nodes: how what a node has for all others travels in few messages. Pure: no MPI, no
// data.
//
// The nodes that exchange stand in a virtual grid, row by row. What goes from one to another first
// goes along the sender's row, to the receiver's column, then along that column: rows - 1 and
// columns - 1 messages a node instead of rows columns - 1, and almost twice the bytes. With a
// single column everything goes straight. Knows nothing about ranks and parcels.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::redistribution {

/// What messages between nodes cost: a rank that carries some in turn takes latency_s + bytes /
/// bytes_per_s for each. The defaults are those with which Takahashi compares 1-D and 2-D
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
  /// So many columns, from 1 to `nodes`.
  NodeGrid(int nodes, int columns) : nodes_(nodes), columns_(columns) {}

  int nodes() const { return nodes_; }
  int columns() const { return columns_; }
  int rows() const { return (nodes_ + columns_ - 1) / columns_; }

  /// The node in the receiver's column through which `from` sends to `to`: that in the sender's
  /// row, where that is no hole; for the nodes of a last row with holes, one of the rows above
  /// each. It may be `from` or `to` itself.
  int via(int from, int to) const;
  /// Other nodes that a node sends to in such a hop, at most.
  int peers(Hop hop) const { return (hop == Hop::along_row ? columns_ : rows()) - 1; }
  /// The number of `other` among the peers of `node` in a hop: how far on it is in the grid.
  int number(Hop hop, int node, int other) const;

 private:
  int row(int node) const { return node / columns_; }
  int column(int node) const { return node % columns_; }

  int nodes_;
  int columns_;
};

/// Into how many messages, each carried by a rank of its own, a node cuts what it has for another:
/// as many as it has ranks to spare, sending to so many peers, but none shall have so few bytes
/// that it takes longer for its latency than for them. At least one.
int cut(double bytes, int ranks, int peers, Network const& network);

/// What the nodes of an exchange send.
struct NodeTraffic {
  int nodes;
  int ranks;     // of a node, that carry messages side by side
  int peers;     // other nodes that a node has something for
  double bytes;  // that a node has for all of them and itself
};

/// The time that the messages of both hops take.
double seconds_of(NodeGrid const& grid, NodeTraffic const& traffic, Network const& network);

/// The grid that takes the shortest time; of equals that with the fewest messages.
NodeGrid choose_grid(NodeTraffic const& traffic, Network const& network);

}  // namespace sixstep::redistribution

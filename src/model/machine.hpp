// SPDX-License-Identifier: BSD-3-Clause
// Machines: what is to be known of one to tell what a plan will cost on it.
//
// Plain data, as machine files hold it (machine_file.hpp). Knows nothing about plans.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::model {

/// Any two nodes are as near as others.
struct Flat {};

/// So many neighbours hang at one leaf switch; what leaves it has this share of a node's link.
struct FatTree {
  int leaf_nodes = 1;
  double taper = 1;
};

/// A part of a torus that a job gets: lengths of its axes, and which of them are meshes.
struct Partition {
  struct Axis {
    int length;
    bool mesh = false;
  };
  std::vector<Axis> axes;

  Index nodes() const;
  /// Of the longest axis, a mesh counting twice.
  int longest() const;
};

/// A job gets the first partition that has as many nodes as it needs.
struct Torus {
  double link_bytes_per_s = 0;  // one way
  double efficiency = 1;        // what headers leave of that
  std::vector<Partition> partitions;
};

/// Between nodes. A message takes latency_s + bytes / bandwidth; the ranks of a node share its
/// link.
struct Network {
  double latency_s = 0;
  double node_bytes_per_s = 0;
  double rank_bytes_per_s = 0;  // the most that one rank gets
  std::variant<Flat, FatTree, Torus> shape;
};

/// Between ranks of a node, all of which communicate.
struct Inside {
  double latency_s = 0;
  double rank_bytes_per_s = 0;
};

/// Of a rank, while all cores of its node work.
struct Memory {
  double copied_bytes_per_s = 0;  // each of them read and written
  double strip_share = 1;         // what reading or writing by strips leaves of that
  double cache_bytes = 0;         // what is in there costs nothing
};

/// GFLOP/s of one core, by the length of the transforms, on data in cache.
using Rates = std::map<Index, double>;

struct Machine {
  std::string name;
  std::vector<std::string> source;  // where the numbers are from, in lines
  std::vector<std::string> notes;   // what is derived or assumed
  int node_ranks = 1;
  int node_cores = 1;
  Network network;
  Inside inside;
  std::optional<Memory> memory;  // none: it costs nothing
  Rates double_gflops;           // none: arithmetic costs nothing
  Rates single_gflops;

  int nodes_of(int ranks) const { return (ranks + node_ranks - 1) / node_ranks; }
};

/// The bandwidth of a node in all-to-alls, A = e B (8 / L), L the longest axis of the partition
/// that so many nodes get (Doi and Negishi, FFT on Blue Gene/Q, equation 3). Errors: there is none.
double all_to_all_bytes_per_s(Torus const& torus, int nodes);

/// What one of so many ranks sends a second to another node, when all of them do; to a node at
/// another leaf switch, if there are such. Errors: a torus has no partition for them.
double sent_bytes_per_s(Machine const& machine, int ranks, bool to_another_leaf);

/// Flops a second of a rank, in transforms of this length: between two lengths on a line in its
/// logarithm, beyond them as at the nearest; infinite if there are no rates.
double kernel_flops_per_s(Machine const& machine, Index length, int real_bytes);

/// The same nodes with another number of ranks on each, which share what a node has. Errors: more
/// ranks than cores.
Machine with_node_ranks(Machine machine, int node_ranks);

}  // namespace sixstep::model

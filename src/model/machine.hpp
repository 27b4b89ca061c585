// SPDX-License-Identifier: BSD-3-Clause
// Machines: the figures of a machine that tell what a plan will cost on it.
//
// Plain data, as machine files hold it (machine_file.hpp). Knows nothing about plans.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sixstep/layout.hpp"

namespace sixstep::model {

/// A figure that depends on a size in bytes or points: linear in the logarithm between two sizes,
/// and constant beyond the first and the last.
class Curve {
 public:
  using Points = std::map<Index, double>;

  Curve() = default;
  Curve(double same) : points_{{any_size, same}} {}
  Curve(Points points) : points_(std::move(points)) {}

  /// Throws an internal error if the curve is empty.
  double at(double size) const;
  bool empty() const { return points_.empty(); }
  /// Whether it is the same for all sizes.
  bool is_same() const { return points_.size() == 1 && points_.begin()->first == any_size; }
  Points const& points() const { return points_; }
  Curve& operator*=(double factor);

 private:
  static constexpr Index any_size = 0;
  Points points_;
};

/// Every two nodes are equally near.
struct Flat {};

/// `leaf_nodes` neighbours share a leaf switch. Traffic that leaves it gets the share `taper` of a
/// node's link.
struct FatTree {
  int leaf_nodes = 1;
  double taper = 1;
};

/// A part of a torus that a job gets: the lengths of its axes, and which of them are meshes.
struct Partition {
  struct Axis {
    int length;
    bool mesh = false;
  };
  std::vector<Axis> axes;

  Index nodes() const;
  /// The length of the longest axis; a mesh counts twice.
  int longest() const;
};

/// A torus. A job gets the first partition that has as many nodes as it needs.
struct Torus {
  double link_bytes_per_s = 0;  // one way
  double efficiency = 1;        // the share of it that headers leave
  std::vector<Partition> partitions;
};

/// Messages between nodes. A message takes latency_s + bytes / bandwidth; the ranks of a node share
/// its link. Bandwidths depend on the bytes of a message.
struct Network {
  double latency_s = 0;
  Curve node_bytes_per_s = 0;  // while all ranks of the node send
  Curve rank_bytes_per_s = 0;  // the most that one rank gets
  std::variant<Flat, FatTree, Torus> shape;
  double overhead_s = 0;  // the part of latency_s in which the thread that computes is busy
};

/// Messages between the ranks of a node, all of which communicate.
struct Inside {
  double latency_s = 0;
  Curve rank_bytes_per_s = 0;            // by the bytes of a message
  std::optional<double> meeting_s = {};  // all ranks of a node wait for each other after some work;
                                         // empty: a latency for each doubling of them
  double overhead_s = 0;                 // as in Network
};

/// Rates of copies, by the bytes that a rank reads and writes in a pass over data that it has
/// worked on before.
struct Copies {
  Curve copied_bytes_per_s = 0;  // each of them read and written
  Curve strip_share = 1;         // the share of that rate which strips leave
};

/// The memory of a rank.
struct Memory {
  Copies together;                   // while all cores of its node work
  double cache_bytes = 0;            // data that fits costs nothing
  std::optional<Copies> alone = {};  // while no other rank works; empty: as together
};

/// GFLOP/s of one core, by the length of the transforms, on data in cache. Lengths that do not fit
/// include memory.
struct Rates {
  Curve rows;
  Curve columns;   // side by side, in a window of several passes; empty: as rows
  Curve strips;    // side by side, in a separate buffer; empty: as rows
  Curve twiddled;  // strips that are multiplied by a twiddle, whose flops do not count; empty: as
                   // rows
  Curve reals;     // r2c and the like, at half the flops; empty: as rows
};

/// The devices that ranks work on: memory and rates are those of devices, and a "core" is a rank's
/// share of one.
struct Devices {
  std::string name;
  // Bytes per second that a rank copies out of the device's memory, and into it at the same time:
  // messages are staged in the host's memory. Empty: messages are sent from the device's memory.
  std::optional<double> staged_bytes_per_s = {};
};

/// A published measurement of one problem, exchanged by messages.
struct Published {
  std::string source;
  std::vector<Index> shape;
  std::string kind;       // c2c, r2c ...
  std::string precision;  // double or single
  std::string output;     // natural or transposed
  std::string layout;     // slab, pencil or brick
  int windows = 1;        // windows of the exchanges
  // Seconds or GFLOP/s, by the number of ranks.
  Curve seconds = {};
  Curve communication_s = {};  // part of the seconds; empty: not known
  Curve gflops = {};
};

struct Machine {
  std::string name;
  std::vector<std::string> source;  // where the numbers come from, in lines
  std::vector<std::string> notes;   // numbers that are derived or assumed
  int node_ranks = 1;
  int node_cores = 1;              // cores that work; if there are more ranks, they share them
  std::optional<Network> network;  // empty: only one node is known
  Inside inside;
  std::optional<Devices> device = {};  // empty: ranks work on the host
  std::optional<Memory> memory;        // empty: memory costs nothing
  Rates double_gflops;                 // empty: arithmetic costs nothing
  Rates single_gflops;
  std::vector<Published> published = {};

  int nodes_of(int ranks) const { return (ranks + node_ranks - 1) / node_ranks; }
  /// Throws Error if the machine has no network.
  Network const& between_nodes() const;
};

/// The bandwidth of a node in all-to-alls, A = e B (8 / L), where L is the longest axis of the
/// partition that a job of `nodes` nodes gets (Doi and Negishi, FFT on Blue Gene/Q, equation 3).
/// Throws Error if no partition is large enough.
double all_to_all_bytes_per_s(Torus const& torus, int nodes);

/// The bytes per second that one of `ranks` ranks sends to another node in messages of
/// `message_bytes`, while all ranks do; to a node at another leaf switch if `to_another_leaf`.
/// Throws Error
/// - if a torus has no partition for the ranks
/// - if there is no network.
double sent_bytes_per_s(Machine const& machine, int ranks, bool to_another_leaf,
                        double message_bytes);

/// The shortest messages between nodes, of a power of two bytes, that take at most 1.5 times as
/// long for a byte as long ones, including the overhead of the thread. Shorter ones cost more than
/// windows hide. Empty if there is no network.
std::optional<Index> shortest_worth_a_window(Machine const& machine, int ranks);

/// Flops per second of a rank in transforms of this length, by one of its rates; infinite if there
/// are none.
double kernel_flops_per_s(Machine const& machine, Index length, int real_bytes,
                          Curve Rates::*of = &Rates::rows);

/// The machine with another number of ranks on each node, which share what a node has. Each rank
/// has `threads` cores of the node at work; 0 means all cores that it can get.
Machine with_node_ranks(Machine machine, int node_ranks, int threads = 0);

}  // namespace sixstep::model

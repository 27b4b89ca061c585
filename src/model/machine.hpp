// SPDX-License-Identifier: BSD-3-Clause
// Machines: what is to be known of one to tell what a plan will cost on it.
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

/// A figure that depends on a size in bytes or points: between two sizes on a line in the
/// logarithm, beyond them as at the nearest.
class Curve {
 public:
  using Points = std::map<Index, double>;

  Curve() = default;
  Curve(double same) : points_{{any_size, same}} {}
  Curve(Points points) : points_(std::move(points)) {}

  /// Errors: an empty one.
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
/// link. Bandwidths are by the bytes of a message.
struct Network {
  double latency_s = 0;
  Curve node_bytes_per_s = 0;  // while all ranks of the node send
  Curve rank_bytes_per_s = 0;  // the most that one rank gets
  std::variant<Flat, FatTree, Torus> shape;
  double overhead_s = 0;  // the part of latency_s in which the thread that computes is busy
};

/// Between ranks of a node, all of which communicate.
struct Inside {
  double latency_s = 0;
  Curve rank_bytes_per_s = 0;            // by the bytes of a message
  std::optional<double> meeting_s = {};  // all ranks of a node wait for each other after some work;
                                         // none: a latency for each doubling of them
  double overhead_s = 0;                 // as Network has it
};

/// By the bytes that a rank reads and writes in a pass, all of which it worked on before.
struct Copies {
  Curve copied_bytes_per_s = 0;  // each of them read and written
  Curve strip_share = 1;         // what reading or writing by strips leaves of that
};

/// Of a rank.
struct Memory {
  Copies together;                   // while all cores of its node work
  double cache_bytes = 0;            // what is in there costs nothing
  std::optional<Copies> alone = {};  // while no other rank does; none: as together
};

/// GFLOP/s of one core, by the length of the transforms, on data in cache; of lengths that do not
/// fit, memory included.
struct Rates {
  Curve rows;
  Curve columns;   // side by side, in a window of several passes; none: as rows
  Curve strips;    // side by side, in a buffer of their own; none: as rows
  Curve twiddled;  // strips that are multiplied by a twiddle, whose flops do not count; none: as
                   // rows
  Curve reals;     // r2c and the like, at half the flops; none: as rows
};

/// A machine whose ranks work on devices: memory and rates are theirs, a "core" is a rank's share
/// of one.
struct OnDevice {
  std::string name;
  // Of a rank, out of the device's memory and into it at the same time, each: messages are staged
  // in the host's memory. None: messages go from the device's memory.
  std::optional<double> staged_bytes_per_s = {};
};

/// What somebody measured there of one problem, exchanged by messages.
struct Published {
  std::string source;
  std::vector<Index> shape;
  std::string kind;       // c2c, r2c ...
  std::string precision;  // double or single
  std::string output;     // natural or transposed
  std::string layout;     // slab, pencil or brick
  int windows = 1;        // in which exchanges went
  // By ranks, seconds or GFLOP/s.
  Curve seconds = {};
  Curve communication_s = {};  // of the seconds; none: not known
  Curve gflops = {};
};

struct Machine {
  std::string name;
  std::vector<std::string> source;  // where the numbers are from, in lines
  std::vector<std::string> notes;   // what is derived or assumed
  int node_ranks = 1;
  int node_cores = 1;              // that work; ranks that outnumber them share them
  std::optional<Network> network;  // none: one node alone is known
  Inside inside;
  std::optional<OnDevice> device = {};  // none: ranks work on the host
  std::optional<Memory> memory;         // none: it costs nothing
  Rates double_gflops;                  // none: arithmetic costs nothing
  Rates single_gflops;
  std::vector<Published> published = {};

  int nodes_of(int ranks) const { return (ranks + node_ranks - 1) / node_ranks; }
  /// Errors: there is none.
  Network const& between_nodes() const;
};

/// The bandwidth of a node in all-to-alls, A = e B (8 / L), L the longest axis of the partition
/// that so many nodes get (Doi and Negishi, FFT on Blue Gene/Q, equation 3). Errors: there is none.
double all_to_all_bytes_per_s(Torus const& torus, int nodes);

/// What one of so many ranks sends a second to another node in messages of so many bytes, when all
/// of them do; to a node at another leaf switch, if there are such. Errors: a torus has no
/// partition for them; there is no network.
double sent_bytes_per_s(Machine const& machine, int ranks, bool to_another_leaf,
                        double message_bytes);

/// The shortest messages between nodes, of a power of two bytes, that take no more than half as
/// long again for their bytes as long ones, the overhead of the thread included: shorter ones cost
/// more than windows hide. None: there is no network.
std::optional<Index> shortest_worth_a_window(Machine const& machine, int ranks);

/// Flops a second of a rank, in transforms of this length, by one of its rates; infinite if there
/// are none.
double kernel_flops_per_s(Machine const& machine, Index length, int real_bytes,
                          Curve Rates::*of = &Rates::rows);

/// The same nodes with another number of ranks on each, which share what a node has; of its cores
/// each rank has `threads` at work, by default all that there are for it.
Machine with_node_ranks(Machine machine, int node_ranks, int threads = 0);

}  // namespace sixstep::model

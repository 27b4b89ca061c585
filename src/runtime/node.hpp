// SPDX-License-Identifier: BSD-3-Clause
// What the ranks of a node have in common: memory, and a place to wait for one another in it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/arena.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

/// The ranks of a communicator that share a node, as they are numbered there: ascending. With
/// SIXSTEP_NODE_RANKS=n in the environment, n neighbours at most are a node (to try out what
/// several nodes do).
class Node {
 public:
  Node() = default;
  /// Collective. Errors, on every rank: SIXSTEP_NODE_RANKS is no number of at least 1, or not the
  /// same on all ranks.
  explicit Node(mpi::Communicator const& comm);

  mpi::Communicator const& comm() const { return kept_->comm; }
  int size() const { return kept_ ? kept_->comm.size() : 0; }
  /// Of each rank of the communicator: which node it is on (the lowest rank there), and its number
  /// among that node's ranks.
  std::vector<int> const& node_of() const { return kept_->node_of; }
  std::vector<int> const& place_of() const { return kept_->place_of; }
  /// The ranks of this node, by place.
  std::vector<int> const& ranks() const { return kept_->ranks; }

 private:
  struct Kept {
    mpi::Communicator comm;
    std::vector<int> node_of;
    std::vector<int> place_of;
    std::vector<int> ranks;
  };
  static std::shared_ptr<Kept> made(mpi::Communicator const& comm, int most_ranks);

  std::shared_ptr<Kept const> kept_;
};

/// Memory of each rank in its segment of an arena, at the same place, and a counter for each.
class NodeMemory {
 public:
  /// At least `bytes` for each rank, the same on all, which fill with zeros as they are touched.
  /// Collective over the node, which outlives any wait(). Errors, on any of its ranks: memory that
  /// cannot be had or opened.
  NodeMemory(Node const& node, std::size_t bytes);
  NodeMemory(NodeMemory const&) = delete;
  NodeMemory& operator=(NodeMemory const&) = delete;

  /// This rank's.
  std::byte* segment() const { return segment_.get(); }
  /// From a rank's to the next's; a multiple of a huge page.
  std::size_t segment_bytes() const { return arena_->segment_bytes(); }

  /// In which other arrays may be had.
  Arena& arena() const { return *arena_; }
  /// Which two arrays of the arena these are, which have room for so many bytes, as a word that is
  /// the same on all ranks that give arrays which they reserved together; 0 if they are not both.
  struct Array {
    void const* memory;
    std::size_t bytes;
  };
  std::uint64_t word_for(Array const& in, Array const& out) const;

  /// This rank has come to its next meeting, and says something there.
  void arrive(std::uint64_t word = 0);
  /// Waits for all ranks of the node to have come to the meeting where this rank arrived last,
  /// which `name` is the name of should that take too long. Whether they all said the same there;
  /// asked of every other meeting at least, for a rank may be one ahead.
  bool wait(std::string_view name = "a meeting");
  /// "ranks 2, 3 have not come" to the meeting where this rank arrived last; empty if all have.
  std::string waiting_for() const;

 private:
  struct Counter;
  Counter& counter(int place) const;

  mpi::Comm comm_;  // progresses while this rank waits
  int place_ = 0;
  std::vector<int> ranks_;  // by place, as the plan numbers them
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<std::byte> segment_;
  std::size_t counter_offset_;
};

}  // namespace sixstep
